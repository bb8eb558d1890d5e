"""The CPU engine of a batch: compiled loops, with the lanes split over threads.

The result of a lane only depends on the seed and its number, so the number of threads
changes nothing but the time.
"""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from qipai.core import Game, State, new_states
from qipai.core.calls import uniform
from qipai.core.compiling import are_kept, compile_rules, rules_digest
from qipai.core.errors import IllegalAction
from qipai.core.progress import Progress, progress_line
from qipai.core.variant import Variant

from . import loops, primitives
from .engine import Arrays, no_action

LOOPS = (
    "reset_lanes",
    "deliver_lanes",
    "observe_all_lanes",
    "first_illegal",
    "step_lanes",
    "choose_lanes",
    "rollout_lanes",
    "rollout_observed_lanes",
)
# Of `primitives.py`, compiled when one of a group is first asked for.
KEPT = (
    "reset_chosen_lanes",
    "redraw_lanes",
    "deliver_going_lanes",
    "first_illegal_going",
    "step_kept_lanes",
    "rollout_kept_lanes",
)
PLAYOUTS = ("first_bad", "playout_range")
ALIGNMENT = 64  # bytes
CHUNK = 1024  # lanes that fit in a core's cache together
MIN_SHARE = 64  # fewer lanes per thread do not pay for the thread

# Keyed by the game itself, because an id may be reused for another game.
_loops: WeakKeyDictionary[Game, dict[str, dict[str, Any]]] = WeakKeyDictionary()


def loops_for(game: Game, variant: str = "compiled", progress: Progress | None = None) -> dict[str, Any]:
    """Return the loops with this game's functions filled in, compiled."""
    known = _loops.setdefault(game, {})
    if variant not in known:
        made = _make(game, variant)
        if variant != "plain":
            label = f"sim/{game.name}/{game.rules.actions}/{variant}"
            compile_rules(list(made.values()), game.rules.State, label, progress)
        known[variant] = made
    return known[variant]


def primitives_for(
    game: Game, group: tuple[str, ...], variant: str = "compiled", policy: Any = uniform
) -> dict[str, Any]:
    """Return the loops of `primitives.py` that `group` names, compiled with this game's functions."""
    known = _loops.setdefault(game, {})
    key = f"{group[0]}/{variant}/{id(policy)}"  # the policy is a rule of the game or of the core: it stays
    if key not in known:
        parts = game.functions(variant)
        names = {name: getattr(parts, name) for name in ("deal", "legal", "apply", "observe", "determinize")}
        names["choose"] = Variant(variant)(policy)
        tag = f"{game.name}-{game.rules.actions}-{rules_digest(names.values())}"
        modules = {loops.__name__: names, primitives.__name__: names}
        make = Variant(variant, tag=tag, names=modules, entries=(*KEPT, *PLAYOUTS))
        made = {name: make(getattr(primitives, name)) for name in group}
        if variant != "plain":
            label = f"sim/{game.name}/{game.rules.actions}/{variant}/{group[0]}"
            compile_rules(list(made.values()), game.rules.State, label, progress_line(game.title("en")))
        known[key] = made
    return known[key]


def is_kept(game: Game) -> bool:
    """Return whether a batch of this game needs no compilation: compiled already, or in the cache."""
    if "compiled" in _loops.get(game, {}):
        return True
    return game.kept and are_kept(_make(game, "compiled").values(), game.rules.State)


def _make(game: Game, variant: str) -> dict[str, Any]:
    parts = game.functions(variant)
    names = {"deal": parts.deal, "legal": parts.legal, "apply": parts.apply, "observe": parts.observe}
    # One cache folder per game and version of its rules: the loops of all games share a source file, and
    # Numba only looks at that file.
    tag = f"{game.name}-{game.rules.actions}-{rules_digest(names.values())}"
    make = Variant(variant, tag=tag, names={loops.__name__: names}, entries=LOOPS)
    return {name: make(getattr(loops, name)) for name in LOOPS}


