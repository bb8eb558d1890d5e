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

from .infer import Net, check_header, load_net
from .weights import read_header

NAME = "net"
FILE = "net.qnet"
PLACE = 1  # for a net whose header names no place

_shipped: WeakKeyDictionary[Game, AgentSpec | None] = WeakKeyDictionary()
_loading = Lock()


class NetAgent:
    """Plays the legal action with the largest logit, using only the observation of its seat."""

    def __init__(self, net: Net) -> None:
        self.net = net

    def act(self, sight: Sight) -> int:
        """Return the action that the net rates highest."""
        return self.net.act(sight.observation(), sight.mask)

    def scores(self, sight: Sight) -> NDArray[np.float32]:
        """Return the logit of every action."""
        return self.net.logits(sight.observation())

    def act_many(
        self, observations: NDArray[np.int8], masks: NDArray[np.uint8], seats: NDArray[np.int8]
    ) -> NDArray[np.int64]:
        """Return the action that the net rates highest in every row."""
        return self.net.act_many(observations, masks)


@dataclass(frozen=True)
class Loaded:
    """Makes agents from a net that has been read; equal for equal files."""

    digest: str
    net: Net = field(compare=False, repr=False)

    def __call__(self, game: Game, words: NDArray[np.uint32]) -> NetAgent:
        """Return an agent; the generator is not needed."""
        return NetAgent(self.net)

    def weights_digest(self, game: Game) -> str:
        """Return the digest of the weights."""
        return self.digest


@dataclass(frozen=True)
class Shipped:
    """Makes agents from the net of a package, which is read when the first one is made."""

    path: Path

    def __call__(self, game: Game, words: NDArray[np.uint32]) -> NetAgent:
        """Return an agent; the generator is not needed."""
        with _loading:
            return NetAgent(_read(self.path, game))

    def weights_digest(self, game: Game) -> str:
        """Return the digest of the weights."""
        with _loading:
            return _read(self.path, game).digest


@lru_cache(maxsize=16)
def _read(path: Path, game: Game) -> Net:
    return load_net(path, game)


def spec_of_file(path: Path, game: Game, name: str) -> AgentSpec:
    """Return the agent of a file under a name; raise `BadWeights` or `ForeignWeights` if it is invalid."""
    net = load_net(path, game)
    return AgentSpec(name, place_of(net.header), Loaded(net.digest, net))


def shipped_agent(game: Game) -> AgentSpec | None:
    """Return the agent `net` of a game, or None if there are no weights for this shape of the game."""
    if game not in _shipped:
        path = weights_path(game)
        spec = None
        if path is not None and path.exists():
            try:
                header = read_header(path)
                check_header(header, game)
                spec = AgentSpec(NAME, place_of(header), Shipped(path), plain=_is_light(header))
            except QipaiError:
                spec = None  # `find_agent` reports the reason when the agent is requested
        _shipped[game] = spec
    return _shipped[game]


def _is_light(header: dict[str, Any]) -> bool:
    """Return whether a net decides in a few hundredths of a second without compiled code."""
    shape = header.get("net")
    return isinstance(shape, dict) and shape.get("kind") == "mlp"


def weights_path(game: Game) -> Path | None:
    """Return the path of the shipped weights of a game: `bots/net.qnet` in its package."""
    place = getattr(sys.modules.get(game.package or ""), "__file__", None)
    return Path(place).parent / "bots" / FILE if place else None


def place_of(header: dict[str, Any]) -> int:
    """Return the place of a net among the agents of its game; older files call it `rank` or `level`."""
    found = next((header[key] for key in ("place", "rank", "level") if key in header), None)
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= 99 else PLACE
