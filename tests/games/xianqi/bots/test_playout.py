"""Xianqi's playout policy."""

from __future__ import annotations

from qipai.games.xianqi import GAME
from tests.search.policy_checks import check_hooks


def test_the_policy_answers_every_decision() -> None:
    check_hooks(GAME, hands=20)
