"""The loops behind the Gymnasium environments: every lane equals its slow twin."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from qipai.core import get
from qipai.core.errors import (
    NoDecision,
)
from qipai.envs import vector

from .toy import LAPS
from .twins import FIRST, Twin, pick, play


@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize(
    ("name", "seats", "who", "rotate"),
    [
        ("laps", 3, ["random", "random"], True),
        ("laps", 4, ["first", "random", "first"], True),
        ("laps", 2, ["first"], False),
        ("xianqi", 3, ["random", "random"], True),
    ],
)
def test_every_lane_is_its_slow_twin(name: str, seats: int, who: list[str], rotate: bool, same: bool) -> None:
    game = LAPS if name == "laps" else get(name)
    seed = (1 << 40) + 17
    specs = [FIRST if one == "first" else one for one in who]
    mode = AutoresetMode.SAME_STEP if same else AutoresetMode.NEXT_STEP
    env = vector(
        game, 6, specs, "rotate" if rotate else 0, seats=seats, seed=seed, autoreset=mode, space="box"
    )
    assert env.metadata["autoreset_mode"] is mode
    seen, info = env.reset()
    twins = [Twin(game, seats, lane, seed, who, rotate, same) for lane in range(6)]
    rng = np.random.default_rng(2)
    ended = 0
    for _ in range(40):
        for lane, twin in enumerate(twins):
            assert (
                np.array_equal(seen[lane], game.observation_of(twin.s, twin.seat))
                and env.seat[lane] == twin.seat
            )
            legal = np.ones(game.rules.actions) if twin.over else game.mask(twin.s)[: game.rules.actions]
            assert np.array_equal(info["action_mask"][lane], legal)
        actions = pick(env, rng)
        seen, reward, terminated, truncated, info = env.step(actions)
        for lane, twin in enumerate(twins):
            *told, last = twin.step(int(actions[lane]))
            assert [reward[lane], terminated[lane], truncated[lane]] == told
            if same and last is not None:
                assert np.array_equal(info["final_obs"][lane], last) and info["_final_obs"][lane]
            ended += last is not None
    assert ended > 12


def test_a_game_over_before_the_learner_decides_is_dealt_again() -> None:
    env = vector(LAPS, 4, seat=1, options={"cap": 2}, seed=1, space="box")
    env.reset()  # every game lasts two actions: the learner's is the second
    for _, _, _, cut, _ in play(env, 5):
        assert cut.all() or not cut.any()
    with pytest.raises(NoDecision, match="seat 1 never gets a decision"):
        vector(LAPS, 4, seat=1, options={"cap": 1}, space="box").reset()


def test_what_opponents_do_before_the_first_decision_counts_to_the_first_step() -> None:
    env = vector(LAPS, 64, "random", seat=2, seats=3, seed=5, space="box")
    env.reset()
    before = env.learners.batch.state["payoff"][:, 2].copy()
    assert before.any()  # seats 0 and 1 have staked
    _, reward, done, cut, _ = env.step(np.zeros(64, np.int64))
    assert not (done | cut).any()
    assert np.array_equal(reward, env.learners.batch.state["payoff"][:, 2])
