"""A window: the pause after an action that other seats may answer, and the sealed answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from qipai.core import Event, Game, State, copy_state
from qipai.core.errors import IllegalAction, NotYourTurn

from .jsonable import is_int
from .step import Step, narrated, viewers


@dataclass(eq=False)
class Window:
    """The seats that are asked after an action, what everyone else is shown meanwhile, and the answers.

    `asked` maps a seat to the state it decides on. Which seats are asked, and which have answered, is secret
    while the window is open.
    """

    game: Game
    ply: int  # actions applied when it opened
    shown: dict[int, State]  # by viewer, for viewers who are not asked
    asked: dict[int, State] = field(default_factory=dict)
    decline: dict[int, int] = field(default_factory=dict)  # by seat
    early: dict[int, list[Event]] = field(default_factory=dict)  # told before the rules reach it
    answers: dict[int, int] = field(default_factory=dict)  # by seat
    sealed: set[int] = field(default_factory=set)  # seats whose answer is stored and final

    @property
    def waiting(self) -> list[int]:
        """The seats that are asked and have not answered."""
        return [seat for seat in self.asked if seat not in self.answers]

    def state_for(self, viewer: int) -> State:
        """Return a copy of the state that `viewer`'s view is made from while the window is open."""
        asked = viewer in self.asked and viewer not in self.answers
        return copy_state(self.asked[viewer] if asked else self.shown[viewer])

    def check(self, seat: int, actions: Sequence[int]) -> int:
        """Return the one action with which `seat` answers; raise if it is not asked or not legal."""
        if seat not in self.waiting:
            raise NotYourTurn(f"it is not seat {seat}'s turn")
        legal = self.game.legal_actions(self.asked[seat])
        if len(actions) != 1 or not is_int(actions[0]) or actions[0] not in legal:
            raise IllegalAction(f"seat {seat}: this answer is not legal here")
        return int(actions[0])

    def seal(self, seat: int, action: int) -> None:
        """Store the answer of a seat."""
        self.answers[seat] = action
        self.sealed.add(seat)

    def restore(self, stored: Mapping[int, int]) -> None:
        """Replace the stored answers with exactly these."""
        self.answers = dict(stored)
        self.sealed = set(stored)

    def unsealed(self) -> dict[int, int]:
        """Return the answer of each asked seat that has none stored; by default it declines."""
        return {k: self.answers.get(k, self.decline[k]) for k in self.asked if k not in self.sealed}

    def next_answer(self, s: State) -> tuple[int, int] | None:
        """Return the seat and action that the rules take next from state `s`, or None after the last.

        An answer that an earlier one has made impossible becomes a decline.
        """
        decline = self.game.windows.sealed(s)
        if decline is None:
            return None
        seat = int(s["seat"])
        action = self.answers.get(seat, decline)
        return seat, action if action in self.game.legal_actions(s) else decline


def open_window(step: Step, seats: int) -> Window | None:
    """Return the window after `step`, or None if no window can open there."""
    shown: dict[int, State] = {}
    for viewer in viewers(seats):
        state = step.game.windows.pause(copy_state(step.before), step.action, viewer)
        if state is None:
            return None
        shown[viewer] = state
    window = Window(step.game, step.ply + 1, shown)
    ask(window, step.after)
    return window


def ask(window: Window, s: State) -> None:
    """Find every seat that is asked, by letting each one decline on a copy of `s`."""
    game, s = window.game, copy_state(s)
    while (decline := game.windows.sealed(s)) is not None:
        seat = int(s["seat"])
        window.asked[seat] = copy_state(s)
        window.decline[seat] = decline
        before = copy_state(s)
        game.rules.apply(s, decline)
        following = int(s["seat"])
        if game.windows.sealed(s) is not None and following not in window.asked:
            window.early[following] = narrated(game, before, decline, following)
