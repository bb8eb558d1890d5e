"""Positions in shorthand: completed to 136 tiles; the examples and twins that the package offers."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.errors import BadPosition
from qipai.games.wuhan_mahjong.examples import EXAMPLES, TWINS, complete, ids, melds, position
from qipai.games.wuhan_mahjong.layout import pieces

from .test_rules import play


def test_tiles_in_shorthand() -> None:
    assert ids("123m 55s 6z") == [0, 1, 2, 13, 13, 32]
    for wrong in ("1x", "m", "12", "5m?"):
        with pytest.raises(BadPosition):
            ids(wrong)


def test_melds_in_shorthand() -> None:
    pong, chow, kong = melds("pong 111z from 2, chow 123m, kong_concealed 9999p", 1)
    assert pong == {"type": "PONG", "tiles": [27] * 3, "from": 2}
    assert chow == {"type": "CHOW", "tiles": [0, 1, 2], "from": 0}
    assert kong == {"type": "KONG_CONCEALED", "tiles": [26] * 4, "from": 1}


def test_a_kind_five_times_is_refused() -> None:
    with pytest.raises(BadPosition, match="more than 4"):
        position("PLAYER_DECISION", 0, {0: "2222m 69s 38p 2447z 1z"}, {1: "pong 222m"}, wall=60)


def test_a_completed_position_holds_every_tile_once() -> None:
    layout = position("PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, wall=40)
    assert complete(layout) == layout
    assert pieces(GAME.new(layout=layout)) == [4] * 34


@pytest.mark.parametrize("example", EXAMPLES, ids=[e.about for e in EXAMPLES])
def test_an_example_can_be_played(example: Any) -> None:
    play(GAME.new(layout=example.layout), *example.actions)


@pytest.mark.parametrize("twins", TWINS, ids=[t.about for t in TWINS])
def test_twins_differ(twins: Any) -> None:
    one, other = (GAME.new(layout=layout) for layout in (twins.one, twins.other))
    assert one.tobytes() != other.tobytes()
