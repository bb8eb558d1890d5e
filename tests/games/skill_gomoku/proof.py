"""Skill Gomoku's claims at their stated counts."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from qipai.arena import run as run_arena
from qipai.core import copy_state, get
from qipai.core.agent import agent_words, sight
from qipai.games.skill_gomoku.bots.sharp import SharpAgent
from qipai.testing import Property, check_game
from tests.fuzz import skill_gomoku_api

from .. import sparring
from .api.test_deck import test_38_no_card_is_ever_lost as no_card_is_lost
from .api.test_lock_step import beside_the_rules, beside_the_twin
from .bots.test_bots import test_89_any_bot_is_legal_repeatable_and_leaves_the_match_alone as bots_are_legal

GAMES = {15: 50_000, 5: 10_000, 9: 10_000, 19: 10_000}
PARITY = {15: 200, 5: 50, 9: 50, 19: 50}
TWINS = 300
DEALS = 500  # each played with sides swapped: 1,000 games
INPUTS = 100_000
BARS = {"default": 0.87, "source-current": 0.82}
LONGEST_MOVE = 0.2  # seconds, for 99 % of the moves
MOVES = 2_000
MATCHES = 200  # check 38
POSITIONS = 200  # check 89


def proofs() -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Return the proofs: conformance by size, byte equality, the twin machine, the fuzzer, the bots."""
    sizes = [(f"conformance_{size}", lambda size=size: conformance(size)) for size in GAMES]
    parities = [(f"parity_{size}", lambda size=size: parity(size)) for size in PARITY]
    return [
        *sizes,
        *parities,
        ("twin_games", twin_games),
        ("fuzz", lambda: skill_gomoku_api.run(INPUTS, seed=1)),
        ("conservation", conservation),
        ("bots", bots),
        ("heuristic", heuristic),
        *((f"sharp_{deck}", lambda deck=deck: sharp(deck)) for deck in BARS),
        ("sharp_time", sharp_time),
        *sparring.proofs("skill_gomoku"),
    ]


def conformance(size: int) -> dict[str, Any]:
    """Check every property of the contract; the random games are played with bounds checks."""
    options: dict[str, Any] = {"board_size": size}
    sets = [options, {**options, "five_policy": "draw"}, {**options, "deck": "source-early", "first_seat": 1}]
    report = check_game(get("skill_gomoku", options), games=GAMES[size], seed=1, options=sets, parity_games=5)
    return {"games": report.games, "decisions": report.decisions, "edges": len(report.edges)}


def parity(size: int) -> dict[str, Any]:
    """Compare plain, compiled and bounds-checked trajectories byte for byte."""
    options = {"board_size": size}
    game = get("skill_gomoku", options)
    n = PARITY[size]
    report = check_game(game, games=10, seed=2, parity_games=n, options=[options], only=["parity"])
    return {"games compared": n, "states compared": report.counts[Property.PARITY]}


def twin_games() -> dict[str, Any]:
    """Compare the turn machine with the compiled rules, and with its naive twin and every extension."""
    seeds = range(1000, 1000 + TWINS)
    by_rules = sum(beside_the_rules(seed) for seed in seeds)
    by_twin = sum(beside_the_twin(seed, every=5) for seed in seeds)
    return {"games": 2 * TWINS, "decisions with the rules": by_rules, "inputs with the twin": by_twin}


def conservation() -> dict[str, Any]:
    """Check 38: no card is ever lost."""
    no_card_is_lost(MATCHES)
    return {"matches": MATCHES}


def bots() -> dict[str, Any]:
    """Check 89: every bot is legal and repeatable, and leaves the match unchanged."""
    bots_are_legal(POSITIONS)
    return {"positions": POSITIONS}


def heuristic() -> dict[str, Any]:
    """Check 93: the heuristic against random play."""
    table = run_arena(get("skill_gomoku"), ["heuristic", "random"], 150, seed=1)
    won = next(r for r in table.rows if r.agent == "heuristic").won
    assert won.mean >= 0.95, f"heuristic wins {won.mean:.3f}"
    return {"games": 300, "won": f"{won.mean:.4f} ± {won.half or 0:.4f}"}


def sharp(deck: str) -> dict[str, Any]:
    """Play `sharp` against `heuristic`, sides swapped; the lower end of the interval must meet the bar."""
    options = {"deck": deck}
    table = run_arena(get("skill_gomoku", options), ["sharp", "heuristic"], DEALS, seed=1, options=options)
    won = next(r for r in table.rows if r.agent == "sharp").won
    said = f"{won.mean:.4f} ± {won.half or 1:.4f}"
    assert won.mean - (won.half or 1) >= BARS[deck], f"sharp wins {said}, the bar is {BARS[deck]}"
    return {"games": 2 * DEALS, "won": said, "bar": BARS[deck]}


def sharp_time() -> dict[str, Any]:
    """Measure how long `sharp` thinks, over its moves in games against itself."""
    game = get("skill_gomoku")
    times: list[float] = []
    deal = 0
    while len(times) < MOVES:
        agents = [SharpAgent(game, agent_words(game, 3, k)) for k in range(2)]
        words = [agent_words(game, 4, k) for k in range(2)]
        s = copy_state(game.new(words=(3, deal, 0, 0)))
        deal += 1
        while s["seat"] >= 0:
            seat = int(s["seat"])
            seen = sight(game, s, seat, words[seat])
            began = time.perf_counter()
            action = agents[seat].act(seen)
            times.append(time.perf_counter() - began)
            game.rules.apply(s, action)
    slow = float(np.quantile(times, 0.99))
    assert slow <= LONGEST_MOVE, f"the 99th percentile is {slow:.3f} s"
    mean = float(np.mean(times))
    return {"moves": len(times), "mean ms": round(1e3 * mean, 2), "p99 ms": round(1e3 * slow, 2)}
