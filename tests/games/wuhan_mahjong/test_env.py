"""`WuhanMahjongEnv`: the tests the user's document names (12.2), flow and invariants (12.7)."""

from __future__ import annotations

import copy
import json
import random
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
    special_tiles,
)
from qipai.games.wuhan_mahjong.examples import ids, position
from qipai.games.wuhan_mahjong.layout import count_tiles
from qipai.games.wuhan_mahjong.state import Phase

from .tables import MASKS, melds
from .test_masks import whole

ROWS = {row["id"]: row for row in MASKS}
DECISIONS = ("PLAYER_DECISION", "MELD_DECISION")


def at(name: str, **options: Any) -> Any:
    """An environment in a position of 12.3."""
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

    monkeypatch.delitem(sys.modules, "qipai.envs.wuhan_mahjong")
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with pytest.raises(MissingExtra, match=r"qipai\[envs\]"):
        _ = package.WuhanMahjongEnv


# --- 12.7 -----------------------------------------------------------------------------


def play_hands(count: int, first: int, sample: int = 97) -> dict[str, Any]:
    """H1-H9 and T6 over `count` random hands with seeds from `first` on."""
    env, again = WuhanMahjongEnv(action_format="flat"), WuhanMahjongEnv(action_format="flat")
    other = WuhanMahjongEnv()
    spaces = {agent: env.observation_space(agent) for agent in env.possible_agents}
    wins = steps = windows = rearranged_states = hidden_kongs = 0
    for seed in range(first, first + count):
        rng, worlds = np.random.default_rng(seed), random.Random(seed)
        env.reset(seed=seed)
        rewards = {}
        trail: list[tuple[int, bytes]] = []
        for agent in env.agent_iter():
            obs, reward, terminated, truncated, info = env.last()
            assert spaces[agent].contains(obs)  # H7
            assert not truncated
            if terminated:
                assert not obs["action_mask"].any()
                rewards[agent] = reward
                env.step(None)
                continue
            steps += 1
            check_tiles(env)
            mask = obs["action_mask"]
            assert mask.any()  # H3
            for waiting in env.possible_agents:
                assert waiting == agent or not env.observe(waiting)["action_mask"].any()
            if info["current_state"] in DECISIONS:  # H5, T6
                assert not mask[277]
                assert not mask[34:72].any()
                assert info["current_state"] == "PLAYER_DECISION" or not mask[276]
                with pytest.raises(ValueError, match="PASS action is not allowed"):
                    env.step(277)
                if steps % 53 == 0:
                    hidden_kongs += check_hidden(env, other, worlds)
                    rearranged_states += 1
            else:
                windows += int(mask[277])
            if steps % sample == 0:
                check_moment(env, spaces)
            action = random_action(obs, rng)
            trail.append((action, env._states.tobytes()))
            env.step(action)
        check_tiles(env)
        assert info["current_state"] in ("WIN", "FLOW_DRAW")  # H1
        assert list(rewards) == env.possible_agents
        assert list(rewards.values()) == [score / 100 for score in info["final_scores"]]  # H6
        assert sum(info["final_scores"]) == 0
        wins += bool(info["winners"])
        again.reset(seed=seed)
        for action, before in trail:  # H8
            assert again._states.tobytes() == before
            again.step(action)
        assert again._states.tobytes() == env._states.tobytes()
        assert again.infos[agent] == info
    return {
        "hands": count,
        "steps": steps,
        "steps_a_hand": round(steps / count, 1),
        "wins": wins,
        "windows": windows,
        "rearranged_states": rearranged_states,
        "rearranged_concealed_kongs": hidden_kongs,
    }


def check_tiles(env: Any) -> None:
    """H2: four of each kind; one tile more for the seat that must play, may be robbed or has won."""
    s = env._states[0]
    assert count_tiles(s) == [4] * 34
    phase = Phase(int(s["phase"]))
    holder = {
        Phase.PLAYER_DECISION: int(s["seat"]),
        Phase.MELD_DECISION: int(s["seat"]),
        Phase.WAIT_ROB_KONG: int(s["source"]),
        Phase.WIN: int(s["winner"]),
    }.get(phase, -1)
    sizes = (s["hand"].sum(1) + 3 * s["melds"]).tolist()
    assert sizes == [14 if seat == holder else 13 for seat in range(4)]


