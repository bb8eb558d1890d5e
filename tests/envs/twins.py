"""Agents called from Python, and a lane played slowly, to compare the vector environment with."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.bots.random import SPEC as RANDOM
from qipai.core import AgentSpec, Game, Sight, copy_state, seed_words
from qipai.core import pick as pick_set
from qipai.envs.gym_vector import LearnerVectorEnv
from qipai.envs.lanes import OPPONENTS
from qipai.sim import Batch


class Slow:
    """Plays at random, but called from Python like any agent."""

    def __init__(self, game: Any, words: Any) -> None:
        self._inner = RANDOM.make(game, words)

    def act(self, sight: Sight) -> int:
        return self._inner.act(sight)


class First:
    """Plays the lowest legal action, and keeps what it was shown."""

    shown: list[int] = []  # noqa: RUF012

    def __init__(self, game: Any, words: Any) -> None:
        pass

    def act(self, sight: Sight) -> int:
        First.shown.append(sight.seat)
        return int(np.argmax(sight.mask))


class Wrong:
    """Returns something that is not an action."""

    def __init__(self, game: Any, words: Any) -> None:
        pass

    def act(self, sight: Sight) -> int:
        return 99


SLOW = AgentSpec("slow", 1, Slow)
FIRST = AgentSpec("first", 1, First)
WRONG = AgentSpec("wrong", 1, Wrong)


def pick(env: LearnerVectorEnv, rng: np.random.Generator) -> Any:
    masks = env.action_masks()
    return np.argmax(rng.random(masks.shape) * masks, axis=1)


def play(env: LearnerVectorEnv, steps: int, seed: int = 0) -> list[tuple[Any, ...]]:
    rng = np.random.default_rng(seed)
    return [env.step(pick(env, rng)) for _ in range(steps)]


class Twin:
    """One lane, slowly: what the environment should show, computed by plain calls of the rules."""

    def __init__(
        self, game: Game, seats: int, lane: int, seed: int, who: list[str], rotate: bool, same: bool
    ):
        self.game, self.seats, self.who, self.rotate, self.same = game, seats, who, rotate, same
        self.s = copy_state(Batch(game, lane + 1, seed, seats=seats).state[lane])
        self.seat = lane % seats if rotate else 0
        self.words = np.zeros(4, np.uint32)
        seed_words(self.words, seed & 0xFFFFFFFF, seed >> 32, lane, OPPONENTS)
        self.over = False
        self.begin()

    def deal(self) -> None:
        self.game.rules.deal(self.s)
        while self.s["seat"] < 0:
            self.game.rules.deal(self.s)

    def opponents(self) -> None:
        while self.s["seat"] not in (-1, self.seat):
            legal = self.game.legal_actions(self.s)
            who = self.who[(int(self.s["seat"]) - self.seat) % self.seats - 1]
            mask = self.game.mask(self.s)
            action = int(pick_set(self.words, mask, len(legal))) if who == "random" else legal[0]
            self.game.rules.apply(self.s, action)

    def begin(self) -> None:
        self.paid = 0
        self.opponents()
        while self.s["seat"] < 0:  # over before the learner could decide
            self.deal()
            self.opponents()

    def next_game(self) -> None:
        self.seat = (self.seat + self.rotate) % self.seats
        self.deal()
        self.begin()
        self.over = False

    def step(self, action: int) -> tuple[int, bool, bool, Any]:
        """Return reward, terminated, truncated, and the last observation of a game that ended."""
        if self.over:
            self.next_game()
            return 0, False, False, None
        self.game.rules.apply(self.s, action)
        self.opponents()
        payoff = int(self.s["payoff"][self.seat])
        reward, self.paid = payoff - self.paid, payoff
        if self.s["seat"] >= 0:
            return reward, False, False, None
        cut, last = bool(self.s["cut"]), self.game.observation_of(self.s, self.seat)
        self.over = True
        if self.same:
            self.next_game()
        return reward, not cut, cut, last
