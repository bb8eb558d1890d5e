"""What an example is made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NotRequired, TypedDict

from qipai.match import Match

Line = tuple[str, dict[str, Any]]  # a message of the game and its values


class Group(TypedDict):
    """Pieces that belong together."""

    pieces: list[str | None]  # None: face down
    mark: NotRequired[list[int]]  # the places of those to point at
    note: NotRequired[str]  # a number next to them
    line: NotRequired[Line]


class Board(TypedDict):
    """A part of a board: rows of pieces, None where it is empty."""

    cells: list[list[str | None]]
    mark: NotRequired[list[list[int]]]  # [column, row] of cells to point at


class Row(TypedDict):
    """A sentence and what it is about."""

    line: NotRequired[Line]
    groups: NotRequired[list[Group]]
    boards: NotRequired[list[Board]]
    terms: NotRequired[list[Line]]  # factors, each in words
    total: NotRequired[int]  # their product
    paid: NotRequired[int]  # if a limit makes it another number


class Who(TypedDict):
    """Somebody at the table; the page puts the name there."""

    seat: int


class Example(TypedDict):
    """One worked example; `values` fill in the words around it."""

    values: dict[str, int | Who]
    rows: list[Row]


def play(match: Match, moves: Sequence[int | list[int]]) -> list[dict[str, Any]]:
    """Make moves by the seats whose turn it is, and return what a watcher is told of them."""
    before = match.version(-1)
    for move in moves:
        match.act(match.seat, move)
    return match.events(-1, before)


def told(match: Match, event: dict[str, Any]) -> Line | None:
    """Return the line of an event, as the log has it."""
    found = match.game.words.line(event)
    return None if found is None else (found[0], dict(found[1]))
