"""Settings (§2) under the user's names: defaults, checks, and the options that they become."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.games.skill_gomoku import SkillGomokuError, SkillGomokuMatch, TurnMachine

BAD_SETTINGS: list[dict[str, Any]] = [
    {"boardSize": 4}, {"boardSize": 26}, {"boardSize": 15.0}, {"boardSize": True}, {"boardSize": "15"},
    {"firstPlayer": 0}, {"firstPlayer": 3}, {"simultaneousFivePolicy": "both"}, {"maxTurns": 0},
    {"maxTurns": -1}, {"maxTurns": 1.5}, {"drawnVisibility": None}, {"ensurePlaceTop": 1}, {"paced": "yes"},
    {"unknown": 1}, {"deckCounts": {"Place": 1}},
]  # fmt: skip


@pytest.mark.parametrize("settings", BAD_SETTINGS)
def test_5_bad_settings_make_no_match(settings: dict[str, Any]) -> None:
    for make in (SkillGomokuMatch, TurnMachine):
        with pytest.raises(SkillGomokuError) as refusal:
            make(1, settings)
        assert refusal.value.code == "InvalidConfig"


def test_5_bad_seeds_make_no_match() -> None:
    odd: list[Any] = [None, True, 1.5, [1], b"x"]
    for seed in odd:
        with pytest.raises(SkillGomokuError) as refusal:
            SkillGomokuMatch(seed)
        assert refusal.value.code == "InvalidConfig"


def test_5_settings_are_an_object() -> None:
    odd: list[Any] = [[1], "x", 5]
    for settings in odd:
        for make in (SkillGomokuMatch, TurnMachine):
            with pytest.raises(SkillGomokuError) as refusal:
                make(1, settings)
            assert refusal.value.code == "InvalidConfig"
