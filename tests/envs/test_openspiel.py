"""OpenSpiel plays, solves and learns our games, and agrees with its own where it has the same game."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy, rl_environment
from open_spiel.python.algorithms import cfr, evaluate_bots, expected_game_score, exploitability, ismcts, mcts
from open_spiel.python.bots import uniform_random
from open_spiel.python.pytorch import nfsp

from qipai.core import NOBODY, get, names
from qipai.core.errors import BadGame, BadOption
from qipai.core.registry import REFERENCE
from qipai.envs.openspiel import SpielState, load, register
from qipai.sim import Batch


def random_play(game: Any, rng: np.random.Generator) -> tuple[SpielState, Any, list[int]]:
    """Play a game at random; return its end, the record after the deal, and the actions."""
    state = game.new_initial_state()
    state.apply_action(int(rng.choice([outcome for outcome, _ in state.chance_outcomes()])))
    dealt = state.now.state.copy()
    actions = []
    while not state.is_terminal():
        actions.append(int(rng.choice(state.legal_actions())))
        state.apply_action(actions[-1])
    return state, dealt, actions


def check_parity(name: str, games: int, seed: int = 1) -> int:
    """Return how many actions `games` games have; each has the masks, rewards and end of a batch."""
    rng = np.random.default_rng(seed)
    game = load(name, seed=seed)
    total = 0
    for _ in range(games):
        end, dealt, actions = random_play(game, rng)
        batch = Batch(name, 1, redeal=False)
        batch.load(dealt)
        again = game.new_initial_state()
        again.now.state = dealt.copy()
        earned = np.zeros(game.seats)
        for action in actions:
            assert again.current_player() == int(batch.seat[0])
            assert again.legal_actions() == np.flatnonzero(batch.mask[0]).tolist()
            again.apply_action(action)
            batch.step([action])
            earned += batch.reward[0]
        assert batch.done[0] and batch.seat[0] == NOBODY and again.is_terminal()
        start = dealt["payoff"][: game.seats]
        assert end.returns() == again.returns() == (start + earned).tolist()
        total += len(actions)
    return total


@pytest.mark.parametrize("name", names())
def test_a_game_is_that_of_a_batch(name: str) -> None:
    assert check_parity(name, 2) > 2


def check_legal(name: str, steps: int, seed: int = 1) -> int:
    """Return how many actions OpenSpiel's bots chose; each is legal in a batch that plays along."""
    game, random = load(name, seed=seed), np.random.RandomState(seed)
    bots = [uniform_random.UniformRandomBot(seat, random) for seat in range(game.num_players())]
    made = 0
    while made < steps:
        state = game.new_initial_state()
        state.apply_action(0)
        batch = Batch(name, 1, redeal=False)
        batch.load(state.now.state)
        while not state.is_terminal() and made < steps:
            action = bots[state.current_player()].step(state)
            assert batch.mask[0, action], f"action {action} is not legal"
            state.apply_action(action)
            batch.step([action])
            made += 1
    return made


@pytest.mark.parametrize("name", names())
def test_bots_choose_legal_actions(name: str) -> None:
    assert check_legal(name, 200) == 200


@pytest.mark.parametrize("name", [*names(), *REFERENCE])
def test_openspiels_own_checks_hold(name: str) -> None:
    """It plays a random game, and looks at everything that its contract asks for on the way."""
    pyspiel.random_sim_test(load(name, seed=1), num_sims=1, serialize=False, verbose=False)


def solved(game: Any, rounds: int) -> tuple[float, float, float]:
    """Run CFR. Return the first player's value, the exploitability, and that of uniform play."""
    solver = cfr.CFRSolver(game)
    for _ in range(rounds):
        solver.evaluate_and_update_policy()
    average = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [average] * 2)[0]
    uniform = policy.UniformRandomPolicy(game)
    return value, exploitability.exploitability(game, average), exploitability.exploitability(game, uniform)


@pytest.mark.parametrize(("name", "rounds"), [("kuhn_poker", 50), ("leduc_poker", 2)])
def test_value_and_exploitability_are_those_of_openspiels_own_game(name: str, rounds: int) -> None:
    ours, theirs = solved(load(name), rounds), solved(pyspiel.load_game(name), rounds)
    assert np.allclose(ours, theirs, rtol=0, atol=1e-6)


