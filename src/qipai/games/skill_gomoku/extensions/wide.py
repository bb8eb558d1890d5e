"""The state with as much room as a match needs, and the plain rules that work on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from qipai.core import State, copy_state, new_state, state_dtype
from qipai.core.state import HEADER
from qipai.core.variant import Variant

from .. import fives, rules
from ..api.book import LARGEST_COUNT, STANDARD, Rulebook
from ..api.lines import Cells, put_cells
from ..state import CELLS, MAX_DECK, MAX_SIDE, NO_LIMIT, SEATS
from ..state import State as CompiledState


def row_of(cell: int, size: int) -> int:
    """Return the row of a cell, on a board of any size (the compiled table ends at 19)."""
    return cell // size


def plain(swap: dict[Any, Any] | None = None) -> Variant:
    """Return a maker of plain copies of the rules for wide states, with functions replaced as in `swap`."""
    return Variant("plain", {fives.row_of: row_of, **(swap or {})})


def wide_book(make: Variant, **fields: Any) -> Rulebook:
    """Return the rulebook of the copies that `make` makes; `fields` are those in which it differs."""
    named = ("clear", "legal", "playable", "needs_target", "make", "advance", "is_over")
    fields |= {name: make(getattr(rules, name)) for name in named}
    fields |= dict.fromkeys(("longest", "most_skips", "most_logged"), LARGEST_COUNT)
    return replace(STANDARD, **fields)


def wide_state(side: int, cards: int) -> np.dtype[Any]:
    """Return the dtype of a state for a board of `side` lines and this many cards."""
    # never smaller than the compiled state, because `rules.clear` iterates over all of it
    shapes = {"board": (max(side * side, CELLS),), "row_empty": (max(side, MAX_SIDE),)}
    shapes |= dict.fromkeys(("pile", "discard"), (max(cards, MAX_DECK),))
    fields: list[tuple[Any, ...]] = []
    for name in CompiledState.names or ():
        found = CompiledState[name]
        kind = found.base if name in HEADER else np.dtype(np.int64)
        fields.append((name, kind, shapes.get(name, found.shape)))
    return state_dtype(fields)


def wide_record(side: int, cards: int) -> State:
    """Return a cleared state without a deck; options are zero except the size and the missing limit."""
    return copy_state(_cleared(side, max(cards, MAX_DECK)))


@lru_cache(maxsize=64)
def _cleared(side: int, cards: int) -> State:
    s = new_state(wide_state(side, cards))
    s["seats"] = SEATS
    s["board_size"] = side
    s["max_turns"] = NO_LIMIT
    PLAIN.clear(s)
    return s


def position(cells: Cells, player: int) -> State:
    """Return a wide state of this board, with `player` (1, 2) to move."""
    s = wide_record(len(cells), 0)
    put_cells(s, cells)
    s["mover"] = player - 1
    return s


def piles(draw_pile: Sequence[int], discard_pile: Sequence[int]) -> State:
    """Return a wide state with these piles of card numbers, tops last."""
    s = wide_record(1, len(draw_pile) + len(discard_pile))
    for name, count, cards in (("pile", "piled", draw_pile), ("discard", "discarded", discard_pile)):
        s[name][: len(cards)] = cards
        s[count] = len(cards)
    return s


PLAIN = wide_book(plain())
put_place_on_top = plain()(rules.put_place_on_top)
