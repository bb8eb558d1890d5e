"""`Learners`: a batch in which one seat per lane is the learner's and the others are played for it.

The Gymnasium environments (`gym_vector.py`, `gym_single.py`) are thin wrappers around this class.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import deepcopy
from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from qipai.bots.find import find_agent
from qipai.bots.random import SPEC as RANDOM_SPEC
from qipai.core import Agent, AgentSpec, Game, QipaiError, agents_of, choose_move, get
from qipai.core.agent import Many, agent_words, many_of
from qipai.core.compiling import compile_rules, rules_digest
from qipai.core.errors import (
    AgentFault,
    BadSeats,
    IllegalAction,
    MatchOver,
    NoDecision,
    NoDevice,
    UnknownAgent,
    short,
)
from qipai.core.progress import progress_line
from qipai.core.variant import Variant
from qipai.sim import Batch, loops
from qipai.sim.batch import whole_actions
from qipai.sim.engine import no_action

from . import lanes
from .kept import own
from .lanes import (
    COLUMNS,
    DISABLED,
    LEARNER,
    MANY,
    NAMED,
    NEXT_STEP,
    NO_ACTION,
    OVER,
    RANDOM,
    REWARD,
    SEAT,
    STUCK,
    WHO,
)

LOOPS = (
    "seed_lanes",
    "deal_lanes",
    "illegal_lanes",
    "act_lanes",
    "resume_lanes",
    "seed_agents",
    "ask_lanes",
    "refused_lanes",
    "answer_lanes",
    "deliver_lanes",
)
SHARE = 256  # lanes per thread: with fewer, another thread takes longer to begin than to work
OPENED = ("_loops", "_pool", "_parts", "_many", "_kinds", "_asked", "_places")
Lanes = NDArray[np.bool_]  # (n,): a mask of lanes
Opponents = str | AgentSpec | Sequence[str | AgentSpec]

_loops: WeakKeyDictionary[Game, dict[str, Any]] = WeakKeyDictionary()  # ids can be reused


def loops_for(game: Game) -> dict[str, Any]:
    """Return the loops of `lanes.py` with this game's functions filled in, compiled."""
    if game not in _loops:
        parts = game.functions()
        names = {"deal": parts.deal, "legal": parts.legal, "apply": parts.apply, "observe": parts.observe}
        tag = f"{game.name}-{game.rules.actions}-{rules_digest(names.values())}"
        make = Variant("compiled", tag=tag, names={lanes.__name__: names, loops.__name__: names})
        made = {name: make(getattr(lanes, name)) for name in LOOPS}
        label = f"envs/{game.name}/{game.rules.actions}"
        compile_rules(list(made.values()), game.rules.State, label, progress_line(game.title("en")))
        _loops[game] = made
    return _loops[game]


