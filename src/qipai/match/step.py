"""One action of a match: the states before and after it, and what each viewer may learn of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import WATCHER, Event, Game, State
from qipai.core.calls import AFTER, BEFORE, OWN
from qipai.core.explain import where
from qipai.core.state import copy_state, rows

from .jsonable import copied
from .opening import Opening


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """An applied action. `before` already has the generator key of the action; both states are true."""

    game: Game
    ply: int  # actions applied before this one
    seat: int
    action: int
    before: State = field(repr=False)
    after: State = field(repr=False)

    @property
    def complete(self) -> bool:
        """Whether this action completes a move. Other seats see nothing of an unfinished move."""
        return self.game.ends_move(self.after, self.seat)

    def events(self, viewer: int) -> list[Event]:
        """Return the events by which `viewer` (-1: a watcher) learns of the action."""
        return narrated(self.game, self.before, self.action, viewer)


class Position:
    """The current position of a match, with everything that is needed at every action. Immutable.

    The true state is the last row of an array that belongs to the match alone.
    """

    __slots__ = ("_mask", "_rows", "seat", "unfinished")

    def __init__(self, states: NDArray[Any], mask: NDArray[np.uint8], seat: int, unfinished: bool) -> None:
        self._rows = states
        self._mask = mask
        self.seat = seat  # who decides, or NOBODY
        self.unfinished = unfinished  # in the middle of a move

    @property
    def state(self) -> State:
        """The true state, not a copy."""
        return self._rows[OWN]  # type: ignore[no-any-return]

    def legal(self) -> list[int]:
        """Return the actions of the seat to move, in ascending order."""
        found: list[int] = self._mask.nonzero()[0].tolist()
        return found

    def allows(self, action: int) -> bool:
        """Return whether an action of the game is legal here."""
        return bool(self._mask[action])

    def take(self, opening: Opening, ply: int, action: int) -> tuple[Step, Position]:
        """Apply a legal action, after `ply` others; return the step and the resulting position."""
        old, game = self._rows, opening.game
        states = np.ndarray(3, old.dtype, bytearray(old.nbytes))
        mask = np.zeros(self._mask.size, np.uint8)
        try:
            found = game.calls.take(old, states, mask, action, *opening.words(ply))
        except Exception as error:  # a fault of the rules
            error.add_note(f"in the rules of {game.name}{_place(error, opening, self.state, ply, action)}")
            raise
        step = Step(game, ply, self.seat, action, states[BEFORE], states[AFTER])
        return step, Position(states, mask, (found >> 1) - 1, found & 1 != 0)


def _place(error: Exception, opening: Opening, state: State, ply: int, action: int) -> str:
    """Return the line of the rule that failed: a compiled rule does not know it, and runs again plain."""
    if where(error):
        return where(error)
    game, s = opening.game, copy_state(state)
    try:
        opening.key(s, ply)
        rules = game.functions("plain")
        rules.apply(s, action)
        rules.legal(s, np.zeros(game.width, np.uint8))
    except Exception as again:
        return where(again) if type(again) is type(error) else ""
    return ""


def first_position(opening: Opening) -> Position:
    """Return the first position of the match."""
    return position_at(opening.game, opening.first())


def position_at(game: Game, s: State) -> Position:
    """Return the position of a state."""
    states = rows(s, 3)
    states[OWN] = s
    return Position(states, game.mask(s), int(s["seat"]), game.unfinished(s))


def narrated(game: Game, before: State, action: int, viewer: int) -> list[Event]:
    """Return what `game.rules.narrate` returns, as JSON values that belong to the caller."""
    return [copied(event) for event in game.rules.narrate(before, action, viewer)]


def viewers(seats: int) -> list[int]:
    """Return all viewers that events are made for: the seats, then the watchers."""
    return [*range(seats), WATCHER]
