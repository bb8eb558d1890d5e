"""Paipai Rensa's claims at their stated counts, for `make proof`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from qipai.bench.speed import measure
from qipai.games.paipai_rensa import GAME, run_selftest
from qipai.testing import check_game
from tests.fuzz.paipai_rensa import run as fuzz

from .. import sparring
from .positions import play_beside_twin
from .strength import match
from .test_board import boards_with_place
from .test_planner import check_statistics, compiled_decks, reference_decks
from .test_reference import CAP_OFF
from .test_rules import check_random_statistics, conserved, no_tile_floats, random_statistics
from .test_win import agreeing_solvers, pools

Proof = Callable[[], dict[str, Any]]


def contract(games: int = 20_000) -> dict[str, Any]:
    """Run check_game with bounds checks; plain, checked and compiled must agree over 100 games."""
    report = check_game(GAME, games=games, seed=5, parity_games=100)
    return {"games": report.games, "decisions": report.decisions, "settings": report.settings}


def twin(count: int = 500) -> dict[str, Any]:
    """Play random games with the naive twin, comparing every fact after every action."""
    decisions = sum(
        play_beside_twin((k, 1, 2, 3), k, "all" if k % 5 == 0 else "used-only") for k in range(count)
    )
    return {"games": count, "decisions": decisions}


def cpu_search(count: int = 40_000) -> dict[str, Any]:
    """Compare the CPU's hand with the literal search, and both solvers with the twin."""
    return {"pools": count, "won": pools(count, 17), "solvers": agreeing_solvers(count // 4, 18)}


def supply_statistics(count: int = 20_000) -> dict[str, Any]:
    """Check ST-1 to ST-3 on the compiled planner; ST-4 runs in the tests."""
    found = {}
    for cap in ("on", "off"):
        figures = check_statistics(compiled_decks(count, {"bias_streak_hard_cap": cap}), cap == "on")
        found[f"cap {cap}"] = {k: figures[k] for k in ("mean", "sd", "low", "high", "short")}
    found["pinned, cap off"] = check_statistics(reference_decks(2000, CAP_OFF), False)["mean"]
    return found


def random_play(count: int = 10_000) -> dict[str, Any]:
    """Check ST-5."""
    found = random_statistics(count, 21)
    check_random_statistics(found)
    return {k: round(v, 3) for k, v in found.items()}


def builder(count: int = 200) -> dict[str, Any]:
    """Play the builder against the CPU: above +25,000 by the lower end of its interval, 300 ms at most."""
    found = match("builder", count)
    assert found["low"] > 25_000 and found["ms_99"] <= 300, found
    return {**found, "command": f"python -m tests.games.paipai_rensa.strength builder {count}"}


def malformed(count: int = 100_000) -> dict[str, Any]:
    """Check that every fuzzed input is refused by name."""
    return fuzz(count, seed=4)


def speed() -> dict[str, Any]:
    """Measure decisions per second on one core."""
    report = measure(GAME, threads=(1,), seconds=20.0)
    plain, seen = report.speeds
    assert plain.best >= 3.0e6 and seen.best >= 2.2e6, report.text()
    return {"without observation": round(plain.best), "with observation": round(seen.best)}


def flow(count: int = 200) -> dict[str, Any]:
    """Check AC-47, AC-59, AC-30, AC-62 at their counts."""
    for _ in range(500):
        assert all(r.ok for r in run_selftest())
    return {
        "settled states": no_tile_floats(count, 31),
        "conserved states": conserved(count, 32),
        "placements": boards_with_place(count, 33),
        "self tests": 500,
    }


def proofs() -> list[tuple[str, Proof]]:
    """Return each claim by name."""
    return [
        ("contract", contract),
        ("twin", twin),
        ("cpu_search", cpu_search),
        ("supply", supply_statistics),
        ("random_play", random_play),
        ("builder", builder),
        *sparring.proofs("paipai_rensa"),
        ("malformed", malformed),
        ("speed", speed),
        ("flow", flow),
    ]
