"""The games by name: ours, and those of other packages (entry points `qipai.games`).

An entry is a `Game`, or a function of options that makes one where an option changes
shapes.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from .errors import BadGame, UnknownGame
from .game import Game

GROUP = "qipai.games"
OURS = {
    "xianqi": "qipai.games.xianqi:GAME",
    "nana": "qipai.games.nana:GAME",
    "wuhan_mahjong": "qipai.games.wuhan_mahjong:GAME",
    "skill_gomoku": "qipai.games.skill_gomoku:game",
    "paipai_rensa": "qipai.games.paipai_rensa:GAME",
}

_added: dict[str, Any] = {}


def names() -> list[str]:
    """The names of all registered games: ours first, then others in order of name."""
    others = sorted({e.name for e in entry_points(group=GROUP)} | set(_added))
    return [*OURS, *(n for n in others if n not in OURS)]


def get(name: str, options: Mapping[str, Any] | None = None) -> Game:
    """The game called `name` (in the shape that `options` ask for)."""
    if not isinstance(name, str):
        raise UnknownGame(f"a game's name is text, not {type(name).__name__}")
    found = _load(name)
    if not isinstance(found, Game) and callable(found):
        found = found(dict(options or {}))
    if not isinstance(found, Game):
        raise BadGame(f"what is registered as {name!r} is not a qipai Game")
    if found.name != name:
        raise BadGame(f"the game registered as {name!r} calls itself {found.name!r}")
    return found


def register(name: str, game: Any) -> None:
    """Register a game in this process (tests, notebooks)."""
    if name in OURS:
        raise BadGame(f"{name!r} is one of qipai's own games")
    _added[name] = game


def _load(name: str) -> Any:
    if name in _added:
        return _added[name]
    if name in OURS:
        module, _, attribute = OURS[name].partition(":")
        return getattr(import_module(module), attribute)
    for entry in entry_points(group=GROUP):
        if entry.name == name:
            return _from_entry(entry)
    raise UnknownGame(f"no game is called {name[:40]!r}; known: {', '.join(names())}")


def _from_entry(entry: EntryPoint) -> Any:
    try:
        return entry.load()
    except Exception as error:  # a broken package must not take the others down
        raise BadGame(f"game {entry.name!r} cannot be loaded: {error}") from error
