"""The openings that a bot has tried in vain, so that it never repeats a turn that taught it nothing."""

from __future__ import annotations

from .decision import REVEAL_PUBLIC, BotDecision
from .memory import BotMemory, slots_of


class Openings:
    """The cards that one bot has opened its turns with since it last learned something."""

    def __init__(self) -> None:
        self._memory: BotMemory | None = None  # as it was when these turns started
        self._turns: dict[str, int] = {}  # by card, oldest first: the last turn that it opened

    def failed(self, memory: BotMemory, turn: int) -> list[str]:
        """Return the openings of other turns since `memory` last changed, oldest first."""
        if memory != self._memory:
            self._memory = memory
            self._turns = {}
        return [card for card, when in self._turns.items() if when != turn]

    def note(self, turn: int, decision: BotDecision) -> None:
        """Record the opening of `turn`, decided with the memory last passed to `failed`."""
        assert self._memory is not None
        card = decision.card_id
        if decision.action != REVEAL_PUBLIC:
            hand = slots_of(self._memory, str(decision.player_id))
            card = hand[0 if decision.min_max == "min" else -1].card_id
        self._turns.pop(str(card), None)
        self._turns[str(card)] = turn
