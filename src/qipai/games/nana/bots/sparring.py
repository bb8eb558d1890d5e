"""NANA's sparring partners: agents for contests that play unlike the bots, and badly.

The bots look for cards that nobody has seen, so a fault that only occurs when nothing new comes up
never occurs among them. `stubborn` repeats itself, `miser` never explores, and `forgetful` is a
scripted beginner. All three decide from the view.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Sight, draw


class Source(NamedTuple):
    """A card that may be turned up: its action, and its number if the seat knows it."""

    slot: str
    action: int
    number: int | None
    is_own: bool
    is_public: bool  # everyone has seen it


def sources(seen: dict[str, Any]) -> list[Source]:
    """Return the cards that may be turned up, in the order of their actions."""
    own = {card["slot"]: int(card["number"]) for card in seen["my_hand"]}
    known = seen["known"]
    return [
        Source(slot, int(actions[0]), own.get(slot, known.get(slot)), slot in own, slot in known)
        for slot, actions in seen["shows"].items()
    ]


def _target(seen: dict[str, Any]) -> int | None:
    """Return the number of the cards that are face up."""
    return int(seen["face_up"][0]["number"]) if seen["face_up"] else None


class Stubborn:
    """Opens every turn with the same card, and fails with its own lowest card.

    It takes cards that it knows to match, so it can finish a trio that others have uncovered.
    """

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        self._words = words
        self._opening = ""

    def act(self, sight: Sight) -> int:
        """Return the opening of every turn, a card that matches, or the first that is legal."""
        seen = sight.view()
        cards = sources(seen)
        target = _target(seen)
        if target is not None:
            return next((c for c in cards if c.number == target), cards[0]).action
        if self._opening not in [c.slot for c in cards]:
            self._opening = cards[int(draw(self._words, len(cards)))].slot
        return next(c for c in cards if c.slot == self._opening).action


class Miser:
    """Collects a trio if it knows all its cards; otherwise only shows what everyone has seen.

    It turns up a card that not everyone has seen only if there is no other, and then its own.
    """

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        pass

    def act(self, sight: Sight) -> int:
        """Return a card of a certain trio, or one that reveals nothing."""
        seen = sight.view()
        cards = sources(seen)
        missing = 3 - len(seen["face_up"])
        target = _target(seen)
        numbers = [c.number for c in cards]
        for card in cards:
            wanted = card.number == target if target else card.number is not None
            if wanted and numbers.count(card.number) >= missing:
                return card.action
        return min(cards, key=lambda c: (not c.is_public, not c.is_own)).action


class Forgetful:
    """Opens with its own lowest card, remembers only the last attempt, and guesses the rest."""

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        self._words = words

    def act(self, sight: Sight) -> int:
        """Return its own lowest card, then a match that it remembers, else any card of the others."""
        seen = sight.view()
        cards = sources(seen)
        target = _target(seen)
        if target is None:
            return cards[0].action
        last = seen["last"]["slots"] if seen["last"] else []
        for card in cards:
            if card.number == target and (card.is_own or card.slot in last):
                return card.action
        guesses = [c for c in cards if not c.is_own] or cards
        return guesses[int(draw(self._words, len(guesses)))].action


SPARRING = (
    AgentSpec(name="stubborn", place=0, make=Stubborn, offered=False),
    AgentSpec(name="miser", place=0, make=Miser, offered=False),
)

# For people: it plays the memory game as they do.
FORGETFUL = AgentSpec(name="forgetful", place=1, make=Forgetful, plain=True)
