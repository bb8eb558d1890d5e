"""Agents that fail are named with deal, seat and ply, however a contest is played; other games go on."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from qipai.arena import run
from qipai.arena.contest import contest_of
from qipai.arena.ladder import climb, ladder_of
from qipai.arena.play import _dealt
from qipai.cluster import Pool, open_pool
from qipai.core.errors import AgentFault

ROOT = Path(__file__).parents[2]
FILE = Path(__file__).with_name("faulty.py")
PLACE = r" failed \(deal (\d+), seating (\d), seat (\d), ply (\d)(?:, first of \d+ tables)?\): "
QUEEN = 1
PRINTED = "it printed to standard output"
SECONDS = 3.0  # that an agent has for a decision, which may have to be compiled
LATE = f"it did not answer within {SECONDS:g} seconds"
LOST = "its process ended with code 7, 3 times"

FAULTS = {  # what the agent does, and how its fault ends
    "RAISES": "RuntimeError: out of ideas",
    "STRANGE": "Strange: its text cannot be read",
    "LEAVES": "SystemExit: 3",
    "SAYS": PRINTED,
    "LOOPS": LATE,
    "HANGS": LATE,
    "MANY_RAISES": "RuntimeError: out of ideas",
    "MANY_STRANGE": "Strange: its text cannot be read",
    "MANY_LEAVES": "SystemExit: 3",
    "MANY_SAYS": PRINTED,
    "MANY_ILLEGAL": "answered 7",
    "MANY_HALVES": "it answered float64 of shape (1,), not 1 whole numbers",
    "MANY_TOO_FEW": "it answered int64 of shape (0,), not 1 whole numbers",
    "MANY_LOOPS": LATE,
    "MANY_HANGS": LATE,
    "COMPILED_ILLEGAL": "chose an action that is not legal",
    "COMPILED_HANGS": LATE,
}
IN_WORKERS = {  # what only the pool of a worker notices
    "VANISHES": LOST,
    "WRITES": PRINTED,
    "PRINTS": PRINTED,
    "MANY_VANISHES": LOST,
    "MANY_WRITES": PRINTED,
}
ALONE = ("HANGS", "LOOPS", "SAYS")  # of ladders without workers


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with open_pool(2) as made:
        yield made


def fault_of(name: str, **how: object) -> tuple[str, re.Match[str]]:
    """Return the fault that ends a contest of this agent, and where it says that it occurred."""
    culprit = f"{FILE}:{name}"
    with pytest.raises(AgentFault) as caught:
        run("kuhn_poker", [culprit, "random"], 12, seed=1, seconds=SECONDS, **how)  # type: ignore[arg-type]
    text = str(caught.value)
    place = re.match(re.escape(culprit) + PLACE, text)
    assert place is not None, text
    return text, place


@pytest.fixture(scope="module")
def in_threads() -> dict[str, str]:
    """Return what agents did to contests and ladders in the threads of another process."""
    words = [sys.executable, "-m", "tests.arena.in_threads", *FAULTS, "--", *ALONE]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=400, check=False)
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_contest_in_threads_names_agent_deal_seat_and_ply(
    name: str, threads: int, in_threads: dict[str, str]
) -> None:
    text = in_threads[f"{name} {threads}"]
    assert re.match(re.escape(f"{FILE}:{name}") + PLACE, text) and text.endswith(FAULTS[name]), text


@pytest.mark.parametrize("name", [*FAULTS, *IN_WORKERS])
def test_a_contest_in_workers_names_agent_deal_seat_and_ply(pool: Pool, name: str) -> None:
    text, _ = fault_of(name, pool=pool)
    # What no alarm interrupts is ended after half as long again.
    ended = LATE.replace(f"{SECONDS:g}", f"{1.5 * SECONDS:g}")
    assert text.endswith(ended if "HANGS" in name else {**FAULTS, **IN_WORKERS}[name])


@pytest.mark.parametrize("name", ["MANY_RAISES", "MANY_ILLEGAL", "MANY_SAYS"])
def test_of_many_tables_the_one_is_named_at_which_the_agent_fails(name: str) -> None:
    """These agents fail if they hold the queen."""
    _, place = fault_of(name, threads=1)
    deal, _, seat, _ = (int(part) for part in place.groups())
    contest = contest_of("kuhn_poker", ["random"], 12, 1, None, 2)
    assert _dealt(contest, deal)["card"][seat] == QUEEN


@pytest.mark.parametrize(
    ("name", "seconds", "why"),
    [
        ("LEAVES", 9, "SystemExit: 3"),
        ("VANISHES", 9, LOST),
        ("HANGS", 1, "it did not answer within 1.5 seconds"),
        ("WRITES", 9, PRINTED),
        ("PRINTS", 9, PRINTED),
        ("SLOW", 0.4, "it did not answer within 4 seconds"),
    ],
)
def test_a_fault_is_named_and_other_games_go_on(
    pool: Pool, tmp_path: Path, name: str, seconds: float, why: str
) -> None:
    check_ladder(pool, tmp_path, name, seconds, why)


@pytest.mark.parametrize("name", ALONE)
def test_other_games_go_on_without_workers(name: str, in_threads: dict[str, str]) -> None:
    assert in_threads[name] == ""


def check_ladder(pool: Pool, folder: Path, name: str, seconds: float, why: str) -> None:
    """Check that a ladder names the agent that fails, and plays the games of the others."""
    culprit = f"{FILE}:{name}"
    ladder = ladder_of("kuhn_poker", [culprit, "random", "repeater"], seed=1, meetings=1, rounds=0)
    deals = climb(ladder, folder / "games.jsonl", pool, seconds=seconds)
    failed = [deal for deal in deals if deal.fault]
    assert failed and all(deal.culprit == 0 and 0 in deal.group for deal in failed)
    first = failed[0]
    assert first.fault.startswith(f"{culprit} failed (deal {first.number}, seating ")
    assert "seat " in first.fault and "ply " in first.fault and first.fault.endswith(why)
    assert any(deal.group == (1, 2) and deal.payoffs for deal in deals)
