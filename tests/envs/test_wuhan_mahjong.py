"""`WuhanMahjongEnv`: the tests named in the specification (12.2), refusals, the API, training phases."""

from __future__ import annotations

import json
import re
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from qipai.core.errors import MissingExtra
from qipai.envs.wuhan_mahjong import random_action
from qipai.games.wuhan_mahjong import (
    ActionType,
    WuhanMahjongEnv,
    evaluate_win,
    index_to_action,
)
from qipai.games.wuhan_mahjong.examples import ids, position
from tests.games.wuhan_mahjong.tables import MASKS, melds, whole

ROWS = {row["id"]: row for row in MASKS}
DECISIONS = ("PLAYER_DECISION", "MELD_DECISION")


def at(name: str, **options: Any) -> Any:
    """Return an environment in a position of 12.3."""
    env = WuhanMahjongEnv(**options)
    env.reset(options={"state": whole(ROWS[name])})
    return env


def bits(env: Any) -> list[int]:
    mask = env.observe(env.agent_selection)["action_mask"]
    return [int(i) for i in np.flatnonzero(mask)]


# --- 12.2 -----------------------------------------------------------------------------


def test_meld_decision_rejects_pass() -> None:  # T1
    env = at("M8")
    with pytest.raises(ValueError, match="PASS action is not allowed"):
        env.step((ActionType.PASS.value, 0))


def test_meld_decision_rejects_win() -> None:  # T2
    env = at("M8")
    complete = ids(ROWS["M8"]["hand"]), melds(ROWS["M8"]["melds"])
    assert evaluate_win(*complete, 10, "SELF_DRAW", 40) is not None
    with pytest.raises(ValueError, match="WIN action is not allowed"):
        env.step((ActionType.WIN.value, 0))


@pytest.mark.parametrize(
    ("name", "index"), [("M2", 171), ("M2", 185), ("M2", 218), ("M2", 251), ("M4", 109), ("M5", 76)]
)
def test_player_decision_allows_kong(name: str, index: int) -> None:  # T3
    env = at(name)
    assert index in bits(env)
    env.step(index_to_action(index))
    assert env.dump_state()["phase"] == "PLAYER_DECISION"
    assert env.agent_selection == "player_0"


@pytest.mark.parametrize("index", [76, 109, 171, 185, 251])
def test_meld_decision_allows_kong(index: int) -> None:  # T4
    env = at("M9")
    assert index in bits(env)
    env.step(index_to_action(index))
    assert env.infos["player_0"]["current_state"] == "PLAYER_DECISION"
    assert env.agent_selection == "player_0"


def test_full_game_with_state_split() -> None:  # T5
    env = WuhanMahjongEnv()
    _, info = env.reset()
    rng = np.random.default_rng(0)
    for _agent in env.agent_iter():
        obs, _reward, terminated, _truncated, info = env.last()
        assert obs["action_mask"].shape == (278,)
        if not terminated:
            assert obs["action_mask"].any()
            if info["current_state"] in DECISIONS:
                assert obs["action_mask"][277] == 0
        env.step(None if terminated else index_to_action(random_action(obs, rng)))
    assert info["is_terminal"]


def test_t8_three_copies_are_no_concealed_kong() -> None:
    env = at("M4")
    assert 107 not in bits(env)
    assert 109 in bits(env)


# --- 4.4 ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["M1", "M8", "M11", "M16"])
def test_an_illegal_action_raises_and_changes_nothing(name: str) -> None:
    env = at(name)
    legal = set(bits(env))
    before = json.dumps(env.dump_state()), env.agent_selection, dict(env.rewards)
    for index in range(278):
        if index in legal:
            continue
        pair = index_to_action(index)
        ignored = pair[0] in (2, 3, 6, 8, 9, 10)  # their parameter means nothing
        if ignored and any(index_to_action(i)[0] == pair[0] for i in legal):
            continue
        name_, phase = ActionType(pair[0]).name, env.dump_state()["phase"]
        with pytest.raises(ValueError, match=f"^{re.escape(f'{name_} action is not allowed in {phase}')}"):
            env.step(pair)
    assert (json.dumps(env.dump_state()), env.agent_selection, dict(env.rewards)) == before


