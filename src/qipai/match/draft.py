"""`Draft`: a compound move that a seat is putting together, before it is made in the match."""

from __future__ import annotations

import secrets
from typing import Any

from qipai.core import Game, State, copy_state
from qipai.core.errors import IllegalAction, short

from .jsonable import is_int


class Draft:
    """The actions that `seat` has picked so far, applied to a world redrawn from what the seat knows.

    Trying out actions reveals nothing that only a real move would show: the true state is only used for
    redrawing, and for the legal actions of a decision that has just begun, which the seat knows anyway.
    `state` is the last state in which the move is incomplete; the result of a complete move is never shown.

    `single` says that one action is the whole move, as it is for an answer in a window.
    """

    def __init__(self, game: Game, state: State, seat: int, single: bool = False) -> None:
        self.game = game
        self.seat = seat
        self.picked: list[int] = []
        self.complete = False
        self._single = single or game.rules.partial is None
        self._given = state
        self._redrawn: State | None = None
        self._legal = game.legal_actions(state) if int(state["seat"]) == seat else []

    @property
    def state(self) -> State:
        """The redrawn world, with the picked actions applied while the move is incomplete."""
        if self._redrawn is None:  # made on first use
            words = [secrets.randbits(32) for _ in range(4)]
            self._redrawn = self.game.redrawn(self._given, self.seat, words)
        return self._redrawn

    @property
    def legal(self) -> list[int]:
        """The actions that may be picked next; none if the move is complete."""
        return [] if self.complete else list(self._legal)

    def ends(self, action: int) -> bool:
        """Return whether this legal action completes the move."""
        return self._single or self._after(action) is None

    def pick(self, *actions: Any) -> None:
        """Add actions to the move; raise `IllegalAction` and add none if one is illegal."""
        before = (self.picked, self.complete, self._redrawn, self._legal)
        self.picked = list(self.picked)
        try:
            for action in actions:
                self._pick(action)
        except IllegalAction:
            self.picked, self.complete, self._redrawn, self._legal = before
            raise

    def _pick(self, action: Any) -> None:
        if self.complete or not is_int(action) or action not in self._legal:
            raise IllegalAction(f"seat {self.seat}: action {short(action)} is not legal here")
        after = None if self._single else self._after(int(action))
        self.picked.append(int(action))
        if after is None:
            self.complete = True
        else:
            self._redrawn, self._legal = after, self.game.legal_actions(after)

    def _after(self, action: int) -> State | None:
        """Return the state after the action, or None if it completes the move."""
        s = copy_state(self.state)
        self.game.rules.apply(s, action)
        return None if self.game.ends_move(s, self.seat) else s
