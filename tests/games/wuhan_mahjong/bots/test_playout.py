"""Wuhan mahjong's policy for playouts, and its prior."""

from __future__ import annotations

import numpy as np

from qipai.core import compile_rules, make_agent
from qipai.core.agent import Sight
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.bots.playout import WORK, prior
from tests.search.policy_checks import check_hooks, decisions


def test_policy_and_prior_answer_every_decision() -> None:
    check_hooks(GAME, hands=2)


def test_the_prior_likes_best_what_heuristic_plays() -> None:
    heuristic = make_agent(GAME, "heuristic")
    compile_rules([prior], GAME.rules.State, "wuhan_mahjong/hooks")
    work, weights = np.zeros(WORK, np.int64), np.zeros(GAME.rules.actions)
    for _, s in zip(range(60), decisions(GAME, 2), strict=False):
        mask = GAME.mask(s)
        prior(s, mask, int(mask.sum()), work, weights)
        assert weights[heuristic.act(Sight(GAME, int(s["seat"]), s, mask))] == weights.max()
