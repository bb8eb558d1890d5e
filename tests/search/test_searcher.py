"""Budgets, threads and refusals of a search."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from qipai.core import NOBODY, get
from qipai.core.errors import BadCount, BadGame, MatchOver, NotYourTurn
from qipai.search import Searcher
from qipai.search.searcher import MOST

GAME = get("leduc_poker")
WORDS = (1, 2, 3, 4)


@pytest.mark.parametrize("budget", [0, -1, True, 1.5, "10", None, MOST + 1, 1 << 70])
def test_a_budget_that_is_no_count_is_refused(budget: Any) -> None:
    with pytest.raises(BadCount, match="simulations must be a whole number from 1"):
        Searcher(GAME).search(GAME.new(), 0, budget, WORDS)


@pytest.mark.parametrize("flat", [False, True])
def test_a_budget_of_one_is_enough(flat: bool) -> None:
    found = Searcher(GAME, replace(GAME.search, flat=flat)).search(GAME.new(), 0, 1, WORDS)
    assert found.best in found.actions and found.simulations <= 1


def test_a_hand_that_is_over_and_a_seat_that_does_not_decide_are_refused() -> None:
    s = GAME.new()
    with pytest.raises(NotYourTurn):
        Searcher(GAME).search(s, 1, 10, WORDS)
    for action in (2, 0):
        GAME.rules.apply(s, action)
    assert s["seat"] == NOBODY
    with pytest.raises(MatchOver):
        Searcher(GAME).search(s, 0, 10, WORDS)


def test_one_legal_action_is_the_answer() -> None:
    game = get("xianqi")
    s = game.new(words=(1, 2, 3, 4))
    while len(game.legal_actions(s)) > 1:
        game.rules.apply(s, game.legal_actions(s)[0])
    found = Searcher(game).search(s, int(s["seat"]), 5, WORDS)
    assert [found.best] == list(found.actions)


def test_threads_change_the_result_only_by_their_number() -> None:
    game = get("xianqi")
    s = game.new(words=(3, 2, 3, 4))
    seat = int(s["seat"])
    two = [Searcher(game, threads=2).search(s, seat, 500, WORDS) for _ in range(2)]
    assert np.array_equal(two[0].totals, two[1].totals) and two[0].simulations == 500
    one = Searcher(game).search(s, seat, 500, WORDS)
    assert not np.array_equal(one.totals, two[0].totals)
    with pytest.raises(BadCount, match="threads"):
        Searcher(game, threads=0)


def test_the_same_words_give_the_same_result_on_a_searcher_used_before() -> None:
    searcher = Searcher(GAME)
    s = GAME.new(words=(7, 7, 7, 7))
    first = searcher.search(s, 0, 300, WORDS)
    searcher.search(GAME.new(words=(8, 8, 8, 8)), 0, 200, (9, 9, 9, 9))
    again = searcher.search(s, 0, 300, WORDS)
    assert np.array_equal(first.totals, again.totals)


def test_a_full_pool_goes_on_without_new_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipai.search.searcher.NODES", 8)
    found = Searcher(GAME).search(GAME.new(), 0, 1000, WORDS)
    assert found.full and found.simulations == 1000


def test_milliseconds_end_a_search_early() -> None:
    found = Searcher(GAME).search(GAME.new(), 0, 1_000_000, WORDS, milliseconds=5)
    assert 0 < found.simulations < 1_000_000
    flat = Searcher(GAME, replace(GAME.search, flat=True)).search(
        GAME.new(), 0, 1_000_000, WORDS, milliseconds=5
    )
    assert 0 < flat.simulations < 1_000_000


def test_means_and_errors_are_those_of_the_payoffs() -> None:
    found = Searcher(GAME).search(GAME.new(), 0, 2000, WORDS)
    n = found.visits[0]
    mean = found.totals[0] / n
    assert found.means()[0] == pytest.approx(mean)
    assert found.errors()[0] == pytest.approx(np.sqrt((found.squares[0] / n - mean**2) / (n - 1)))


def test_settings_out_of_range_are_refused() -> None:
    with pytest.raises(BadGame, match="at least one simulation"):
        Searcher(GAME, replace(GAME.search, expand=0))
