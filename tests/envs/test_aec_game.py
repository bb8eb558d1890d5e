"""The AEC environment: PettingZoo's checkers, and what they do not check."""

from __future__ import annotations

from copy import deepcopy
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, render_test, seed_test, state_test
from pettingzoo.utils.conversions import aec_to_parallel

from qipai.core import Game, State, copy_state, get, names, same
from qipai.core.errors import (
    BadCount,
    BadLayout,
    BadOption,
    BadSeats,
    BadSeed,
    IllegalAction,
    MatchOver,
    QipaiError,
    UnknownAgent,
    UnknownGame,
)
from qipai.envs import aec
from qipai.envs.aec_game import GameEnv
from qipai.sim import Batch

from .toy import LAPS

GAMES: list[Any] = [*names(), LAPS]
IDS = [g.name if isinstance(g, Game) else g for g in GAMES]

# The checker wants bare arrays from every environment but PettingZoo's own card and board
# games, which it lists by name and which give the same dict of observation and mask as ours.
dicts_are_meant = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
)
each_game = pytest.mark.parametrize("game", GAMES, ids=IDS)


def true_state(env: GameEnv) -> State:
    s = env._state
    assert s is not None
    return s


def play(env: GameEnv, rng: np.random.Generator, at_most: int = 10**6) -> list[int]:
    """Play random legal actions until the episode ends (or so many); return them."""
    taken: list[int] = []
    while env.agents and len(taken) < at_most:
        mask = env.last()[0]["action_mask"]
        if not mask.any():
            env.step(None)
            continue
        taken.append(int(rng.choice(np.flatnonzero(mask))))
        env.step(taken[-1])
    return taken


# --- PettingZoo's checkers ------------------------------------------------------------


@dicts_are_meant
@each_game
def test_every_game_passes_the_api_test(game: Any) -> None:
    api_test(aec(game), num_cycles=100)


@each_game
def test_every_game_passes_the_seed_test(game: Any) -> None:
    seed_test(lambda: aec(game), num_cycles=100)


@each_game
def test_every_game_passes_the_render_test(game: Any, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda **mode: aec(game, **mode))
    assert capsys.readouterr().out


def a_module_of_laps() -> Any:
    """Return Laps as the module that PettingZoo's parallel checkers need; all seats act in turn."""

    def env(**given: Any) -> GameEnv:
        made = aec(LAPS, {"laps": 50}, 3, **given)
        made.metadata["is_parallelizable"] = True
        return made

    return SimpleNamespace(env=env, parallel_env=lambda **given: aec_to_parallel(env(**given)))


def test_max_cycles_test_passes_where_every_action_is_legal() -> None:
    max_cycles_test(a_module_of_laps())


def test_state_test_passes_where_every_action_is_legal() -> None:
    module = a_module_of_laps()
    state_test(module.env(), module.parallel_env())


# --- episodes -------------------------------------------------------------------------


@each_game
def test_episodes_are_those_of_the_lanes_of_a_batch(game: Any) -> None:
    """Same seed, same actions: observations, masks, deciders and rewards are equal."""
    batch = Batch(game, 6, seed=2**40 + 5, threads=1)
    env = aec(game)
    for lane in range(batch.n):
        env.reset(seed=2**40 + 5) if lane == 0 else env.reset()
        rng = np.random.default_rng(lane)
        batch.reset(2**40 + 5)
        done = False
        while not done:
            seen = env.observe(env.agent_selection)
            assert env.agent_selection == f"seat_{batch.seat[lane]}"
            np.testing.assert_array_equal(seen["observation"], batch.obs[lane])
            np.testing.assert_array_equal(seen["action_mask"], batch.mask[lane, : env.game.rules.actions])
            actions = batch.sample()
            actions[lane] = rng.choice(np.flatnonzero(seen["action_mask"]))
            env.step(int(actions[lane]))
            batch.step(actions)
            assert [env.rewards[a] for a in env.possible_agents] == batch.reward[lane].tolist()
            done = bool(batch.done[lane])
            assert done == all(env.terminations[a] or env.truncations[a] for a in env.agents)


@each_game
def test_the_rewards_of_an_episode_add_up_to_the_payoff(game: Any) -> None:
    env = aec(game)
    for seed in range(5):
        env.reset(seed=seed)
        total = dict.fromkeys(env.possible_agents, 0.0)
        rng = np.random.default_rng(seed)
        while env.agents:
            agent = env.agent_selection
            seen, reward, terminated, truncated, _ = env.last()
            total[agent] += reward
            over = terminated or truncated
            env.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        assert list(total.values()) == [float(p) for p in true_state(env)["payoff"][: len(total)]]


def test_reset_without_a_seed_goes_on_and_with_one_starts_again() -> None:
    env = aec("xianqi", seed=7)
    deals = []
    for given in (None, None, 7, None, 8):
        env.reset(seed=given)
        deals.append(true_state(env)["hand"].tolist())
    assert deals[0] == deals[2] and deals[1] == deals[3]
    assert deals[0] != deals[1] and deals[4] not in deals[:4]


