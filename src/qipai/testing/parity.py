"""One source, three ways to run it: plain, compiled and checked must give the same bytes."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import State, copy_state, pick
from qipai.core.game import Functions

from . import loops
from .report import Case, Property
from .run import Run, running, viewers

WAYS = ("plain", "compiled", "checked")
UNWRITTEN = 1 << 20  # in the wide observation: not an int8
LOW, HIGH = -128, 127


class Way:
    """A game played in one way."""

    def __init__(self, run: Run, name: str) -> None:
        self.name = name
        self.game = run.game
        self.functions: Functions = run.game.functions(name)
        self.blame = Property.BOUNDS if name == "checked" else Property.PARITY

    def deal(self, blank: State, words: tuple[int, int, int, int]) -> State:
        """Return a fresh deal."""
        s = copy_state(blank)
        self.game.key(s, words)
        self.functions.deal(s)
        return s

    def mask(self, s: State) -> tuple[int, NDArray[np.uint8]]:
        """Return the count that `legal` returns, and the mask."""
        mask = np.zeros(self.game.width, np.uint8)
        return int(self.functions.legal(s, mask)), mask

    def observation(self, s: State, seat: int) -> NDArray[Any]:
        """Return the observation; plain, in a wider array that shows what does not fit."""
        if self.name != "plain":
            out: NDArray[Any] = np.zeros(self.game.observation_size, np.int8)
        else:
            out = np.full(self.game.observation_size, UNWRITTEN, np.int32)
        self.functions.observe(s, seat, out)
        return out

    def redrawn(self, s: State, seat: int, words: tuple[int, int, int, int]) -> State:
        """Return a world that is consistent with what `seat` knows."""
        copy = copy_state(s)
        self.game.key(copy, words)
        self.functions.determinize(copy, seat)
        return copy


def check_parity(run: Run) -> None:
    """Play `parity_games` games in all three ways, comparing state, mask and observations at every ply."""
    ways = []
    for name in WAYS:
        with run.compiling():
            ways.append(Way(run, name))
    for number in range(run.parity_games):
        run.tick(number, run.parity_games, "games in three ways")
        with np.errstate(over="raise"):
            _compare_game(run, ways, number)


def _compare_game(run: Run, ways: list[Way], number: int) -> None:
    case = run.case(number)
    blank = run.blanks[run.setting(number)]
    states = []
    for way in ways:
        with run.guard(way.blame, f"deal ({way.name})", case):
            states.append(way.deal(blank, case.words))
    rng = run.chooser(number)
    redraw_at = number % 7
    while True:
        _compare_states(run, ways, states, case)
        if run.is_time(case, 1.0) or not running(states[0]):
            _compare_observations(run, ways, states, case)
        if not running(states[0]):
            return
        if case.ply % 7 == redraw_at and run.is_time(case):
            _compare_worlds(run, ways, states, case)
        action = _same_choice(run, ways, states, rng, case)
        for way, s in zip(ways, states, strict=True):
            with run.guard(way.blame, f"apply of {action} ({way.name})", case):
                way.functions.apply(s, action)
        case.actions.append(action)


def _compare_states(run: Run, ways: list[Way], states: list[State], case: Case) -> None:
    """Compare the named fields, including scratch."""
    first = states[0].tobytes()
    for way, s in zip(ways[1:], states[1:], strict=True):
        if s.tobytes() != first:
            odd = [n for n in s.dtype.names or () if not np.array_equal(s[n], states[0][n])]
            run.fail(Property.PARITY, f"plain and {way.name} differ in {', '.join(odd) or 'padding'}", case)
        run.count(Property.PARITY)


def _compare_observations(run: Run, ways: list[Way], states: list[State], case: Case) -> None:
    for seat in viewers(states[0]):
        seen = []
        for way, s in zip(ways, states, strict=True):
            with run.guard(way.blame, f"observe for seat {seat} ({way.name})", case):
                seen.append(way.observation(s, seat))
        wide = seen[0]
        for feature in run.game.rules.observation:
            part = wide[feature.start : feature.start + feature.length]
            if (part == UNWRITTEN).any():
                run.fail(Property.OBSERVATION, f"seat {seat}: {feature.name} is not all written", case)
            if part.min() < LOW or part.max() > HIGH:
                run.fail(Property.OBSERVATION, f"seat {seat}: {feature.name} does not fit int8", case)
            if part.min() < feature.low or part.max() > feature.high:
                said = f"seat {seat}: {feature.name} is not from {feature.low} to {feature.high}"
                run.fail(Property.OBSERVATION, said, case)
        for way, out in zip(ways[1:], seen[1:], strict=True):
            equal = np.array_equal(wide, out)
            run.require(equal, Property.PARITY, f"observe for seat {seat}: plain and {way.name} differ", case)


def _compare_worlds(run: Run, ways: list[Way], states: list[State], case: Case) -> None:
    seat = int(states[0]["seat"])
    words = run.words(case.number, loops.REDRAW)
    worlds = []
    for way, s in zip(ways[::-1], states[::-1], strict=True):  # the watched ones first
        with run.guard(way.blame, f"determinize for seat {seat} ({way.name})", case):
            redrawn = partial(way.redrawn, s, seat, words)
            world = redrawn() if way.name == "plain" else run.watched(redrawn, "determinize", case)
            worlds.append(world.tobytes())
    equal = worlds[0] == worlds[1] == worlds[2]
    run.require(equal, Property.PARITY, f"determinize for seat {seat} depends on the way it is run", case)


def _same_choice(run: Run, ways: list[Way], states: list[State], rng: NDArray[np.uint32], case: Case) -> int:
    """Check that the masks are equal, and return one action of them."""
    if case.ply >= run.game.rules.length:
        run.fail(Property.LENGTH, f"still going on after {run.game.rules.length} actions", case)
    found = []
    for way, s in zip(ways, states, strict=True):
        with run.guard(way.blame, f"legal ({way.name})", case):
            found.append(way.mask(s))
    count, mask = found[0]
    for way, (n, other) in zip(ways[1:], found[1:], strict=True):
        equal = n == count and np.array_equal(mask, other)
        run.require(equal, Property.PARITY, f"the masks differ, plain and {way.name}", case)
    if not mask.any():
        run.fail(Property.MASK, "empty while a seat decides", case)
    return int(pick(rng, mask, int(np.count_nonzero(mask))))
