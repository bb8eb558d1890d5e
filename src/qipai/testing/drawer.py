"""Worlds by the thousand: dealt, redrawn, played through a history, observed.

`Drawer` is the Python side of the compiled loops in `world_loops`; `History` is what they compare with.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game, State, new_states
from qipai.core.compiling import compile_rules, rules_digest
from qipai.core.variant import Variant

from . import world_loops as loops
from .run import Run

LOOPS = ("deal_rows", "redraw_rows", "find_worlds", "look_rows")
ROWS = 2000  # maximum worlds in a sample,
LOOKS = 900_000  # maximum numbers observed in them,
FEWEST = 300  # and minimum worlds
ENOUGH = 100  # with fewer worlds nothing is said about which ones are drawn
FIRST_TRIES = 20_000  # deals or redrawn worlds that are played through a history,
TRIES = 600_000  # and how many if the first ones look promising, in a game whose states have at most
SMALL = 128  # bytes; fewer for larger states
WORK = 300_000  # actions applied in them
DEALS = 20_000  # maximum deals in a sample,
CELLS = 2_500_000  # and numbers observed in them
AHEAD = 12  # actions after which worlds are observed again
PATH = 400  # maximum actions between the beginning of a history and its end
PLAIN = 200  # times fewer of all these if rules are not compiled,
PLAIN_TRIES = 600  # except tries
PLAIN_ROWS = 120  # and worlds in a sample

# Purposes of random numbers: a part of the generator's words.
PURPOSES = 8
DEAL, REDRAW, REDRAW_OTHERS, TRY, PLAY, PLAY_OTHERS = range(6)


Worlds = NDArray[Any]  # (rows,) of states


@dataclass(frozen=True)
class History:
    """What a viewer has seen from one position of a game to another, frame by frame (see `world_loops`)."""

    viewer: int
    start: State  # the true state at its beginning
    end: State  # and at its end
    actions: tuple[int, ...]  # all actions between them
    waits: bool  # the viewer decides at the end
    dealt: bool  # it begins with the deal
    hidden: bool  # the viewer did not notice some action
    frames: NDArray[np.int8]
    masks: NDArray[np.uint8]
    own: NDArray[np.int32]
    acts: NDArray[np.int32]


def make_history(
    game: Game, viewer: int, states: list[State], actions: list[int], start: int, end: int
) -> History:
    """Return what `viewer` saw between two plies of a game, given all its states and actions."""
    blank = np.zeros(game.width, np.uint8)
    frames, masks = [game.observation_of(states[start], viewer)], [blank]
    own, acts, hidden = [-1], [(-1, 0)], False
    for ply in range(start, end):
        actor, action = int(states[ply]["seat"]), actions[ply]
        seen = game.observation_of(states[ply + 1], viewer)
        if actor == viewer:
            masks[-1], own[-1] = game.mask(states[ply]), action
        elif np.array_equal(seen, frames[-1]):
            hidden = True
            continue
        acts[-1] = (actor, action)
        frames.append(seen)
        masks.append(blank)
        own.append(-1)
        acts.append((-1, 0))
    waits = int(states[end]["seat"]) == viewer
    if waits:
        masks[-1] = game.mask(states[end])
    arrays = np.array(frames), np.array(masks), np.array(own, np.int32), np.array(acts, np.int32)
    done = tuple(actions[start:end])
    return History(viewer, states[start], states[end], done, waits, start == 0, hidden, *arrays)


class Drawer:
    """The loops with one game's functions filled in, and their memory.

    `number` identifies a position: with the seed of the run and a purpose it gives the words of a generator.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.game = run.game
        self.plain = run.variant == "plain" or not hasattr(run.game.rules.apply, "py_func")
        widest = max(self.look_size(blank) for blank in run.blanks)
        self.rows = PLAIN_ROWS if self.plain else min(ROWS, max(FEWEST, LOOKS // widest))
        self.loops = make_loops(self.game, "plain" if self.plain else "compiled")
        most = max(self.rows, *(self.deal_rows(blank) for blank in run.blanks))
        self.states = new_states(self.game.rules.State, loops.KEPT + most)
        shape = len(self.states), self.game.rules.State.itemsize
        self.raw = self.states.view(np.ndarray).view(np.uint8).reshape(shape)
        self.tally = np.zeros(loops.LIMIT + 1, np.int64)
        self.paths = np.zeros((self.rows + 1, PATH + loops.ACTIONS), np.int32)
        self.ahead = AHEAD // 4 if self.plain else AHEAD
        self._mask = np.zeros(self.game.width, np.uint8)
        self._out = np.zeros(self.game.observation_size, np.int8)
        self._rng = np.zeros(4, np.uint32)

    def deal_rows(self, blank: State) -> int:
        """Return the number of deals in a sample."""
        most = min(DEALS, max(self.rows, CELLS // self.look_size(blank)))
        return PLAIN_ROWS if self.plain else most

    def look_size(self, s: State) -> int:
        """Return how many numbers all viewers observe of a state, now and later."""
        return 2 * (int(s["seats"]) + 1) * self.game.observation_size

    def words(self, number: int, purpose: int) -> tuple[int, int, int]:
        """Return three of the four words of a generator."""
        low, high, where, _ = self.run.words(PURPOSES * number + purpose, 0)
        return low ^ 0x5EED, high, where

    # --- worlds -----------------------------------------------------------------------------

    def deals(self, blank: State, rows: int, number: int) -> Worlds:
        """Return deals."""
        self.states[loops.BASE] = blank
        self._call("deal_rows", self.states, self.raw, *self.words(number, DEAL), 0, rows)
        return self._kept(rows)

    def redrawn(self, worlds: Worlds, viewer: int, number: int, purpose: int = REDRAW) -> Worlds:
        """Return worlds, each redrawn for `viewer`."""
        self._put(worlds)
        self._call("redraw_rows", self.states, viewer, *self.words(number, purpose), 0, len(worlds))
        return self._kept(len(worlds))

    def many(self, s: State, rows: int) -> Worlds:
        """Return a state repeated many times."""
        found = new_states(self.game.rules.State, rows)
        found[:] = s
        return found

    def find(
        self, history: History, blank: State, redraws: bool, number: int
    ) -> tuple[Worlds, NDArray[np.int32]]:
        """Return worlds that show the viewer the same history, and their paths.

        They are dealt from `blank` or, with `redraws`, redrawn where the history begins. After the call
        `tally` says how many were tried.
        """
        self.states[loops.BASE] = history.start if redraws else blank
        self.tally[:] = 0
        self.tally[loops.LIMIT] = WORK // PLAIN if self.plain else WORK
        arrays = history.frames, history.masks, history.own, history.acts
        memory = np.zeros((len(history.own), loops.LUCK), np.int64), self.paths, np.zeros_like(self._out)
        found = 0
        most = TRIES * SMALL // max(SMALL, self.game.rules.State.itemsize)
        for tries in (PLAIN_TRIES,) if self.plain else (FIRST_TRIES, most):
            found = self._call(
                "find_worlds",
                *(self.states, self.raw, *arrays, *memory, self._mask, self._out, self.tally, self._rng),
                *(history.viewer, int(history.waits), int(redraws), *self.words(number, TRY)),
                *(tries, found, self.rows),
            )
            if found * most < ENOUGH * FIRST_TRIES // 2:
                break
        return self._kept(found), self.paths[:found].copy()

    def looks(self, worlds: Worlds, number: int, purpose: int) -> NDArray[np.int8]:
        """Return what all viewers observe in each world, now and some random actions later."""
        self._put(worlds)
        table = np.zeros((len(worlds), self.look_size(worlds[0])), np.int8)
        memory = self.states, self.raw, table, self._mask, self._rng
        self._call("look_rows", *memory, *self.words(number, purpose), 0, len(worlds), self.ahead)
        return table

    def _kept(self, rows: int) -> Worlds:
        return self.states[loops.KEPT : loops.KEPT + rows].copy()

    def _put(self, worlds: Worlds) -> None:
        self.states[loops.KEPT : loops.KEPT + len(worlds)] = worlds

    def _call(self, loop: str, *arguments: Any) -> int:
        """Run a loop, watched if nothing else could stop it."""
        call = partial(self.loops[loop], *arguments)
        if self.plain:
            return int(call() or 0)
        return int(self.run.watch(call, lambda: loop, lambda: int(self.tally[loops.WORK])) or 0)


def make_loops(game: Game, kind: str) -> dict[str, Any]:
    """Return the loops with the functions of `game` filled in, `plain` or `compiled`."""
    parts = game.functions(kind)
    names = {n: getattr(parts, n) for n in ("deal", "legal", "apply", "observe", "determinize")}
    tag = f"{game.name}-{game.rules.actions}-{rules_digest(names.values())}"
    make = Variant(kind, tag=tag, names={loops.__name__: names})
    made = {name: make(getattr(loops, name)) for name in LOOPS}
    if kind != "plain":
        compile_rules(list(made.values()), game.rules.State, f"worlds/{game.name}/{game.rules.actions}")
    return made
