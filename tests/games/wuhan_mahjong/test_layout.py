"""Custom deals and positions (§11): written back as they were read, and refused by name."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.core.errors import BadLayout
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.examples import ids, position
from qipai.games.wuhan_mahjong.layout import dump, hand_of, melds_of, pieces, rivers_of, specials_of
from qipai.games.wuhan_mahjong.tiles import PASS

from .test_rules import CHOWER, P4, PONGER


def test_a_position_dumps_and_loads_as_it_is() -> None:
    rng = np.random.default_rng(4)
    s = GAME.new(words=(9, 9, 9, 9))
    while int(s["seat"]) >= 0:
        other = GAME.new(layout=dump(s))
        for name in s.dtype.names or ():
            if name not in ("rng", "ply", "front", "back", "wall", "pool"):
                assert np.array_equal(s[name], other[name]), name
        assert dump(other) == dump(s)
        assert GAME.legal_actions(other) == GAME.legal_actions(s)
        GAME.rules.apply(s, int(rng.choice(GAME.legal_actions(s))))


@pytest.mark.parametrize(
    "change",
    [
        {"indicator": 34},
        {"current": 4},
        {"phase": "GONG"},
        {"hands": [[], [], [], []]},
        {"dealer": "0"},
        {"wall": "x"},
        {"melds": [[{"type": "CHOW", "tiles": [8, 9, 10], "from": 3}], [], [], []]},
        {"special_kongs": [[0], [], [], []]},
        {"surprise": 1},
        {"partial": True},
        {"answers": [[1, PASS]]},
    ],
)
def test_an_impossible_position_is_refused_by_name(change: dict[str, Any]) -> None:
    layout = {**position("PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, wall=82), **change}
    with pytest.raises(BadLayout):
        GAME.new(layout=layout)


def test_a_window_must_begin_at_its_first_claimant() -> None:
    layout = position("WAITING_RESPONSE", 2, {1: CHOWER, 2: PONGER}, last_discard=[P4, 0], wall=60)
    with pytest.raises(BadLayout, match="current"):
        GAME.new(layout=layout)


def test_what_lies_on_the_table_is_read_back_by_seat() -> None:
    layout = position(
        "PLAYER_DECISION", 0, {0: "2247m 69s 38p 247z"}, {0: "pong 999m from 2"}, laid={1: "5z 3s"}, wall=60
    )
    s = GAME.new(layout=layout)
    assert hand_of(s, 0) == ids("2247m 69s 38p 247z")
    assert melds_of(s, 0) == [{"type": "PONG", "tiles": ids("999m"), "from": 2}]
    assert specials_of(s, 1) == [*ids("5z"), *ids("3s")]
    assert [sorted(river) for river in rivers_of(s)] == [sorted(river) for river in layout["rivers"]]
    assert pieces(s) == [4] * 34
