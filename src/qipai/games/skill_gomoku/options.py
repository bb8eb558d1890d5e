"""Skill Gomoku's options (§2), for the platform; `settings.py` maps the names of the specification."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from qipai.core import SWITCH, Option
from qipai.core.errors import BadOption

from .state import (
    ATTACKER_WINS,
    BOTH_DRAW,
    CARDS,
    DECK_DEFAULT,
    DECK_SOURCE_CURRENT,
    DECK_SOURCE_EARLY,
    DECKS,
    LONGEST,
    MAX_DECK,
    MAX_SIDE,
    MIN_SIDE,
    NO_LIMIT,
)

DEFAULT_SIZE = 15
DEFAULT_LIMIT = 1000
COUNTS = ("places", "takes", "inversions", "freezes", "generations")  # in registry order
# Settings of the named API (api/machine.py) that the compiled rules do not have.
MACHINE_ONLY = ("confirm_end", "paced", "allow_reselect")


def options(size: int, limit: int) -> tuple[Option, ...]:
    """Return the options of the game of this board size and turn limit."""
    decks = {
        "default": DECK_DEFAULT,
        "source-current": DECK_SOURCE_CURRENT,
        "source-early": DECK_SOURCE_EARLY,
    }
    return (
        Option("board_size", size, low=MIN_SIDE, high=MAX_SIDE),
        Option("first_seat", 0, low=0, high=1, is_seat=True),
        Option("five_policy", ATTACKER_WINS, {"attacker": ATTACKER_WINS, "draw": BOTH_DRAW}),
        Option("deck", DECK_DEFAULT, decks),
        *(Option(name, -1, low=-1, high=MAX_DECK, expert=True) for name in COUNTS),
        Option("place_top", 1, SWITCH),
        Option("max_turns", limit, low=NO_LIMIT, high=LONGEST, expert=True),
        Option("drawn_public", 0, SWITCH),
    )


def checker(size: int, limit: int) -> Callable[[Mapping[str, int], int], None]:
    """Return the check of option combinations for the game of this size and turn limit."""

    def check(numbers: Mapping[str, int], seats: int) -> None:
        if numbers["board_size"] != size:
            raise BadOption(
                f"option board_size: this is the game of {size} x {size}; "
                f"get('skill_gomoku', {{'board_size': {numbers['board_size']}}}) gives the other"
            )
        turns = numbers["max_turns"]
        if turns == 0:
            raise BadOption("option max_turns: a limit is at least 1 turn; -1 means none")
        if limit != NO_LIMIT and not 0 < turns <= limit:
            raise BadOption(
                f"option max_turns: this game ends within {limit} turns; "
                f"get('skill_gomoku', {{'max_turns': {turns}}}) gives one that goes on longer"
            )
        total = deck_total(numbers)
        if not 2 <= total <= MAX_DECK:
            raise BadOption(f"a deck has 2 to {MAX_DECK} cards, not {total}")

    return check


def deck_total(numbers: Mapping[str, int]) -> int:
    """Return the number of cards in the deck of these options."""
    preset = DECKS[numbers["deck"]]
    given = [numbers[name] for name in COUNTS]
    return sum(int(preset[i]) if given[i] < 0 else given[i] for i in range(CARDS))