class Learners:
    """`n` games side by side; the learner decides in all of them at once.

    `batch` holds states, masks and observations; `book` is described in `lanes.py`; `final` holds the last
    observations of games that ended in the last step. `mode` is what follows the end of a
    game: NEXT_STEP, SAME_STEP or DISABLED of `lanes.py`.
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        opponents: Opponents,
        seat: int | str,
        options: Mapping[str, Any] | None,
        seats: int | None,
        mode: int,
        threads: int | None = None,
        device: str = "cpu",
    ) -> None:
        if device != "cpu":
            raise NoDevice(
                f"environments with opponents run on the CPU, not on {short(device)}; on a GPU let every"
                " seat learn: qipai.sim.Batch(game, n, device='cuda')"
            )
        self.game = game if isinstance(game, Game) else get(game, options)
        self.seats = int(self.game.blank(options, seats)["seats"])
        self._specs = _specs(self.game, opponents, self.seats)
        self._mode = mode
        self.batch = Batch(self.game, n, options=options, seats=seats, threads=threads)
        self.n = n
        self._first = _first_seats(seat, n, self.seats)
        self._turn = 1 if seat == "rotate" else 0
        self._open()
        self.book = np.zeros((n, COLUMNS), np.int32)
        self.final = np.zeros_like(self.batch.obs)
        self._choice = np.zeros((n, 4), np.uint32)
        self._agents: dict[tuple[int, int], tuple[Agent, NDArray[np.uint32]]] = {}
        self._words = np.zeros((self.seats, n, 4), np.uint32)  # by place: generators of MANY agents
        self._seeds = np.zeros(n, np.uint64)  # by lane: the seed of its agents
        self._numbers = np.arange(n)  # by lane: which lane of its seed it is
        self._ready = False

    def _open(self) -> None:
        """Make the loops, the threads that run them, and the agents that are asked in batches."""
        self._loops = loops_for(self.game)
        self._many = [None if spec is None else _many(self.game, spec) for spec in self._specs]
        kinds = [
            RANDOM if spec is None else NAMED if many is None else MANY
            for spec, many in zip(self._specs, self._many, strict=True)
        ]
        self._kinds = np.array([LEARNER, *kinds], np.int8)
        self._asked = np.zeros((self.n, self.game.width), np.uint8), np.zeros_like(self.batch.obs)
        self._places = np.zeros(self.n, np.int8)
        count = max(1, min(self.batch.threads, self.n // SHARE))
        self._parts = list(pairwise(self.n * k // count for k in range(count + 1)))
        self._pool = ThreadPoolExecutor(count - 1) if count > 1 else None

    def __getstate__(self) -> dict[str, Any]:
        """Return everything that `_open` does not make; an agent of the game is stored by name."""
        kept = {name: value for name, value in vars(self).items() if name not in OPENED}
        known = agents_of(self.game)
        kept["_specs"] = [s if s is None or known.get(s.name) is not s else s.name for s in self._specs]
        return kept

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Continue from what `__getstate__` returned."""
        vars(self).update({name: own(value) for name, value in kept.items()})
        self._specs = [spec if spec is None else _spec(self.game, spec) for spec in kept["_specs"]]
        self._agents = deepcopy(kept["_agents"])  # with their own writable arrays
        for spec in (self._specs[place - 1] for place in {place for _, place in self._agents}):
            assert spec is not None
            spec.make(self.game, np.zeros(4, np.uint32))  # compiles what such an agent needs
        self._open()

    # --- games ------------------------------------------------------------------------

    def seed(self, seed: int, chosen: Lanes | None = None) -> None:
        """Deal the first games of `seed`, up to the learner's first decisions.

        With `chosen`, only these lanes: they become what they would be if all were seeded, and the
        others stay as they are, with their seeds.
        """
        where = self._where(chosen)
        self._clear(where, seed, np.arange(self.n))
        self._begin("seed_lanes", where, seed & 0xFFFFFFFF, seed >> 32)

    def seed_each(self, seeds: Sequence[int | None], chosen: Lanes | None = None) -> None:
        """Give each lane its own seed: its games are those of lane 0 of that seed.

        A lane whose seed is None goes on with its next game.
        """
        where = self._where(chosen)
        given = np.array([seed is not None for seed in seeds], np.bool_) & where
        if not self._ready and not given.all():
            raise MatchOver("nothing is dealt: give every lane a seed first")
        if (others := where & ~given).any():
            self.deal(others)
        b = self.batch
        for lane in np.flatnonzero(given).tolist():
            seed, one = int(seeds[lane] or 0), slice(lane, lane + 1)
            self._clear(np.arange(self.n) == lane, seed, np.zeros(self.n, np.int64))
            arrays = (b.state[one], self._choice[one], b.mask[one], self.book[one], self._kinds)
            self._loops["seed_lanes"](*arrays, np.ones(1, np.uint8), seed & 0xFFFFFFFF, seed >> 32, 0, 1)
        self._await()

    def _clear(self, where: Lanes, seed: int, numbers: NDArray[np.int64]) -> None:
        """Forget the games of some lanes, which get a new seed."""
        self._seeds[where] = seed
        self._numbers[where] = numbers[where]
        self._agents = {key: one for key, one in self._agents.items() if not where[key[0]]}
        self.book[where] = 0
        self.book[where, SEAT] = self._first[where]
        for place in np.flatnonzero(self._kinds == MANY):
            chosen, halves = where.astype(np.uint8), (seed & 0xFFFFFFFF, seed >> 32)
            self._run(
                "seed_agents", self._words[place], self._numbers, chosen, *halves, self.seats, int(place)
            )

    def deal(self, chosen: Lanes | None = None) -> None:
        """Deal the next game in every lane, or in the `chosen` ones; unfinished games there are abandoned."""
        where = self._where(chosen)
        self.book[where, REWARD:] = 0
        self._begin("deal_lanes", where, self._turn)

    def illegal(self, actions: Any) -> tuple[NDArray[np.int32], Lanes]:
        """Return the actions as a batch takes them, in an array of their own, and where one is illegal."""
        if not self._ready:
            raise MatchOver("nothing is dealt: reset the environment first")
        count = self.game.rules.actions
        with suppress(TypeError, ValueError, RuntimeError):  # `_whole` raises for these
            array = np.asarray(actions)
            if array.dtype.kind in "iu":
                actions = _clipped(array, count)
        given = self._whole(actions).copy()
        known = (given >= 0) & (given < count)
        legal: Lanes = self.batch.mask[np.arange(self.n), np.where(known, given, 0)] != 0
        return given, ~(known & legal) & ~self.ended()

    def step(self, actions: Any, forfeits: Lanes | None = None) -> None:
        """Apply the learner's actions; raise `IllegalAction` and change nothing if one is illegal.

        The games of the lanes in `forfeits` end instead, whatever their action.
        """
        if not self._ready:
            raise MatchOver("nothing is dealt: reset the environment first")
        if self._mode == DISABLED and len(over := np.flatnonzero(self.ended())):
            raise MatchOver(f"lane {over[0]}: the game has ended: reset it first (a reset_mask, or all)")
        b = self.batch
        given = self._whole(actions)
        if forfeits is not None and forfeits.any():
            given = np.where(forfeits, b.mask.argmax(1), given).astype(np.int32)
        for lane in self._run("illegal_lanes", given, b.mask, self.game.rules.actions):
            if lane >= 0:
                raise IllegalAction(f"lane {lane}: action {int(given[lane])} is not legal")
        if forfeits is not None:
            given = np.where(forfeits, -1, given).astype(np.int32)
        common = (self._choice, b.mask, self.book, self._kinds, self.final, self._turn, self._mode)
        self._run("act_lanes", b.state, given, *common)
        self._await()

    def _where(self, chosen: Lanes | None) -> Lanes:
        """Return all lanes, or the `chosen` ones if the others have a game to continue."""
        where = np.ones(self.n, np.bool_) if chosen is None else chosen
        if not self._ready and not where.all():
            raise MatchOver("nothing is dealt: reset the environment first, all of it")
        return where

    def _begin(self, loop: str, where: Lanes, *how: int) -> None:
        """Start games with `loop`, up to the learner's first decisions."""
        b = self.batch
        self._run(loop, b.state, self._choice, b.mask, self.book, self._kinds, where.astype(np.uint8), *how)
        self._await()

    # --- opponents --------------------------------------------------------------------

    def _await(self) -> None:
        """Let named opponents move until the learner decides, or sees the end, in every lane."""
        self._ready = False
        b = self.batch
        while True:
            if (self.book[:, WHO] == MANY).any():
                self._ask_many()
                continue
            waiting = np.flatnonzero(self.book[:, WHO] == NAMED)
            if not len(waiting):
                break
            for lane in waiting:
                self._ask(int(lane))
            self._resume()
        for lane in np.flatnonzero(self.book[:, WHO] == NO_ACTION):
            raise no_action(self.game, f"lane {lane}: seat {int(b.state['seat'][lane])} has")
        stuck = np.flatnonzero(self.book[:, WHO] == STUCK)
        if len(stuck):
            seat = int(self.book[stuck[0], SEAT])
            raise NoDecision(f"{self.game.name}: seat {seat} never gets a decision against these opponents")
        self._run(
            "deliver_lanes", b.state, b.mask, b.obs, b.seat, self.book, self.game.rules.actions, self._mode
        )
        self._ready = True

    def _resume(self) -> None:
        b = self.batch
        common = (self._choice, b.mask, self.book, self._kinds, self.final, self._turn, self._mode)
        self._run("resume_lanes", b.state, *common)

    def _ask(self, lane: int) -> None:
        """Make one whole move of the agent that decides in `lane`."""
        s = self.batch.state[lane]
        place = (int(s["seat"]) - int(self.book[lane, SEAT])) % self.seats
        spec = self._specs[place - 1]
        assert spec is not None
        try:
            if (lane, place) not in self._agents:
                first = 2 * (int(self._numbers[lane]) * self.seats + place)
                seed = int(self._seeds[lane])
                agent = spec.make(self.game, agent_words(self.game, seed, first))
                self._agents[lane, place] = agent, agent_words(self.game, seed, first + 1)
            move = choose_move(self.game, s, *self._agents[lane, place])
        except Exception as error:  # an agent may be third-party code
            what = str(error) if isinstance(error, QipaiError) else f"{type(error).__name__}: {error}"
            raise AgentFault(f"{spec.name} failed in lane {lane} ({what}); reset the environment") from error
        for action in move:
            self.game.rules.apply(s, action)

    def _ask_many(self) -> None:
        """Make one action in every lane that waits for an agent with `act_many`."""
        b, (masks, observed) = self.batch, self._asked
        seats = np.zeros(self.n, np.int8)
        self._run("ask_lanes", b.state, masks, observed, seats, self.book, self._places)
        actions = np.zeros(self.n, np.int32)
        for place in np.flatnonzero(self._kinds == MANY):
            rows = np.flatnonzero(self._places == place)
            if len(rows):
                words = self._words[place, rows]
                given = observed[rows], masks[rows], seats[rows], words
                actions[rows] = self._answers(int(place), len(rows), given)
                self._words[place, rows] = words
        for lane in self._run("refused_lanes", actions, masks, self._places, self.game.rules.actions):
            if lane >= 0:
                raise self._fault(int(self._places[lane]), f"chose {int(actions[lane])} in lane {lane}")
        common = (self._choice, b.mask, self.book, self._kinds, self.final, self._turn, self._mode)
        self._run("answer_lanes", b.state, actions, self._places, *common)

    def _answers(self, place: int, count: int, given: tuple[Any, ...]) -> NDArray[np.int32]:
        """Return the answers of the agent at `place` for `count` rows."""
        many = self._many[place - 1]
        assert many is not None
        try:
            answers = np.asarray(many(*given))
        except Exception as error:  # an agent may be third-party code
            raise self._fault(place, f"raised {type(error).__name__}: {error}") from error
        if answers.shape != (count,) or answers.dtype.kind not in "iu":
            raise self._fault(place, f"answered {answers.dtype} {answers.shape} for {count} lanes")
        return _clipped(answers, self.game.rules.actions)

    def _fault(self, place: int, what: str) -> AgentFault:
        spec = self._specs[place - 1]
        assert spec is not None
        return AgentFault(f"{spec.name} failed: it {what}; reset the environment")

    # --- helpers ----------------------------------------------------------------------

    def _whole(self, actions: Any) -> NDArray[np.int32]:
        """Return actions as a batch takes them; lanes whose game has ended get 0."""
        if self._mode == NEXT_STEP and (over := self.ended()).any():
            with suppress(TypeError, ValueError, IndexError, RuntimeError):  # the batch raises for these
                actions = np.array(actions)
                actions[over] = 0
        return whole_actions(actions, self.n)

    def _run(self, name: str, *arguments: Any) -> list[Any]:
        """Run loop `name` over all lanes in parts; return one result per part, in lane order."""
        loop = self._loops[name]
        if self._pool is None:
            return [loop(*arguments, 0, self.n)]
        *others, last = self._parts
        futures = [self._pool.submit(loop, *arguments, *part) for part in others]
        found = loop(*arguments, *last)  # this thread works too
        return [*(future.result() for future in futures), found]

    def ended(self) -> Lanes:
        """Return where the game is over and nothing has been dealt yet."""
        found: Lanes = self.book[:, WHO] == OVER
        return found


