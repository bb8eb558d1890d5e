"""One deal, played in every seating.

Random numbers are keyed by (seed, deal, ply), so they are the same in every seating; each agent
at each seat of each game has its own generators. Nothing depends on earlier games,
so deals may be played in any order and by any thread.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from threading import Lock

from qipai.core import NOBODY, Agent, AgentSpec, Game, QipaiError, State, choose_move, copy_state
from qipai.core.agent import agent_words
from qipai.core.errors import AgentFault, NoDecision
from qipai.sim.loops import MAX_REDEALS

from .seating import Seating

LANES = 1 << 32  # the generator of an agent is identified by seed and lane
_making = Lock()  # making an agent may compile functions, which only one thread may do at a time


@dataclass(frozen=True)
class Contest:
    """The definition of a contest: everything that the standings depend on."""

    game: Game
    blank: State  # seats and options set, nothing dealt
    agents: tuple[AgentSpec, ...]  # all different
    seatings: tuple[Seating, ...]
    deals: int
    seed: int


@dataclass(frozen=True)
class Tally:
    """One deal over all its seatings, by agent: chips; games won, even and lost; games ended by a cap."""

    chips: tuple[int, ...]
    won: tuple[int, ...]
    even: tuple[int, ...]
    lost: tuple[int, ...]
    cut: tuple[int, ...]


def play_deal(contest: Contest, deal: int) -> Tally:
    """Play deal number `deal` in every seating."""
    n = len(contest.agents)
    chips, won, even, lost, cut = ([0] * n for _ in range(5))
    dealt = _dealt(contest, deal)
    for number, seating in enumerate(contest.seatings):
        end = _play(contest, dealt, deal, number)
        for seat, agent in enumerate(seating):
            payoff = int(end["payoff"][seat])
            chips[agent] += payoff
            (won if payoff > 0 else lost if payoff < 0 else even)[agent] += 1
            cut[agent] += int(end["cut"])
    return Tally(tuple(chips), tuple(won), tuple(even), tuple(lost), tuple(cut))


def _dealt(contest: Contest, deal: int) -> State:
    s = copy_state(contest.blank)
    contest.game.key(s, _chance(contest.seed, deal, "deal"))
    for _ in range(MAX_REDEALS):
        contest.game.rules.deal(s)
        if s["seat"] != NOBODY:
            return s
    raise NoDecision(f"{contest.game.name}: with these options no deal leads to a decision")


def _play(contest: Contest, dealt: State, deal: int, number: int) -> State:
    """Play one hand, seating `number` of this deal, and return its final state."""
    game, seats = contest.game, int(dealt["seats"])
    first = 2 * seats * (deal * len(contest.seatings) + number)  # two lanes per seat: choice, worlds
    specs = [contest.agents[agent] for agent in contest.seatings[number]]
    words = [agent_words(game, contest.seed, first + lane) for lane in range(2 * seats)]
    agents: list[Agent] = []
    s = copy_state(dealt)
    seat = 0
    try:
        for seat, spec in enumerate(specs):
            with _making:
                agents.append(spec.make(game, words[2 * seat]))
        while (seat := int(s["seat"])) != NOBODY:
            for action in choose_move(game, s, agents[seat], words[2 * seat + 1]):
                game.key(s, _chance(contest.seed, deal, int(s["ply"])))
                game.rules.apply(s, action)
    except Exception as error:  # an agent may be third-party code
        where = f"deal {deal}, seating {number}, ply {int(s['ply'])}"
        what = str(error) if isinstance(error, QipaiError) else f"{type(error).__name__}: {error}"
        raise AgentFault(f"{specs[seat].name} failed ({where}): {what}") from error
    return s


def _chance(seed: int, deal: int, moment: int | str) -> Sequence[int]:
    """Return the generator words at a moment of a deal: "deal", or a ply."""
    text = f"qipai/1/arena/{seed}/{deal}/{moment}"
    return struct.unpack("<4I", sha256(text.encode()).digest()[:16])
