"""What each seat and the watchers have been told of a hand: a pure fold of its actions.

Where a window may open, everything after it is withheld from everyone until it is closed,
whether or not anybody is asked; who is asked is told at once, all at the same time, and
nobody else can notice. `version` counts the events a viewer has been told.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from qipai.core import WATCHER, Event, Game, State, copy_state
from qipai.match import Match, Step


@dataclass
class Window:
    """A pause after an action that others may answer. `asked` maps a seat to the record it decides on."""

    ply: int  # actions applied when it opened
    shown: dict[int, State]  # for those who are not asked
    asked: dict[int, State] = field(default_factory=dict)
    decline: dict[int, int] = field(default_factory=dict)  # by seat
    withheld: dict[int, list[Event]] = field(default_factory=dict)
    early: dict[int, list[Event]] = field(default_factory=dict)  # told before the rules come to it


class Telling:
    """The story of one hand, as its table tells it."""

    def __init__(self, match: Match) -> None:
        self.game: Game = match.game
        self.viewers = [*range(match.seats), WATCHER]
        self.window: Window | None = None
        self._events: dict[int, list[Event]] = {v: match.events(v)[:1] for v in self.viewers}
        self._state = match.at(0)
        self._ply = 0
        if self.game.windows.sealed(self._state) is not None:  # laid out in the middle of a window
            shown = dict.fromkeys(self.viewers, self._state)
            self.window = Window(0, shown, withheld={v: [] for v in self.viewers})
            self._ask(self.window, self._state, self._events)

    def version(self, viewer: int) -> int:
        """How many events the viewer has been told."""
        return len(self._events[viewer])

    def events(self, viewer: int, since: int) -> list[Event]:
        """What the viewer was told after version `since`."""
        return self._events[viewer][since:]

    def holds(self, match: Match) -> bool:
        """Whether a window may open after the last action of `match`."""
        last = match.ply - 1
        if last < 0:
            return False
        step = match.step(match.at(last), last)
        return self.game.windows.pause(copy_state(step.before), step.action, WATCHER) is not None

    def catch_up(self, match: Match, closed: Collection[int]) -> None:
        """Tell what `match` has beyond the last call; `closed` holds the plies of windows that are over."""
        while True:
            window = self.window
            answers = self.game.windows.sealed(self._state) is not None
            if window is not None and window.ply in closed and not answers:
                self._close(window)
            elif self._ply < match.ply and (window is None or answers):
                step = match.step(self._state, self._ply)
                self._feed(step)
                self._state = step.after
                self._ply += 1
            else:
                return

    def _feed(self, step: Step) -> None:
        told = {v: step.events(v) for v in self.viewers}
        if self.window is not None:  # an answer: told when the window closes
            for viewer, events in told.items():
                early = self.window.early.get(viewer, [])
                for event in events:
                    if event in early:
                        early.remove(event)
                    else:
                        self.window.withheld[viewer].append(event)
            return
        self.window = self._open(step, told)
        for viewer, events in told.items():
            self._events[viewer] += events

    def _close(self, window: Window) -> None:
        for viewer, events in window.withheld.items():
            self._events[viewer] += events
        self.window = None

    def _open(self, step: Step, told: dict[int, list[Event]]) -> Window | None:
        """The window after a step, if one may open; `told` keeps what is told at once."""
        shown: dict[int, State] = {}
        for viewer in self.viewers:
            record = self.game.windows.pause(copy_state(step.before), step.action, viewer)
            if record is None:
                return None
            shown[viewer] = record
        window = Window(step.ply + 1, shown, withheld={v: [] for v in self.viewers})
        self._ask(window, step.after, told)
        if not window.asked:
            for viewer, events in told.items():
                cut = 1 + next(i for i, event in enumerate(events) if self.game.windows.held(event))
                window.withheld[viewer] = events[cut:]
                del events[cut:]
        return window

    def _ask(self, window: Window, after: State, told: dict[int, list[Event]]) -> None:
        """Find all who are asked, by letting everyone decline on a copy."""
        s = copy_state(after)
        while (decline := self.game.windows.sealed(s)) is not None:
            seat = int(s["seat"])
            window.asked[seat] = copy_state(s)
            window.decline[seat] = decline
            before = copy_state(s)
            self.game.rules.apply(s, decline)
            following = int(s["seat"])
            if self.game.windows.sealed(s) is not None and following not in window.asked:
                early = self.game.rules.narrate(before, decline, following)
                window.early[following] = list(early)
                told[following] += early
