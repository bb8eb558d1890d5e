"""Batches without a new deal, worlds and playouts, one game at a time with the plain functions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import NOBODY, Game, State, copy_state, draw, next_word, seed_words
from qipai.core.rule import plain_function

Words = NDArray[np.uint32]


class Lane:
    """One lane of a batch that is not dealt again: a state, and a stream of random choice."""

    def __init__(self, game: Game, seed: int, number: int, options: Any = None, seats: Any = None) -> None:
        self.game, self.rules = game, game.functions("plain")
        self.state = game.blank(options, seats)
        self.choice = np.zeros(4, np.uint32)
        self.number = number
        self.last = NOBODY  # who acted last, in the game under way
        self.reset(seed)

    def reset(self, seed: int | None = None) -> None:
        """Deal, from a seed or from where the generator stands."""
        if seed is not None:
            for words, stream in ((self.state["rng"], 0), (self.choice, 1)):
                seed_words(words, seed & 0xFFFFFFFF, seed >> 32, self.number, stream)
        self.rules.deal(self.state)
        while self.state["seat"] == NOBODY:
            self.rules.deal(self.state)
        self.last = NOBODY
        self.reward, self.done, self.cut = [0] * int(self.state["seats"]), 0, 0

    def step(self, action: int) -> None:
        """Make an action; nothing where the game is over."""
        s = self.state
        before = s["payoff"].tolist()
        if s["seat"] == NOBODY:
            self.reward, self.done, self.cut = [0] * int(s["seats"]), 0, 0
            return
        self.last = int(s["seat"])
        self.rules.apply(s, action)
        seats = int(s["seats"])
        self.reward = [b - a for a, b in zip(before, s["payoff"].tolist(), strict=True)][:seats]
        self.done = int(s["seat"] == NOBODY)
        self.cut = int(s["cut"]) if self.done else 0

    def redraw(self, seat: int) -> None:
        """Take another world that fits what `seat` knows."""
        if self.state["seat"] != NOBODY:
            words = [int(next_word(self.choice)) for _ in range(4)]
            seed_words(self.state["rng"], *words)
            self.rules.determinize(self.state, seat)

    def choose(self) -> int:
        """Return a random legal action, or -1."""
        return choose(self.game, self.state, self.choice)

    def shown(self) -> tuple[list[int], list[int], int]:
        """Return mask, observation and seat, at the end as the last to act may know it."""
        s, game = self.state, self.game
        seat = int(s["seat"])
        viewer = self.last if seat == NOBODY else seat
        out = np.zeros(game.observation_size, np.int8)
        if viewer != NOBODY:
            self.rules.observe(s, viewer, out)
        return game.mask(s).tolist(), out.tolist(), seat


def choose(game: Game, s: State, rng: Words) -> int:
    """Return the k-th legal action for a random k, or -1 where there is none."""
    mask = np.zeros(game.width, np.uint8)
    if s["seat"] == NOBODY:
        return -1
    game.functions("plain").legal(s, mask)
    actions = np.flatnonzero(mask)
    return int(actions[draw(rng, len(actions))])


def play(
    game: Game, state: State, action: int | None, seed: int, i: int, j: int, limit: int, own: bool
) -> Any:
    """Return payoffs, whether it was cut, and the decisions of playout `j` of position `i`."""
    rules, s, rng = game.functions("plain"), copy_state(state), np.zeros(4, np.uint32)
    seed_words(rng, seed & 0xFFFFFFFF, seed >> 32, i + (1 << 31), j)
    s["rng"] = [int(next_word(rng)) for _ in range(4)]
    work = np.zeros(max(game.search.work, 1), np.int64)
    made = 0
    while s["seat"] != NOBODY and made < limit:
        if made or action is None:
            if own:
                mask = game.mask(s)
                action = int(plain_function(game.rules.playout)(s, mask, int(mask.sum()), rng, work))
            else:
                action = choose(game, s, rng)
        rules.apply(s, action)
        made += 1
    cut = s["seat"] != NOBODY or s["cut"] != 0
    return s["payoff"].tolist()[: int(s["seats"])], int(cut), made


def playouts(
    game: Game, states: Any, actions: Any, n: int, seed: int, limit: int = 1 << 30, own: bool = False
) -> dict[str, Any]:
    """Return mean, variance of the mean (exact), cuts and decisions, as `qipai.sim.playouts` defines them."""
    means, variances, cuts, decisions = [], [], [], 0
    for i, (state, action) in enumerate(zip(states, actions, strict=True)):
        done = [play(game, state, action, seed, i, j, limit, own) for j in range(n)]
        columns = list(zip(*(payoffs for payoffs, _, _ in done), strict=True))
        mean = [Fraction(sum(c), n) for c in columns]
        means.append(mean)
        if n > 1:
            each = zip(columns, mean, strict=True)
            variances.append([sum((x - m) ** 2 for x in c) / (n - 1) / n for c, m in each])
        cuts.append(sum(cut for _, cut, _ in done))
        decisions += sum(made for _, _, made in done)
    return {"mean": means, "variance": variances, "cut": cuts, "decisions": decisions}
