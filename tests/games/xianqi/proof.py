"""Xianqi's claims at their stated counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qipai.arena import run as run_arena
from qipai.core import get
from qipai.testing import check_game
from qipai.testing.report import Property

from .. import sparring
from . import worlds
from .api import games as api_games

GAMES = 100_000
PARITY = 1_000
DEALS = 2_000


def proofs() -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Return the proofs: conformance, parity, checks over many games, and the strength of the agent."""
    return [
        ("conformance", conformance),
        ("parity", parity),
        ("random_games", lambda: api_games.random_games(GAMES, seed=1)),
        ("twin_games", lambda: api_games.twin_games(5_000, seed=1)),
        ("heuristic", heuristic),
        ("worlds", lambda: worlds.frequencies(random=200, hard=60)),
        ("worlds_work", lambda: worlds.work(games=20_000)),
        *sparring.proofs("xianqi"),
    ]


def conformance() -> dict[str, Any]:
    """Check every property of the contract; the random games are played with bounds checks."""
    report = check_game(get("xianqi"), games=GAMES, seed=1)
    return {"games": report.games, "decisions": report.decisions, "edges": len(report.edges)}


def parity() -> dict[str, Any]:
    """Compare plain, compiled and bounds-checked trajectories byte for byte."""
    report = check_game(get("xianqi"), games=100, seed=2, parity_games=PARITY, options=[{}], only=["parity"])
    return {"games compared": PARITY, "decisions compared": report.counts[Property.PARITY]}


def heuristic() -> dict[str, Any]:
    """Play the heuristic agent against random ones, on duplicate deals."""
    table = run_arena(get("xianqi"), ["heuristic", "random"], DEALS, seed=1)
    return {r.agent: f"{r.chips.mean:+.3f} chips per game ± {r.chips.half:.3f}" for r in table.rows}