def test_unseeded_environments_differ() -> None:
    deals = set()
    for _ in range(4):
        env = aec("xianqi")
        env.reset()
        deals.add(true_state(env)["hand"].tobytes())
    assert len(deals) == 4


def test_every_episode_holds_a_decision_though_some_deals_do_not() -> None:
    """One in four deals of Laps for two holds none, and one in thirty or so of Xianqi is black."""
    for env in (aec(LAPS, None, 2), aec("xianqi")):
        for seed in range(200):
            env.reset(seed=seed)
            assert env.last()[0]["action_mask"].any()


def test_a_cap_truncates_and_an_end_terminates() -> None:
    for options, terminated in (({"laps": 2}, True), ({"laps": 2, "cap": 3}, False)):
        env = aec(LAPS, options, 2)
        env.reset(seed=1)
        for _ in range(4 if terminated else 3):
            assert not any(env.terminations.values()) and not any(env.truncations.values())
            env.step(0)
        assert set(env.terminations.values()) == {terminated}
        assert set(env.truncations.values()) == {not terminated}


def test_max_cycles_truncates_before_an_agent_decides_once_more() -> None:
    env = aec("xianqi", max_cycles=2)
    ended = set()
    for seed in range(30):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        counts = dict.fromkeys(env.possible_agents, 0)
        while not (any(env.terminations.values()) or any(env.truncations.values())):
            counts[env.agent_selection] += 1
            env.step(int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]))))
        assert max(counts.values()) <= 2
        cut = all(env.truncations.values())
        assert cut != all(env.terminations.values())
        assert cut == (true_state(env)["seat"] >= 0)
        assert not any(env.observe(a)["action_mask"].any() for a in env.possible_agents)
        ended.add(cut)
    assert ended == {True, False}


def test_seats_and_options_are_those_asked_for() -> None:
    env = aec(LAPS, {"laps": 9}, 4)
    assert env.possible_agents == ["seat_0", "seat_1", "seat_2", "seat_3"]
    env.reset(seed=0)
    assert len(play(env, np.random.default_rng(0))) == 9 * 4


def test_a_layout_replaces_the_deal_and_must_hold_a_decision() -> None:
    game = get("xianqi")
    held = set()
    for example in game.checks.examples:
        env = aec(game, example.options)
        laid_out = game.new(example.options, layout=example.layout)
        held.add(bool(laid_out["seat"] >= 0))
        if laid_out["seat"] >= 0:
            env.reset(seed=3, options={"layout": example.layout})
            assert same(true_state(env), laid_out, ("rng",))
        else:
            with pytest.raises(BadLayout):
                env.reset(options={"layout": example.layout})
    assert held == {True, False}


def test_a_deep_copy_goes_its_own_way() -> None:
    env = aec("xianqi")
    env.reset(seed=4)
    play(env, np.random.default_rng(0), at_most=5)
    twin = deepcopy(env)
    before = copy_state(true_state(env))
    later = play(twin, np.random.default_rng(1))
    assert same(true_state(env), before)
    assert play(env, np.random.default_rng(1)) == later
    assert same(true_state(env), true_state(twin))


# --- what is seen ---------------------------------------------------------------------


@each_game
def test_observe_answers_for_every_agent_at_every_moment(game: Any) -> None:
    env = aec(game)
    env.reset(seed=5)
    rng = np.random.default_rng(5)
    while True:
        for k, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            np.testing.assert_array_equal(seen["observation"], env.game.observation_of(true_state(env), k))
        assert env.state_space.contains(env.state())
        if not env.agents:
            break
        over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        mask = env.infos[env.agent_selection]["action_mask"]
        env.step(None if over else int(rng.choice(np.flatnonzero(mask))))


@each_game
def test_only_the_agent_that_decides_is_told_a_mask(game: Any) -> None:
    env = aec(game)
    env.reset(seed=6)
    rng = np.random.default_rng(6)
    while not any(env.terminations.values()):
        for agent in env.agents:
            assert set(env.infos[agent]) == {"action_mask"}
            told = env.infos[agent]["action_mask"]
            np.testing.assert_array_equal(told, env.observe(agent)["action_mask"])
            assert told.dtype == np.int8 and told.any() == (agent == env.agent_selection)
        env.step(int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]))))


@each_game
def test_the_drawing_is_a_watchers_unless_a_seat_is_named(game: Any) -> None:
    plain = aec(game, render_mode="ansi")
    last = plain.game.rules.seats[0] - 1  # a one-seat game has only seat 0
    mine = aec(game, render_mode="ansi", render_seat=f"seat_{last}", lang="zh")
    for env in (plain, mine):
        env.reset(seed=7)
        play(env, np.random.default_rng(7), at_most=4)
    s = true_state(plain)
    assert plain.render() == plain.game.drawing(s, -1, "en")
    assert mine.render() == plain.game.drawing(s, last, "zh")


