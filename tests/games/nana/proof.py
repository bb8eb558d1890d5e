"""NANA's claims at their stated counts."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from qipai.core import make_agent, sight
from qipai.core.agent import agent_words
from qipai.games.nana import GAME
from qipai.testing import Property, check_game
from tests.fuzz.nana_doors import fuzz
from tests.games import sparring
from tests.games.nana import test_observe, test_rules
from tests.games.nana.bots import test_facts, test_hard, test_policy
from tests.games.nana.tables import contest
from tests.spread import spread, total

GAMES = 20_000  # random games a player count
PARITY = 1_000
POSITIONS = 1_000
SHARES = 20  # of a long proof, each with its own seed
INPUTS = 100_000
DEALS = {2: 2_500, 3: 600, 4: 450, 6: 500}  # a half-width of at most 2.5 points each


def proofs() -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Return the proofs: conformance and parity, true probabilities, strength, and malformed input."""
    strength = [(f"exact_against_hard_{n}", lambda n=n: exact_against_hard(n)) for n in DEALS]
    return [
        ("conformance", conformance),
        ("contract", contract),
        ("parity", parity),
        ("twin_games", twin_games),
        ("posterior_listed", posterior_listed),
        ("posterior_searched", posterior_searched),
        ("posterior_compiled", posterior_compiled),
        ("determinize", determinize),
        ("hard_against_random", hard_against_random),
        *strength,
        *sparring.proofs("nana"),
        ("move_times", move_times),
        ("fuzz", lambda: dict(sorted(fuzz(INPUTS, seed=1).items()))),
    ]


def conformance() -> dict[str, Any]:
    """Play random games with bounds checks, checking every cheap promise, for 2 to 6 seats."""
    calls = [(seats, share) for seats in range(2, 7) for share in range(SHARES)]
    counts = spread(_conformance, calls)
    found = {}
    for seats in range(2, 7):
        done = total(count for call, count in zip(calls, counts, strict=True) if call[0] == seats)
        found[f"{seats} seats"] = f"{done['games']} games, {done['decisions']} decisions"
    return found


def _conformance(seats: int, share: int) -> dict[str, int]:
    report = check_game(
        GAME,
        games=GAMES // SHARES,
        seed=SHARES * seats + share,
        seats=[seats],
        options=[{}],
        only=[Property.LENGTH],
    )
    return {"games": report.games, "decisions": report.decisions}


def contract() -> dict[str, Any]:
    """Check every property of the contract, under all options, with games that are cut short."""
    more: list[dict[str, Any]] = [
        {},
        {"mode": "simple"},
        {"mode": "spicy"},
        {"after_success": "pass"},
        {"first": -1},
    ]
    options = [{"max_turns": 40, **given} for given in more]
    report = check_game(GAME, games=2_000, seed=1, options=options)
    return {"games": report.games, "decisions": report.decisions, "edges": len(report.edges)}


def parity() -> dict[str, Any]:
    """Compare plain, compiled and bounds-checked trajectories byte for byte."""
    return {"games compared": sum(spread(_parity, [(share,) for share in range(SHARES)]))}


def _parity(share: int) -> int:
    options: list[dict[str, Any]] = [{"max_turns": 30}, {"max_turns": 30, "after_success": "pass"}]
    games = PARITY // SHARES
    check_game(GAME, games=20, seed=share, parity_games=games, options=options, only=[Property.PARITY])
    return games


def twin_games() -> dict[str, Any]:
    """Play games with the naive twin."""
    return {f"{n} seats": test_rules.run_twin(100, n, {"max_turns": 300}, n) for n in range(2, 7)}


def posterior_listed() -> dict[str, Any]:
    """Check on random small tables that every posterior equals its share of all listed deals, exactly."""
    calls = [(POSITIONS // (5 * SHARES), share) for share in range(5 * SHARES)]
    return {"posteriors compared": sum(spread(test_facts.compare_with_listing, calls))}


def posterior_searched() -> dict[str, Any]:
    """Compare the agent's best chance with a search over all deals, in mid-game on small tables."""
    return {"positions compared": test_policy.compare_with_search(2 * POSITIONS, 1)}


def posterior_compiled() -> dict[str, Any]:
    """Compare the agent's probabilities with fractions, on random positions of real tables."""
    counts = {2: 500, 3: 300, 4: 150, 5: 30, 6: 20}
    gaps = {n: test_policy.compare_compiled(count, n, 1) for n, count in counts.items()}
    assert max(gaps.values()) < 1e-9, gaps
    return {f"{n} seats": f"{counts[n]} positions, largest gap {gap:.1e}" for n, gap in gaps.items()}


def determinize() -> dict[str, Any]:
    """Compare redrawn worlds with listings of all deals, by chi-square."""
    worst = test_observe.worst_excess(40, 20_000, 2)
    assert worst < 5, worst
    return {"largest (chi-square - freedom) / sqrt(2 freedom)": round(worst, 2)}


def hard_against_random() -> dict[str, Any]:
    """Play `hard` against `random`, two seats."""
    row = contest("hard", "random", 2, 500, seed=1).rows[0]
    assert row.won.mean >= test_hard.SEED_AGAINST_RANDOM
    return {"games": row.games, "won": f"{row.won.mean:.1%} ± {row.won.half or 0:.1%}"}


def exact_against_hard(seats: int) -> dict[str, Any]:
    """Play one `exact` against `hard` in every other seat; duplicate deals, seats rotated."""
    row = contest("exact", "hard", seats, DEALS[seats], seed=1).rows[0]
    half = row.won.half or 0.0
    fair = 1 / seats
    assert half <= 0.025
    assert row.won.mean - half > (0.85 if seats == 2 else fair)
    return {"games": row.games, "won": f"{row.won.mean:.1%} ± {half:.1%}", "even share": f"{fair:.1%}"}


def move_times() -> dict[str, Any]:
    """Measure the processor time of `exact` per move, 99th percentile."""
    found = {}
    for seats in (2, 3, 4, 5, 6):
        agent, words, times = make_agent(GAME, "exact"), agent_words(GAME, 1, seats), []
        for game in range(30):
            s = GAME.new(seats=seats, words=(game, seats, 1, 1))
            while s["seat"] >= 0:
                seen = sight(GAME, s, int(s["seat"]), words)
                started = time.thread_time()
                action = agent.act(seen)
                times.append(time.thread_time() - started)
                GAME.rules.apply(s, action)
        found[f"{seats} seats"] = f"{1e3 * float(np.percentile(times, 99)):.1f} ms (99 %), {len(times)} moves"
    return found
