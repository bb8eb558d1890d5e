"""The 136 tiles: ids, kinds, suits, text codes and key strings (README §2).

This module only has encodings. On a board a tile is stored as its id + 1, so that 0 is an empty cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from qipai.core.errors import BadText

TILES = 136
KINDS = 34
CODES = 37  # kinds, then the red fives of man, pin and sou
MAN, PIN, SOU, HONOUR = range(4)
SUITS = 4
SUIT_NAMES = ("man", "pin", "sou", "honor")
LETTERS = "mpsz"
HONOURS = "ESWNPFC"  # 東南西北白發中
REDS = (16, 52, 88)
EMPTY_CODE = ".."
NO_SUIT = 9  # of an empty cell: equal to no suit

# By value on a board (id + 1): suit, kind, 37-kind index + 1
SUIT = np.full(TILES + 1, NO_SUIT, np.int8)
KIND = np.full(TILES + 1, -1, np.int8)
CODE = np.zeros(TILES + 1, np.int8)
for _tile in range(TILES):
    SUIT[_tile + 1] = min(_tile // 36, HONOUR)
    KIND[_tile + 1] = _tile // 4
    CODE[_tile + 1] = 1 + (KINDS + REDS.index(_tile) if _tile in REDS else _tile // 4)


def kind_of(tile: int) -> int:
    """Return the kind index 0-33 of a tile id."""
    return tile // 4


def suit_of(tile: int) -> int:
    """Return the suit 0-3 of a tile id."""
    return min(tile // 36, HONOUR)


def is_red(tile: int) -> bool:
    """Return whether a tile is a red five."""
    return tile in REDS


def code_of(tile: int) -> str:
    """Return the two-character code: m1, p0 (red five), zE."""
    if tile in REDS:
        return f"{LETTERS[suit_of(tile)]}0"
    return code_of_kind(tile // 4)


def code_of_kind(kind: int) -> str:
    """Return the code of a kind's plain tile."""
    return f"z{HONOURS[kind - 27]}" if kind >= 27 else f"{LETTERS[kind // 9]}{kind % 9 + 1}"


def code37(index: int) -> str:
    """Return the code of a 37-kind index."""
    return f"{LETTERS[index - KINDS]}0" if index >= KINDS else code_of_kind(index)


def key_of(kind: int) -> str:
    """Return the key string of a kind: man_5, h_E."""
    return f"h_{HONOURS[kind - 27]}" if kind >= 27 else f"{SUIT_NAMES[kind // 9]}_{kind % 9 + 1}"


_TILES_BY_CODE: dict[str, tuple[int, ...]] = {}
for _tile in range(TILES):
    _TILES_BY_CODE.setdefault(code_of(_tile), ())
    _TILES_BY_CODE[code_of(_tile)] += (_tile,)


def copies_of(code: Any) -> tuple[int, ...]:
    """Return the ids that a code can mean, ascending; raise `BadText` if it is not a code."""
    if not isinstance(code, str) or code not in _TILES_BY_CODE:
        raise BadText(
            f"{str(code)[:20]!r} is not a tile: m1-m9, p1-p9, s1-s9, m0 p0 s0, zE zS zW zN zP zF zC"
        )
    return _TILES_BY_CODE[code]


class Box:
    """The set of 136, from which text is given actual tiles; each id is used once."""

    def __init__(self) -> None:
        self._left = set(range(TILES))

    def take(self, what: Any) -> int:
        """Return the id itself, or the lowest unused id of a code; raise `BadText` if there is none."""
        if isinstance(what, int | np.integer) and not isinstance(what, bool):
            if not 0 <= what < TILES:
                raise BadText(f"a tile's id is a number from 0 to {TILES - 1}")
            if int(what) not in self._left:
                raise BadText(f"tile {int(what)} ({code_of(int(what))}) occurs twice")
            self._left.remove(int(what))
            return int(what)
        for tile in copies_of(what):
            if tile in self._left:
                self._left.remove(tile)
                return tile
        raise BadText(f"there are only {len(copies_of(what))} tiles {what} in the set")

    def take_all(self, many: Any, name: str, most: int = TILES) -> list[int]:
        """Return tiles from ids or codes in a list, or codes in a text; raise `BadText` if one is missing."""
        if isinstance(many, str):
            many = many.split()
        if not isinstance(many, list | tuple) or len(many) > most:
            raise BadText(f"'{name}' must be a list of at most {most} tiles")
        return [self.take(x) for x in many]


def codes(tiles: Iterable[int]) -> list[str]:
    """Return tile ids as codes."""
    return [code_of(int(t)) for t in tiles]


def values(array: Any) -> list[int]:
    """Return stored values (id + 1) as ids, without the empty ones."""
    return [int(v) - 1 for v in array.tolist() if v]


def sort_key(tile: int) -> tuple[int, int]:
    """Return the place in a listing (§16): man, pin, sou, honours, by number; red fives before plain ones."""
    return tile // 4, tile
