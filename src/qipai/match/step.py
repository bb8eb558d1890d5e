"""One action of a match: the state it met, the state it left, and what each seat may know of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from qipai.core import WATCHER, Event, Game, State, copy_state

from .jsonable import copied
from .opening import Opening


@dataclass(frozen=True, eq=False)
class Step:
    """`before` already carries the action's own generator key; both states are the true records."""

    game: Game
    ply: int  # actions applied before this one
    seat: int
    action: int
    before: State = field(repr=False)
    after: State = field(repr=False)

    @property
    def complete(self) -> bool:
        """Whether this action ends a move (nothing of an unfinished one shows to others)."""
        return int(self.after["seat"]) != self.seat or not self.game.unfinished(self.after)

    def events(self, seat: int) -> list[Event]:
        """What `seat` (-1: a watcher) may know of it, in the game's words."""
        told = self.game.rules.narrate(copy_state(self.before), self.action, seat)
        return [copied(event) for event in told]


def take_step(opening: Opening, s: State, ply: int, action: int) -> Step:
    """Apply a legal `action` to a copy of `s`."""
    before = copy_state(s)
    opening.key(before, ply)
    after = copy_state(before)
    opening.game.rules.apply(after, action)
    return Step(opening.game, ply, int(before["seat"]), action, before, after)


def viewers(seats: int) -> list[int]:
    """Everyone events are made for: the seats and the watchers."""
    return [*range(seats), WATCHER]