@pytest.mark.slow
def test_the_reduced_xianqi_is_solved_step_by_step() -> None:
    game = load("xianqi_endgame")
    assert game.num_players() == 3 and len(game.deals or ()) == 33
    solver = cfr.CFRPlusSolver(game)
    uniform = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    for _ in range(3):
        solver.evaluate_and_update_policy()
    assert 0 < exploitability.nash_conv(game, solver.average_policy()) < uniform


@pytest.mark.parametrize("name", names())
def test_ismcts_plays_every_game(name: str) -> None:
    game = load(name, seed=3)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    random = np.random.RandomState(2)
    bots = [
        ismcts.ISMCTSBot(game, evaluator, 2.0, 2, random_state=random),
        *(uniform_random.UniformRandomBot(seat, random) for seat in range(1, game.num_players())),
    ]
    state = game.new_initial_state()
    state.apply_action(0)
    for _ in range(3):
        bot = bots[state.current_player()]
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)


def test_bots_are_evaluated() -> None:
    game = load("xianqi", seed=1)
    rng = np.random.RandomState(1)
    bots = [uniform_random.UniformRandomBot(seat, rng) for seat in range(3)]
    assert sum(evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)) == 0


@pytest.mark.parametrize("name", ["kuhn_poker", "nana"])
def test_nfsp_learns(name: str) -> None:
    env = rl_environment.Environment(load(name, seed=1))
    size = env.observation_spec()["info_state"][0]
    settings: dict[str, Any] = {"batch_size": 8, "min_buffer_size_to_learn": 8}
    agents = [
        nfsp.NFSP(k, size, env.action_spec()["num_actions"], [16], 100, 0.1, **settings)
        for k in range(env.num_players)
    ]
    steps = 0
    while steps < 150:
        step = env.reset()
        while not step.last():
            action = agents[step.observations["current_player"]].step(step).action
            step = env.step([action])
            steps += 1
        for agent in agents:
            agent.step(step)


def test_what_a_seat_cannot_see_does_not_change_its_key() -> None:
    game = load("leduc_poker")
    ours, keys = get("leduc_poker"), set()
    for outcome, (_, layout) in enumerate(game.deals or ()):
        state = game.new_initial_state()
        state.apply_action(outcome)
        if layout["cards"][0] // 2 == 1:
            keys.add(state.information_state_string(0))
    assert len(keys) == 1 and ours.rules.information is not None


@pytest.mark.parametrize("name", names())
def test_a_redrawn_world_keeps_the_key_of_its_seat(name: str) -> None:
    rng = np.random.default_rng(1)
    state = load(name, seed=5).new_initial_state()
    state.apply_action(0)
    for _ in range(4):
        state.apply_action(int(rng.choice(state.legal_actions())))
    seat = state.current_player()
    world = state.resample_from_infostate(seat, rng.random)
    assert world.information_state_string(seat) == state.information_state_string(seat)
    assert world.legal_actions() == state.legal_actions()
    assert np.array_equal(world.observation_tensor(seat), state.observation_tensor(seat))


def test_a_clone_goes_its_own_way() -> None:
    state = load("xianqi", seed=1).new_initial_state()
    state.apply_action(0)
    before = state.now.state.copy()
    state.clone().apply_action(state.legal_actions()[0])
    assert (state.now.state == before) and state.history() == [0]


def test_games_are_registered_and_pickled() -> None:
    assert "qipai_xianqi" in register() and register() == register()
    assert pyspiel.load_game("qipai_leduc_poker").num_players() == 2
    twin = pickle.loads(pickle.dumps(load("nana", seats=3, seed=1)))
    assert twin.num_players() == 3


def test_chance_that_is_not_listed_is_refused() -> None:
    with pytest.raises(BadGame, match="list"):
        load("xianqi", chance="explicit")
    with pytest.raises(BadOption):
        load("xianqi", chance="none")
    assert load("kuhn_poker", chance="sampled", seed=1).max_chance_outcomes() == 1