def check_moment(env: Any, spaces: dict[str, Any]) -> None:
    """H2 from a dump, H4, and H7 for all seats at one state."""
    state = env.dump_state()
    tiles = [state["indicator"], *state["wall"]]
    for seat in range(4):
        tiles += state["hands"][seat] + state["special_kongs"][seat] + state["rivers"][seat]
        tiles += [t for m in state["melds"][seat] for t in m["tiles"]]
    assert sorted(tiles) == [t // 4 for t in range(136)]  # H2
    for agent in env.possible_agents:
        assert spaces[agent].contains(env.observe(agent))  # H7
    mask = env.observe(env.agent_selection)["action_mask"]
    for index in range(278):  # H4
        trial = copy.deepcopy(env)
        if mask[index]:
            trial.step(index)
        else:
            with pytest.raises(ValueError, match="is not allowed in"):
                trial.step(index)


def rearranged(state: dict[str, Any], kept: set[int], rng: random.Random) -> tuple[dict[str, Any], int]:
    """Other hands, concealed kongs and wall in any other way that fits; how many kongs were redrawn."""
    special = {31, *special_tiles(state["indicator"])}
    changed = [seat for seat in range(4) if seat not in kept]
    world = copy.deepcopy(state)
    kongs = [(k, m) for k in changed for m in world["melds"][k] if m["type"] == "KONG_CONCEALED"]
    pool = world["wall"] + [t for k in changed for t in world["hands"][k]]
    pool += [t for _, m in kongs for t in m["tiles"]]
    rng.shuffle(pool)
    names = {}
    for seat, kong in kongs:
        tile = rng.choice([t for t in range(34) if pool.count(t) == 4 and t not in special])
        pool = [t for t in pool if t != tile]
        names[5, kong["tiles"][0], seat] = tile
        kong["tiles"] = [tile] * 4
    world["history"] = [[kind, names.get((kind, t, k), t), k] for kind, t, k in world["history"]]
    for seat in changed:
        size = len(world["hands"][seat])
        world["hands"][seat], pool = sorted(pool[:size]), pool[size:]
    world["wall"] = pool
    return world, len(kongs)


def check_hidden(env: Any, other: Any, rng: random.Random) -> int:
    """H9 at one decision: the acting seat and every other unchanged one see the same."""
    state = env.dump_state()
    kept = {state["current"], *rng.sample(range(4), rng.randrange(3))}
    world, kongs = rearranged(state, kept, rng)
    other.reset(options={"state": world})
    for agent in (env.possible_agents[seat] for seat in kept):
        assert_same(env.observe(agent), other.observe(agent))
        assert env.infos[agent] == other.infos[agent]
    return kongs


@pytest.mark.slow
def test_h1_to_h9_and_t6_over_random_hands() -> None:
    figures = play_hands(20, first=0)
    assert 80 < figures["steps_a_hand"] < 130
    assert figures["rearranged_states"] > 20


def test_h8_same_seed_and_choices_same_episode() -> None:
    stories = []
    for env in (WuhanMahjongEnv(), WuhanMahjongEnv()):
        env.reset(seed=99)
        rng = np.random.default_rng(9)
        story = []
        while not env.terminations["player_0"]:
            story.append(json.dumps(env.dump_state()))
            env.step(index_to_action(random_action(env.observe(env.agent_selection), rng)))
        stories.append(story)
    assert stories[0] == stories[1]


@pytest.mark.parametrize("kong", [False, True], ids=["a random hand", "with a concealed kong"])
def test_h9_hidden_tiles_do_not_show(kong: bool) -> None:
    env, other = WuhanMahjongEnv(), WuhanMahjongEnv()
    rng, worlds = np.random.default_rng(2), random.Random(9)
    start = position("PLAYER_DECISION", 2, {2: "2224444m 569s 13p 47z"}, wall=82)
    env.reset(seed=21, options={"state": start} if kong else None)
    if kong:
        env.step((5, ids("4m")[0]))
    looked = kongs = 0
    while not env.terminations["player_0"]:
        if env.infos[env.agent_selection]["current_state"] in DECISIONS:
            kongs += check_hidden(env, other, worlds)
            looked += 1
        env.step(index_to_action(random_action(env.observe(env.agent_selection), rng)))
    assert looked > 20
    assert kongs > 10 or not kong


def test_h9_would_notice_what_is_shown() -> None:
    env, other = WuhanMahjongEnv(training_phase=1), WuhanMahjongEnv(training_phase=1)
    env.reset(seed=21)
    with pytest.raises(AssertionError):
        check_hidden(env, other, random.Random(9))


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
