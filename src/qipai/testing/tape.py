"""Deals that a viewer cannot tell apart, found by changing one random number after another.

Dealing again until a viewer is dealt the same hand takes forever in a large game. Here the words of the
generator that made a deal are recorded on a tape. One of them is changed, the cards are dealt from the tape,
and the change is kept if the viewer sees what it saw before. In a shuffle a change moves three cards, so most
changes do not affect what the viewer holds, and after many of them little else is where it was.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.core import Game, State, copy_state, next_word
from qipai.core.rule import plain_function

from .drawer import Worlds
from .run import running

STEPS = 120  # maximum changes tried,
WORDS = 8_000  # and words played in them
KEPT = 6  # deals handed out


class Tape:
    """Replaces `next_word`: plays what is on it, and records what comes after."""

    def __init__(self) -> None:
        self.words: list[int] = []
        self._at = 0
        self._record: Any = plain_function(next_word)

    def rewind(self, words: list[int]) -> None:
        """Start again with these words."""
        self.words = words
        self._at = 0

    def cut(self) -> list[int]:
        """Return the words that were played."""
        return self.words[: self._at]

    def __call__(self, rng: Any) -> np.int64:
        """Return the next word."""
        if self._at == len(self.words):
            self.words.append(int(self._record(rng)))
        self._at += 1
        return np.int64(self.words[self._at - 1])


def deals_like(
    game: Game, blank: State, viewer: int, words: tuple[int, int, int, int]
) -> tuple[State, Worlds]:
    """Return the deal of generator words, and others that show `viewer` the same observation and choice."""
    tape = Tape()
    deal = game.functions("plain", swap={next_word: tape}).deal
    rng = np.random.default_rng(words)

    def dealt(given: list[int]) -> State:
        s = copy_state(blank)
        game.key(s, words)
        tape.rewind(given)
        deal(s)
        return s

    def seen(s: State) -> tuple[bytes, bytes]:
        mask = game.mask(s).tobytes() if int(s["seat"]) == viewer else b""
        return game.observation_of(s, viewer).tobytes(), mask

    first = dealt([])
    now, expected = tape.cut(), seen(first)
    found: list[State] = []
    steps = min(STEPS, WORDS // max(1, len(now))) if running(first) else 0
    for _ in range(steps if now else 0):
        tried = list(now)
        tried[int(rng.integers(len(tried)))] = int(rng.integers(1 << 32))
        s = dealt(tried)
        if running(s) and seen(s) == expected:
            now = tape.cut()
            found.append(s)
    others = np.zeros(min(len(found), KEPT), game.rules.State).view(np.recarray)
    for i in range(len(others)):
        others[i] = found[-1 - i]
    return first, others
