"""Sequential halving: the favourite stays, and is given up only for something better beyond doubt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qipai.core import Search, get
from qipai.core.errors import BadGame
from qipai.search import Searcher, flat

from .policies import CARDS, PLAIN, seven

GAME = get("leduc_poker")
FLAT = Search(flat=True, doubt=0.0, horizon=1000)


def test_it_finds_a_clear_best_action() -> None:
    s = GAME.new(layout={"cards": [4, 0, 5]})
    for text in ("call", "call", "call", "raise"):
        GAME.rules.apply(s, GAME.words.parse(text))  # a pair of kings, facing a bet: anything but a fold
    found = Searcher(GAME, FLAT).search(s, 0, 4000, (1, 2, 3, 4))
    assert GAME.words.say(found.best) != "fold"
    assert found.simulations <= 4000 and len(found.line) == 1


@pytest.mark.parametrize("budget", [2, 3, 7, 64, 1000])
def test_it_never_takes_more_than_its_budget(budget: int) -> None:
    game = get("xianqi")
    s = game.new(words=(1, 2, 3, 4))
    found = Searcher(game, FLAT).search(s, int(s["seat"]), budget, (1, 2, 3, 4))
    assert 0 < found.simulations <= budget


def test_more_doubt_keeps_the_favourite() -> None:
    game = get("xianqi")
    s = game.new(words=(2, 2, 3, 4))
    seat = int(s["seat"])
    sure = Searcher(game, replace(FLAT, doubt=1e9)).search(s, seat, 500, (1, 2, 3, 4))
    assert sure.best == sure.actions[0]  # no prior: the first legal action is the favourite
    doubtful = Searcher(game, FLAT).search(s, seat, 5000, (1, 2, 3, 4))
    assert doubtful.best != sure.best


def test_width_leaves_out_the_lowest_priors() -> None:
    game = get("wuhan_mahjong")
    s = game.new(words=(1, 2, 3, 4))
    found = Searcher(game, replace(game.search, width=3)).search(s, int(s["seat"]), 12, (1, 2, 3, 4))
    assert int((found.visits > 0).sum()) == 3


def test_all_actions_meet_the_same_worlds() -> None:
    searcher = Searcher(GAME, FLAT, policies=CARDS)
    s = GAME.new(layout={"cards": [2, 4, 0]})
    searcher.search(s, 0, 200, (1, 2, 3, 4))
    figures = searcher._trees[0].figures
    favourite = int(searcher._trees[0].alive[flat.FAVOURITE])
    assert figures[favourite, flat.MORE] == 0.0
    for action in (1, 2):
        assert np.isclose(
            figures[action, flat.MORE], figures[action, flat.TOTAL] - figures[favourite, flat.TOTAL]
        )


def test_a_playout_is_cut_where_the_seat_decides_again() -> None:
    game = get("xianqi")
    policies = replace(PLAIN, value=seven)
    s = game.new(words=(1, 2, 3, 4))
    seat = int(s["seat"])
    cut, whole = (
        Searcher(game, replace(FLAT, cut=cut), policies=policies).search(s, seat, 200, (1, 2, 3, 4))
        for cut in (1, 0)
    )
    tried = cut.visits > 0
    judged = cut.totals[tried] == 7.0 * cut.visits[tried]  # a hand may be over before the seat decides again
    assert judged.mean() > 0.8
    assert not (whole.totals[tried] == 7.0 * whole.visits[tried]).any()


def test_a_cut_below_zero_is_refused() -> None:
    with pytest.raises(BadGame, match="no negative numbers"):
        Searcher(GAME, replace(FLAT, cut=-1))
