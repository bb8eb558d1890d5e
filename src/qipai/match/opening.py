"""How a match begins, and the key of every action: all random numbers of a match are derived here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from qipai.core import NOBODY, Game, State, copy_state, get
from qipai.core.errors import BadLayout, BadOption, BadSeats, short
from qipai.core.option import unwritten

from .jsonable import NotJson, is_int, json_copy
from .keys import ActionWords, check_seed, deal_words
from .shares import Shares

# Errors that the `lay_out` of a game may raise if it forgets to check something.
STUMBLES = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


@dataclass(frozen=True, eq=False)
class Opening:
    """A game, its options and seats, the secret seed, a custom layout, and the resulting state."""

    game: Game
    seats: int
    seed: bytes = field(repr=False)
    layout: dict[str, Any] | None = field(repr=False)
    _first: State = field(repr=False)
    shares: Shares | None = field(default=None, repr=False)  # what the seed was made from
    words: ActionWords = field(init=False, repr=False)  # the generator words of an action, by its ply

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", ActionWords(self.seed))

    def first(self) -> State:
        """Return a copy of the state at the first decision."""
        return copy_state(self._first)

    def options(self) -> dict[str, str | int]:
        """Return the options in their external form, without added ones at their defaults."""
        left_out = unwritten(self.game.rules.options, self._first)
        return {n: value for n, value in self.game.options_of(self._first).items() if n not in left_out}

    def key(self, s: State, ply: int) -> None:
        """Set the generator of `s` for the action before which `ply` actions were applied."""
        self.game.key(s, self.words(ply))


def open_match(
    game: Game | str,
    options: Mapping[str, Any] | None,
    seats: int | None,
    seed: bytes | None,
    layout: Mapping[str, Any] | None,
    shares: Shares | None = None,
) -> Opening:
    """Check everything that a match is made from, and deal. Without a seed it follows from the shares.

    A given seed is taken as it is: `check_shares` tells whether it follows from them.
    """
    seed = check_seed(shares.combined() if seed is None and shares is not None else seed)
    if seats is not None and (not is_int(seats) or not 0 < seats < 128):
        raise BadSeats(f"a match has a small whole number of seats, not {short(seats)}")
    chosen = _options(options)
    found = game if isinstance(game, Game) else get(game, chosen)
    count = None if seats is None else int(seats)
    given = None if layout is None else _layout(layout)
    first = _first_state(found, chosen, count, seed, given)
    return Opening(found, int(first["seats"]), seed, given, first, shares)


def _options(given: Any) -> dict[str, Any]:
    try:
        found = json_copy({} if given is None else given)
    except NotJson as error:
        raise BadOption(f"options: {error}") from error
    if not isinstance(found, dict):
        raise BadOption(f"options must be a mapping from name to value, not {short(given)}")
    return found


def _layout(given: Any) -> dict[str, Any]:
    try:
        found = json_copy(given)
    except NotJson as error:
        raise BadLayout(f"layout: {error}") from error
    if not isinstance(found, dict):
        raise BadLayout(f"a layout must be a mapping, not {short(given)}")
    return found


def _first_state(
    game: Game, options: dict[str, Any], seats: int | None, seed: bytes, layout: dict[str, Any] | None
) -> State:
    words = deal_words(seed)
    if layout is None:
        return game.new(options, seats, words)
    blank = game.blank(options, seats)
    game.key(blank, words)
    try:
        game.place(blank, json_copy(layout))  # a copy that the game may modify
    except STUMBLES as error:
        raise BadLayout(f"the layout is invalid: {type(error).__name__}") from error
    if blank["seat"] != NOBODY and not game.mask(blank).any():
        raise BadLayout("the layout leaves a seat without an action")
    return blank
