"""`Rival`: a frozen agent that a run learns against, in a form that other processes can use.

`--against` names one that has every lane; the setting `rivals` names some that share the league's lanes.
A net travels as arrays, so that a process on another machine needs no file; any other agent by its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.bots.find import file_of, find_agent
from qipai.bots.net import Encoding
from qipai.bots.net.agent import NAME, weights_path
from qipai.core import Game, agents_of
from qipai.core.errors import BadTraining
from qipai.core.outside import names_code

from .checkpoint import read_net
from .fused import Fused
from .league import Bots, Greedy, Uniform, digest_of
from .rollout import Opponent, Sit, Tables
from .settings import Settings
from .trainer import make_net

RANDOM = "random"
SIZES = ("width", "layers", "channels", "blocks")


@dataclass(frozen=True)
class NetFile:
    """What a file of weights holds: the kind of net, its weights as float32, its columns."""

    net: dict[str, Any]
    arrays: dict[str, NDArray[np.float32]]
    columns: Encoding

    def settings(self, settings: Settings) -> Settings:
        """Return `settings` with the kind and the sizes of this net."""
        sizes = {name: self.net[name] for name in SIZES if name in self.net}
        return replace(settings, net=self.net["kind"], **sizes)


@dataclass(frozen=True)
class Rival:
    """A frozen agent: its name, and its net if it plays by one."""

    name: str
    file: NetFile | None = None

    @property
    def anywhere(self) -> bool:
        """Whether it plays on every device; other agents only play on the CPU."""
        return self.file is not None or self.name == RANDOM

    @property
    def digest(self) -> str:
        """The SHA-256 of its weights, or "" if it has none."""
        return "" if self.file is None else digest_of(self.file.arrays)

    def check(self, device: str) -> None:
        """Raise `BadTraining` if it does not play on this device."""
        if device != "cpu" and not self.anywhere:
            raise BadTraining(f"{self.name} only plays on the CPU: use --device cpu, or nets as opponents")

    def sit(self, tables: Tables, lo: int, hi: int, settings: Settings) -> Opponent:
        """Return the opponent that plays every seat but one in lanes `lo` to `hi`."""
        self.check(tables.device.kind)
        game = tables.game
        if self.file is not None:
            made = make_net(game, self.file.settings(settings), Fused(), self.file.columns)
            made.load(self.file.arrays)
            return Greedy(made.to(tables.device.torch).requires_grad_(False), lo, hi, Fused())
        if self.name == RANDOM:
            return Uniform(game.rules.actions, lo, hi, Fused())
        return Bots(game, find_agent(game, self.name), tables, lo, hi, settings.seed)


def seated(rivals: Iterable[Rival], settings: Settings) -> list[Sit]:
    """Return what seats each of these agents in lanes."""
    return [partial(rival.sit, settings=settings) for rival in rivals]


def find_rival(game: Game, text: str) -> Rival:
    """Return the agent that `text` names; raise `UnknownAgent`, `BadWeights` or `ForeignWeights`."""
    path = net_path(game, text)
    if path is None:
        return Rival(find_agent(game, text).name)
    return Rival(text, NetFile(*read_net(path, game)))


def net_path(game: Game, text: str) -> Path | None:
    """Return the file of weights that an agent plays by, or None if it is not a net."""
    if text == NAME:
        shipped = weights_path(game)
        return shipped if shipped is not None and shipped.exists() else None
    return None if text in agents_of(game) or names_code(text) else file_of(text)
