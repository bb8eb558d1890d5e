"""Tables for questions: hands put on them are checked, partial positions are read, options too."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.games.wuhan_mahjong.api.positions import empty_table, hand_size, hold, load_partial, read_settings
from qipai.games.wuhan_mahjong.errors import BadPosition, BadSetting

from ..tables import MASKS, ids, melds, partial


def test_an_empty_table_has_its_special_tiles() -> None:
    s = empty_table({"min_win": 8}, ids("2s")[0])
    assert [int(s[name]) for name in ("laizi", "skin0", "skin1")] == ids("3s") + ids("2s") + ids("1s")
    assert int(s["min_win"]) == 8
    assert int(s["back"]) == int(s["front"])


def test_a_hand_is_held_and_counted() -> None:
    s = empty_table(None, 10)
    hold(s, 2, ids("123m 55s"), melds("pong 111z from 0", 2))
    assert hand_size(s, 2) == 5
    assert int(s["opens"][2]) == 1
    with pytest.raises(BadPosition, match="more than four"):
        hold(s, 2, ids("5555m 5m"), [])


def test_a_partial_position_needs_no_more_than_is_asked() -> None:
    assert int(load_partial(partial(MASKS[0]))["seat"]) == 0
    wrong: Any = [1]
    with pytest.raises(BadPosition):
        load_partial(wrong)


def test_settings_are_read_as_section_10_writes_them() -> None:
    found = read_settings({"flow_cap": None, "contract": False, "golden_mode": "limit"})
    assert (found["flow_cap"], found["contract"], found["golden_mode"]) == (-1, 0, 1)
    for wrong in ({"cap": 400}, {"nothing": 1}, [1]):
        with pytest.raises(BadSetting):
            read_settings(wrong)  # type: ignore[arg-type]