def test_human_mode_draws_after_reset_and_after_each_move(capsys: pytest.CaptureFixture[str]) -> None:
    env = aec(LAPS, {"laps": 2}, 2, render_mode="human")
    env.reset(seed=1)
    for _ in range(4):
        env.step(1)
    drawn = capsys.readouterr().out.splitlines()
    assert drawn == [f"lap {k}, seen by -1, in en" for k in (0, 0, 1, 1, 2)]


def test_a_move_is_drawn_when_another_seat_decides_even_in_the_middle_of_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    env = aec(LAPS, seats=2, render_mode="human")
    env.reset(seed=3)
    capsys.readouterr()
    monkeypatch.setattr(Game, "unfinished", lambda game, s: True)
    env.step(0)
    assert capsys.readouterr().out.count("lap") == 1


def test_render_without_a_mode_warns_and_draws_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    env = aec(LAPS)
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
    assert capsys.readouterr().out == ""


# --- refusals -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action", [-1, 39, 40, 2**70, None, True, 1.0, "0", np.float32(1), [1], np.zeros(2, np.int64)]
)
def test_an_illegal_action_is_refused_and_changes_nothing(action: Any) -> None:
    env = aec("xianqi")
    env.reset(seed=8)  # an opener cannot put a card under, which 39 is
    mask = env.infos[env.agent_selection]["action_mask"]
    assert not mask[39]
    before, agent, rewards = copy_state(true_state(env)), env.agent_selection, dict(env.rewards)
    with pytest.raises(IllegalAction):
        env.step(action)
    assert same(true_state(env), before)
    assert (env.agent_selection, env.rewards) == (agent, rewards)
    env.step(np.asarray(np.flatnonzero(mask)[0]))  # an array of no dimensions is a number


def test_a_mask_written_over_makes_nothing_legal() -> None:
    env = aec("xianqi")
    env.reset(seed=9)
    env.infos[env.agent_selection]["action_mask"][:] = 1
    env.observe(env.agent_selection)["action_mask"][:] = 1
    with pytest.raises(IllegalAction):
        env.step(39)


def test_an_ended_agent_takes_only_none_and_an_ended_episode_nothing() -> None:
    env = aec(LAPS, {"laps": 1}, 2)
    env.reset(seed=1)
    env.step(0)
    env.step(0)
    with pytest.raises(IllegalAction):
        env.step(0)
    assert env.agents == ["seat_0", "seat_1"]
    env.step(None)
    env.step(None)
    for ask in (lambda: env.step(None), env.last):
        with pytest.raises(MatchOver):
            ask()


def test_nothing_can_be_asked_before_the_first_reset() -> None:
    env = aec("xianqi", render_mode="ansi")
    for ask in (lambda: env.step(0), lambda: env.observe("seat_0"), env.render, env.state, env.last):
        with pytest.raises(MatchOver):
            ask()


@pytest.mark.parametrize(
    ("error", "given"),
    [
        (UnknownGame, {"game": "chess"}),
        (BadOption, {"options": {"tricks": 1}}),
        (BadOption, {"options": {"first_seat": 3}}),
        (BadSeats, {"seats": 4}),
        (BadOption, {"render_mode": "film"}),
        (BadOption, {"lang": "tlh"}),
        (BadOption, {"lang": []}),
        (UnknownAgent, {"render_seat": "seat_3"}),
        (BadSeed, {"seed": -1}),
        (BadSeed, {"seed": 1 << 64}),
        (BadSeed, {"seed": True}),
        (BadCount, {"max_cycles": 0}),
        (BadCount, {"max_cycles": 1.5}),
    ],
)
def test_bad_arguments_are_refused_by_name(error: type[QipaiError], given: dict[str, Any]) -> None:
    with pytest.raises(error):
        aec(**{"game": "xianqi", **given})


@pytest.mark.parametrize(
    ("error", "given"),
    [
        (BadSeed, {"seed": "x"}),
        (BadSeed, {"seed": 1.0}),
        (BadLayout, {"options": [1]}),
        (BadLayout, {"options": {"layout": 5}}),
        (BadLayout, {"options": {"layout": {"no such field": 1}}}),
    ],
)
def test_a_bad_reset_leaves_the_episode(error: type[QipaiError], given: dict[str, Any]) -> None:
    env = aec("xianqi")
    env.reset(seed=2)
    before = copy_state(true_state(env))
    with pytest.raises(error):
        env.reset(**given)
    assert same(true_state(env), before)
    env.reset()
    after = aec("xianqi", seed=2)
    after.reset()
    after.reset()
    assert same(true_state(env), true_state(after))


@pytest.mark.parametrize("agent", ["seat_3", "player_0", 0, None, []])
def test_an_unknown_agent_is_refused(agent: Any) -> None:
    env = aec("xianqi")
    env.reset(seed=2)
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(UnknownAgent):
            ask(agent)
