"""One action of a match: the state it met, the state it left, and what each viewer may know of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from qipai.core import WATCHER, Event, Game, State, copy_state

from .jsonable import copied
from .opening import Opening


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """An applied action. `before` already carries the action's own generator key; both states are true."""

    game: Game
    ply: int  # actions applied before this one
    seat: int
    action: int
    before: State = field(repr=False)
    after: State = field(repr=False)

    @property
    def complete(self) -> bool:
        """Whether this action ends a move. Nothing of an unfinished move shows to other seats."""
        return self.game.ends_move(self.after, self.seat)

    def events(self, viewer: int) -> list[Event]:
        """Return the events by which `viewer` (-1: a watcher) learns of the action."""
        return narrated(self.game, self.before, self.action, viewer)


def take_step(opening: Opening, s: State, ply: int, action: int) -> Step:
    """Apply a legal `action` to a copy of `s`."""
    before = copy_state(s)
    opening.key(before, ply)
    after = copy_state(before)
    opening.game.rules.apply(after, action)
    return Step(opening.game, ply, int(before["seat"]), action, before, after)


def narrated(game: Game, before: State, action: int, viewer: int) -> list[Event]:
    """Return what `game.rules.narrate` says, as JSON values that belong to the caller."""
    return [copied(event) for event in game.rules.narrate(before, action, viewer)]


def viewers(seats: int) -> list[int]:
    """Return everyone events are made for: the seats, then the watchers."""
    return [*range(seats), WATCHER]