@pytest.mark.parametrize(
    "bad", [None, 5, (1,), (1, 2, 3), (11, 0), (-1, 0), (0, 35), (0, -2), "pass", (0.0, 1), (True, 0)]
)
def test_a_malformed_action_raises(bad: Any) -> None:
    env = at("M1")
    with pytest.raises(ValueError, match=r"."):
        env.step(bad)


@pytest.mark.parametrize("parameter", [-1, 0, 17, 34])
@pytest.mark.parametrize(
    ("name", "kind"), [("M11", 2), ("M13", 3), ("M2", 6), ("M2", 8), ("M6", 9), ("M16", 9), ("M11", 10)]
)
def test_an_ignored_parameter_may_be_anything(name: str, kind: int, parameter: int) -> None:
    env, plain = at(name), at(name)
    env.step((np.int64(kind), np.int8(parameter)))
    plain.step((kind, 0))
    assert env.dump_state() == plain.dump_state()
    if kind == ActionType.KONG_EXPOSED:
        assert env.dump_state()["melds"][0][0]["type"] == "KONG_EXPOSED"


# --- the API --------------------------------------------------------------------------


@pytest.mark.parametrize("dealer", range(4))
def test_reset_returns_observation_and_info_of_the_dealer(dealer: int) -> None:  # A5
    env = WuhanMahjongEnv()
    obs, info = env.reset(seed=3, options={"dealer": dealer})
    assert env.agent_selection == f"player_{dealer}"
    assert (info["current_player"], info["current_state"]) == (dealer, "PLAYER_DECISION")
    assert_same(obs, env.observe(env.agent_selection))
    assert obs["remaining_tiles"] == 82
    assert obs["dealer"].tolist() == [dealer]
    sizes = [int(env.observe(agent)["private_hand"].sum()) for agent in env.possible_agents]
    assert sizes == [14 if seat == dealer else 13 for seat in range(4)]


def test_rule_options_are_keywords_or_a_mapping() -> None:
    for env in (WuhanMahjongEnv(min_win=8, cap=500), WuhanMahjongEnv(options={"min_win": 8, "cap": 500})):
        env.reset(seed=1)
        assert env.dump_state()["options"] == {"min_win": 8, "cap": 500}
    wrong: Any = [1]
    with pytest.raises(ValueError, match="options"):
        WuhanMahjongEnv(options=wrong)


def test_the_dealer_links_consecutive_hands() -> None:  # G9
    env = WuhanMahjongEnv()
    state = position(
        "PLAYER_DECISION", 0, {0: "88m 456789p"}, {0: "chow 123m from 3, pong 111z from 2"}, dealer=2
    )
    env.reset(seed=1, options={"state": state})
    env.step((9, 0))
    assert env.infos["player_3"]["final_scores"] == [64, -16, -32, -16]
    env.reset()
    assert env.dump_state()["dealer"] == 0
    env.reset(options={"dealer": 3})
    assert env.dump_state()["dealer"] == 3


def test_the_end_reaches_every_agent_once() -> None:
    env = WuhanMahjongEnv(reward_scale=10)
    env.reset(seed=5, options={"state": whole(ROWS["M6"])})
    env.step((9, 0))
    seen = {}
    for agent in env.agent_iter():
        obs, reward, terminated, truncated, info = env.last()
        assert terminated
        assert not truncated
        assert not obs["action_mask"].any()
        assert info["winners"] == [0]
        assert info["win_types"] == ["HARD_WIN"]
        assert info["win_way"] == "SELF_DRAW"
        assert info["flush"] is False
        seen[agent] = reward
        env.step(None)
    assert seen == {"player_0": 6.4, "player_1": -1.6, "player_2": -1.6, "player_3": -3.2}


def test_a_dump_loads_to_the_same_observations() -> None:
    env = WuhanMahjongEnv(min_win=8, flow_cap=None)
    other = WuhanMahjongEnv()
    env.reset(seed=11)
    rng = np.random.default_rng(1)
    for _ in range(60):
        other.reset(options={"state": json.loads(json.dumps(env.dump_state()))})
        for agent in env.possible_agents:
            assert_same(env.observe(agent), other.observe(agent))
        env.step(index_to_action(random_action(env.observe(env.agent_selection), rng)))


def assert_same(one: Any, other: Any) -> None:
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            assert_same(one[key], other[key])
    else:
        assert np.array_equal(one, other)


