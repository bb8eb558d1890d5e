"""Wuhan mahjong's claims at their stated counts; `python -m tests.proof wuhan_mahjong` runs them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from qipai.envs.wuhan_mahjong import random_action
from qipai.games.wuhan_mahjong import GAME, WuhanMahjongEnv
from qipai.sim import Batch
from qipai.testing import check_game
from tests.fuzz.wuhan_mahjong_doors import fuzz_doors
from tests.spread import spread, total

from .. import sparring
from .bots.test_heuristic import check_match, duplicate_match
from .test_invariants import play_hands
from .test_rules import compare_variants
from .test_score import compare_scores
from .test_win import compare_wins


def wins_against_a_solver() -> dict[str, Any]:
    """Compare win detection with the exhaustive solver on 100,000 hands."""
    return total(spread(compare_wins, [(2_000, seed) for seed in range(1000, 1050)]))


def invariants() -> dict[str, Any]:
    """Check H1-H9 and T6 through the environment, 20,000 hands; H4 and H9 on a sample of states."""
    return play_hands(20_000, first=0, sample=4999)


def checked_hands() -> dict[str, Any]:
    """Run the platform's check with bounds checks on, 20,000 hands."""
    report = check_game(GAME, games=20_000, seed=2)
    return {"hands": report.games, "decisions": report.decisions, "settings": report.settings}


def speed() -> dict[str, Any]:
    """Measure decisions per second on one core, without and with observation, and environment steps."""
    batch = Batch(GAME, 1024, seed=1, threads=1)
    batch.rollout(200)
    best = {False: 0.0, True: 0.0}
    for _ in range(5):
        for observe in best:
            began = time.perf_counter()
            decisions = batch.rollout(1000, observe=observe).decisions
            best[observe] = max(best[observe], decisions / (time.perf_counter() - began))
    env = WuhanMahjongEnv(action_format="flat")
    rng = np.random.default_rng(0)
    steps, began = 0, time.perf_counter()
    for seed in range(300):
        obs, _ = env.reset(seed=seed)
        while not env.terminations["player_0"]:
            env.step(random_action(obs, rng))
            obs = env.observe(env.agent_selection)
            steps += 1
    figures = {
        "decisions_a_second": round(best[False]),
        "with_observation_and_mask": round(best[True]),
        "environment_steps_a_second": round(steps / (time.perf_counter() - began)),
        "state_bytes": GAME.rules.State.itemsize,
        "observation_bytes": GAME.observation_size,
    }
    assert best[False] >= 3.0e6 and best[True] >= 1.8e6, figures
    assert figures["environment_steps_a_second"] >= 30_000 and GAME.rules.State.itemsize <= 1024, figures
    return figures


def heuristic() -> dict[str, Any]:
    """Play the heuristic against three random agents, 5,000 hands on duplicate decks."""
    figures = duplicate_match(1250, seed=4)
    check_match(figures)
    return figures


def proofs() -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Return every claim with its full count."""
    return [
        ("wins_against_a_solver", wins_against_a_solver),
        ("laizi_limits_against_a_solver", lambda: compare_wins(3_000, seed=11, limits=True)),
        ("scores_against_a_twin", lambda: compare_scores(100_000, seed=3)),
        ("invariants", invariants),
        ("checked_hands", checked_hands),
        ("plain_and_compiled", lambda: compare_variants(100, seed=1, variants=("plain", "checked"))),
        ("heuristic", heuristic),
        *sparring.proofs("wuhan_mahjong"),
        ("fuzz", lambda: fuzz_doors(100_000, seed=1)),
        ("speed", speed),
    ]
