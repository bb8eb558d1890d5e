"""`Telling`: what every viewer of a hand has been told, action by action, and the open window."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from qipai.core import WATCHER, Event, State, copy_state
from qipai.core.errors import StaleVersion, short
from qipai.core.parts import no_pause

from .jsonable import is_int
from .keys import commitment
from .opening import Opening
from .step import Step, narrated, viewers
from .window import Window, ask, open_window

LATE = 128  # facts kept for viewers who have not asked; with more, everyone is told


class Kind(Enum):
    """How a fact relates to windows."""

    OUTSIDE = 0  # told at once
    OPENS = 1  # an action that opens a window in which some seat is asked
    PAUSES = 2  # the same without anybody being asked: what follows the opening event is withheld
    ANSWERS = 3  # withheld until the window closes
    CLOSES = 4  # the end of a window, without an action


@dataclass(slots=True)
class Fact:
    """Something to tell. It holds no reference to a window, whose states are freed when it closes."""

    kind: Kind
    before: State | None = None
    action: int = 0
    early: dict[int, list[Event]] = field(default_factory=dict)  # by seat: told when a window opens
    events: list[Event] | None = None  # if all viewers are told the same


@dataclass(slots=True)
class Ear:
    """One viewer: the events it has been told, and how many facts it has heard."""

    events: list[Event]
    heard: int = 0  # number of facts
    withheld: list[Event] = field(default_factory=list)  # until the open window closes
    early: list[Event] = field(default_factory=list)  # told before the answer that causes it


class Telling:
    """The events of one hand, one list per viewer. The version of a viewer is the length of its list.

    `tell` takes the steps that `Match.act` returns; a step is narrated for a viewer on demand.

    With `windows`, the telling pauses after every action that other seats may answer: what follows is
    withheld from everyone until `closed` names the window, whether or not anybody is asked. The seats that
    are asked are told immediately, all at the same time, so that nobody else can notice.
    """

    def __init__(self, opening: Opening, windows: bool = False) -> None:
        self.window: Window | None = None
        self._game = opening.game
        self._seats = opening.seats
        self._windows = windows and self._game.windows.pause is not no_pause
        self._ahead: deque[Step] = deque()  # steps beyond a window that is still open
        self._state = opening.first()  # after the last fact
        self._facts: list[Fact] = []
        self._dropped = 0  # facts before them, which everyone has heard
        self._ears = {viewer: Ear([start_event(opening)]) for viewer in viewers(opening.seats)}
        if (
            self._windows and self._game.windows.sealed(self._state) is not None
        ):  # the layout starts in the middle of a window
            self._begin_inside()

    # --- what a viewer was told -------------------------------------------------------

    def version(self, viewer: int) -> int:
        """Return how many events `viewer` (-1: a watcher) has been told."""
        return len(self._told(viewer))

    def events(self, viewer: int, since: int = 0) -> list[Event]:
        """Return the events after version `since`. They are shared: do not change them."""
        told = self._told(viewer)
        if not is_int(since) or not 0 <= since <= len(told):
            raise StaleVersion(f"seat {viewer} has seen versions 0 to {len(told)}, not {short(since)}")
        return told[since:]

    def check_version(self, viewer: int, version: Any) -> None:
        """Raise `StaleVersion` if `version` is not the current one of `viewer`."""
        now = self.version(viewer)
        if not is_int(version) or version != now:
            raise StaleVersion(f"seat {viewer} is at version {now}, not {short(version)}")

    # --- what happens -----------------------------------------------------------------

    def tell(self, steps: Iterable[Step] = (), closed: Collection[int] = ()) -> None:
        """Add further steps of the match; `closed` has the plies of windows that are over."""
        self._ahead.extend(steps)
        while True:
            window = self.window
            answering = window is not None and self._answering
            if window is not None and window.ply in closed and not answering:
                self._facts.append(Fact(Kind.CLOSES))
                self.window = None
            elif self._ahead and (window is None or answering):
                self._take(self._ahead.popleft())
            else:
                return

    @property
    def _answering(self) -> bool:
        """Whether the rules are waiting for an answer in a window."""
        return self._game.windows.sealed(self._state) is not None

    def holds(self, step: Step) -> bool:
        """Return whether a window opens after `step`, so that what follows is told later."""
        if not self._windows:
            return False
        return self._game.windows.pause(copy_state(step.before), step.action, WATCHER) is not None

    def _take(self, step: Step) -> None:
        fact = Fact(Kind.OUTSIDE, step.before, step.action)
        if self.window is not None:
            fact.kind = Kind.ANSWERS
        elif self._windows:
            window = self.window = open_window(step, self._seats)
            if window is not None:
                fact.kind = Kind.OPENS if window.asked else Kind.PAUSES
                fact.early = window.early
        self._facts.append(fact)
        self._state = step.after
        if len(self._facts) > LATE:
            for viewer in self._ears:
                self._told(viewer)
            self._dropped += len(self._facts)
            self._facts.clear()

    def _begin_inside(self) -> None:
        window = Window(self._game, 0, dict.fromkeys(self._ears, self._state))
        ask(window, self._state)
        for viewer, events in window.early.items():
            ear = self._ears[viewer]
            ear.events += events
            ear.early = list(events)
        self.window = window

    # --- telling one viewer -----------------------------------------------------------

    def _told(self, viewer: int) -> list[Event]:
        ear = self._ears[viewer]
        for fact in self._facts[ear.heard - self._dropped :]:
            self._hear(ear, viewer, fact)
            ear.heard += 1
        return ear.events

    def _hear(self, ear: Ear, viewer: int, fact: Fact) -> None:
        if fact.before is None:
            ear.events += ear.withheld
            ear.withheld, ear.early = [], []
            return
        events = self._narrated(fact, fact.before, viewer)
        if fact.kind is Kind.OUTSIDE:
            ear.events += events
        elif fact.kind is Kind.ANSWERS:
            self._hear_answer(ear, events)
        elif fact.kind is Kind.OPENS:
            ear.early = list(fact.early.get(viewer, []))
            ear.events += events + ear.early
        else:
            cut = 1 + next(i for i, event in enumerate(events) if self._game.windows.held(event))
            ear.events += events[:cut]
            ear.withheld = events[cut:]

    def _narrated(self, fact: Fact, before: State, viewer: int) -> list[Event]:
        if not self._game.rules.public_events:
            return narrated(self._game, before, fact.action, viewer)
        if fact.events is None:
            fact.events = narrated(self._game, before, fact.action, WATCHER)
        return fact.events

    def _hear_answer(self, ear: Ear, events: list[Event]) -> None:
        """Withhold the events of an answer, except those that the viewer was told when asked."""
        for event in events:
            if event in ear.early:
                ear.early.remove(event)
            else:
                ear.withheld.append(event)


def start_event(opening: Opening) -> Event:
    """Return the first event of every viewer: the information that is public from the start."""
    return {
        "event": "start",
        "game": opening.game.name,
        "rules": opening.game.rules.version,
        "seats": opening.seats,
        "options": opening.options(),
        "commitment": commitment(opening.seed),
    }
