"""§12.7: H1-H9 over random hands through `WuhanMahjongEnv`, every step of them."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import numpy as np
import pytest

from qipai.envs.wuhan_mahjong import random_action
from qipai.games.wuhan_mahjong import (
    WuhanMahjongEnv,
    index_to_action,
    special_tiles,
)
from qipai.games.wuhan_mahjong.examples import ids, position
from qipai.games.wuhan_mahjong.layout import pieces
from qipai.games.wuhan_mahjong.state import Phase
from tests.envs.test_wuhan_mahjong import DECISIONS, assert_same


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
    assert pieces(s) == [4] * 34
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
