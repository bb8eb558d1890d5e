"""The counts behind `sharp` against a naive recount, and its odds against exact ones."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from qipai.core import compile_rules
from qipai.games.skill_gomoku.bots import evaluation as w
from qipai.games.skill_gomoku.state import CELLS, State

Ints = Any


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    rules = [w.lay_windows, w.read_state, w.put, w.lift, w.chance_of, w.count_deck]
    compile_rules(rules, State, "skill_gomoku/test")


def workspace(size: int) -> Ints:
    ws = np.zeros(w.WORK, np.int32)
    w.lay_windows(ws, size)
    ws[w.FREE] = size * size
    ws[w.BUDGET], ws[w.SAMPLES], ws[w.PLACES], ws[w.TAKES] = 10**9, 2, 6, 4
    return ws


def recount(ws: Ints, size: int) -> tuple[Ints, Ints, Ints]:
    """Return per colour: completing windows and windows of three by cell, and windows by stones."""
    board = ws[w.BOARD : w.BOARD + size * size]
    completes, threes = np.zeros((2, size * size), int), np.zeros((2, size * size), int)
    counts = np.zeros((2, 6), int)
    for k in range(ws[w.WINDOWS]):
        cells = ws[w.IN_WINDOW + 5 * k : w.IN_WINDOW + 5 * k + 5]
        stones = board[cells]
        for colour in range(2):
            own = int((stones == colour + 1).sum())
            if own == 0 or (stones == 2 - colour).any():
                continue
            counts[colour, own] += 1
            empty = cells[stones == 0]
            if own == 4:
                completes[colour, empty] += 1
            if own == 3:
                threes[colour, empty] += 1
    return completes, threes, counts


def test_a_board_has_the_windows_it_should() -> None:
    for size, expected in ((5, 12), (9, 140), (15, 572), (19, 1020)):
        assert workspace(size)[w.WINDOWS] == expected


@pytest.mark.parametrize("size", [5, 8, 15])
def test_the_counts_stay_true_as_stones_come_and_go(size: int) -> None:
    rng, ws = np.random.default_rng(size), workspace(size)
    for step in range(600):
        board = ws[w.BOARD : w.BOARD + size * size]
        filled, empty = np.flatnonzero(board), np.flatnonzero(board == 0)
        if len(filled) and (rng.random() < 0.45 or not len(empty)):
            w.lift(ws, int(rng.choice(filled)))
        else:
            w.put(ws, int(rng.choice(empty)), int(rng.random() < 0.35))
        if step % 15:
            continue
        completes, threes, counts = recount(ws, size)
        for colour in range(2):
            at = colour * CELLS
            n = size * size
            assert (ws[w.COMPLETES + at : w.COMPLETES + at + n] == completes[colour]).all()
            assert (ws[w.THREES + at : w.THREES + at + n] == threes[colour]).all()
            assert (ws[w.COUNT + 6 * colour + 1 : w.COUNT + 6 * colour + 6] == counts[colour, 1:]).all()
            assert ws[w.WIN_CELLS + colour] == (completes[colour] > 0).sum()
            assert ws[w.FORKS + colour] == (threes[colour] > 1).sum()
        assert ws[w.FREE] == (ws[w.BOARD : w.BOARD + size * size] == 0).sum()


def exact(pile: list[int], card: int) -> Fraction:
    pairs = list(combinations(pile, 2))
    return Fraction(sum(card in pair for pair in pairs), len(pairs))


@pytest.mark.parametrize("counts", [(12, 6, 3, 3, 5), (1, 1, 0, 0, 0), (0, 2, 1, 0, 4), (3, 0, 0, 0, 0)])
def test_the_odds_of_the_next_draw_are_exact(counts: tuple[int, ...]) -> None:
    ws = workspace(5)
    ws[w.PILE : w.PILE + 5] = counts
    w.count_deck(ws)
    pile = [card for card in range(5) for _ in range(counts[card])]
    for card in range(5):
        assert w.chance_of(ws, card) == pytest.approx(float(exact(pile, card)))


def test_the_odds_of_a_full_deck_are_those_of_the_spec() -> None:
    ws = workspace(5)
    ws[w.PILE : w.PILE + 5] = (12, 6, 3, 3, 5)
    w.count_deck(ws)
    odds = [round(w.chance_of(ws, card), 3) for card in range(5)]
    assert odds == [0.665, 0.377, 0.2, 0.2, 0.32]


def test_the_odds_run_over_a_reshuffle() -> None:
    ws = workspace(5)
    ws[w.PILE : w.PILE + 5] = (0, 1, 0, 0, 0)
    ws[w.WASTE : w.WASTE + 5] = (3, 0, 1, 0, 0)
    w.count_deck(ws)
    assert w.chance_of(ws, 1) == 1.0
    assert w.chance_of(ws, 0) == pytest.approx(3 / 4)
    ws[w.PILE : w.PILE + 5] = 0
    ws[w.WASTE : w.WASTE + 5] = (2, 1, 1, 0, 0)
    w.count_deck(ws)
    assert w.chance_of(ws, 0) == pytest.approx(1 - 1 / 6)


def test_a_later_draw_sees_the_reshuffled_deck() -> None:
    """Two Takes are left: the next draw has no Place, but the one after it comes from all cards."""
    ws = workspace(5)
    ws[w.PILE : w.PILE + 5] = (0, 2, 0, 0, 0)
    ws[w.WASTE : w.WASTE + 5] = (2, 0, 0, 0, 0)
    w.count_deck(ws)
    assert w.chance_of(ws, 0) == 0.0
    ws[w.DRAWS] = 1
    assert w.chance_of(ws, 0) == pytest.approx(float(exact([0, 0, 1, 1], 0)))
