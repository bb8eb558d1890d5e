"""Observations: what each feature says, and that hidden things leave no trace."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.core import State
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.examples import TWINS, ids, position
from qipai.games.wuhan_mahjong.observe import FEATURES
from qipai.games.wuhan_mahjong.state import Phase
from qipai.games.wuhan_mahjong.tiles import CHOW

from .test_rules import CHOWER, P4, PONGER, play, window


def features(s: State, seat: int) -> dict[str, list[int]]:
    """Return an observation by the names of its features."""
    seen = GAME.observation_of(s, seat).tolist()
    return {f.name: seen[f.start : f.start + f.length] for f in FEATURES}


@pytest.mark.parametrize("twins", TWINS, ids=[t.about for t in TWINS])
def test_twins_have_equal_observations(twins: Any) -> None:
    one, other = (GAME.new(layout=layout) for layout in (twins.one, twins.other))
    assert np.array_equal(GAME.observation_of(one, twins.seat), GAME.observation_of(other, twins.seat))


def test_the_observer_comes_first() -> None:
    layout = position("PLAYER_DECISION", 0, {0: "2247m 69s 38p 247z"}, {0: "pong 999m from 2"}, wall=60)
    s = GAME.new(layout=layout)
    assert features(s, 0)["hands"] == [11, 13, 13, 13]
    assert features(s, 2)["hands"] == [13, 13, 11, 13]
    assert features(s, 0)["dealer"] == [1 + 3]
    assert features(s, 2)["dealer"] == [1 + 1]
    assert features(s, 2)["meld_type"][8] == 2


def test_own_and_unseen_tiles_add_up() -> None:
    s = GAME.new(layout=position("PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, wall=82))
    seen = features(s, 0)
    assert sum(seen["hand"]) == 14
    assert sum(seen["unseen"]) == 136 - 14 - 1
    assert features(s, -1)["hand"] == [0] * 34


def test_a_window_looks_like_its_discard_to_those_not_asked() -> None:
    s = window(1, {1: CHOWER, 2: PONGER})
    assert features(s, 1)["phase"] == [Phase.WAITING_RESPONSE]
    for seat in (0, 2, 3, -1):
        assert features(s, seat)["phase"] == [Phase.DISCARDING]
    assert features(s, 1)["tile"] == [1 + P4]
    play(s, CHOW + 1)
    assert features(s, 1)["answer"] == [1 + CHOW + 1]
    assert features(s, 2)["answer"] == features(s, 0)["answer"] == [0]


def test_a_drawn_tile_is_its_owners() -> None:
    s = GAME.new(layout=position("PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, wall=82))
    play(s, ids("7z")[0])
    assert features(s, 1)["drawn"] == [1 + int(s["drawn"])]
    for seat in (0, 2, 3, -1):
        assert features(s, seat)["drawn"] == [0]
