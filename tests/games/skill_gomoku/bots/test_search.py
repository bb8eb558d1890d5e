"""The tree behind `sharp`: it takes every play back, and values what the odds say."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.core import compile_rules
from qipai.games.skill_gomoku import GAME
from qipai.games.skill_gomoku.bots import evaluation as w
from qipai.games.skill_gomoku.bots.search import outlook
from qipai.games.skill_gomoku.bots.weights import load_weights
from qipai.games.skill_gomoku.state import State

from .test_evaluation import exact, workspace


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    rules = [w.lay_windows, w.read_state, w.put, w.count_deck, w.deal_odds, w.judge, outlook]
    compile_rules(rules, State, "skill_gomoku/test")


def test_looking_ahead_leaves_everything_as_it_was() -> None:
    s = GAME.new(words=(6, 6, 6, 6))
    rng = np.random.default_rng(6)
    for _ in range(40):
        GAME.rules.apply(s, int(rng.choice(GAME.legal_actions(s))))
    ws, net = workspace(15), load_weights()
    w.read_state(s, ws)
    w.deal_odds(ws, net)
    kept = ws[w.FLIP : w.IN_WINDOW].copy()
    words = np.array([1, 2, 3, 4], np.uint32)
    value = outlook(ws, net, words, int(s["seat"]), 2)
    assert 0 <= value <= 1
    assert (ws[w.FLIP : w.IN_WINDOW] == kept).all()


def test_a_winning_cell_is_worth_the_chance_of_a_place() -> None:
    ws, net = workspace(9), load_weights()
    ws[w.PILE : w.PILE + 5] = (4, 4, 0, 0, 0)
    w.count_deck(ws)
    for x in range(4):
        w.put(ws, x, 0)
    w.deal_odds(ws, net)
    place = float(exact([0] * 4 + [1] * 4, 0))
    words = np.array([1, 2, 3, 4], np.uint32)
    assert outlook(ws, net, words, 0, 1) >= place
    assert outlook(ws, net, words, 1, 0) < 0.5
    ws[w.FLIP] = 1  # after an inversion the four belongs to the other seat
    assert outlook(ws, net, words, 1, 1) >= place
