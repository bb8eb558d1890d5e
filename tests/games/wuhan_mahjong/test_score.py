"""Payments, caps, contracts and the flow draw: the spec's table, its example, and a naive twin."""

from __future__ import annotations

import random
from typing import Any

import pytest

from qipai.games.wuhan_mahjong import settle_flow_draw, settle_win
from tests.naive import wuhan_mahjong as naive

from .generate import random_flow, random_table
from .tables import NOT_READY, SCORES, ids, melds


def table_of(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "dealer": row["dealer"],
        "indicator": 10,
        "winner": 0,
        "win_way": row["way"],
        "payer": row.get("payer"),
        "hand": ids(row["hand"]),
        "melds": [melds(m, k) for k, m in enumerate([*row["melds"], "", "", ""][:4])],
        "special_kongs": [ids(t) for t in [*row.get("laid", []), "", "", "", ""][:4]],
        "wall_left": 40,
        "payer_hand": ids(row["payer_hand"]) if "payer_hand" in row else None,
    }


@pytest.mark.parametrize("row", SCORES, ids=[row["id"] for row in SCORES])
def test_12_5_scoring(row: dict[str, Any]) -> None:
    found = settle_win(**table_of(row))
    assert found["types"] == row["types"]
    assert found["raw"] == row["raw"]
    assert found["legal"] == (row["deltas"] is not None)
    assert found["deltas"] == row["deltas"]
    assert found["contractor"] == row.get("contractor")


def test_a_contract_can_be_switched_off() -> None:
    row = next(r for r in SCORES if r["id"] == "F11")
    found = settle_win(**table_of(row), options={"contract": False})
    assert found["deltas"] == [160, -80, -40, -40]
    assert found["contractor"] is None


def test_golden_limit_and_caps_and_kai_kou_fan() -> None:
    table = table_of(next(r for r in SCORES if r["id"] == "F7"))
    assert settle_win(**table, options={"golden_mode": "limit"})["deltas"] == [1500, -500, -500, -500]
    assert settle_win(**table, options={"cap": 800})["deltas"] == [3000, -1000, -1000, -1000]
    kai = settle_win(**table, options={"kou_kou_fan": False})
    assert kai["raw"] == [0, 512, 1024, 512]
    assert kai["deltas"] == [1200, -400, -400, -400]


def test_golden_raise_and_limit_differ_between_cap_and_golden_amount() -> None:
    table = table_of(next(r for r in SCORES if r["id"] == "F10"))
    table["special_kongs"][0] = [31]  # doubles the 160 of each
    assert settle_win(**table)["deltas"] == [1500, -500, -500, -500]
    assert settle_win(**table, options={"golden_mode": "limit"})["deltas"] == [960, -320, -320, -320]


def test_the_minimum_follows_its_option() -> None:
    table = table_of(next(r for r in SCORES if r["id"] == "F2"))
    assert settle_win(**table, options={"min_win": 8})["deltas"] == [32, -8, -16, -8]
    assert settle_win(**table, options={"min_win": 32})["legal"] is False


def test_g8_the_flow_draw_example_of_section_7() -> None:
    rows = [melds("pong 111z from 2"), melds("pong 444z from 0", 1), [], []]
    hands = [ids("1m 3m 456p 789p 88m"), ids(NOT_READY)[:10], ids(NOT_READY), ids("147m 258s 369p 1234z")]
    found = settle_flow_draw(10, hands, rows, [[31], [], [10], []])
    assert found == {"ting": [True, False, False, False], "deltas": [32, -8, -16, -8]}
    assert (
        settle_flow_draw(10, hands, rows, [[31], [], [10], []], {"flow_settlement": False})["deltas"]
        == [0] * 4
    )


def test_a_flow_payment_is_capped_unless_the_option_lifts_it() -> None:
    rows = [melds("kong_exposed 1111z from 2"), [], [], []]
    hands = [ids("1m 3m 456p 789p 88m"), ids(NOT_READY), ids(NOT_READY), ids(NOT_READY)]
    laid: list[list[int]] = [[11, 11, 11, 31], [], [], []]
    assert settle_flow_draw(10, hands, rows, laid)["deltas"] == [900, -300, -300, -300]
    free = settle_flow_draw(10, hands, rows, laid, {"flow_cap": None})
    assert free["deltas"] == [3072, -1024, -1024, -1024]


def compare_scores(count: int, seed: int) -> dict[str, int]:
    """Compare scoring with its naive twin on `count` random tables, wins and flow draws."""
    rng = random.Random(seed)
    legal = contracts = golden = 0
    for i in range(count):
        if i % 8 == 7:
            flow = random_flow(rng)
            expected = naive.settle_flow_draw(
                flow["indicator"], flow["hands"], flow["melds"], flow["special_kongs"], flow["options"]
            )
            assert settle_flow_draw(**flow) == expected, flow
            continue
        case = random_table(rng)
        found = settle_win(**case)
        twin = naive.settle_win(
            case["dealer"],
            case["indicator"],
            case["winner"],
            case["win_way"],
            case["payer"],
            case["hand"],
            case["melds"],
            case["special_kongs"],
            case["wall_left"],
            case["payer_hand"],
            case["options"],
        )
        if twin is None:
            assert found["types"] is None, case
            continue
        assert found == twin, case
        legal += found["legal"]
        contracts += found["contractor"] is not None
        golden += bool(found["deltas"]) and max(found["deltas"]) >= 3 * 400
        assert found["deltas"] is None or sum(found["deltas"]) == 0
    return {"tables": count, "legal": legal, "contracts": contracts, "golden": golden}


@pytest.mark.slow
def test_scoring_agrees_with_a_naive_twin_on_random_tables() -> None:
    figures = compare_scores(500, seed=3)
    assert figures["legal"] > 100
    assert figures["contracts"] > 10
    assert figures["golden"] > 10
