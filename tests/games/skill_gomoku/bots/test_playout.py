"""What the search asks of Skill Gomoku."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from qipai.core import compile_rules, get
from qipai.core.rng import seed_words
from qipai.games.skill_gomoku.bots.playout import WORK, playout, prior, value
from qipai.games.skill_gomoku.bots.sharp import SharpAgent
from qipai.games.skill_gomoku.state import CELL, PLACE, SELECT_TARGET
from tests.search.policy_checks import check_hooks, decisions


@pytest.mark.parametrize("size", [9, 15, 19])
def test_policy_prior_and_value_answer_every_decision(size: int) -> None:
    check_hooks(get("skill_gomoku", {"board_size": size}), hands=2, most=60)


def test_a_win_at_once_is_worth_a_win() -> None:
    game = get("skill_gomoku")
    compile_rules([value], game.rules.State, "skill_gomoku/hooks")
    s = game.new(words=(1, 2, 3, 4))
    for cell in range(4):
        s["board"][cell] = int(s["seat"]) + 1
    s["phase"], s["card"], s["slot"] = SELECT_TARGET, PLACE, 0
    values, work = np.zeros(2), np.zeros(WORK, np.int64)
    value(s, np.zeros(4, np.uint32), work, values)
    assert values[int(s["seat"])] == 1.0 and values.sum() == 0.0


def test_the_favourite_is_the_play_of_sharp() -> None:
    game = get("skill_gomoku", {"board_size": 9})
    compile_rules([prior], game.rules.State, "skill_gomoku/prior")
    work, weights = np.zeros(WORK, np.int64), np.zeros(game.rules.actions)
    words = np.zeros(4, np.uint32)
    seed_words(words, 1, 2, 3, 4)  # the chance of the prior
    sharp = SharpAgent(game, words)
    positions = list(islice(decisions(game, 3), 25))
    for s in positions:
        mask = game.mask(s)
        prior(s, mask, int(mask.sum()), work, weights)
        slot, target = divmod(sharp.plays(s)[0][0], 1000)
        assert int(weights.argmax()) == (target if s["phase"] == SELECT_TARGET else slot)
    assert len(positions) == 25


def test_the_policy_takes_a_win_at_once() -> None:
    game = get("skill_gomoku")
    compile_rules([playout], game.rules.State, "skill_gomoku/policy")
    s = game.new(words=(1, 2, 3, 4))
    for cell in range(4):
        s["board"][cell] = int(s["seat"]) + 1
    s["phase"], s["card"], s["slot"] = SELECT_TARGET, PLACE, 0
    mask = game.mask(s)
    work = np.zeros(WORK, np.int64)
    assert playout(s, mask, int(mask.sum()), np.zeros(4, np.uint32), work) == CELL + 4
