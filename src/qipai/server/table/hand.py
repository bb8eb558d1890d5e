"""The hand that is played at a table, as stored in its rows: the match, its telling and its bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qipai.core import State
from qipai.match import Match, Step, Telling, Window

from ..store.ledger import Move
from .bots import Crew


@dataclass(frozen=True)
class Plan:
    """Moves tried on a copy of the match: checked and applied, but not yet committed."""

    match: Match  # after these moves
    moves: list[Move]
    steps: list[Step]
    closes: Window | None  # the window that these moves close
    missing: dict[int, int]  # by seat: the default answers of seats that sealed none
    payoff: list[int] | None  # if the hand is over for everyone


class Hand:
    """One hand. `match` and `telling` change together, and only when rows are committed."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.telling: Telling = match.telling(windows=True)
        self.crew = Crew(match.game)
        self._closed: set[int] = set()  # plies of windows that are over

    @property
    def window(self) -> Window | None:
        """The window that is open now."""
        return self.telling.window

    @property
    def over(self) -> bool:
        """Whether the hand is over and everyone may know."""
        return self.match.over and self.window is None

    def waiting_for(self) -> list[int]:
        """Return the seats that must decide now. Secret while a window is open."""
        if self.match.over:
            return []
        window = self.window
        return [self.match.seat] if window is None else window.waiting

    def state_for(self, viewer: int) -> State:
        """Return a copy of the state that the viewer's view is made from: the true one, or a window's."""
        window = self.window
        return self.match.state if window is None else window.state_for(viewer)

    # --- moving -----------------------------------------------------------------------

    def plan_move(self, seat: int, actions: Sequence[int]) -> Plan:
        """Try a whole move."""
        match = self.match.copy()
        steps = match.act(seat, actions)
        payoff = match.payoff
        if payoff is not None and self.telling.holds(steps[-1]):
            payoff = None  # that no seat could answer the last action is told when the window closes
        return Plan(match, match.moves[-1:], steps, None, {}, payoff)

    def plan_close(self, window: Window) -> Plan:
        """Pass the sealed answers of the window to the rules, in their order."""
        match = self.match.copy()
        moves: list[Move] = []
        steps: list[Step] = []
        while (answer := window.next_answer(match.state)) is not None:
            seat, action = answer
            steps += match.act(seat, action)
            moves.append((seat, (action,)))
        return Plan(match, moves, steps, window, window.unsealed(), match.payoff)

    def adopt(self, plan: Plan) -> None:
        """Adopt a plan whose rows are committed."""
        self.match = plan.match
        if plan.closes is not None:
            self._closed.add(plan.closes.ply)
        self.telling.tell(plan.steps, self._closed)

    def read(self, moves: list[Move], closed: list[int], answers: list[tuple[int, int, int]]) -> None:
        """Apply rows that another worker (or an earlier process) wrote; an answer is (ply, seat, action)."""
        steps = [step for seat, actions in moves for step in self.match.act(seat, actions)]
        self._closed.update(closed)
        self.telling.tell(steps, self._closed)
        window = self.window
        if window is not None:
            window.restore({seat: action for ply, seat, action in answers if ply == window.ply})
