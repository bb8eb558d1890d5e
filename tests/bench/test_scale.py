"""The simulation of docs/scale.md: seeded, true to its measured runs, and failures cost what they should."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import util
from pathlib import Path
from typing import Any

import pytest

PATH = Path(__file__).parents[2] / "benchmarks" / "scale.py"


def load() -> Any:
    import sys

    spec = util.spec_from_file_location("benchmarks_scale", PATH)
    assert spec is not None and spec.loader is not None
    module = util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


scale = load()
COSTS = scale.Costs(
    action=0.002,
    table=1e-4,
    note=2e-5,
    database=3e-4,
    database_table=1e-6,
    wire=9000.0,
    rows=1.0,
    log=300.0,
    log_table=1.0,
)


def simulated(seconds: float = 20.0, seed: int = 1, **given: Any) -> Any:
    return scale.Simulation(scale.Plan(**given), COSTS, seed).run(seconds)


def test_a_seed_repeats_its_simulation() -> None:
    given: dict[str, Any] = {"tables": 400, "workers": 2, "worker_faults": 100.0, "visits": 2.0}
    assert simulated(**given) == simulated(**given)
    assert simulated(**given) != simulated(seed=2, **given)


def test_an_action_costs_what_its_parts_cost() -> None:
    found = simulated(tables=200)
    assert found.actions == pytest.approx(200 * 0.5 * 20, rel=0.1)
    assert found.server == pytest.approx(COSTS.action + COSTS.table / 0.5, rel=0.05)
    assert found.database == pytest.approx(COSTS.database, rel=0.05)
    assert found.stalled == 0 and found.p99 < 0.1


def test_a_worker_without_room_makes_people_wait() -> None:
    assert simulated(tables=2000).p99 > 1.0
    assert simulated(tables=2000, workers=4).p99 < 0.1


def test_a_failed_worker_stalls_its_tables_for_a_lease() -> None:
    plan = scale.Plan(tables=400, workers=4, worker_faults=0.0)
    simulation = scale.Simulation(plan, COSTS, 1)
    simulation.run(5.0)
    simulation.plan = replace(plan, worker_faults=1e9)
    simulation._fail(5.0)  # all fail at once: nobody can take over before one is back
    simulation.plan = plan
    found = simulation.run(60.0)
    assert found.faults == 4
    assert 20 / 65 * 0.8 < found.stalled < 20 / 65 * 1.3
    assert simulation.tables.sum() == pytest.approx(400) and simulation.orphans.sum() == pytest.approx(0)


def test_a_database_that_is_away_stalls_its_cell_only() -> None:
    plan = scale.Plan(tables=400, cells=4, workers=1)
    simulation = scale.Simulation(plan, COSTS, 1)
    simulation.away[0] = 10.0
    found = simulation.run(20.0)
    assert found.stalled == pytest.approx(10 / 20 / 4, rel=0.05)


def test_one_channel_for_all_cells_is_what_breaks() -> None:
    apart = simulated(5.0, tables=100_000, cells=50, workers=4)
    together = simulated(5.0, tables=100_000, cells=50, workers=4, aware=True)
    assert together.busiest > 1.5 * apart.busiest


def test_the_measured_runs_are_reproduced() -> None:
    rows = scale.compare(scale.read_measured(), seconds=20.0)
    assert {row["workers"] for row in rows} == {1, 2}
    judged = [row for row in rows if row["judged"]]
    assert len(judged) == 10 and all(abs(row["off"]) <= scale.CLOSE for row in judged), rows


def test_an_action_costs_hardly_more_with_two_workers() -> None:
    assert scale.ratio(scale.read_measured()) <= scale.DEARER


def test_the_mean_of_runs_weighs_their_actions() -> None:
    runs = [
        {"workers": 2, "actions per second": 10.0, "server, processor ms per action": 4.0, "share": "5%"},
        {"workers": 2, "actions per second": 30.0, "server, processor ms per action": 2.0, "share": "9%"},
    ]
    means = {"actions per second": 20.0, "server, processor ms per action": 2.5}
    assert scale.mean(runs) == {"runs": 2, "workers": 2, **means}


def test_measured_latencies_are_shown_and_not_judged() -> None:
    measured = scale.read_measured()
    measured["two"] |= {"to everyone, median ms": 4.0, "to everyone, 99 % ms": 90.0}
    rows = scale.compare(measured, seconds=5.0)
    shown = {row["figure"]: row["measured"] for row in rows if not row["judged"]}
    assert shown == {"to everyone, median ms": 4.0, "to everyone, 99 % ms": 90.0}


def test_parts_that_were_measured_are_used() -> None:
    measured = scale.read_measured()
    costs = scale.fit({**measured, "connect_ms": 1.5, "load_ms": 2.5, "commit_ms": 0.5})
    assert (costs.connect, costs.load, costs.commit) == pytest.approx((0.0015, 0.0025, 0.0005))


def test_the_page_lists_what_is_assumed() -> None:
    page = (PATH.parents[1] / "docs" / "scale.md").read_text("utf-8")
    listed = dict(re.findall(r"^\| `([A-Z_]+)` \| ([\d.]+)", page, re.MULTILINE))
    source = PATH.read_text("utf-8").partition("# Assumed")[2].partition("# Used until")[0]
    names = re.findall(r"^([A-Z_]+) =", source, re.MULTILINE)
    assert names and set(listed) == set(names)
    for name in names:
        times = 100 if name == "FULL" else 1  # in percent
        assert float(listed[name]) == pytest.approx(times * getattr(scale, name)), name
