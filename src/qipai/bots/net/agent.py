"""The agent `net`: plays the action that a trained net rates highest.

A game that ships weights has them in `bots/net.qnet` of its package; the agent exists if the file does.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, QipaiError, Sight
from qipai.core.rule import plain_function

from .infer import Net, check_header, load_net
from .weights import read_header

NAME = "net"
FILE = "net.qnet"
LEVEL = 1  # for a net whose header names no level

_shipped: WeakKeyDictionary[Game, AgentSpec | None] = WeakKeyDictionary()
_loading = Lock()


class NetAgent:
    """Plays the legal action with the largest logit, using only the observation of its seat."""

    def __init__(self, net: Net) -> None:
        self.net = net

    def act(self, sight: Sight) -> int:
        """Return the action that the net rates highest."""
        return self.net.act(sight.observation(), sight.mask)


@dataclass(frozen=True)
class Loaded:
    """Makes agents from a net that has been read; equal for equal files."""

    digest: str
    net: Net = field(compare=False, repr=False)

    def __call__(self, game: Game, words: NDArray[np.uint32]) -> NetAgent:
        """Return an agent; the generator is not needed."""
        return NetAgent(self.net)


@dataclass(frozen=True)
class Shipped:
    """Makes agents from the net of a package, which is read when the first one is made."""

    path: Path

    def __call__(self, game: Game, words: NDArray[np.uint32]) -> NetAgent:
        """Return an agent; the generator is not needed."""
        with _loading:
            return NetAgent(_read(self.path, game))


@lru_cache(maxsize=16)
def _read(path: Path, game: Game) -> Net:
    return load_net(path, game)


def spec_of_file(path: Path, game: Game, name: str) -> AgentSpec:
    """Return the agent of a file under a name; raise `BadWeights` or `ForeignWeights` if it is invalid."""
    net = load_net(path, game)
    return AgentSpec(name, level_of(net.header), Loaded(net.digest, net))


def shipped_agent(game: Game) -> AgentSpec | None:
    """Return the agent `net` of a game, or None if there are no weights for this shape of the game."""
    if game not in _shipped:
        path = weights_path(game)
        spec = None
        if path is not None and path.exists():
            try:
                header = read_header(path)
                check_header(header, game)
                spec = AgentSpec(NAME, level_of(header), Shipped(path))
            except QipaiError:
                spec = None  # `find_agent` reports the reason when the agent is requested
        _shipped[game] = spec
    return _shipped[game]


def weights_path(game: Game) -> Path | None:
    """Return the path of the shipped weights of a game: `bots/net.qnet` next to its rules."""
    package = plain_function(game.rules.deal).__module__.rpartition(".")[0]
    place = getattr(sys.modules.get(package), "__file__", None)
    return Path(place).parent / "bots" / FILE if place else None


def level_of(header: dict[str, Any]) -> int:
    """Return the intended strength of a net from its header."""
    level = header.get("level")
    return level if isinstance(level, int) and not isinstance(level, bool) and 0 <= level <= 99 else LEVEL
