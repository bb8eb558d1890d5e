"""A game with other functions or shapes, whichever part of it they belong to."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from qipai.core import Game

PARTS = ("rules", "words", "windows", "device", "terminal", "checks")


def changed(game: Game, **changes: Any) -> Game:
    """Return a copy of `game` in which each named field, of any part, has another value."""
    own = {f.name for f in fields(game)}
    made = {name: value for name, value in changes.items() if name in own}
    for name in PARTS:
        part = getattr(game, name)
        known = {f.name for f in fields(part)}
        given = {key: value for key, value in changes.items() if key in known}
        if given:
            made[name] = replace(part, **given)
    missing = set(changes) - own - {f.name for name in PARTS for f in fields(getattr(game, name))}
    assert not missing, f"no part of a game has {missing}"
    return replace(game, **made)
