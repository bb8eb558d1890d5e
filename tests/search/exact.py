"""Exact best responses by enumeration, naively: what the search must converge to.

A fixed policy of the other seats is a function of a state and its legal actions that returns their chances.
Worlds are states with weights; the seat cannot tell apart worlds of equal observations, whose history they
tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from typing import Any

from qipai.core import NOBODY, Game, State, copy_state
from qipai.search import Searcher

World = tuple[State, float]
Policy = Callable[[State, list[int]], list[float]]


class TooLarge(Exception):
    """The enumeration has more nodes than wanted."""


class Exact:
    """Best responses of one seat against a fixed policy of the others."""

    def __init__(self, game: Game, seat: int, policy: Policy, most: int = 1 << 30) -> None:
        self.game, self.seat, self.policy = game, seat, policy
        self.left = most

    def after(self, s: State, action: int) -> State:
        """Return the state after an action; its chance is that of the state's own generator."""
        self.left -= 1
        if self.left < 0:
            raise TooLarge
        copy = copy_state(s)
        self.game.rules.apply(copy, action)
        return copy

    def value(self, worlds: Iterable[World]) -> float:
        """Return what the seat wins in these worlds with best play, weights and all."""
        total = 0.0
        asked: dict[bytes, list[World]] = {}
        for s, weight in self.settled(worlds):
            if s["seat"] == NOBODY:
                total += weight * int(s["payoff"][self.seat])
            else:
                seen = self.game.observation_of(s, self.seat).tobytes()
                asked.setdefault(seen, []).append((s, weight))
        return total + sum(max(self.values(group).values()) for group in asked.values())

    def values(self, worlds: list[World]) -> dict[int, float]:
        """Return what each action is worth in worlds that the seat cannot tell apart."""
        actions = self.game.legal_actions(worlds[0][0])
        return {a: self.value((self.after(s, a), weight) for s, weight in worlds) for a in actions}

    def settled(self, worlds: Iterable[World]) -> Iterator[World]:
        """Let the other seats play, until the seat decides or the hand is over."""
        for s, weight in worlds:
            if s["seat"] in (NOBODY, self.seat):
                yield s, weight
                continue
            actions = self.game.legal_actions(s)
            for action, chance in zip(actions, self.policy(s, actions), strict=True):
                if chance > 0:
                    yield from self.settled([(self.after(s, action), weight * chance)])


def worlds_of(game: Game, s: State, seat: int, draws: int) -> list[World]:
    """Return the worlds that `determinize` gives, with their frequencies over many draws."""
    found: dict[bytes, list[Any]] = {}
    leave = {"rng", *game.rules.scratch}
    for k in range(draws):
        world = game.redrawn(s, seat, (k, 77, 5, 6))
        key = b"".join(world[name].tobytes() for name in world.dtype.names or () if name not in leave)
        found.setdefault(key, [world, 0])[1] += 1
    return [(world, count / draws) for world, count in found.values()]


def uniform(s: State, actions: list[int]) -> list[float]:
    """Return equal chances for all actions."""
    return [1 / len(actions)] * len(actions)


def deals_of(game: Game) -> list[State]:
    """Return every deal of a reference game."""
    cards = permutations(range(3), 2) if game.name == "kuhn_poker" else permutations(range(6), 3)
    return [game.new(layout={"cards": list(c)}) for c in cards]


def exploitability(game: Game, policy: Policy) -> float:
    """Return what a best response wins against `policy` in a game of two seats, averaged over them."""
    deals = [(s, 1.0) for s in deals_of(game)]
    return sum(Exact(game, seat, policy).value(deals) for seat in range(2)) / (2 * len(deals))


class Searched:
    """The policy of a search: how often it chooses each action over several seeds, each found once."""

    def __init__(self, game: Game, simulations: int, seeds: int) -> None:
        self.game, self.simulations, self.seeds = game, simulations, seeds
        self._searcher = Searcher(game)
        self._known: dict[bytes, list[float]] = {}

    def __call__(self, s: State, actions: list[int]) -> list[float]:
        """Return the chances of the legal actions."""
        seat = int(s["seat"])
        key = bytes([seat]) + self.game.observation_of(s, seat).tobytes()
        if key not in self._known:
            chosen = [
                self._searcher.search(s, seat, self.simulations, (k, 5, 6, 7)).best for k in range(self.seeds)
            ]
            self._known[key] = [chosen.count(a) / self.seeds for a in actions]
        return self._known[key]
