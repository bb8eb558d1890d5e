"""The reduced Xianqi is the end of a whole one, and lists all of its deals."""

from __future__ import annotations

from collections import Counter

import pytest

from qipai.core import get, names
from qipai.games.xianqi import GAME as WHOLE
from qipai.games.xianqi.endgame import GAME, LEFT, chance
from qipai.testing import check_game


def hands(s: object) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(row) for row in s["hand"].tolist())  # type: ignore[index]


@pytest.mark.slow
def test_it_passes_every_check() -> None:
    assert check_game(GAME, games=20).failures == []


def test_it_is_found_by_name_and_not_listed() -> None:
    assert get(GAME.name) is GAME and GAME.name not in names()


def test_every_deal_is_a_position_of_the_whole_game() -> None:
    """The listed layouts, the dealt records and the whole game's rules agree."""
    blank = GAME.blank()
    deals = chance(blank)
    assert sum(weight for weight, _ in deals) == 720 and len(deals) == 33
    listed = {}
    for weight, layout in deals:
        s = GAME.new(layout=layout)
        whole = WHOLE.new(layout=layout)
        assert hands(s) == hands(whole) and GAME.legal_actions(s) == WHOLE.legal_actions(whole)
        assert s["pillars"].tolist() == [2, 2, 2] and s["seat"] == 0
        assert s["hand"].sum() == len(LEFT)
        listed[hands(s)] = weight
    found = Counter(hands(GAME.new(words=(k, 0, 0, 1))) for k in range(3000))
    assert set(found) == set(listed)
    for key, weight in listed.items():
        assert abs(found[key] - 3000 * weight / 720) < 6 * (3000 * weight / 720) ** 0.5


def test_states_are_those_of_the_whole_game() -> None:
    assert GAME.rules.State == WHOLE.rules.State
