"""What the search asks of Skill Gomoku."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.core import compile_rules, get
from qipai.games.skill_gomoku.bots.playout import WORK, value
from qipai.games.skill_gomoku.state import PLACE, SELECT_TARGET
from tests.search.policy_checks import check_hooks


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
