"""One deal, played in every seating.

Random numbers are keyed by (seed, deal, ply), so they are the same in every seating; each agent
at each seat of each game has its own generators. Nothing depends on earlier games,
so deals may be played in any order and by any thread.
"""

from __future__ import annotations

import struct
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from qipai.core import NOBODY, Agent, AgentSpec, Game, QipaiError, State, compile_rules, copy_state
from qipai.core.agent import agent_words, choose_action
from qipai.core.errors import AgentFault, NoDecision
from qipai.sim.loops import MAX_REDEALS

from .loops import key_chance
from .seating import Seating
from .watch import asking, making

LANES = 1 << 32  # the generator of an agent is identified by seed and lane
MAKING = 10.0  # times the limit of a decision that making an agent may take: it may compile or read weights


@dataclass(frozen=True)
class Contest:
    """The definition of a contest: everything that the standings depend on."""

    game: Game
    blank: State  # seats and options set, nothing dealt
    agents: tuple[AgentSpec, ...]  # all different
    seatings: tuple[Seating, ...]
    deals: int
    seed: int
    limit: float = 0.0  # seconds that a decision may take, as those who watch the game are told; 0: no limit


@dataclass(frozen=True)
class Tally:
    """One deal over all its seatings, by agent: chips; games won, even and lost; games ended by a cap."""

    chips: tuple[int, ...]
    won: tuple[int, ...]
    even: tuple[int, ...]
    lost: tuple[int, ...]
    cut: tuple[int, ...]


@dataclass(frozen=True)
class Played:
    """One finished game: agents by seat, their payoffs, whether a cap ended it, a digest of its actions.

    `seconds` and `moves` are by agent: processor time spent choosing, and how often the agent was asked. Time
    differs from run to run and is no part of the digest.
    """

    seating: Seating
    payoffs: tuple[int, ...]
    cut: bool
    digest: str
    seconds: tuple[float, ...]
    moves: tuple[int, ...]


def play_deal(contest: Contest, deal: int) -> Tally:
    """Play deal number `deal` in every seating."""
    return tally(contest, play_games(contest, deal))


def tally(contest: Contest, games: Sequence[Played]) -> Tally:
    """Return the figures of one deal from its games."""
    n = len(contest.agents)
    chips, won, even, lost, cut = ([0] * n for _ in range(5))
    for played in games:
        for agent, payoff in zip(played.seating, played.payoffs, strict=True):
            chips[agent] += payoff
            (won if payoff > 0 else lost if payoff < 0 else even)[agent] += 1
            cut[agent] += int(played.cut)
    return Tally(tuple(chips), tuple(won), tuple(even), tuple(lost), tuple(cut))


def play_games(contest: Contest, deal: int) -> list[Played]:
    """Play deal number `deal` in every seating; return the games in the order of the seatings."""
    dealt = _dealt(contest, deal)
    return [_play(contest, dealt, deal, number) for number in range(len(contest.seatings))]


def _dealt(contest: Contest, deal: int) -> State:
    s = copy_state(contest.blank)
    contest.game.compile()
    compile_rules([key_chance], contest.game.rules.State, "arena")
    _key(contest, s, deal, 0)
    for _ in range(MAX_REDEALS):
        contest.game.rules.deal(s)
        if s["seat"] != NOBODY:
            return s
    raise no_decision(contest)


def no_decision(contest: Contest) -> NoDecision:
    """Return the error of a contest in which nobody ever decides."""
    return NoDecision(f"{contest.game.name}: with these options no deal leads to a decision")


def _play(contest: Contest, dealt: State, deal: int, number: int) -> Played:
    """Play one hand, seating `number` of this deal."""
    game, seats = contest.game, int(dealt["seats"])
    first = 2 * seats * (deal * len(contest.seatings) + number)  # two lanes per seat: choice, worlds
    specs = [contest.agents[agent] for agent in contest.seatings[number]]
    words = [agent_words(game, contest.seed, first + lane) for lane in range(2 * seats)]
    seconds, moves = [0.0] * len(contest.agents), [0] * len(contest.agents)
    agents: list[Agent] = []
    digest = sha256()
    s = copy_state(dealt)
    seat = 0
    try:
        for seat, spec in enumerate(specs):
            with making(), asking(where(spec, deal, number, seat, s), MAKING * contest.limit, 1):
                agents.append(spec.make(game, words[2 * seat]))
        while (seat := int(s["seat"])) != NOBODY:
            holder = contest.seatings[number][seat]
            moves[holder] += not game.unfinished(s)
            with asking(where(specs[seat], deal, number, seat, s), contest.limit):
                began = time.thread_time()
                action = choose_action(game, s, agents[seat], words[2 * seat + 1])
                seconds[holder] += time.thread_time() - began
            digest.update(struct.pack("<I", action))
            _key(contest, s, deal, 1 + int(s["ply"]))
            game.rules.apply(s, action)
    except BaseException as error:  # an agent may be third-party code
        if not may_blame(error):
            raise
        raise AgentFault(f"{where(specs[seat], deal, number, seat, s)}: {what(error)}") from error
    payoffs = tuple(int(payoff) for payoff in s["payoff"][:seats])
    digest.update(repr(payoffs).encode())
    return Played(
        contest.seatings[number],
        payoffs,
        bool(s["cut"]),
        digest.hexdigest()[:16],
        tuple(seconds),
        tuple(moves),
    )


def where(spec: AgentSpec, deal: int, number: int, seat: int, s: State, more: str = "") -> str:
    """Return who failed where, the beginning of every fault."""
    return f"{spec.name} failed (deal {deal}, seating {number}, seat {seat}, ply {int(s['ply'])}{more})"


def what(error: BaseException) -> str:
    """Return what an agent did wrong, the end of a fault; its exception may be of any kind."""
    try:
        text = str(error)
    except Exception:
        text = "its text cannot be read"
    return text if isinstance(error, QipaiError) else f"{type(error).__name__}: {text}"


def may_blame(error: BaseException) -> bool:
    """Return whether an exception is an agent's fault, and not a user's who interrupts the program."""
    return not (
        isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread()
    )


def _key(contest: Contest, s: State, deal: int, moment: int) -> None:
    """Set the generator of a game for a moment of a deal: 0 the deal itself, then 1 + ply."""
    key_chance(s["rng"], contest.seed & 0xFFFFFFFF, contest.seed >> 32, deal, moment)