def machine_memory() -> float:
    """Return the bytes of this machine's memory; infinity if it does not say."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):  # not a POSIX system
        return math.inf


def aligned_zeros(shape: tuple[int, ...], kind: type[np.generic]) -> np.ndarray[Any, Any]:
    """Return a zeroed array that begins at a multiple of 64 bytes, as JAX needs to share its memory."""
    size = math.prod(shape) * np.dtype(kind).itemsize
    room = np.zeros(size + ALIGNMENT, np.uint8)
    skip = -room.ctypes.data % ALIGNMENT
    return room[skip : skip + size].view(kind).reshape(shape)


class CpuEngine:
    """Engine that runs the loops over arrays in main memory."""

    def __init__(self, game: Game, n: int, threads: int | None, variant: str = "compiled") -> None:
        self.game = game
        self.variant = variant
        self.loops = loops_for(game, variant, progress_line(game.title("en")))
        self.n = n
        wanted = threads if threads is not None else (os.cpu_count() or 1)
        self.threads = max(1, min(wanted, n // MIN_SHARE)) if n >= MIN_SHARE else 1
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def allocate(self, blank: State) -> Arrays:
        """Return zeroed arrays, and copies of `blank` as states. Raise `MemoryError` if they cannot fit.

        Asking first matters: Linux promises more memory than there is, and ends the process that uses it.
        """
        n, game = self.n, self.game
        lane = game.rules.State.itemsize + game.width + game.observation_size
        if n * lane > machine_memory():
            raise MemoryError
        state = new_states(game.rules.State, n)
        state[:] = blank
        return Arrays(
            state=state,
            mask=aligned_zeros((n, game.width), np.uint8),
            obs=aligned_zeros((n, game.observation_size), np.int8),
            seat=aligned_zeros((n,), np.int8),
            reward=aligned_zeros((n, int(blank["seats"])), np.int32),
            done=aligned_zeros((n,), np.uint8),
            cut=aligned_zeros((n,), np.uint8),
            choice=np.zeros((n, 4), np.uint32),
        )

    def reset(self, a: Arrays, low: int, high: int) -> bool:
        """Seed and deal every lane; return whether every lane found a deal with a decision."""
        for array in (a.reward, a.done, a.cut):
            array[:] = 0
        self._run("reset_lanes", a.state, a.choice, low, high)
        self.observe(a)
        return not bool((a.seat < 0).any())

    def step(self, a: Arrays, actions: Any) -> None:
        """Apply one action per lane; raise `IllegalAction`, and change nothing, if any is illegal."""
        for lane in self._run("first_illegal", actions, a.mask, a.seat, self.game.rules.actions):
            if lane >= 0:
                raise IllegalAction(f"lane {lane}: action {int(actions[lane])} is not legal")
        self._run("step_lanes", a.state, actions, a.mask, a.obs, a.seat, a.reward, a.done, a.cut)

    def put(self, a: Arrays, states: Any) -> None:
        """Set every state."""
        a.state[:] = states
        for array in (a.reward, a.done, a.cut):
            array[:] = 0
        self.observe(a)

    def redraw(self, a: Arrays, viewers: Any) -> None:
        """Redraw what each lane's viewer cannot know."""
        self._use(KEPT)
        self._run("redraw_lanes", a.state, a.choice, viewers)
        self._run("deliver_going_lanes", a.state, a.mask, a.obs, a.seat)

    def reset_chosen(self, a: Arrays, chosen: Any, seed: tuple[int, int] | None) -> None:
        """Deal again in the chosen lanes."""
        self._use(KEPT)
        outputs = (a.mask, a.obs, a.seat, a.reward, a.done, a.cut)
        self._run(
            "reset_chosen_lanes", a.state, a.choice, chosen, *outputs, seed is not None, *(seed or (0, 0))
        )

    def step_kept(self, a: Arrays, actions: Any) -> None:
        """Apply one action in each lane that is not over, otherwise like `step`."""
        self._use(KEPT)
        for lane in self._run("first_illegal_going", actions, a.mask, a.seat, self.game.rules.actions):
            if lane >= 0:
                raise IllegalAction(f"lane {lane}: action {int(actions[lane])} is not legal")
        self._run("step_kept_lanes", a.state, actions, a.mask, a.obs, a.seat, a.reward, a.done, a.cut)

    def rollout_kept(self, a: Arrays, steps: int) -> tuple[int, int, Any]:
        """Make random decisions up to the end of each game; return decisions, games ended and payoffs."""
        self._use(KEPT)
        payoff, made = np.zeros_like(a.reward), np.zeros(self.n, np.int32)
        outputs = (a.mask, a.obs, a.seat, a.reward, a.done, a.cut, payoff, made)
        ended = self._run("rollout_kept_lanes", a.state, a.choice, *outputs, steps)
        self._refuse_stuck(a, ended)
        return int(made.sum(dtype=np.int64)), sum(ended), payoff

    def choose(self, a: Arrays) -> Any:
        """Return a random legal action per lane."""
        actions = np.zeros(self.n, np.int32)
        self._run("choose_lanes", a.choice, a.mask, actions)
        return actions

    def rollout(self, a: Arrays, steps: int, observe: bool) -> int:
        """Make random decisions and return the number of games ended."""
        outputs = (a.seat, a.reward, a.done, a.cut)
        if observe:
            # The loop sweeps over all lanes at every step, so it runs on chunks that fit in the cache.
            pieces = -(-self.n // (self.threads * CHUNK))
            ended = self._run(
                "rollout_observed_lanes", a.state, a.choice, a.mask, a.obs, *outputs, steps, pieces=pieces
            )
        else:
            ended = self._run("rollout_lanes", a.state, a.choice, a.mask, *outputs, steps)
            self.observe(a)
        self._refuse_stuck(a, ended)
        return sum(ended)

    def _refuse_stuck(self, a: Arrays, ended: list[Any]) -> None:
        """Raise `BadGame` for a lane in which a seat has no action."""
        for lane in (-1 - part for part in ended if part < 0):
            raise no_action(self.game, f"lane {lane}: seat {int(a.state['seat'][lane])} has")

    def observe(self, a: Arrays) -> None:
        """Fill mask, observation and seat for the current states."""
        self._run("deliver_lanes", a.state, a.mask, a.obs, a.seat)

    def observe_all(self, a: Arrays, seen: Any) -> None:
        """Fill in the observations of all seats."""
        self._run("observe_all_lanes", a.state, seen, a.reward.shape[1])

    def rows(self, count: int) -> Any:
        """Return zeroed rows for observations."""
        return np.zeros((count, self.game.observation_size), np.int8)

    def check(self) -> None:
        """Do nothing: `step` has already raised for illegal actions."""

    def save(self, a: Arrays) -> dict[str, Any]:
        """Return the arrays themselves."""
        return dict(vars(a))

    def load(self, a: Arrays, saved: dict[str, Any]) -> None:
        """Fill the arrays with what `save` returned."""
        for name, array in vars(a).items():
            array[:] = saved[name]

    def _use(self, group: tuple[str, ...]) -> None:
        """Compile the loops of a group on first use."""
        if group[0] not in self.loops:
            self.loops = {**self.loops, **primitives_for(self.game, group, self.variant)}

    def _run(self, name: str, *arguments: Any, pieces: int = 1) -> list[Any]:
        """Run loop `name` over all lanes in parts; return one result per part, in lane order."""
        loop = self.loops[name]
        count = self.threads * pieces
        edges = [self.n * k // count for k in range(count + 1)]
        parts = [(lo, hi) for lo, hi in pairwise(edges) if lo < hi]
        if self._pool is None:
            return [loop(*arguments, lo, hi) for lo, hi in parts]
        futures = [self._pool.submit(loop, *(*arguments, lo, hi)) for lo, hi in parts]
        return [f.result() for f in futures]
