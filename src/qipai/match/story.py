"""What each seat has been told: the events of a match, a list for each seat and one for watchers."""

from __future__ import annotations

from collections.abc import Sequence

from qipai.core import Event

from .jsonable import copied
from .keys import commitment
from .opening import Opening
from .step import take_step, viewers


class Story:
    """Narrates the actions of a match when asked: a match nobody listens to costs no words."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._state = opening.first()
        self._told = 0  # actions narrated so far
        self._events: dict[int, list[Event]] = {v: [start_event(opening)] for v in viewers(opening.seats)}

    def catch_up(self, actions: Sequence[int]) -> None:
        """Narrate what of `actions`, all of the match so far, has not been told."""
        for ply in range(self._told, len(actions)):
            step = take_step(self._opening, self._state, ply, actions[ply])
            news = {seat: step.events(seat) for seat in self._events}
            for seat, events in news.items():
                self._events[seat] += events
            self._state = step.after
            self._told = ply + 1

    def version(self, seat: int) -> int:
        """How many events `seat` has been sent."""
        return len(self._events[seat])

    def events(self, seat: int, since: int) -> list[Event]:
        """Copies of the events sent to `seat` after version `since`."""
        return [copied(event) for event in self._events[seat][since:]]


def start_event(opening: Opening) -> Event:
    """The first event of everyone: what is public from the start."""
    return {
        "event": "start",
        "game": opening.game.name,
        "rules": opening.game.rules.version,
        "seats": opening.seats,
        "options": opening.options(),
        "commitment": commitment(opening.seed),
    }
