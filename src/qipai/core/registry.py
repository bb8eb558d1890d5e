"""The games by name: built-in ones, those of other packages (entry points `qipai.games`), and single files.

`QIPAI_GAMES` lists Python files, separated as in PATH. A file `my_game.py` holds the game `my_game` in its
variable `GAME`; every process that inherits the environment finds it.

An entry is a `Game`, or a function that makes one from options if an option changes
shapes. A pickled game refers to its entry here, or to a module's variable that holds it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from .errors import BadGame, BadPickle, UnknownGame
from .files import import_file
from .game import Game
from .parts import COMPILED
from .rule import plain_function

GROUP = "qipai.games"
FILES = "QIPAI_GAMES"  # in the environment
OURS = {
    "xianqi": "qipai.games.xianqi:GAME",
    "nana": "qipai.games.nana:GAME",
    "wuhan_mahjong": "qipai.games.wuhan_mahjong:GAME",
    "skill_gomoku": "qipai.games.skill_gomoku:game",
    "paipai_rensa": "qipai.games.paipai_rensa:GAME",
}

REFERENCE = {  # found by name and listed nowhere: to check search and learning against exact values
    "kuhn_poker": "qipai.games.reference.kuhn:GAME",
    "leduc_poker": "qipai.games.reference.leduc:GAME",
    "xianqi_endgame": "qipai.games.xianqi.endgame:GAME",
}

_added: dict[str, Any] = {}
# games made by a function, with the options they were made from
_made: WeakKeyDictionary[Game, dict[str, Any]] = WeakKeyDictionary()


def names() -> list[str]:
    """Return the names of all registered games: built-in ones first, then others alphabetically."""
    others = sorted({e.name for e in entry_points(group=GROUP)} | set(_added) | set(_files()))
    return [*OURS, *(n for n in others if n not in OURS)]


def get(name: str, options: Mapping[str, Any] | None = None) -> Game:
    """Return the game called `name` (in the shape that `options` require)."""
    if not isinstance(name, str):
        raise UnknownGame(f"a game's name must be a string, not {type(name).__name__}")
    found = _load(name)
    made = callable(found) and not isinstance(found, Game)
    if made:
        found = found(dict(options or {}))
    if not isinstance(found, Game):
        raise BadGame(f"the object registered as {name!r} is not a qipai Game")
    if found.name != name:
        raise BadGame(f"the game registered as {name!r} calls itself {found.name!r}")
    if made:
        _made[found] = dict(options or {})
    return found


def register(name: str, game: Any) -> None:
    """Register a game in this process (for tests and notebooks)."""
    if name in OURS:
        raise BadGame(f"{name!r} is a built-in game of qipai")
    _added[name] = game


def named_or_file(game: str) -> str:
    """Return the name of a game given by name or as a Python file; a file is added to `QIPAI_GAMES`."""
    if not game.endswith(".py"):
        return game
    path = Path(game).resolve()
    if not path.is_file():
        raise UnknownGame(f"there is no file {game[:200]!r}")
    if path.stem in OURS or not path.stem.isidentifier():
        raise BadGame(f"a file with a game has the game's name, which cannot be {path.stem[:40]!r}")
    listed = os.environ.get(FILES, "").split(os.pathsep)
    os.environ[FILES] = os.pathsep.join([str(path), *(one for one in listed if one and one != str(path))])
    return path.stem


def _files() -> dict[str, Path]:
    """Return the files of `QIPAI_GAMES` by the names of their games; the first of a name counts."""
    listed = [Path(one) for one in os.environ.get(FILES, "").split(os.pathsep) if one.endswith(".py")]
    return {path.stem: path for path in reversed(listed) if path.stem.isidentifier()}


def _load(name: str) -> Any:
    if name in _added:
        return _added[name]
    if name in OURS:
        return _place(OURS[name])
    files = _files()
    if name in files:
        return _from_file(name, files[name].resolve())
    for entry in entry_points(group=GROUP):
        if entry.name == name:
            return _from_entry(entry)
    if name in REFERENCE:
        return _place(REFERENCE[name])
    raise UnknownGame(f"there is no game {name[:40]!r}; known: {', '.join(names())}")


def _place(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


def _from_entry(entry: EntryPoint) -> Any:
    try:
        return entry.load()
    except Exception as error:  # a broken package must not disable the others
        raise BadGame(f"game {entry.name!r} cannot be loaded: {error}") from error


def _from_file(name: str, path: Path) -> Any:
    """Return the variable `GAME` of a file, which is imported once, under the file's name."""
    module = sys.modules.get(name)
    if module is None or getattr(module, "__file__", None) != str(path):
        try:
            module = _import_once(name, path)
        except BadGame:
            raise
        except Exception as error:
            raise BadGame(f"{path.name} cannot be loaded: {type(error).__name__}: {error}") from error
    if not hasattr(module, "GAME"):
        raise BadGame(f"{path.name} has no variable GAME")
    return module.GAME


