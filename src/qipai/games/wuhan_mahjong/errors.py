"""Wuhan mahjong's errors: named errors of qipai that are also `ValueError`s, as the environment promises."""

from __future__ import annotations

from qipai.core.errors import BadLayout, BadOption, BadSeed, IllegalAction


class IllegalMove(IllegalAction, ValueError):
    """An action that is malformed or not legal in this state."""


class BadPosition(BadLayout, ValueError):
    """A deck, a position or a table that is malformed or impossible."""


class BadSetting(BadOption, ValueError):
    """An option of the environment or of a pure function that is unknown or out of range."""


class BadReset(BadSeed, ValueError):
    """A seed that is not a whole number in range."""
