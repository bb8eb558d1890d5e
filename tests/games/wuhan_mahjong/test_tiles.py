"""The numbers of the game, and names for them."""

from __future__ import annotations

from qipai.games.wuhan_mahjong.tiles import (
    ACTIONS,
    BIG_BITS,
    CODES,
    CONCEALED,
    FLUSH_BIT,
    HARD_BIT,
    KINDS,
    KONG_RED,
    PASS,
    SUBSTITUTES,
    SUPPLEMENT,
    WinType,
    type_names,
)


def test_kinds_have_a_code_each() -> None:
    assert len(set(CODES)) == KINDS
    assert (CODES[0], CODES[9], CODES[26], CODES[27], CODES[33]) == ("1m", "1s", "9p", "1z", "7z")


def test_blocks_of_actions_do_not_overlap() -> None:
    assert SUPPLEMENT + KINDS == CONCEALED
    assert CONCEALED + KINDS == KONG_RED
    assert PASS + 1 == ACTIONS


def test_a_reading_names_hard_or_soft_first() -> None:
    assert type_names(HARD_BIT | FLUSH_BIT | 2 << SUBSTITUTES) == ["HARD_WIN", "PURE_FLUSH"]
    assert sum(1 << t for t in WinType if t >= WinType.PURE_FLUSH) == BIG_BITS
