"""Win detection: the spec's table, and an independent exhaustive solver (H10)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from qipai.core.variant import Variant
from qipai.games.wuhan_mahjong import evaluate_win, is_ready, score, special_tiles, win
from qipai.games.wuhan_mahjong.api import positions
from tests.naive import wuhan_mahjong as naive

from .generate import random_hand, random_melds, random_win
from .tables import WINS, ids, melds


@pytest.mark.parametrize("row", WINS, ids=[row[0] for row in WINS])
def test_12_4_win_detection(row: tuple[str, str, str, str, str, int, list[str] | None, int]) -> None:
    _, indicator, rows, hand, way, wall, types, substitutes = row
    found = evaluate_win(ids(hand), melds(rows), ids(indicator)[0], way, wall)
    if types is None:
        assert found is None
    else:
        assert found == {"hard": types[0] == "HARD_WIN", "substitutes": substitutes, "types": types}
    assert found == naive.evaluate_win(ids(hand), melds(rows), ids(indicator)[0], way, wall)


def compare_wins(count: int, seed: int, limits: bool = False) -> dict[str, int]:
    """Compare win detection with the exhaustive solver on `count` generated hands (H10)."""
    rng = random.Random(seed)
    wins = 0
    by_laizi = [0] * 5
    for _ in range(count):
        case = random_win(rng)
        small, big = (rng.randrange(5), rng.randrange(3)) if limits else (1, 2)
        options = {"small_laizi": small, "big_laizi": big} if limits else None
        found = evaluate_win(**case, options=options)
        expected = naive.evaluate_win(
            case["hand"], case["melds"], case["indicator"], case["win_way"], case["wall_left"], small, big
        )
        assert found == expected, (case, small, big)
        wins += found is not None
        by_laizi[case["hand"].count(special_tiles(case["indicator"])[0])] += 1
    return {"hands": count, "wins": wins, **{f"laizi_{k}": n for k, n in enumerate(by_laizi)}}


@pytest.mark.slow
def test_h10_win_detection_agrees_with_an_exhaustive_solver() -> None:
    figures = compare_wins(600, seed=10)
    assert figures["wins"] > 100
    assert all(figures[f"laizi_{k}"] > 0 for k in range(5))


@pytest.mark.slow
def test_other_laizi_limits_agree_with_the_solver() -> None:
    assert compare_wins(80, seed=11, limits=True)["wins"] > 10


def test_four_substitutes_are_read_when_the_options_allow_them() -> None:
    rows, way = melds("pong 111z, chow 789m"), "KONG_SELF_DRAW"
    # four isolated tiles are more than the substitutes can connect
    assert evaluate_win(ids("18m 3333s 48p"), rows, 10, way, 40, {"big_laizi": 4}) is None
    hand = ids("18m 3333s 44p")
    assert evaluate_win(hand, rows, 10, way, 40, {"big_laizi": 3}) is None
    mended = evaluate_win(hand, rows, 10, way, 40, {"big_laizi": 4})
    assert mended == {"hard": False, "substitutes": 4, "types": ["SOFT_WIN", "FLOWER_ON_KONG"]}


def test_g7_ready_test() -> None:
    hand = ids("1m 3m 456p 789p 88m")
    assert is_ready(hand, melds("pong 111z"), 10) == (True, ids("2m 3s"))
    assert is_ready(hand, melds("kong_concealed 1111z"), 10) == (False, [])
    with_red = ids("1m 3m 456p 789p 8m 5z")
    assert is_ready(with_red, melds("pong 111z"), 10) == (False, [])


def test_waits_agree_with_the_naive_twin() -> None:
    rng = random.Random(5)
    ready = 0
    for _ in range(12):
        indicator, n = rng.randrange(34), rng.choice((2, 3, 4))
        hand = random_hand(rng, n, indicator)[1:]
        laizi, skin0, skin1 = special_tiles(indicator)
        if hand.count(laizi) > 1 or {naive.RED, skin0, skin1} & set(hand):
            continue
        rows = random_melds(rng, n, indicator, 0)
        if not any(m["type"] in naive.OPEN for m in rows):
            continue
        found, waiting = is_ready(hand, rows, indicator)
        assert waiting == naive.waits(hand, rows, indicator)
        assert found == bool(waiting)
        ready += found
    assert ready > 0


def test_quick_refusals_refuse_no_win_and_no_wait() -> None:
    """Compare the early rejection of hands with the reading of every hand."""
    plain = Variant("plain")
    best_reading, waits, may_complete = plain(win.best_reading), plain(win.waits), plain(score.may_complete)
    rng = random.Random(6)
    wins = ready = 0
    for _ in range(60):
        case = random_win(rng)
        specials = special_tiles(case["indicator"])
        if {naive.RED, *specials[1:]} & set(case["hand"]):
            continue
        s = positions.empty_table({"big_laizi": 2}, case["indicator"])
        positions.hold(s, 0, case["hand"], case["melds"])
        melds = int(score.meld_bits(s, 0))
        if _read(best_reading, case["hand"], specials[0], melds, 0):
            wins += 1
            assert int(score.read_hand(s, 0, -1, 0)) != 0
            assert all(may_complete(s, 0, t, case["hand"].count(t) - 1) for t in set(case["hand"]))
        short = case["hand"][:-1]
        if short.count(specials[0]) > 1:
            continue  # the plain reading of many laizi is slow
        kinds = [t for t in range(34) if t not in (naive.RED, *specials[1:])]
        expected = sum(1 << t for t in kinds if _read(best_reading, [*short, t], specials[0], melds, 0))
        assert waits(*_groups(short), *specials, melds, 1, 2) == expected
        ready += expected != 0
    assert wins > 10 and ready > 10


def _groups(hand: list[int]) -> list[int]:
    return [sum(1 << 4 * (t % 9) for t in hand if t // 9 == g) for g in range(4)]


def _read(best_reading: Any, hand: list[int], laizi: int, melds: int, situation: int) -> int:
    return int(best_reading(*_groups(hand), laizi, melds, situation, 1, 2))
