"""The terminal's own sentences, from its message files; a game's sentences are in the game's files."""

from __future__ import annotations

from typing import Any

from qipai.core import Messages
from qipai.core.message import people

MESSAGES = Messages.of_package("qipai.terminal")


def say(key: str, lang: str, /, **values: Any) -> str:
    """Return a sentence of the terminal with its values filled in."""
    return MESSAGES.say(key, lang, **values)


def seat_names(seats: int, me: int, lang: str) -> list[str]:
    """Return a name per seat: the viewer is "You", the others follow in play order."""
    names = [say("you", lang), *people(lang)]
    if me < 0:
        return names[1 : seats + 1]
    return [names[(seat - me) % seats] for seat in range(seats)]
