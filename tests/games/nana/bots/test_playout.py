"""NANA's fast policy, and its prior from true chances."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.core import compile_rules, copy_state
from qipai.games.nana import GAME
from qipai.games.nana.bots.exact import ExactAgent
from qipai.games.nana.bots.playout import WORK, playout, prior
from tests.search.policy_checks import check_hooks, decisions


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_policy_and_prior_answer_every_decision(seats: int) -> None:
    check_hooks(GAME, hands=2, seats=seats)


def test_the_prior_likes_best_what_exact_plays() -> None:
    exact = ExactAgent(GAME, np.zeros(4, np.uint32))
    compile_rules([playout, prior], GAME.rules.State, "nana/hooks")
    work, weights = np.zeros(WORK, np.int64), np.zeros(GAME.rules.actions)
    agreed = seen = 0
    for _, s in zip(range(200), decisions(GAME, 5, 2), strict=False):
        mask = GAME.mask(s)
        prior(s, mask, int(mask.sum()), work, weights)
        thought = exact._thinker.think(s, int(s["seat"]), mask)
        seen += 1
        agreed += weights[thought] == weights.max() or weights.max() == weights.sum()
    assert agreed == seen


def test_the_policy_reads_nothing_that_its_seat_does_not_know() -> None:
    compile_rules([playout], GAME.rules.State, "nana/hooks")
    work = np.zeros(WORK, np.int64)
    for k, s in zip(range(300), decisions(GAME, 6, 3), strict=False):
        twin = GAME.redrawn(s, int(s["seat"]), (k, 2, 3, 4))
        mask = GAME.mask(s)
        answers = {
            int(playout(copy_state(world), mask, int(mask.sum()), np.array([k, 1, 2, 3], np.uint32), work))
            for world in (s, twin)
        }
        assert len(answers) == 1
