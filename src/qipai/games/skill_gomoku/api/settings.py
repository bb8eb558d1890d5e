"""Skill Gomoku's settings under the names of the specification (§2), checked, and as options of the rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..options import COUNTS
from ..state import (
    ATTACKER_WINS,
    BOTH_DRAW,
    DECK_DEFAULT,
    IDS,
    LONGEST,
    MAX_DECK,
    MAX_SIDE,
    MIN_SIDE,
    NO_LIMIT,
)
from .book import STATES
from .codes import Code, SkillGomokuError, short
from .deck import PRESETS, deck_counts

LARGEST_BOARD = 25
PACED = ("drawTwo", "resolve", "checkWin")  # states that wait for AFTER_ANIMATION when paced
KEYS = (
    "boardSize",
    "firstPlayer",
    "seed",
    "simultaneousFivePolicy",
    "deckCounts",
    "ensurePlaceTop",
    "maxTurns",
    "drawnVisibility",
    "confirmEnd",
    "paced",
    "allowReselect",
)


@dataclass(frozen=True)
class Settings:
    """One match's settings; every field has passed its check."""

    board_size: int
    first_player: int
    seed: int | str | None  # None only in a loaded state without a seed
    policy: str
    counts: Mapping[str, int]
    place_top: bool
    max_turns: int | None
    visibility: str
    confirm_end: bool
    paced: bool
    allow_reselect: bool

    def to_json(self) -> dict[str, Any]:
        """Return the settings under the names of the specification."""
        return {
            "boardSize": self.board_size,
            "firstPlayer": self.first_player,
            "seed": self.seed,
            "simultaneousFivePolicy": self.policy,
            "deckCounts": dict(self.counts),
            "ensurePlaceTop": self.place_top,
            "maxTurns": self.max_turns,
            "drawnVisibility": self.visibility,
            "confirmEnd": self.confirm_end,
            "paced": self.paced,
            "allowReselect": self.allow_reselect,
        }

    @property
    def deck_size(self) -> int:
        """Number of cards in the whole deck."""
        return sum(self.counts.values())

    @property
    def compilable(self) -> bool:
        """Whether the compiled rules can play this: no `allowReselect`, and a board and deck that fit."""
        return (
            not self.allow_reselect
            and MIN_SIDE <= self.board_size <= MAX_SIDE
            and set(self.counts) == set(IDS)
            and self.deck_size <= MAX_DECK
            and (self.max_turns is None or self.max_turns <= LONGEST)
        )

    @property
    def states(self) -> tuple[str, ...]:
        """The states of the turn machine in which such a match can wait or be loaded."""
        return (
            *STATES,
            *(("confirm",) if self.confirm_end else ()),
            *(PACED if self.paced else ()),
        )

    def options(self) -> dict[str, Any]:
        """Return these settings as options of the compiled rules."""
        counts = dict(zip(COUNTS, (self.counts.get(card, 0) for card in IDS), strict=True))
        return {
            "board_size": self.board_size,
            "first_seat": self.first_player - 1,
            "five_policy": self.policy,
            "deck": "default",
            **counts,
            "place_top": self.place_top,
            "max_turns": NO_LIMIT if self.max_turns is None else self.max_turns,
            "drawn_public": self.visibility == "public",
        }

    def numbers(self) -> dict[str, int]:
        """Return these settings as numbers of a state."""
        policy = BOTH_DRAW if self.policy == "draw" else ATTACKER_WINS
        return {**self.options(), "five_policy": policy, "deck": DECK_DEFAULT}


def read_settings(given: Any, ids: tuple[str, ...] = IDS, loaded: bool = False) -> Settings:
    """Return settings from their JSON; raise InvalidConfig if something is wrong.

    A `loaded` state may be smaller than a match and need not contain its seed.
    """
    if not isinstance(given, Mapping):
        raise _bad(f"settings are an object, not {short(given)}")
    for key in given:
        if key not in KEYS:
            raise _bad(f"unknown setting {short(key)}; known: {', '.join(KEYS)}")
    smallest = 1 if loaded else MIN_SIDE
    counts = deck_counts(given.get("deckCounts", PRESETS["default"]), ids)
    if not loaded and sum(counts.values()) < 2:
        raise _bad("a deck has at least 2 cards")
    return Settings(
        board_size=_whole(given, "boardSize", 15, smallest, LARGEST_BOARD),
        first_player=_whole(given, "firstPlayer", 1, 1, 2),
        seed=_seed(given.get("seed"), loaded),
        policy=_one_of(given, "simultaneousFivePolicy", ("attacker", "draw")),
        counts=counts,
        place_top=_switch(given, "ensurePlaceTop", True),
        max_turns=None if given.get("maxTurns", 0) is None else _whole(given, "maxTurns", 1000, 1, 1 << 53),
        visibility=_one_of(given, "drawnVisibility", ("private", "public")),
        confirm_end=_switch(given, "confirmEnd", False),
        paced=_switch(given, "paced", False),
        allow_reselect=_switch(given, "allowReselect", False),
    )


def _bad(message: str) -> SkillGomokuError:
    return SkillGomokuError(Code.InvalidConfig, message)


def _whole(given: Mapping[str, Any], key: str, default: int, low: int, high: int) -> int:
    value = given.get(key, default)
    if type(value) is not int or not low <= value <= high:
        raise _bad(f"{key} must be a whole number from {low} to {high}, not {short(value)}")
    return value


def _switch(given: Mapping[str, Any], key: str, default: bool) -> bool:
    value = given.get(key, default)
    if not isinstance(value, bool):
        raise _bad(f"{key} is true or false, not {short(value)}")
    return value


def _one_of(given: Mapping[str, Any], key: str, known: tuple[str, ...]) -> str:
    value = given.get(key, known[0])
    if not isinstance(value, str) or value not in known:
        raise _bad(f"{key} must be one of {', '.join(known)}, not {short(value)}")
    return value


def _seed(value: Any, loaded: bool) -> int | str | None:
    if value is None and loaded:
        return None
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise _bad(f"a seed is an integer or text, not {short(value)}")
    return value
