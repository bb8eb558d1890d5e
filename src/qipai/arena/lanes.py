"""Many tables of a contest at once, for agents that can: the same games as `play.py`, byte for byte.

An agent can if it decides in compiled code (`compiled`, see `qipai.core.Compiled`) or for many observations
at once (`act_many`). The former play until another agent decides without returning to Python; the latter are
asked for all tables that wait for them. A contest with any other agent is played table by table.

How many tables `act_many` is asked for grows with how quickly it answers, so that an answer stays far below
the time limit. If one is a fault, each table is asked for alone, to name the first at which the agent fails.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, NoReturn
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from qipai.core import Agent, AgentSpec, Compiled, Game, compile_rules, new_states
from qipai.core.agent import Many, agent_words, compiled_of, many_of
from qipai.core.calls import never
from qipai.core.compiling import rules_digest
from qipai.core.errors import AgentFault
from qipai.core.jit import runs_plain
from qipai.core.progress import progress_line
from qipai.core.variant import Variant

from . import loops
from .play import LANES as TABLE_LANES
from .play import MAKING, Contest, Played, Tally, may_blame, no_decision, what, where
from .watch import asking, making

TABLES = 1024  # tables at once
SHARE = 0.1  # of its time limit that an answer for many tables should take
GROWTH = 4  # times the tables of the answer before that are asked for at most
LENGTH = 64  # actions of a table that are kept until it pauses
SHARED = ("deal_lanes", "ask_lanes", "answer_lanes")
OWN = "play_lanes"  # compiled for each rule of an agent

Place = tuple[int, int, int, int]  # seed, low and high word; first deal; seatings per deal

_made: WeakKeyDictionary[Game, dict[Any, dict[str, Any]]] = WeakKeyDictionary()


@dataclass
class Group:
    """One agent of the contest, how it plays at many tables, and the seats that it holds: (lanes, seats)."""

    spec: AgentSpec
    compiled: Compiled | None
    many: Many | None
    play: Any  # the compiled loop of a compiled agent
    mine: NDArray[np.uint8]
    room: Any
    seconds: float = 0.0
    tables: int = 1  # that the next answer is asked for


class Lanes:
    """The arrays of a number of tables, and agents that play at all of them. For one thread at a time."""

    def __init__(self, contest: Contest, agents: list[Agent], tables: int = TABLES) -> None:
        self.contest = contest
        game = contest.game
        self.seatings, self.seats = len(contest.seatings), int(contest.blank["seats"])
        self.deals = max(1, tables // self.seatings)  # that are played together
        n = self.lanes = self.deals * self.seatings
        self.state = new_states(game.rules.State, n)
        self.words = np.zeros((2 * n * self.seats, 4), np.uint32)
        self.log = np.zeros((n, LENGTH), np.int32)
        self.size = np.zeros(n, np.int32)
        self.asked = np.zeros((n, self.seats), np.int32)
        self.mask = np.zeros(game.width, np.uint8)
        self.ask = (
            np.zeros(n, np.int32),
            np.zeros((n, game.observation_size), np.int8),
            np.zeros((n, game.width), np.uint8),
            np.zeros(n, np.int8),
            np.zeros((n, 4), np.uint32),
        )
        self.loops = _loops(game, loops.choose, SHARED)
        self.groups = [self._group(k, agent) for k, agent in enumerate(agents)]
        self.scratch = _bytes_of(game)
        self.first = 0  # number of the first deal being played

    def _group(self, number: int, agent: Agent) -> Group:
        """Return how agent `number` of the contest plays."""
        spec = self.contest.agents[number]
        seated = np.array([[held == number for held in seating] for seating in self.contest.seatings])
        mine = np.tile(seated.astype(np.uint8), (self.deals, 1))
        compiled = compiled_of(agent)
        if compiled is None:
            return Group(spec, None, many_of(agent), None, mine, None)
        play = _loops(self.contest.game, compiled.choose, (OWN,))[OWN]
        room = new_states(self.contest.game.rules.State, compiled.states)
        return Group(spec, compiled, None, play, mine, room)

    # --- playing ------------------------------------------------------------------------

    def games(self, first: int, count: int) -> list[list[Played]]:
        """Play `count` deals from number `first` on; return for each its games, as `play_games` does."""
        found: list[list[Played]] = []
        for start, size in self._parts(first, count):
            digests = self._play(start, size, True)
            found += self._games(size, digests)
        return found

    def tallies(self, first: int, count: int) -> list[Tally]:
        """Play `count` deals from number `first` on; return for each what `play_deal` does."""
        found: list[Tally] = []
        for start, size in self._parts(first, count):
            self._play(start, size, False)
            found += self._tallies(size)
        return found

    def _parts(self, first: int, count: int) -> Iterator[tuple[int, int]]:
        for start in range(first, first + count, self.deals):
            yield start, min(self.deals, first + count - start)

    def _play(self, first: int, deals: int, record: bool) -> list[str]:
        """Play all tables of some deals to their end; return digests of all actions if asked to."""
        n, contest = deals * self.seatings, self.contest
        low, high = contest.seed & 0xFFFFFFFF, contest.seed >> 32
        place = (low, high, first, self.seatings)
        state = self.state[:n]
        state[:] = contest.blank
        self.size[:n], self.asked[:n] = 0, 0
        self.first = first
        for group in self.groups:
            group.seconds = 0.0
        if self.loops["deal_lanes"](state, self.words, *place, self.seats) >= 0:
            raise no_decision(contest)
        digests = [sha256() for _ in range(n)] if record else []
        live = state["seat"] >= 0
        while live.any():
            for group in self.groups:
                began = time.thread_time()
                self._move(group, state, place)
                group.seconds += time.thread_time() - began
            live = state["seat"] >= 0
            self._flush(digests, live)
        return [self._digest(digest, state[i]) for i, digest in enumerate(digests)]

    def _move(self, group: Group, state: Any, place: Place) -> None:
        """Let one agent move wherever it is its turn."""
        if group.compiled is not None:
            self._run(group, group.compiled, state, place)
            return
        n = len(state)
        count = self._list(group, state)
        if count == 0:
            return
        chosen = self._answers(group, state, count)
        lanes, _, masks, _, generators = self.ask
        books = (self.log[:n], self.size[:n], self.asked[:n])
        actions = self.contest.game.rules.actions
        wrong = self.loops["answer_lanes"](
            state, self.words, *books, lanes, masks, generators, chosen, actions, *place
        )
        if wrong >= 0:
            seat = int(state[wrong]["seat"])
            action = int(chosen[int(np.flatnonzero(lanes[:count] == wrong)[0])])
            said = f"answered {action}"
            if 0 <= action < actions:
                said = f"chose {self.contest.game.words.say(action)}, which is not legal"
            raise AgentFault(f"{self._where(group, wrong)}: the agent of seat {seat} {said}")

    def _run(self, group: Group, compiled: Compiled, state: Any, place: Place) -> None:
        """Let a compiled agent move until others decide."""
        n = len(state)
        books = (self.log[:n], self.size[:n], self.asked[:n])
        world = (group.room, group.room.view(np.uint8), self.scratch, compiled.work, self.mask)
        with asking(lambda: self._where(group, self._turn(group, n)), self.contest.limit):
            failed = group.play(
                state,
                group.mine[:n],
                self.words,
                *books,
                *world,
                int(compiled.sees),
                self.contest.game.rules.actions,
                *place,
            )
        if failed >= 0:
            seat = int(state[failed]["seat"])
            raise AgentFault(
                f"{self._where(group, failed)}: the agent of seat {seat} chose an action that is not legal"
            )

    def _turn(self, group: Group, n: int) -> int:
        """Return the first lane in which it is an agent's turn: the one that its compiled loop is at."""
        seat = self.state["seat"][:n].astype(np.int64)
        turn = (seat >= 0) & (self.size[:n] < LENGTH)
        turn &= np.take_along_axis(group.mine[:n], np.maximum(seat, 0)[:, None], 1)[:, 0] != 0
        return int(turn.argmax())

    def _where(self, group: Group, lane: int, tables: int = 1) -> str:
        """Return how a fault of an agent in a lane begins, the first of `tables` that it was asked for."""
        deal, seating = divmod(lane, self.seatings)
        more = f", first of {tables} tables" if tables > 1 else ""
        s = self.state[lane]
        return where(group.spec, self.first + deal, seating, int(s["seat"]), s, more)

    # --- asking for many tables ---------------------------------------------------------

    def _list(self, group: Group, state: Any) -> int:
        """Write what an agent sees wherever it is its turn to `ask`; return at how many tables that is."""
        n = len(state)
        count = int(
            self.loops["ask_lanes"](state, group.mine[:n], self.words, self.size[:n], *self.ask, LENGTH)
        )
        if count < 0:
            raise AgentFault(f"{self._where(group, -1 - count)}: no action is legal")
        return count

    def _answers(self, group: Group, state: Any, count: int) -> NDArray[np.int64]:
        """Return what an agent chooses at the first `count` tables of `ask`."""
        chosen = np.zeros(count, np.int64)
        start = 0
        while start < count:
            end = min(count, start + (group.tables if self.contest.limit > 0 else count))
            began = time.monotonic()
            try:
                chosen[start:end] = self._answer(group, start, end)
            except BaseException as error:
                if not may_blame(error):
                    raise
                self._blame(group, state, start, end, error)
            took = (time.monotonic() - began) / (end - start)
            fits = int(SHARE * self.contest.limit / max(took, 1e-9))
            group.tables = max(1, min(max(GROWTH * (end - start), group.tables), fits, TABLES))
            start = end
        return chosen

    def _answer(self, group: Group, start: int, end: int) -> NDArray[Any]:
        """Return what an agent chooses at some tables of `ask`; raise what it raises."""
        assert group.many is not None
        lanes, seen, masks, seats, generators = self.ask
        some = slice(start, end)
        offered = masks[some].copy()  # the agent may write to what it is given
        with asking(self._where(group, int(lanes[start]), end - start), self.contest.limit):
            found = np.asarray(group.many(seen[some], offered, seats[some], generators[some]))
        if found.shape != (end - start,) or found.dtype.kind not in "iub":
            raise AgentFault(
                f"it answered {found.dtype} of shape {found.shape}, not {end - start} whole numbers"
            )
        return found

    def _blame(self, group: Group, state: Any, start: int, end: int, error: BaseException) -> NoReturn:
        """Raise the fault of an agent at the first table at which it fails when asked for that table alone.

        If it fails at none, or that takes too long to find out, raise the fault for all tables.
        """
        self._list(group, state)  # what the agent wrote to is written again
        until = time.monotonic() + self.contest.limit
        for k in range(start, end) if end - start > 1 else ():
            try:
                self._answer(group, k, k + 1)
            except BaseException as alone:
                if not may_blame(alone):
                    raise
                raise AgentFault(f"{self._where(group, int(self.ask[0][k]))}: {what(alone)}") from alone
            if self.contest.limit > 0 and time.monotonic() > until:
                break
        first = self._where(group, int(self.ask[0][start]), end - start)
        raise AgentFault(f"{first}: {what(error)}") from error

    def _flush(self, digests: list[Any], live: NDArray[np.bool_]) -> None:
        """Clear the logs that are full, and those of tables that have ended."""
        n = len(live)
        due = np.flatnonzero((self.size[:n] == LENGTH) | (~live & (self.size[:n] > 0)))
        if digests:
            rows = self.log[due].astype("<i4")
            for row, i in zip(rows, due.tolist(), strict=True):
                digests[i].update(row[: self.size[i]].tobytes())
        self.size[due] = 0

    # --- results ------------------------------------------------------------------------

    def _digest(self, digest: Any, s: Any) -> str:
        payoffs = tuple(int(payoff) for payoff in s["payoff"][: self.seats])
        digest.update(repr(payoffs).encode())
        return str(digest.hexdigest()[:16])

    def _games(self, deals: int, digests: list[str]) -> list[list[Played]]:
        n = deals * self.seatings
        payoffs = self.state["payoff"][:n, : self.seats].tolist()
        cut = (self.state["cut"][:n] != 0).tolist()
        by_agent = np.stack([(self.asked[:n] * g.mine[:n]).sum(axis=1) for g in self.groups], axis=1)
        each = np.array([g.seconds for g in self.groups]) / np.maximum(by_agent.sum(axis=0), 1)
        moves, seconds = by_agent.tolist(), (by_agent * each).tolist()
        games = [
            Played(
                self.contest.seatings[i % self.seatings],
                tuple(payoffs[i]),
                cut[i],
                digests[i],
                tuple(seconds[i]),
                tuple(moves[i]),
            )
            for i in range(n)
        ]
        return [games[i : i + self.seatings] for i in range(0, n, self.seatings)]

    def _tallies(self, deals: int) -> list[Tally]:
        n = deals * self.seatings
        payoffs = self.state["payoff"][:n, : self.seats].astype(np.int64)
        cut = (self.state["cut"][:n] != 0).astype(np.int64)[:, None]
        sums = []
        for figures in (payoffs, payoffs > 0, payoffs == 0, payoffs < 0, np.broadcast_to(cut, payoffs.shape)):
            per_agent = [(figures * g.mine[:n]).sum(axis=1) for g in self.groups]
            by_deal = np.stack(per_agent, axis=1).reshape(deals, self.seatings, -1).sum(axis=1)
            sums.append([tuple(row) for row in by_deal.tolist()])
        return [Tally(*parts) for parts in zip(*sums, strict=True)]


