"""Agents from outside: the variable of a Python file, and entry points of other packages.

`file.py:SPEC` names an `AgentSpec` in a file. A package offers agents with entry points of the group
`qipai.agents`: an `AgentSpec`, or a function that takes a game and returns the agents that play it.

Both run code that the person at this machine chose. Neither is ever read from a network.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .agent import Agent, AgentSpec
from .errors import BadAgent, QipaiError, UnknownAgent, short
from .files import import_file
from .game import Game

GROUP = "qipai.agents"
FILE = re.compile(r"(?P<path>.*\.py)(?::(?P<name>.*))?", re.DOTALL)


@dataclass(frozen=True)
class Loading:
    """Makes agents of a file's `AgentSpec`; equal for equal files, and understood by other processes.

    Unpickling it imports the file, so that objects of the file's classes that follow can be unpickled too.
    """

    path: str
    name: str
    digest: str

    def __call__(self, game: Game, words: NDArray[np.uint32]) -> Agent:
        """Return a new agent."""
        return _read(self.path, self.name, self.digest).make(game, words)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what names the agent."""
        return _loading, (self.path, self.name, self.digest)


def _loading(path: str, name: str, digest: str) -> Loading:
    """Return an unpickled `Loading` after importing its file."""
    _read(path, name, digest)
    return Loading(path, name, digest)


def names_code(text: str) -> bool:
    """Return whether `text` has the form FILE.py or FILE.py:SPEC."""
    return FILE.fullmatch(text) is not None


def agent_of_code(text: str) -> AgentSpec:
    """Return the agent that FILE.py:SPEC names, under its own name.

    Raise `UnknownAgent` if there is no such file or variable, and `BadAgent` if the file cannot be imported
    or the variable is not an agent.
    """
    found = FILE.fullmatch(text)
    assert found is not None
    if not found["name"]:
        raise BadAgent(f"name the variable that holds the agent: {short(text.rstrip(':'))}:SPEC")
    try:
        path = Path(found["path"]).resolve()
        digest = _digest(path)
    except (OSError, ValueError) as error:
        raise UnknownAgent(f"there is no file {short(found['path'])}") from error
    spec = _read(str(path), found["name"], digest)
    return replace(spec, make=Loading(str(path), found["name"], digest))


@lru_cache(maxsize=64)
def _read(path: str, name: str, digest: str) -> AgentSpec:
    module = _imported(Path(path), digest)
    if not hasattr(module, name):
        raise UnknownAgent(f"{Path(path).name} has no variable {short(name)}")
    return _checked(getattr(module, name), f"{Path(path).name}:{short(name)}")


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()[:16]


def _imported(path: Path, digest: str) -> Any:
    """Return the module of a file, imported once for each path and content, under a name of its own.

    Raise `BadAgent` if the file no longer has the content of this digest.
    """
    own = sha256(f"{path}\0{digest}".encode("utf-8", "surrogateescape")).hexdigest()[:16]
    name = f"qipai_agent_{own}_{re.sub(r'[^A-Za-z0-9]', '_', path.stem)}"
    if name in sys.modules:
        return sys.modules[name]
    try:
        found = _digest(path)
    except OSError as error:
        raise BadAgent(f"{path.name} cannot be read: {type(error).__name__}") from error
    if found != digest:
        raise BadAgent(f"{path.name} has changed since it was named")
    try:
        return import_file(name, path)
    except (Exception, SystemExit) as error:
        raise BadAgent(f"{path.name} cannot be imported: {type(error).__name__}: {error}") from error


def _checked(found: object, where: str) -> AgentSpec:
    """Return what a variable or an entry point holds, if it is an agent."""
    if not isinstance(found, AgentSpec):
        raise BadAgent(f"{where} is not an AgentSpec but {short(type(found).__name__)}")
    if not isinstance(found.name, str) or not found.name or not callable(found.make):
        raise BadAgent(f"{where} is an AgentSpec without a name or a function `make`")
    if isinstance(found.place, bool) or not isinstance(found.place, int):
        raise BadAgent(f"{where}: its place must be a whole number, not {short(found.place)}")
    if not isinstance(found.games, tuple) or not all(isinstance(name, str) for name in found.games):
        raise BadAgent(f"{where}: its games must be a tuple of names, not {short(found.games)}")
    return found


# --- entry points ---------------------------------------------------------------------


def entry_agents(game: Game) -> list[AgentSpec]:
    """Return the agents of other packages that play `game`; those that cannot be loaded are left out."""
    return [spec for found, _ in _entries(game) for spec in found]


def broken_entries(game: Game) -> dict[str, str]:
    """Return the entry points that cannot be loaded for `game`, by name, and why."""
    return {name: why for _, broken in _entries(game) for name, why in broken.items()}


def _entries(game: Game) -> list[tuple[list[AgentSpec], dict[str, str]]]:
    found: list[tuple[list[AgentSpec], dict[str, str]]] = []
    for entry in _listed():
        try:
            found.append((_agents_of_entry(entry, game), {}))
        except QipaiError as error:
            found.append(([], {entry.name: str(error)}))
    return found


@lru_cache(maxsize=1)
def _listed() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


@lru_cache(maxsize=256)
def _loaded(entry: EntryPoint) -> Any:
    try:
        return entry.load()
    except (Exception, SystemExit) as error:
        return BadAgent(f"entry point {entry.name} cannot be loaded: {type(error).__name__}: {error}")


def _agents_of_entry(entry: EntryPoint, game: Game) -> list[AgentSpec]:
    """Return the agents of an entry point that play `game`; raise `BadAgent` if it offers none properly."""
    found = _loaded(entry)
    where = f"entry point {entry.name}"
    if isinstance(found, BadAgent):
        raise found
    if callable(found) and not isinstance(found, AgentSpec):
        try:
            found = found(game)
            if not isinstance(found, Iterable):
                raise BadAgent(f"{where} must return a list of agents, not {short(type(found).__name__)}")
            listed = list(found)
        except QipaiError:
            raise
        except (Exception, SystemExit) as error:
            raise BadAgent(f"{where} raises {type(error).__name__}: {error}") from error
    else:
        listed = [found]
    return [spec for spec in (_checked(one, where) for one in listed) if spec.plays(game)]
