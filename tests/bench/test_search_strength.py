"""Contests of the search: a rule for stopping fixed beforehand, and runs that go on where they were."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2]
CONTEST = {"game": "kuhn_poker", "seats": 2, "opponent": "random", "simulations": 20}
Run = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the script; its contests are played in this process."""
    monkeypatch.syspath_prepend(FOLDER / "benchmarks")
    module = import_module("search_strength")
    monkeypatch.setattr(module, "ProcessPoolExecutor", lambda jobs, mp_context: ThreadPoolExecutor(jobs))
    return module


@pytest.fixture
def run(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Run:
    """Run the script with a plan of small contests; with --json, return its rows."""

    def call(*arguments: str, lines: list[dict[str, Any]] | None = None) -> list[dict[str, Any]]:
        plan = tmp_path / "plan.jsonl"
        plan.write_text("\n".join(json.dumps(line) for line in lines or [CONTEST]))
        files = ["--plan", str(plan), "--out", str(tmp_path / "out.jsonl")]
        monkeypatch.setattr(sys, "argv", ["search_strength", *files, *arguments])
        capsys.readouterr()
        assert script.main() == 0
        found: list[dict[str, Any]] = json.loads(capsys.readouterr().out) if "--json" in arguments else []
        return found

    return call


def test_a_contest_ends_with_its_deals_and_is_not_played_again(
    script: ModuleType, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [{**CONTEST, "deals": 2}, {**CONTEST, "deals": 3, "simulations": 40}]
    rows = run("--json", lines=lines)
    assert [(r["simulations"], r["deals"], r["planned"]) for r in rows] == [(20, 2, 2), (40, 3, 3)]
    assert all(r["ms"] >= 0 and len(r["gain"]) == len(r["won"]) == 2 for r in rows)
    monkeypatch.setattr(script, "play", None)  # nothing is left to be played
    assert run("--json", lines=lines) == rows
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == 5


def test_a_stopped_run_goes_on_and_shows_what_is_missing(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("--deals", "2")
    out = tmp_path / "out.jsonl"
    first, second = out.read_text().splitlines()
    out.write_text(first + "\n" + second[:20] + "\n")  # a line that was cut off
    run("--deals", "2", "--minutes", "0")
    assert " 1 of 2 " in capsys.readouterr().out
    run("--deals", "2", "--minutes", "0", "--markdown")
    assert "| 1 of 2 |" in capsys.readouterr().out
    (row,) = run("--deals", "2", "--json")
    again = json.loads(out.read_text().splitlines()[-1])
    assert row["deals"] == 2
    assert {**again, "seconds": 0} == {**json.loads(second), "seconds": 0}


def test_deals_beyond_the_plan_are_not_counted(run: Run) -> None:
    run("--deals", "3")
    (short,) = run("--deals", "2", "--json")
    assert short["deals"] == 2


def test_every_game_has_four_budgets_that_rise_and_an_opponent(script: ModuleType) -> None:
    from qipai.bots.find import find_agent
    from qipai.core import get, names

    assert {trial.game for trial in script.TRIALS} == set(names())
    for trial in script.TRIALS:
        assert find_agent(get(trial.game), trial.opponent)
        for budgets in (trial.budgets, trial.guided or trial.budgets):
            assert list(budgets) == sorted(set(budgets)) and len(budgets) == len(script.DEALS)


def test_the_page_states_the_rule_for_stopping(script: ModuleType) -> None:
    page = " ".join((FOLDER / "docs" / "search.md").read_text("utf-8").split())
    first, *_, top = script.DEALS
    assert f"{first} deals at the first three budgets and {top} at the top one" in page


def test_the_page_has_the_table_of_the_results(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, results = (FOLDER / "benchmarks" / f"search_strength.{kind}" for kind in ("plan.jsonl", "jsonl"))
    files = ["--plan", str(plan), "--out", str(results)]
    monkeypatch.setattr(sys, "argv", ["search_strength", *files, "--minutes", "0", "--markdown"])
    assert script.main() == 0
    page = (FOLDER / "docs" / "search.md").read_text("utf-8")
    table = page.partition("<!-- strength: begin -->\n")[2].partition("<!-- strength: end -->")[0]
    assert table and table == capsys.readouterr().out


def test_contests_of_a_lower_turn_come_first(run: Run, tmp_path: Path) -> None:
    run("--deals", "2", lines=[{**CONTEST, "turn": 1}, {**CONTEST, "simulations": 40}])
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [row["key"].split("/")[3] for row in rows] == ["40", "40", "20", "20"]


def test_the_plan_names_games_and_opponents_that_there_are(script: ModuleType) -> None:
    from qipai.bots.find import find_agent
    from qipai.core import get

    lines = (FOLDER / "benchmarks" / "search_strength.plan.jsonl").read_text("utf-8").splitlines()
    bouts = [script._planned(json.loads(line)) for line in lines]
    assert len({bout.key for bout in bouts}) == len(bouts)
    for bout in bouts:
        fewest, most = get(bout.game).rules.seats
        assert fewest <= bout.seats <= most and bout.deals > 0
        assert find_agent(get(bout.game), bout.opponent) and find_agent(get(bout.game), bout.agent)
