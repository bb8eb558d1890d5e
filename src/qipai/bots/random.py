"""The agent that plays every legal action with equal probability."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Compiled, Game, Sight, compile_rules, pick, rule


class RandomAgent:
    """Uniform over the mask, with its own generator."""

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        game.compile()
        compile_rules([pick_rows], game.rules.State, "bots/random")
        self._words = words
        self.compiled = Compiled(choose, np.zeros(1, np.int64), sees=False)

    def act(self, sight: Sight) -> int:
        """Return a random legal action."""
        return int(pick(self._words, sight.mask, int(sight.mask.sum())))

    def act_many(
        self,
        observations: NDArray[np.int8],
        masks: NDArray[np.uint8],
        seats: NDArray[np.int8],
        words: NDArray[np.uint32],
    ) -> NDArray[np.int64]:
        """Return a random legal action of every row, drawn with the row's own generator."""
        chosen = np.zeros(len(masks), np.int64)
        pick_rows(words, masks, chosen)
        return chosen


@rule(words="u4[:,:]", masks="u1[:,:]", chosen="i8[:]")
def pick_rows(words, masks, chosen):  # type: ignore[no-untyped-def]
    """Write a random set position of every row of `masks`, drawn with the row's own generator."""
    for i in range(masks.shape[0]):
        n = 0
        for a in range(masks.shape[1]):
            n += int(masks[i, a])
        chosen[i] = pick(words[i], masks[i], n)


@rule(states="states", work="i8[:]")
def choose(states, seat, mask, n, rng, work):  # type: ignore[no-untyped-def]
    """Return a random legal action, as `RandomAgent.act` does."""
    return pick(rng, mask, n)


SPEC = AgentSpec(name="random", place=0, make=RandomAgent, plain=True)
