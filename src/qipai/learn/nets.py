"""The nets: an MLP for flat observations and a residual convolution for boards.

Both take observations as bytes and encode them themselves; `bots/net` computes the same functions without
PyTorch. Shapes: n rows, L bytes of an observation (padded with zeros to a multiple of 16), D encoded
features (likewise to a multiple of 8), A actions. Weights are float32; `dtype` is what matrix products are
computed in. Padding is zero, has no gradient and is never exported.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import conv2d, linear

from qipai.core import Game
from qipai.core.errors import BadTraining

from .fused import Fused
from .settings import Settings

OBS_UNIT, UNIT = 16, 8  # rows are padded to multiples of these, so that they are read in whole words


class Columns(Protocol):
    """How an observation becomes features (`qipai.bots.net.encode.Encoding`)."""

    @property
    def source(self) -> NDArray[np.int32]:
        """The observation's column, (D,)."""

    @property
    def kind(self) -> NDArray[Any]:
        """0 scaled, 1 a range, (D,)."""

    @property
    def low(self) -> NDArray[np.float32]:
        """The factor, or the lowest value of the range, (D,)."""

    @property
    def high(self) -> NDArray[np.float32]:
        """The highest value of the range, (D,)."""


@dataclass(frozen=True)
class Raw:
    """Every byte of the observation times one factor: the input of benchmarks, without ranges."""

    source: NDArray[np.int32]
    kind: NDArray[np.uint8]
    low: NDArray[np.float32]
    high: NDArray[np.float32]

    @classmethod
    def of(cls, game: Game, factor: float = 0.125) -> Raw:
        """Return the columns for a game."""
        size = game.observation_size
        zeros = np.zeros(size, np.float32)
        return cls(np.arange(size, dtype=np.int32), zeros.astype(np.uint8), zeros + np.float32(factor), zeros)