def lanes_of(contest: Contest, tables: int = TABLES) -> Lanes | None:
    """Return the contest's tables, or None if one of its agents cannot play at many at once.

    An agent that cannot be made counts as one that cannot: `play_games` then reports it.
    """
    if runs_plain():
        return None
    agents = []
    for number, spec in enumerate(contest.agents):
        agent = _able(contest, spec, number)
        if agent is None:
            return None
        agents.append(agent)
    return Lanes(contest, agents, tables)


def _able(contest: Contest, spec: AgentSpec, number: int) -> Agent | None:
    """Return an agent if it can play at many tables at once."""
    seat = next((s.index(number) for s in contest.seatings if number in s), 0)
    try:
        with making(), asking(where(spec, 0, 0, seat, contest.blank), MAKING * contest.limit, 1):
            agent = spec.make(contest.game, agent_words(contest.game, contest.seed, TABLE_LANES - 1 - number))
            compiled = compiled_of(agent)
            if compiled is not None and not hasattr(compiled.choose, "compile"):
                return None  # compilation is off
            return agent if compiled is not None or many_of(agent) is not None else None
    except BaseException as error:
        if not may_blame(error):
            raise
        return None


def _loops(game: Game, choose: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Return loops with this game's functions and an agent's rule filled in, compiled."""
    known = _made.setdefault(game, {})
    key = (names, id(choose))  # a rule lives as long as its module
    if key not in known:
        parts = game.functions()
        slots = {name: getattr(parts, name) for name in ("deal", "legal", "apply", "determinize", "observe")}
        slots["partial"] = parts.partial or never
        slots |= {} if choose is loops.choose else {"choose": choose}
        tag = f"{game.name}-{game.rules.actions}-{rules_digest(slots.values())}"
        make = Variant("compiled", tag=tag, names={loops.__name__: slots})
        made = {name: make(getattr(loops, name)) for name in names}
        label = f"arena/{game.name}/{game.rules.actions}/{tag}/{names[0]}"
        compile_rules(list(made.values()), game.rules.State, label, progress_line(game.title("en")))
        known[key] = made
    return known[key]


def _bytes_of(game: Game) -> NDArray[np.int64]:
    """Return the places of the bytes of a state that no world shows: those of its scratch fields."""
    dtype = game.rules.State
    found: list[int] = []
    for name in game.rules.scratch:
        field = dtype.fields[name] if dtype.fields else None
        if field is not None:
            found += range(field[1], field[1] + field[0].itemsize)
    return np.array(found, np.int64)
