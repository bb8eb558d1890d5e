"""All environments have the same spaces, keywords and answers to illegal actions."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from qipai.core import get, names
from qipai.core.errors import BadOption, BadSeed, IllegalAction, MatchOver
from qipai.envs import aec, single, vector
from qipai.envs.convention import BadArgument
from tests.envs.toy import LAPS


def equal(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(equal(one[k], other[k]) for k in one)
    return np.array_equal(one, other)


def lane(seen: Any, k: int) -> Any:
    return {name: part[k] for name, part in seen.items()} if isinstance(seen, dict) else seen[k]


@pytest.mark.parametrize("space", ["dict", "box"])
@pytest.mark.parametrize("game", names())
def test_one_id_gives_one_space(game: str, space: str) -> None:
    id_ = f"qipai/{game}-v{get(game).rules.version}"
    one = gymnasium.make(id_, opponents="random", space=space, seed=3)
    many: Any = gymnasium.make_vec(id_, 3, opponents="random", space=space, seed=3)
    assert one.observation_space == many.single_observation_space
    assert one.action_space == many.single_action_space
    seen, info = many.reset()
    first, told = one.reset()
    assert equal(lane(seen, 0), first) and many.observation_space.contains(seen)
    assert np.array_equal(info["action_mask"][0], told["action_mask"])


def illegal_of(mask: Any) -> Any:
    return (mask == 0).argmax(-1)


@pytest.mark.parametrize("mode", ["NEXT_STEP", "SAME_STEP", "DISABLED"])
def test_an_illegal_action_ends_the_game_where_asked(mode: str) -> None:
    env = vector(
        "xianqi", 4, illegal="terminate", illegal_reward=-7, reward_scale=0.5, seed=1, autoreset=mode
    )
    _, info = env.reset()
    actions = info["action_mask"].argmax(1)
    actions[2] = illegal_of(info["action_mask"][2])
    seen, reward, terminated, truncated, info = env.step(actions)
    assert terminated.tolist() == [False, False, True, False] and not truncated.any()
    assert reward[2] == -7 and info["illegal"].tolist() == terminated.tolist()
    if mode == "SAME_STEP":
        assert info["_final_obs"].tolist() == terminated.tolist() and info["action_mask"][2].any()
    elif mode == "DISABLED":
        assert not info["action_mask"][2].any()
        with pytest.raises(MatchOver):
            env.step(actions)
    else:
        again, reward, terminated, *_ = env.step(np.where(terminated, 0, info["action_mask"].argmax(1)))
        assert reward[2] == 0 and not terminated[2] and not equal(lane(again, 2), lane(seen, 2))


def test_lanes_next_to_a_forfeit_are_undisturbed() -> None:
    one, other = (
        vector("xianqi", 4, illegal=i, seed=1, autoreset="SAME_STEP") for i in ("raise", "terminate")
    )
    _, info = one.reset()
    other.reset()
    actions = info["action_mask"].argmax(1)
    mixed = actions.copy()
    mixed[1] = 1000
    seen, reward, *_ = one.step(actions)
    twin, earned, *_ = other.step(mixed)
    for k in (0, 2, 3):
        assert equal(lane(seen, k), lane(twin, k)) and reward[k] == earned[k]


@pytest.mark.parametrize("wrong", [-1, 40, 1 << 40, None])
def test_a_random_action_replaces_an_illegal_one(wrong: int | None) -> None:
    env = vector("xianqi", 3, illegal="random", seed=1)
    _, info = env.reset()
    actions = info["action_mask"].argmax(1)
    actions[1] = illegal_of(info["action_mask"][1]) if wrong is None else wrong
    *_, info = env.step(actions)
    assert info["replaced"].tolist() == [False, True, False]


def test_one_lane_answers_like_many() -> None:
    env = single("xianqi", illegal="terminate", illegal_reward=-3, seed=1)
    _, info = env.reset()
    _, reward, terminated, truncated, info = env.step(int(illegal_of(info["action_mask"])))
    assert (reward, terminated, truncated, info["illegal"]) == (-3, True, False, True)
    with pytest.raises(MatchOver):
        env.step(0)


def test_pettingzoo_answers_like_gymnasium() -> None:
    env = aec("xianqi", illegal="terminate", illegal_reward=-3, seed=1)
    env.reset()
    agent = env.agent_selection
    env.step(int(illegal_of(env.observe(agent)["action_mask"])))
    assert all(env.terminations.values())
    assert env.rewards == {a: -3.0 if a == agent else 0.0 for a in env.possible_agents}
    env = aec("xianqi", illegal="random", seed=1, features="onehot")
    env.reset()
    env.step(1000)
    assert not any(env.terminations.values())
    assert env.observation_space(agent).contains(env.observe(agent))
    env = aec("xianqi", seed=1)
    env.reset()
    with pytest.raises(IllegalAction):
        env.step(1000)


def test_rewards_are_scaled() -> None:
    plain, scaled = (vector(LAPS, 8, seed=1, reward_scale=scale) for scale in (1.0, 0.25))
    plain.reset(), scaled.reset()
    for _ in range(30):
        actions = plain.action_masks().argmax(1)
        assert np.array_equal(plain.step(actions)[1] * 0.25, scaled.step(actions)[1])


@pytest.mark.parametrize("opponents", ["random", "heuristic"])
def test_a_list_of_seeds_makes_each_lane_a_single_of_its_seed(opponents: str) -> None:
    seeds = [5, 1, 5, (1 << 64) - 1]
    many = vector("xianqi", 4, opponents, seat=1, autoreset="DISABLED")
    ones = [single("xianqi", opponents, seat=1) for _ in seeds]
    seen, info = many.reset(seed=seeds)
    assert all(equal(lane(seen, k), one.reset(seed=seeds[k])[0]) for k, one in enumerate(ones))
    for _ in range(3):
        actions = info["action_mask"].argmax(1)
        seen, reward, terminated, _, info = many.step(actions)
        for k, one in enumerate(ones):
            told = one.step(int(actions[k]))
            assert equal(lane(seen, k), told[0]) and reward[k] == told[1]
        if terminated.any():
            break


def test_a_lane_without_a_seed_goes_on() -> None:
    env, twin = (vector("xianqi", 3, seed=1) for _ in range(2))
    with pytest.raises(MatchOver):
        env.reset(seed=[1, None, 2])
    env.reset(), twin.reset()
    seen, _ = env.reset(seed=[None, 9, None])
    expected, _ = twin.reset()
    assert equal(lane(seen, 0), lane(expected, 0)) and equal(lane(seen, 2), lane(expected, 2))
    assert equal(lane(seen, 1), single("xianqi").reset(seed=9)[0])
    with pytest.raises(BadSeed):
        env.reset(seed=[1, 2])


def test_a_list_of_seeds_survives_a_pickle() -> None:
    env = vector("xianqi", 2, "heuristic", autoreset="SAME_STEP")
    _, info = env.reset(seed=[3, 4])
    twin = pickle.loads(pickle.dumps(env))
    for _ in range(5):
        actions = info["action_mask"].argmax(1)
        seen, *_, info = env.step(actions)
        assert equal(seen, twin.step(actions)[0])


def test_the_mode_is_an_attribute() -> None:
    assert vector(LAPS, 2, autoreset="same_step").autoreset_mode is AutoresetMode.SAME_STEP


@pytest.mark.parametrize(
    "given",
    [
        {"opponent": "random"},
        {"colour": 1},
        {"space": "tuple"},
        {"features": "bits"},
        {"illegal": None},
        {"reward_scale": float("nan")},
        {"illegal_reward": "1"},
        {"render_mode": "film"},
    ],
)
def test_an_unknown_keyword_is_a_type_error_too(given: dict[str, Any]) -> None:
    makers: list[Any] = [lambda: single("xianqi", **given), lambda: vector("xianqi", 2, **given)]
    makers.append(lambda: aec("xianqi", **given))
    for make in makers:
        with pytest.raises(BadOption) as caught:
            make()
        assert isinstance(caught.value, BadArgument) and isinstance(caught.value, TypeError)


def test_an_unknown_keyword_is_named_in_pythons_words() -> None:
    """TorchRL offers keywords that most environments lack, and reads in the error which one to leave out."""
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
        gymnasium.make("qipai/xianqi-v1", frameskip=1)


def test_many_lanes_are_not_printed() -> None:
    with pytest.raises(BadArgument):
        vector("xianqi", 2, render_mode="human")
