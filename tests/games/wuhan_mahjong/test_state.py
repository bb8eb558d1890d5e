"""The record of a hand and its phases (§3)."""

from __future__ import annotations

from qipai.games.wuhan_mahjong import GAME, GameStateType
from qipai.games.wuhan_mahjong.state import EDGES, FLOW_DRAW, LOG, POOL, WON, Phase, State
from qipai.games.wuhan_mahjong.tiles import KINDS, SEATS, TILES, WALL_START

RESERVED = {Phase.RESPONSES, Phase.RESPONSES_AFTER_GONG, Phase.SETTLE}


def test_phases_have_the_codes_of_section_3_1() -> None:
    assert GameStateType is Phase
    assert [int(p) for p in Phase] == list(range(15))
    assert (Phase.PLAYER_DECISION, Phase.MELD_DECISION, Phase.WAIT_ROB_KONG) == (2, 4, 9)


def test_reserved_phases_are_never_entered() -> None:
    assert {Phase(b) for _, b in EDGES} | {Phase.INITIAL} == set(Phase) - RESERVED
    assert len(set(EDGES)) == len(EDGES)


def test_nothing_follows_the_end() -> None:
    assert not {a for a, _ in EDGES} & {WON, FLOW_DRAW}


def test_the_record_has_room_for_a_whole_hand() -> None:
    assert State.itemsize == 896 == GAME.rules.State.itemsize
    assert State["hand"].shape == (SEATS, KINDS)
    assert POOL > TILES - WALL_START  # every tile of the wall, and the dealer's first discard
    assert LOG >= 117  # public actions of a hand (§3.2)
