"""The figures of a table: means, intervals, and the text."""

from __future__ import annotations

import json
import math
import statistics

import numpy as np
import pytest

from qipai.arena import run
from qipai.arena.contest import contest_of
from qipai.arena.play import play_deal
from qipai.arena.standings import estimate, t95
from tests.envs.toy import LAPS

from .agents import stakes


def test_an_estimate_is_the_mean_over_deals_with_students_interval() -> None:
    sums = [3, -1, 4, 1, -5, 9, 2, 6]
    each = 3
    means = [x / each for x in sums]
    found = estimate(sums, each)
    assert found.mean == pytest.approx(statistics.mean(means), abs=1e-6)
    assert found.half == pytest.approx(2.365 * statistics.stdev(means) / math.sqrt(len(sums)), abs=1e-6)


@pytest.mark.parametrize(
    ("freedom", "value"), [(1, 12.706), (7, 2.365), (30, 2.042), (31, 2.0395), (60, 2.0003), (10**6, 1.95996)]
)
def test_students_t(freedom: int, value: float) -> None:
    assert t95(freedom) == pytest.approx(value, abs=2e-4)


@pytest.mark.parametrize("deals", [3, 12, 80])
def test_the_interval_holds_the_true_mean_in_95_of_100_cases(deals: int) -> None:
    rng = np.random.default_rng(1)
    held = 0
    for row in rng.normal(0, 1000, (4000, deals)).round().astype(int).tolist():
        found = estimate(row, 2)
        assert found.half is not None
        held += abs(found.mean) <= found.half
    assert 0.935 < held / 4000 < 0.965


def test_one_hand_says_nothing_of_the_spread() -> None:
    assert estimate([7], 2).half is None
    assert "?" in run(LAPS, ["random"], 1).text()


def test_the_deal_is_the_unit_of_the_interval() -> None:
    """As the seatings of a deal share their chance, six of them are one observation."""
    agents = [stakes("a", 1), stakes("b", 2)]
    contest = contest_of(LAPS, agents, 25, 0, None, 3)
    games = len(contest.seatings) * 3 // 2  # of each agent, in a deal
    chips = [play_deal(contest, k).chips[1] / games for k in range(25)]
    won = [play_deal(contest, k).won[1] / games for k in range(25)]
    row = run(LAPS, agents, 25, seats=3).rows[1]
    for found, means in ((row.chips, chips), (row.won, won)):
        assert found.mean == pytest.approx(statistics.mean(means), abs=1e-6)
        assert found.half == pytest.approx(2.064 * statistics.stdev(means) / 5, abs=1e-6)


def test_a_payoff_of_nothing_is_neither_won_nor_lost() -> None:
    still = run(LAPS, [stakes("still", 0)], 5).rows[0]
    assert (still.won.mean, still.even, still.lost) == (0, 1, 0)
    once = run(LAPS, [stakes("a", 1)], 20, seats=3, options={"laps": 1, "cap": 1}).rows[0]
    assert (once.won.mean, once.even, once.lost) == pytest.approx((1 / 3, 0, 2 / 3), abs=1e-6)


def test_games_that_a_cap_ends_are_counted() -> None:
    agents = [stakes("a", 1), stakes("b", 2)]
    for cap, share in ((1, 1), (0, 0)):
        table = run(LAPS, agents, 5, seats=2, options={"laps": 2, "cap": cap})
        assert [row.cut for row in table.rows] == [share, share]
        assert f"{100 * share:.1f} %" in table.text().splitlines()[2].split("  ")[-1]


def test_a_pair_is_the_difference_of_its_rows_though_they_sit_unequally_often() -> None:
    a, b = stakes("a", 1), stakes("b", 2)
    table = run(LAPS, [a, b, b], 9, seats=3)
    one, two = table.rows
    assert two.games == 2 * one.games
    assert table.pairs[0].chips.mean == pytest.approx(one.chips.mean - two.chips.mean, abs=2e-6)
    assert one.chips.mean != 0


def test_json_is_plain_and_text_names_everyone() -> None:
    table = run(LAPS, [stakes("a", 1), stakes("bb", 2), "random"], 5, seats=3, seed=4)
    data = json.loads(json.dumps(table.to_json()))
    assert data["game"] == "laps" and data["seed"] == 4 and data["deals"] == 5 and data["games"] == 30
    assert [row["agent"] for row in data["rows"]] == ["a", "bb", "random"]
    assert [p["agent"] + "/" + p["other"] for p in data["pairs"]] == ["a/bb", "a/random", "bb/random"]
    text = table.text()
    for row in table.rows:
        assert f"{row.chips.mean:+.3f} ± {row.chips.half:.3f}" in text
        assert f"{100 * row.won.mean:.1f} ± " in text
