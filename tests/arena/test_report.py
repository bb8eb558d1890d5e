"""The report of a ladder: its figures add up, and its page is complete and safe."""

from __future__ import annotations

import json

import pytest

from qipai.arena.ladder import Deal, Ladder
from qipai.arena.report import Report, page, report_of

LADDER = Ladder("kuhn_poker", ("good", "b<ad>", "broken"), 2)
HEAD = {"game": "kuhn_poker", "seats": 2, "seed": 0, "rules": 1, "qipai": "0"}


@pytest.fixture(scope="module")
def report() -> Report:
    wins = [((2, -2), (-2, 2)), ((1, -1), (-1, 1)), ((1, -1), (1, -1))] * 10
    deals = [
        Deal(k, (0, 1), ((0, 1), (1, 0)), payoffs, ("a", "b"), (0.002, 0.004), (2, 2))
        for k, payoffs in enumerate(wins)
    ]
    deals.append(Deal(30, (0, 2), fault="broken failed (deal 30, seat 1, ply 0): <script>", culprit=2))
    return report_of(LADDER, deals, replicates=50, head=HEAD)


def test_entries_are_ordered_and_add_up(report: Report) -> None:
    assert [entry.agent for entry in report.entries] == ["good", "b<ad>", "broken"]
    good, bad, broken = report.entries
    assert good.rating is not None and bad.rating is not None
    assert good.rating > bad.rating and good.separated and bad.separated is None
    assert good.games == 60 and good.chips.mean == pytest.approx(1.0) and good.chips.mean == -bad.chips.mean
    assert good.won.mean == pytest.approx(5 / 6)
    assert (good.milliseconds, bad.milliseconds) == (1.0, 2.0)
    assert broken.fault and report.deals == 30 and report.games == 60


def test_a_meeting_counts_games_and_chips(report: Report) -> None:
    (meeting,) = report.meetings
    assert (meeting.agent, meeting.other, meeting.games) == ("good", "b<ad>", 60)
    assert meeting.better.mean == pytest.approx(5 / 6, abs=1e-5)
    assert meeting.better.half == pytest.approx(0.089, abs=0.001)  # of 10 times 1, 1 and 1/2 by Student's t
    assert meeting.chips.mean == pytest.approx(2.0)


def test_text_and_json_name_everybody(report: Report) -> None:
    assert all(name in report.text() for name in LADDER.agents)
    assert "left out: broken failed" in report.text()
    data = json.loads(json.dumps(report.to_json(), allow_nan=False))
    assert data["entries"][2]["rating"] is None
    assert "83 ± 9 %" in page(report) and "17 ± 9 %" in page(report)


def test_the_page_is_escaped_and_needs_nothing_from_elsewhere(report: Report) -> None:
    text = page(report)
    assert "b&lt;ad&gt;" in text and "<script" not in text and "b<ad>" not in text
    assert "http" not in text and "src=" not in text
    assert text.count("<svg") == 2 and "separated" in text


def test_an_agent_with_several_names_is_shown_by_all_of_them() -> None:
    ladder = Ladder("kuhn_poker", ("good", "bad"), 2, also=(("level6", "good"),))
    deal = Deal(0, (0, 1), ((0, 1), (1, 0)), ((2, -2), (-2, 2)), ("a", "b"), (0.002, 0.004), (2, 2))
    report = report_of(ladder, [deal], replicates=5, head=HEAD)
    assert "good (level6)" in report.text() and "good (level6)" in page(report)


def test_a_fault_without_a_name_leaves_nobody_out() -> None:
    ladder = Ladder("kuhn_poker", ("random", "repeater"), 2)
    deal = Deal(0, (0, 1), ((0, 1), (1, 0)), ((2, -2), (-2, 2)), ("a", "b"), (0.002, 0.004), (2, 2))
    report = report_of(ladder, [deal, Deal(1, (0, 1), fault="its worker was lost 3 times")], replicates=5)
    assert [entry.fault for entry in report.entries] == ["", ""]
