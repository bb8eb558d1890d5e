"""Skill Gomoku's options (§2), as the platform knows them; `settings.py` maps the user's names."""

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
# Settings of the named API (api/machine.py) that the compiled rules do not know.
MACHINE_ONLY = ("confirm_end", "paced", "allow_reselect")

_CARD_ZH = ("落子无悔", "飞沙走石", "两极反转", "时间冻结", "天女散花")


def options(size: int, limit: int) -> tuple[Option, ...]:
    """The options of the game of this board size and turn limit."""
    return (
        Option(
            "board_size",
            size,
            low=MIN_SIDE,
            high=MAX_SIDE,
            about={"en": "intersections a side; each size is a GAME of its own", "zh": "棋盘路数"},
        ),
        Option(
            "first_seat",
            0,
            low=0,
            high=1,
            about={"en": "the seat that moves first (seat 0 is black)", "zh": "先手座位（0 为黑）"},
        ),
        Option(
            "five_policy",
            ATTACKER_WINS,
            {"attacker": ATTACKER_WINS, "draw": BOTH_DRAW},
            about={"en": "fives of both colours: the mover wins, or a draw", "zh": "同时五连：行动方胜或平"},
        ),
        Option(
            "deck",
            DECK_DEFAULT,
            {
                "default": DECK_DEFAULT,
                "source-current": DECK_SOURCE_CURRENT,
                "source-early": DECK_SOURCE_EARLY,
            },
            about={"en": "how many cards of each kind", "zh": "牌堆预设"},
        ),
        *(
            Option(
                name,
                -1,
                low=-1,
                high=MAX_DECK,
                about={"en": f"{name} in the deck; -1: as the preset says", "zh": f"{zh}张数，-1 为预设"},
            )
            for name, zh in zip(COUNTS, _CARD_ZH, strict=True)
        ),
        Option(
            "place_top",
            1,
            SWITCH,
            about={"en": "the first card drawn is a Place", "zh": "首抽必有落子无悔"},
        ),
        Option(
            "max_turns",
            limit,
            low=NO_LIMIT,
            high=LONGEST,
            about={"en": "a draw after this many turns; -1: no limit", "zh": "回合上限，-1 为无"},
        ),
        Option(
            "drawn_public",
            0,
            SWITCH,
            about={"en": "drawn cards are open to all at once", "zh": "抽牌公开"},
        ),
    )


def checker(size: int, limit: int) -> Callable[[Mapping[str, int], int], None]:
    """The check of option combinations for the game of this size and turn limit."""

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
    """Cards in the deck that these options ask for."""
    preset = DECKS[numbers["deck"]]
    given = [numbers[name] for name in COUNTS]
    return sum(int(preset[i]) if given[i] < 0 else given[i] for i in range(CARDS))