def _import_once(name: str, path: Path) -> Any:
    known = sys.modules.get(name)
    origin = getattr(known or find_spec(name), "__file__" if known else "origin", None)
    if (known or origin) and (origin is None or Path(origin).resolve() != path):
        raise BadGame(f"a module called {name} exists already; give {path.name} another name")
    return import_file(name, path)


# --- games in a pickle ----------------------------------------------------------------


Reference = tuple[Callable[..., Game], tuple[Any, ...]]


def reference(game: Game) -> Reference:
    """Return how another process finds `game`, in the form that `__reduce__` returns."""
    named = _by_name(game)
    if named is None or game.name in _added:  # registered in this process only
        named = _by_variable(game) or named
    if named is None:
        raise BadPickle(
            f"{game.name} cannot be pickled: it is not registered, and no module of its"
            " rules has a variable that holds it"
        )
    return named


def _by_name(game: Game) -> Reference | None:
    """Return the reference to a registered game, or None."""
    for options in ({}, {o.name: o.show(o.default) for o in game.rules.options}):
        if _gives(game, options):
            return _named, (game.name, options, _versions(game))
    if game in _made:
        return _named, (game.name, _made[game], _versions(game))
    return None


def _by_variable(game: Game) -> Reference | None:
    """Return the reference to a game held by a module of its rules, or by a package that contains it."""
    for module in _modules_of(game):
        for attribute, value in list(vars(module).items()):
            if value is game:
                return _held, (module.__name__, attribute, _versions(game))
    return None


def _gives(game: Game, options: Mapping[str, Any]) -> bool:
    """Return whether the registry returns this same object for these options."""
    try:
        found = _load(game.name)
        return (found if isinstance(found, Game) else found(dict(options))) is game
    except Exception:  # not registered, or the factory of another package rejects the options
        return False


def _modules_of(game: Game) -> Iterator[Any]:
    """Yield the loaded modules of a game's rules, and the packages that contain them."""
    names: dict[str, None] = {}
    for rule in COMPILED:
        function = getattr(game.rules, rule)
        name = "" if function is None else plain_function(function).__module__
        while name:
            names[name] = None
            name = name.rpartition(".")[0]
    return (sys.modules[name] for name in names if name in sys.modules)


def _named(name: str, options: Mapping[str, Any], versions: tuple[int, int]) -> Game:
    """Return the registered game that was pickled."""
    return _same_versions(get(name, options), versions)


def _held(module: str, attribute: str, versions: tuple[int, int]) -> Game:
    """Return the game that was pickled as a variable of a module."""
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise BadPickle(f"the pickled game {module}.{attribute} cannot be imported: {error}") from error
    if not isinstance(found, Game):
        raise BadPickle(f"{module}.{attribute} is not a qipai Game")
    return _same_versions(found, versions)


def _versions(game: Game) -> tuple[int, int]:
    """Return the versions that must not have changed since pickling: rules and observation."""
    return game.rules.version, game.rules.observation_version


def _same_versions(game: Game, versions: tuple[int, int]) -> Game:
    both = (versions, _versions(game))
    if both[0] != both[1]:
        was, now = (f"{rules} of its rules and {seen} of its observation" for rules, seen in both)
        raise BadPickle(f"{game.name} was pickled with version {was}; here they are {now}")
    return game
