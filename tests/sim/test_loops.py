"""The loops over lanes: every lane is a single game, independent of its neighbours."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core import NOBODY, State, copy_state, seed_words
from tests.toys_check.hush import GAME

from .batches import N, make


class Single:
    """A game played by hand with the plain functions, re-dealt when it ends."""

    def __init__(self, seed: int, lane: int, options: dict[str, Any]) -> None:
        self.rules = GAME.functions("plain")
        self.state = GAME.blank(options, 3)
        seed_words(self.state["rng"], seed & 0xFFFFFFFF, seed >> 32, lane, 0)
        self.deal()

    def deal(self) -> None:
        self.rules.deal(self.state)
        while self.state["seat"] == NOBODY:
            self.rules.deal(self.state)

    def step(self, action: int) -> tuple[list[int], int, int]:
        """Make an action; return reward, done and cut."""
        before: State = copy_state(self.state)
        self.rules.apply(self.state, action)
        reward = (self.state["payoff"] - before["payoff"]).tolist()
        done, cut = int(self.state["seat"] == NOBODY), int(self.state["cut"])
        if done:
            self.deal()
        return reward, done, cut


@pytest.mark.parametrize("options", [{}, {"cap": 4}, {"cards": 1, "spoils": "on"}])
def test_every_lane_is_a_single_plain_game(options: dict[str, Any]) -> None:
    seed = (7 << 32) + 5
    batch = make(seed, n=6, options=options)
    singles = [Single(seed, lane, options) for lane in range(6)]
    for _ in range(25):
        actions = batch.sample()
        batch.step(actions)
        for lane, single in enumerate(singles):
            reward, done, cut = single.step(int(actions[lane]))
            s = single.state
            assert batch.state[lane].tobytes() == s.tobytes()
            assert batch.reward[lane].tolist() == reward
            assert (int(batch.done[lane]), int(batch.cut[lane])) == (done, cut if done else 0)
            assert int(batch.seat[lane]) == int(s["seat"])
            assert batch.mask[lane].tolist() == GAME.mask(s).tolist()
            assert batch.obs[lane].tolist() == GAME.observation_of(s, int(s["seat"])).tolist()


def test_lanes_do_not_depend_on_how_many_there_are() -> None:
    few, many = make(3, n=5), make(3, n=N)
    for batch in (few, many):
        batch.rollout(9)
    assert few.state.tobytes() == many.state[:5].tobytes()


def test_another_seed_gives_other_deals_and_lanes_differ() -> None:
    assert make(1).state.tobytes() != make(2).state.tobytes()
    assert make(1).state.tobytes() != make(1 + (1 << 32)).state.tobytes()
    hands = make(1).state["hand"]
    assert len({h.tobytes() for h in hands}) > N // 2


def test_chance_and_choice_are_apart() -> None:
    """A game replays from its actions: other choices, same cards."""
    one, other = make(4), make(4)
    other._arrays.choice[:] = make(5)._arrays.choice
    a, b = one.sample(), other.sample()
    assert (a != b).any()
    one.step(a)
    other.step(a)
    assert one.state.tobytes() == other.state.tobytes()


def test_deals_without_a_decision_are_dealt_again() -> None:
    """One deal in twenty of this game is a misdeal."""
    batch = make(1, n=2000)
    assert (batch.seat >= 0).all()
    assert not batch.state["misdeal"].any()