def _clipped(numbers: NDArray[Any], count: int) -> NDArray[np.int32]:
    """Return whole numbers of any type as int32: -1 for negative ones, `count` for those above."""
    if numbers.dtype.kind == "u":  # the largest of them do not fit int64
        numbers = np.minimum(numbers.astype(np.uint64), np.uint64(count))
    clipped: NDArray[np.int32] = np.clip(numbers.astype(np.int64), -1, count).astype(np.int32)
    return clipped


def _specs(game: Game, opponents: Opponents, seats: int) -> list[AgentSpec | None]:
    """Return who sits after the learner, in order; None is the random player of the compiled loops."""
    if isinstance(opponents, str | AgentSpec):
        return [_spec(game, opponents)] * (seats - 1)
    if not isinstance(opponents, Sequence):
        raise UnknownAgent(f"opponents must be a name or a list of names, not {short(opponents)}")
    if len(opponents) != seats - 1:
        raise BadSeats(f"{game.name}: {seats - 1} opponent(s) are needed, not {len(opponents)}")
    return [_spec(game, one) for one in opponents]


def _spec(game: Game, name: str | AgentSpec) -> AgentSpec | None:
    spec = find_agent(game, name)
    return None if spec is RANDOM_SPEC else spec


def _many(game: Game, spec: AgentSpec) -> Many | None:
    """Return how an opponent plays in many lanes at once, or None if it cannot."""
    try:
        return many_of(spec.make(game, np.zeros(4, np.uint32)))
    except Exception as error:  # an agent may be third-party code
        what = str(error) if isinstance(error, QipaiError) else f"{type(error).__name__}: {error}"
        raise AgentFault(f"{spec.name} failed ({what})") from error


def _first_seats(seat: Any, n: int, seats: int) -> NDArray[np.int32]:
    """Return the learner's seat in each lane's first game."""
    if isinstance(seat, str) and seat == "rotate":
        return np.arange(n, dtype=np.int32) % seats
    if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat < seats:
        raise BadSeats(f'seat must be 0 to {seats - 1} or "rotate", not {short(seat)}')
    return np.full(n, int(seat), np.int32)
