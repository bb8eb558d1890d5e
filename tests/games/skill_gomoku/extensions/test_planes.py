"""Planes made from a view: equal to those of the observation, and for matches that have none."""

from __future__ import annotations

import random

import numpy as np
import pytest

from qipai.games.skill_gomoku import SkillGomokuMatch
from qipai.games.skill_gomoku.extensions.planes import planes_from_view


@pytest.mark.parametrize("size", [5, 15, 19])
def test_the_planes_agree_with_those_made_from_the_view(size: int) -> None:
    rng = random.Random(size)
    match = SkillGomokuMatch(size, {"boardSize": size, "maxTurns": 30})
    while legal := match.legal_actions():
        for who in (1, 2):
            assert np.array_equal(match.observation(who), planes_from_view(match.view(who)))
        match.act(rng.choice(legal))
    for who in (1, 2):
        assert np.array_equal(match.observation(who), planes_from_view(match.view(who)))
