"""Special tiles (§1.1), and who may claim what (§3.3, §3.4, §4.2)."""

from __future__ import annotations

import pytest

from qipai.games.wuhan_mahjong import GAME, special_tiles
from qipai.games.wuhan_mahjong.claims import find_claims, is_special, kind_after, kind_before, responder
from qipai.games.wuhan_mahjong.examples import ids, position
from qipai.games.wuhan_mahjong.state import (
    CLAIM_CHOW,
    CLAIM_KONG,
    CLAIM_PONG,
    CLAIM_WIN,
    WAIT_ROB_KONG,
    WAITING_RESPONSE,
)
from qipai.games.wuhan_mahjong.tiles import RED
from tests.naive import wuhan_mahjong as naive

from .tables import SPECIALS
from .test_rules import CHOWER, PONGER, window


@pytest.mark.parametrize(("indicator", "laizi", "skin0", "skin1"), SPECIALS)
def test_a1_the_indicator_fixes_laizi_and_skins(indicator: int, laizi: int, skin0: int, skin1: int) -> None:
    assert special_tiles(indicator) == (laizi, skin0, skin1)


def test_every_indicator_agrees_with_the_naive_cycle() -> None:
    for indicator in range(34):
        assert special_tiles(indicator) == naive.special_tiles(indicator)
        assert naive.RED not in special_tiles(indicator)


def test_the_kind_before_undoes_the_kind_after() -> None:
    for t in range(34):
        if t != RED:
            assert kind_before(kind_after(t)) == t
            assert kind_after(t) != RED


def test_claims_of_each_seat_on_a_discard() -> None:
    s = window(1, {1: CHOWER, 2: PONGER})
    find_claims(s)
    assert s["claims"].tolist() == [0, CLAIM_CHOW << 1 | CLAIM_CHOW << 2, CLAIM_PONG, 0]
    s = window(3, {3: "147m 258s 444p 1346z"})
    assert s["claims"].tolist() == [0, 0, 0, CLAIM_PONG | CLAIM_KONG]


def test_a_win_is_a_claim() -> None:
    layout = position(
        "WAITING_RESPONSE",
        0,
        {0: "88m 45p"},
        {0: "chow 123m, pong 111z from 2, pong 444z from 1"},
        last_discard=[ids("6p")[0], 2],
        wall=50,
    )
    assert int(GAME.new(layout=layout)["claims"][0]) == CLAIM_WIN


def test_four_kinds_are_special() -> None:
    s = window(1, {1: CHOWER})
    assert [t for t in range(34) if is_special(s, t)] == sorted(ids("123s 5z"))


def test_responders_are_asked_from_the_discarder_or_from_the_dealer() -> None:
    s = window(1, {1: CHOWER})  # seat 0 has discarded, seat 3 deals
    assert [responder(s, k, WAITING_RESPONSE) for k in range(4)] == [1, 2, 3, -1]
    s["multi_win_order"] = 1
    assert [responder(s, k, WAITING_RESPONSE) for k in range(4)] == [3, 1, 2, -1]
    assert [responder(s, k, WAIT_ROB_KONG) for k in range(4)] == [1, 2, 3, -1]
