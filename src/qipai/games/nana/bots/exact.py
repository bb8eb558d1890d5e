"""`exact`: computes the true probability of every trio and plays by it."""

from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Line, Sight, State, compile_rules, copy_state

from ..rules import win_reason
from ..state import ACTIONS, CENTRE_ACTION, CENTRE_SLOT, HAND, NUMBERS, REASON_NONE, SEATS
from ..worlds import COLUMNS, ENDS, backward, forward, gather, table_size
from . import policy

BUDGET = 20_000  # maximum fill states that are counted (standard tables have up to 7,776)
WORLDS = 400  # worlds drawn if the count would be larger


class Thinker:
    """The working memory of the compiled policy, and the figures of one move."""

    def __init__(self, game: Game, budget: int = BUDGET, worlds: int = WORLDS) -> None:
        functions = (
            gather, table_size, backward, forward,
            policy.find_plans, policy.mark_candidates, policy.weigh,
        )  # fmt: skip
        game.compile()
        compile_rules(list(functions), game.rules.State, "nana/policy")
        self._game = game
        self._budget = budget
        self._worlds = worlds
        self._hands = np.zeros((SEATS, COLUMNS), np.int64)
        self._known = np.zeros((SEATS, ENDS), np.int64)
        self._rest = np.zeros(ENDS, np.int64)
        self._k, self._d, self._fix, self._ask = np.zeros((4, SEATS), np.int64)
        self._F, self._B = np.zeros((2, ENDS, 1))
        self.best = np.zeros((ACTIONS, ENDS))  # probability by first action and number
        self.plan = np.zeros((ACTIONS, ENDS), np.int64)
        self.kept = np.zeros(game.width, np.uint8)
        self.worth = np.zeros(ACTIONS)
        self.sampled = 0  # worlds behind the probabilities; 0: counted exactly

    def think(self, s: State, seat: int, mask: NDArray[np.uint8]) -> int:
        """Fill in the figures for the seat to move, from what it knows of `s`; return the best action."""
        count = int(gather(s, seat, 0, self._hands, self._known, self._rest))
        size = int(table_size(self._hands, count))
        self.sampled = 0 if size <= self._budget else self._worlds
        if self.sampled:
            self._sample(s, seat)
        else:
            self._count(s, seat, count, size)
        policy.mark_candidates(s, mask, self.best, self.kept)
        return int(policy.weigh(s, mask, self.best, self.kept, self.worth))

    def _count(self, s: State, seat: int, count: int, size: int) -> None:
        if self._B.shape[1] < size:
            self._F, self._B = np.zeros((2, ENDS, size))
        tables = (self._hands, count, self._known, self._rest, self._k, self._d)
        backward(*tables, size, self._B)
        forward(*tables, size, self._F)
        policy.find_plans(s, seat, *tables, self._fix, self._ask, self._F, self._B, self.best, self.plan)

    def _sample(self, s: State, seat: int) -> None:
        """Estimate the probabilities from drawn worlds: each is within 1 / sqrt(worlds) of the true one."""
        tally: dict[tuple[int, tuple[int, ...]], float] = {}
        world = copy_state(s)
        for _ in range(self._worlds):
            self._game.rules.determinize(world, seat)
            for n in range(1, NUMBERS + 1):
                for asks, share in plans_in(world, seat, n):
                    tally[n, asks] = tally.get((n, asks), 0.0) + share / self._worlds
        self.best[:] = 0
        for (n, asks), chance in tally.items():
            for a in asks:
                self.best[a, n] = max(self.best[a, n], chance)


def plans_in(world: State, seat: int, n: int) -> list[tuple[tuple[int, ...], float]]:
    """Return the plans for `n` that work in one world, with the chance to pick the right centre cards."""
    target = int(world["card"][world["chain"][0]]) if world["links"] else n
    if n != target or not int(world["numbers"]) >> n & 1 or n in world["taken"][: world["trios"]]:
        return []
    seats = int(world["seats"])
    ends: list[list[int]] = []
    copies = []
    for r in range(seats):
        other = (seat + r) % seats
        head, tail = int(world["head"][other]), int(world["tail"][other])
        hidden = world["card"][other * HAND + head : other * HAND + tail].tolist()
        if n in hidden:
            ends.append([2 * r + at for at, i in ((0, 0), (1, -1)) if hidden[i] == n])
            copies.append(hidden.count(n))
    down = int(world["lying"]) & ~int(world["turned"])
    dark = [i for i in range(int(world["centre"])) if not int(world["shown"]) >> i & 1]
    there = [i for i in range(int(world["centre"])) if down >> i & 1 and world["card"][CENTRE_SLOT + i] == n]
    unseen = len(set(there) & set(dark))
    centre = [i for i in there if i not in dark] + dark[:unseen]
    share = 1 / comb(len(dark), unseen)
    found = []
    for chosen in product(*ends):
        asks = [a for a, times in zip(chosen, copies, strict=True) for _ in range(times)]
        found.append((tuple(asks + [CENTRE_ACTION + i for i in centre]), share))
    return found


SURE = 1 - 1e-9  # a counted probability of one


class ExactAgent:
    """Plays by counted probabilities; `why` is the line that explains its last decision."""

    def __init__(
        self, game: Game, words: NDArray[np.uint32], budget: int = BUDGET, worlds: int = WORLDS
    ) -> None:
        self._thinker = Thinker(game, budget, worlds)
        self.why: Line | None = None

    def act(self, sight: Sight) -> int:
        """Return an action that wins for certain, else the one with the highest value."""
        thinker, s = self._thinker, sight.state
        action = thinker.think(s, sight.seat, sight.mask)
        won, mode = int(s["won"][sight.seat]), int(s["mode"])
        for n in range(1, NUMBERS + 1):
            certain = np.flatnonzero((thinker.best[:, n] > SURE) & (sight.mask[:ACTIONS] == 1))
            if len(certain) and win_reason(mode, won | 1 << n) != REASON_NONE:
                self.why = ("why.certain_win", {"n": n})
                return int(certain[0])
        self.why = self._explain(action)
        return action

    def _explain(self, action: int) -> Line:
        """Return the reason for the chosen action."""
        thinker = self._thinker
        chance = float(thinker.best[action].sum())
        how: Line = ("why.counted", {})
        if thinker.sampled:
            error = (chance * (1 - min(chance, 1)) / thinker.sampled) ** 0.5
            how = ("why.sampled", {"error": f"{error:.1%}"})
        values = {"how": how, "worth": f"{thinker.worth[action]:.2f}"}
        if chance <= 0:
            return "why.no_trio", values
        aim = int(thinker.best[action].argmax())
        return "why.trio", {"chance": f"{chance:.1%}", "n": aim, **values}


EXACT = AgentSpec(name="exact", place=2, make=ExactAgent, plain=True)


def chances(s: State, seat: int, game: Game) -> dict[int, float]:
    """Return for each legal action the counted probability that the attempt ends in a trio."""
    thinker = Thinker(game)
    mask = game.mask(s)
    thinker.think(s, seat, mask)
    return {int(a): float(thinker.best[a].sum()) for a in np.flatnonzero(mask)}
