"""`Rulebook`: the functions that play a match, and the numbers of its cards.

A standard match uses `STANDARD`, the compiled rules. `extensions/` makes other rulebooks: variants of the
same functions, with a few of them replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from qipai.core import State

from .. import rules
from ..state import IDS, LONGEST

Json = dict[str, Any]
LARGEST_COUNT = 1 << 31  # the highest turn number or skip counter in a document
STATES = ("maybeSkip", "choose", "selectTarget", "endTurn")  # in which a position may be set up


@dataclass(frozen=True)
class Rulebook:
    """The functions of `rules.py`, in one variant, and the limits of the state that they work on."""

    ids: tuple[str, ...]  # card ids by number
    clear: Any
    legal: Any
    playable: Any
    needs_target: Any
    make: Any
    advance: Any
    is_over: Any
    longest: int = LONGEST  # highest turn number
    most_skips: int = 30_000
    most_logged: int = 1 << 30
    states: tuple[str, ...] = STATES
    # the target and the operations of a card that `rules.py` does not know, for which the state has no room
    target: Callable[[State], Any] | None = None
    ops: Callable[[State], list[Json] | None] | None = None
    put_target: Callable[[State, Any], None] | None = None  # from a document

    def number(self, card: str) -> int:
        """Return the number of a card id."""
        return self.ids.index(card)


STANDARD = Rulebook(
    IDS,
    rules.clear,
    rules.legal,
    rules.playable,
    rules.needs_target,
    rules.make,
    rules.advance,
    rules.is_over,
)