def test_a_window_hides_who_is_asked() -> None:
    env = at("M12")
    for agent in ("player_1", "player_2", "player_3"):
        obs = env.observe(agent)
        assert obs["current_phase"] == 3
        assert obs["current_player"].tolist() == [2]
        assert env.infos[agent] == {"current_state": "DISCARDING", "current_player": 2, "is_terminal": False}
    assert env.observe("player_0")["current_phase"] == 5
    rob = at("M16")
    assert rob.observe("player_2")["current_phase"] == 8
    assert rob.observe("player_2")["current_player"].tolist() == [1]


def test_training_phase_1_hides_nothing() -> None:
    env = WuhanMahjongEnv(training_phase=1)
    env.reset(seed=2)
    state = env.dump_state()
    obs = env.observe("player_0")
    for seat in range(4):
        counts = obs["global_hand"][34 * seat : 34 * seat + 34]
        assert sorted(np.repeat(np.arange(34), counts).tolist()) == state["hands"][seat]
    assert obs["wall"].tolist() == state["wall"]


def test_training_phase_2_hides_more_as_it_goes_on() -> None:
    shares = []
    for progress in (-1.0, 0.5, 2.0):
        env = WuhanMahjongEnv(training_phase=2, phase2_progress=progress)
        hidden = 0
        for seed in range(40):
            obs, _ = env.reset(seed=seed)
            assert_same(obs, env.observe(env.agent_selection))
            hidden += int((obs["global_hand"] == 5).any())
        shares.append(hidden)
    assert shares[0] <= 2
    assert 8 <= shares[1] <= 32
    assert shares[2] >= 38


@pytest.mark.parametrize(
    "wrong",
    [
        {"min_win": 7},
        {"golden_mode": "x"},
        {"action_format": "index"},
        {"reward_scale": 0},
        {"training_phase": 4},
        {"phase2_progress": "a"},
        {"surprise": 1},
        {"small_laizi": True},
        {"flow_cap": 5},
    ],
)
def test_an_unknown_setting_is_a_value_error(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        WuhanMahjongEnv(**wrong)


@pytest.mark.parametrize(
    "options",
    [{"dealer": 4}, {"deck": [0] * 136}, {"deck": list(range(34))}, {"state": {}}, {"state": 3}, 7],
)
def test_bad_reset_options_change_nothing(options: Any) -> None:
    env = WuhanMahjongEnv()
    env.reset(seed=4)
    before = json.dumps(env.dump_state())
    with pytest.raises(ValueError, match=r"."):
        env.reset(options=options)
    assert json.dumps(env.dump_state()) == before


def test_a_deck_is_dealt_as_given() -> None:
    env = WuhanMahjongEnv()
    deck = [t // 4 for t in range(136)]
    env.reset(seed=0, options={"deck": deck, "dealer": 1})
    state = env.dump_state()
    assert state["indicator"] == deck[53]
    assert state["hands"][1] == sorted([*deck[13:26], deck[52]])
    assert state["wall"] == deck[54:]


def test_the_flat_form_passes_pettingzoo_suites() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # api_test advises about dict observations
        api_test(WuhanMahjongEnv(action_format="flat"), num_cycles=200)
        seed_test(lambda: WuhanMahjongEnv(action_format="flat"), num_cycles=50)


def test_without_pettingzoo_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import qipai.games.wuhan_mahjong as package

    for name in ("wuhan_mahjong", "aec_base"):  # as if nobody had imported them yet
        monkeypatch.delitem(sys.modules, f"qipai.envs.{name}")
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(MissingExtra, match=r"qipai\[envs\]"):
        _ = package.WuhanMahjongEnv


def test_the_random_agent_never_answers_an_empty_mask() -> None:
    env = at("M1")
    with pytest.raises(ValueError, match="empty"):
        random_action(env.observe("player_1"), np.random.default_rng(0))


def test_a_supplement_kong_is_public_when_announced() -> None:
    rows = {0: "pong 111z from 2", 1: "pong 333m from 2"}
    state = position("PLAYER_DECISION", 1, {0: "1288m 456789p", 1: "3m 479s 258p 2467z"}, rows, wall=45)
    env = WuhanMahjongEnv()
    env.reset(options={"state": state})
    env.step((4, ids("3m")[0]))
    history = env.observe("player_0")["action_history"]
    assert (history["types"][0], history["params"][0], history["players"][0]) == (4, 2, 1)
    assert env.agent_selection == "player_0"