def padded(size: int, unit: int) -> int:
    """Return `size` rounded up to a multiple of `unit`."""
    return -(-size // unit) * unit


class Encoder(nn.Module):
    """Observations (n, L) int8 to features (n, D).

    Factors of scaled features are applied to the weights instead (`factor`): powers of two, so that the
    products are the same.
    """

    source: Tensor
    low: Tensor
    high: Tensor
    hot: Tensor
    factor: Tensor

    def __init__(self, columns: Columns, length: int, fused: Fused | None = None) -> None:
        super().__init__()
        self.encode = (fused or Fused()).wrap(encode)
        size = len(columns.source)
        spare = padded(size, UNIT) - size
        hot = np.asarray(columns.kind) == 1
        self.size = size
        # Scaled features that are the whole observation in order need no gathering.
        self.direct = not hot.any() and np.array_equal(columns.source, np.arange(length))
        self.width = padded(length, OBS_UNIT) if self.direct else size + spare
        fill = (0, self.width - size)
        self.register_buffer("source", torch.as_tensor(np.pad(columns.source, fill).astype(np.int64)))
        self.register_buffer("hot", torch.as_tensor(np.pad(hot, fill, constant_values=True)))
        # Padding is a range without a value.
        low, high = np.where(hot, columns.low, 0), np.where(hot, columns.high, 0)
        self.register_buffer("low", torch.as_tensor(np.pad(low, fill, constant_values=1).astype(np.int8)))
        self.register_buffer("high", torch.as_tensor(np.pad(high, fill, constant_values=0).astype(np.int8)))
        factor = np.where(hot, 1.0, columns.low).astype(np.float32)
        self.register_buffer("factor", torch.as_tensor(np.pad(factor, fill, constant_values=1.0)))

    def forward(self, obs: Tensor, dtype: torch.dtype) -> Tensor:
        """Return features (n, width), scaled ones without their factor."""
        if self.direct:
            return obs.to(dtype)
        found: Tensor = self.encode(obs, self.source, self.low, self.high, self.hot, dtype)
        return found


def encode(obs: Tensor, source: Tensor, low: Tensor, high: Tensor, hot: Tensor, dtype: torch.dtype) -> Tensor:
    """Return features (n, D) of observations (n, L); if `hot`, whether they are from `low` to `high`."""
    found = obs[:, source]
    inside = (found >= low) & (found <= high)
    return torch.where(hot, inside.to(dtype), found.to(dtype))


class Net(nn.Module):
    """The interface of a net in the loop: `forward` gives scores and values, `arrays` what is exported."""

    actions: int
    length: int  # bytes of an observation, without padding
    dtype: torch.dtype

    def forward(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores of actions (n, A) and values (n,) of observations (n, padded L) int8."""
        raise NotImplementedError

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return the weights under the names of the file format, without padding."""
        raise NotImplementedError

    def load(self, arrays: dict[str, NDArray[np.float32]]) -> None:
        """Load weights that `arrays` returned; raise `BadTraining` if a shape differs."""
        raise NotImplementedError

    def _fill(self, target: Tensor, given: NDArray[np.float32] | None, name: str) -> None:
        """Copy an array into the upper left corner of a parameter, zeros elsewhere."""
        if given is None:
            raise BadTraining(f"the weights have no array {name}")
        with torch.no_grad():
            target.zero_()
            corner = target[tuple(slice(0, k) for k in given.shape)] if given.ndim == target.ndim else None
            if corner is None or corner.shape != given.shape:
                raise BadTraining(f"array {name} has the shape {given.shape}")
            corner.copy_(torch.from_numpy(np.array(given)))


class Mlp(Net):
    """relu(LN(W0 x + b0)), then h + relu(LN(Wk h + bk)); scores and value are linear in the last h."""

    def __init__(self, game: Game, columns: Columns, settings: Settings, fused: Fused) -> None:
        super().__init__()
        self.actions, self.length = game.rules.actions, game.observation_size
        self.dtype = torch.bfloat16 if settings.precision == "bf16" else torch.float32
        self.width, self.layers = settings.width, settings.layers
        self.fused = fused
        self.encoder = Encoder(columns, self.length, fused)
        width = self.width
        sizes = [self.encoder.width] + [width] * (self.layers - 1)
        self.weight = nn.ParameterList(
            _random(width, size, fan) for size, fan in zip(sizes, self._fans(), strict=True)
        )
        self.bias = nn.ParameterList(torch.zeros(width) for _ in sizes)
        self.gain = nn.ParameterList(torch.ones(width) for _ in sizes)
        self.shift = nn.ParameterList(torch.zeros(width) for _ in sizes)
        # One matrix for scores and value: A rows, then one, then padding. It starts at 0: a random player.
        self.head = nn.Parameter(torch.zeros(padded(self.actions + 1, UNIT), width))
        self.head_bias = nn.Parameter(torch.zeros(padded(self.actions + 1, UNIT)))

    def _fans(self) -> list[int]:
        """Return how many inputs each layer really has, for the size of its first weights."""
        return [max(16, self.length)] + [self.width] * (self.layers - 1)

    def forward(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores (n, A) and values (n,)."""
        h = self.encoder(obs, self.dtype)
        for k in range(self.layers):
            weight = self.weight[k] * self.encoder.factor if k == 0 else self.weight[k]
            parts = (weight.to(self.dtype), self.bias[k], self.gain[k], self.shift[k])
            h = self.fused.layer(h, *parts, k > 0)
        out = linear(h, self.head.to(self.dtype), self.head_bias.to(self.dtype))
        return out[:, : self.actions], out[:, self.actions]

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return w0, b0, g0, s0 and so on, then wp, bp, wv, bv."""
        found: dict[str, Tensor] = {}
        for k in range(self.layers):
            inputs = self.encoder.size if k == 0 else self.width
            found |= {f"w{k}": self.weight[k][:, :inputs], f"b{k}": self.bias[k]}
            found |= {f"g{k}": self.gain[k], f"s{k}": self.shift[k]}
        last = self.actions
        found |= {"wp": self.head[:last], "bp": self.head_bias[:last]}
        found |= {"wv": self.head[last : last + 1], "bv": self.head_bias[last : last + 1]}
        return {name: _array(value) for name, value in found.items()}

    def load(self, arrays: dict[str, NDArray[np.float32]]) -> None:
        """Load what `arrays` returned."""
        for k in range(self.layers):
            for name, target in (("w", self.weight), ("b", self.bias), ("g", self.gain), ("s", self.shift)):
                self._fill(target[k], arrays.get(f"{name}{k}"), f"{name}{k}")
        for first, name in (("w", "head"), ("b", "head_bias")):
            score, value = arrays.get(f"{first}p"), arrays.get(f"{first}v")
            if score is None or value is None:
                raise BadTraining(f"the weights have no arrays {first}p and {first}v")
            if len(score) != self.actions or len(value) != 1:
                raise BadTraining(f"arrays {first}p and {first}v are not for {self.actions} actions")
            self._fill(getattr(self, name), np.concatenate([score, value]), name)


class Board(Columns, Protocol):
    """Columns of which some are boards."""

    @property
    def planes(self) -> NDArray[np.int32]:
        """Columns that are boards, (C, H, W)."""

    @property
    def flat(self) -> NDArray[np.int32]:
        """All other columns, (F,)."""


class Conv(Net):
    """Residual 3x3 convolutions over the planes; the flat features are added to every cell."""

    planes_at: Tensor
    flat_at: Tensor
    order_at: Tensor

    def __init__(
        self, game: Game, columns: Board, cells: NDArray[np.int32], settings: Settings, fused: Fused
    ) -> None:
        """Make a net in which action a scores cell `cells[a]` of the board, unless that is -1."""
        super().__init__()
        self.actions, self.length = game.rules.actions, game.observation_size
        self.dtype = torch.bfloat16 if settings.precision == "bf16" else torch.float32
        self.encoder = Encoder(columns, self.length, fused)
        if columns.planes.size == 0:
            raise BadTraining(f"{game.name} has no board for a convolution")
        self.shape, self.blocks = columns.planes.shape, settings.blocks
        c, flat, planes = settings.channels, len(columns.flat), len(columns.planes)
        others = np.flatnonzero(cells < 0)
        order = cells.astype(np.int64)
        order[others] = columns.planes[0].size + np.arange(len(others))
        for name, index in (("planes", columns.planes.ravel()), ("flat", columns.flat), ("order", order)):
            self.register_buffer(f"{name}_at", torch.as_tensor(index.astype(np.int64)))
        self.cin = nn.Parameter(_normal((c, planes, 3, 3), 9 * planes))
        self.wf, self.bf = nn.Parameter(_normal((c, flat), 4 * max(1, flat))), nn.Parameter(torch.zeros(c))
        first = [_normal((c, c, 3, 3), 9 * c) for _ in range(self.blocks)]
        self.first, self.first_bias = nn.ParameterList(first), _zeros(self.blocks, c)
        self.second = nn.ParameterList(torch.zeros(c, c, 3, 3) for _ in range(self.blocks))
        self.second_bias = _zeros(self.blocks, c)
        self.cp, self.bp = nn.Parameter(torch.zeros(1, c, 1, 1)), nn.Parameter(torch.zeros(1))
        joint = 2 * c + flat
        self.wo, self.bo = (
            nn.Parameter(torch.zeros(len(others), joint)),
            nn.Parameter(torch.zeros(len(others))),
        )
        self.wv1, self.bv1 = nn.Parameter(_normal((c, joint), joint)), nn.Parameter(torch.zeros(c))
        self.wv2, self.bv2 = nn.Parameter(torch.zeros(1, c)), nn.Parameter(torch.zeros(1))

        self._scores = fused.wrap(self._forward)

    def forward(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        """Return scores (n, A) and values (n,)."""
        scores, value = self._scores(obs)
        return scores, value

    def _forward(self, obs: Tensor) -> tuple[Tensor, Tensor]:
        kind = self.dtype
        x = self.encoder(obs, kind)
        n, factor = len(x), self.encoder.factor.to(kind)
        flat = x[:, self.flat_at] * factor[self.flat_at]  # (n, F)
        board = (x[:, self.planes_at] * factor[self.planes_at]).view(n, *self.shape)
        board = board.contiguous(memory_format=torch.channels_last)  # (n, C, H, W)
        h = conv2d(board, self._conv(self.cin), padding=1)
        h = torch.relu(h + linear(flat, self.wf.to(kind), self.bf.to(kind))[:, :, None, None])
        for a, p, b, q in zip(self.first, self.first_bias, self.second, self.second_bias, strict=True):
            inner = torch.relu(conv2d(h, self._conv(a), p.to(kind), padding=1))
            h = torch.relu(h + conv2d(inner, self._conv(b), q.to(kind), padding=1))
        cells = conv2d(h, self.cp.to(kind), self.bp.to(kind)).flatten(1)  # (n, H * W)
        joint = torch.cat([h.mean((2, 3)), h.amax((2, 3)), flat], 1)
        others = linear(joint, self.wo.to(kind), self.bo.to(kind))
        hidden = torch.relu(linear(joint, self.wv1.to(kind), self.bv1.to(kind)))
        value = linear(hidden, self.wv2.to(kind), self.bv2.to(kind)).squeeze(1)
        return torch.cat([cells, others], 1)[:, self.order_at], value

    def _conv(self, weight: Tensor) -> Tensor:
        return weight.to(self.dtype, memory_format=torch.channels_last)

    def _named(self) -> dict[str, Tensor]:
        found: dict[str, Tensor] = {"cin": self.cin, "wf": self.wf, "bf": self.bf}
        for k in range(self.blocks):
            found |= {f"c{k}a": self.first[k], f"b{k}a": self.first_bias[k]}
            found |= {f"c{k}b": self.second[k], f"b{k}b": self.second_bias[k]}
        for name in ("cp", "bp", "wo", "bo", "wv1", "bv1", "wv2", "bv2"):
            found[name] = getattr(self, name)
        return found

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Return cin, wf, bf, the blocks, then the heads."""
        return {name: _array(value) for name, value in self._named().items()}

    def load(self, arrays: dict[str, NDArray[np.float32]]) -> None:
        """Load what `arrays` returned."""
        for name, target in self._named().items():
            given = arrays.get(name)
            if given is not None and given.shape != tuple(target.shape):
                raise BadTraining(f"array {name} has the shape {given.shape}, not {tuple(target.shape)}")
            self._fill(target, given, name)


class Critic(nn.Module):
    """The value of a decision if every hand is known: an MLP over the observations of all seats.

    It is only used in training, and never exported.
    """

    def __init__(self, net: Net, columns: Columns, seats: int, settings: Settings, fused: Fused) -> None:
        super().__init__()
        self.seats, self.dtype, self.fused, self.layers = seats, net.dtype, fused, settings.layers
        self.encoder = Encoder(columns, net.length, fused)
        sizes = [seats * self.encoder.width] + [settings.width] * (settings.layers - 1)
        fans = [seats * max(16, net.length), *sizes[1:]]
        pairs = zip(sizes, fans, strict=True)
        self.weight = nn.ParameterList(_random(settings.width, size, fan) for size, fan in pairs)
        self.bias = nn.ParameterList(torch.zeros(settings.width) for _ in sizes)
        self.gain = nn.ParameterList(torch.ones(settings.width) for _ in sizes)
        self.shift = nn.ParameterList(torch.zeros(settings.width) for _ in sizes)
        self.head = nn.Parameter(torch.zeros(UNIT, settings.width))  # one row is used

    def forward(self, seen: Tensor) -> Tensor:
        """Return values (n,) of the observations of all seats (n, S, padded L), the seat to move first."""
        n = len(seen)
        h = self.encoder(seen.flatten(0, 1), self.dtype).view(n, -1)
        factor = self.encoder.factor.repeat(self.seats)
        for k in range(self.layers):
            weight = self.weight[k] * factor if k == 0 else self.weight[k]
            parts = (weight.to(self.dtype), self.bias[k], self.gain[k], self.shift[k])
            h = self.fused.layer(h, *parts, k > 0)
        return linear(h, self.head.to(self.dtype))[:, 0]


def flat_weights(module: nn.Module) -> Tensor:
    """Move all parameters of a module into one float32 vector, return it, and make them views of it."""
    parameters = list(module.parameters())
    flat = torch.cat([p.detach().float().flatten() for p in parameters])
    at = 0
    for p in parameters:
        p.data = flat[at : at + p.numel()].view(p.shape)
        at += p.numel()
    return flat


def _random(outputs: int, inputs: int, fan: int) -> Tensor:
    return torch.randn(outputs, inputs) / math.sqrt(fan)


def _normal(shape: Sequence[int], fan: int) -> Tensor:
    return torch.randn(*shape) * math.sqrt(2 / fan)


def _zeros(count: int, size: int) -> nn.ParameterList:
    return nn.ParameterList(torch.zeros(size) for _ in range(count))


def _array(value: Tensor) -> NDArray[np.float32]:
    return np.ascontiguousarray(value.detach().float().cpu().numpy())
