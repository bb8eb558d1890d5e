"""From the int8 observation of a game to the columns that a net reads, by the types of its features.

A column reads one entry of the observation. It is *scaled* (the entry times a power of two, so that
the product is exact) or a *range* (1 if the entry is between two values): one value of a category,
"at least k" of a count, one suit of tiles. The columns are stored in the file of a net, so that
the code that plays it does not have to choose them again.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import CATEGORY, FLAG, Feature, Game
from qipai.core.errors import BadWeights, short

SCALED, RANGE = 0, 1  # kinds of columns
HOT = 512  # maximum number of columns for the values of one feature
LEVELS = 4  # a count up to this is also encoded as "at least 1", "at least 2", ...
MOST_VALUES = 40  # a category with more values is encoded by its groups
TOP = 127
NAMES = ("source", "kind", "low", "high", "planes", "flat")

Column = tuple[int, float, float]  # kind, low, high


@dataclass(frozen=True, eq=False)
class Encoding:
    """D columns over an observation of length L, and which of them are boards."""

    source: NDArray[np.int32]  # (D,) entry of the observation
    kind: NDArray[np.uint8]  # (D,) SCALED or RANGE
    low: NDArray[np.float32]  # (D,) the factor, or the lowest value of the range
    high: NDArray[np.float32]  # (D,) 0, or the highest value
    planes: NDArray[np.int32]  # (C, H, W) columns that are boards, by channel; (0, 0, 0) if there are none
    flat: NDArray[np.int32]  # (F,) all other columns

    @classmethod
    def of(cls, game: Game, hot: int = HOT, skip: Collection[str] = ()) -> Encoding:
        """Return the columns of a game, without the features named in `skip`.

        The values of a feature get their own columns if there are at most `hot` of them.
        """
        made = _Columns()
        for feature in game.rules.observation:
            if feature.name not in skip:
                made.add(feature, list(_columns(feature, hot)))
        return made.encoding()

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]], length: int) -> Encoding:
        """Return the encoding stored in a file; raise `BadWeights` unless it fits an observation."""
        missing = [name for name in NAMES if f"enc_{name}" not in arrays]
        if missing:
            raise BadWeights(f"the net has no array enc_{missing[0]}")
        found = cls(*(arrays[f"enc_{name}"] for name in NAMES))
        found.check(length)
        return found

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return the columns as arrays for a file."""
        return {f"enc_{name}": getattr(self, name) for name in NAMES}

    @property
    def size(self) -> int:
        """Number of columns."""
        return len(self.source)

    def check(self, length: int) -> None:
        """Raise `BadWeights` unless every column is valid and reads an entry of `length` entries."""
        kinds = {"source": "i4", "kind": "u1", "low": "f4", "high": "f4", "planes": "i4", "flat": "i4"}
        for name, kind in kinds.items():
            array = getattr(self, name)
            if array.dtype != np.dtype(kind) or array.ndim != (3 if name == "planes" else 1):
                raise BadWeights(f"enc_{name} has the wrong type or shape")
        shapes = {len(getattr(self, name)) for name in NAMES[:4]}
        if len(shapes) != 1 or not self.size:
            raise BadWeights("the columns of the encoding differ in length, or there are none")
        if self.source.min() < 0 or self.source.max() >= length:
            raise BadWeights(f"a column of the encoding reads beyond the {length} entries of an observation")
        scaled = self.kind == SCALED
        powers = 2.0 ** -np.arange(8)
        if not (np.isin(self.low[scaled], powers).all() and (self.high[scaled] == 0).all()):
            raise BadWeights("a factor of the encoding is not a power of two from 1/128 to 1")
        ends = np.concatenate([self.low[~scaled], self.high[~scaled]])
        if self.kind.max() > RANGE or not (np.isin(ends, np.arange(-128, 128))).all():
            raise BadWeights("a range of the encoding does not fit int8")
        used = np.concatenate([self.planes.ravel(), self.flat])
        if sorted(used.tolist()) != list(range(self.size)):
            raise BadWeights("boards and other columns do not cover the encoding exactly")

    def encode(self, observation: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the columns (..., D) of observations (..., L)."""
        entry = observation[..., self.source].astype(np.float32)
        inside = (self.low <= entry) & (entry <= self.high)
        return np.where(self.kind == SCALED, entry * self.low, inside).astype(np.float32)


def cells_of(game: Game) -> NDArray[np.int32]:
    """Return for each action the cell of the board that it names, or -1 (for the head of a convolution)."""
    cells = np.full(game.rules.actions, -1, np.int32)
    first = game.rules.first_cell
    if first is not None:
        count = math.prod(board_shape(game))
        cells[first : first + count] = np.arange(count)
    return cells


def turns_of(game: Game, count: Any) -> list[NDArray[np.int64]]:
    """Return the first `count` symmetries of the board: for each cell (H * W,), the cell that comes to it.

    They are the board as it is, a half turn, two quarter turns, and the mirror images of these four.
    Raise `BadWeights` if the rules of the game do not have so many.
    """
    if type(count) is not int or count not in (1, 2, 4, 8) or count > game.rules.symmetries:
        raise BadWeights(f"{game.name} does not have {short(count)} symmetries of its board")
    shape = board_shape(game)
    board = np.arange(math.prod(shape)).reshape(shape or (1, 1))
    turned = [np.rot90(side, k) for side in (board, board.T) for k in (0, 2, 1, 3)]
    return [np.ascontiguousarray(side).ravel() for side in turned[:count]]


def board_shape(game: Game) -> tuple[int, ...]:
    """Return rows and columns of the board of a game's observation, or nothing if it has no board."""
    return next((f.shape[-2:] for f in game.rules.observation if f.shape), ())


class _Columns:
    """Collects columns."""

    def __init__(self) -> None:
        self.source: list[int] = []
        self.columns: list[Column] = []
        self.planes: list[NDArray[np.int32]] = []
        self.flat: list[int] = []

    def add(self, feature: Feature, columns: list[Column]) -> None:
        """Add the same columns for every entry of a feature."""
        first = len(self.columns)
        for entry in range(feature.length):
            self.source += [feature.start + entry] * len(columns)
            self.columns += columns
        numbers = np.arange(first, len(self.columns), dtype=np.int32)
        if feature.shape and columns:
            height, width = feature.shape[-2:]
            boards = numbers.reshape(-1, height, width, len(columns))
            self.planes += list(boards.transpose(0, 3, 1, 2).reshape(-1, height, width))
        else:
            self.flat += numbers.tolist()

    def encoding(self) -> Encoding:
        """Return the encoding of all columns."""
        kinds, low, high = (np.array(part) for part in zip(*self.columns, strict=True))
        return Encoding(
            source=np.array(self.source, np.int32),
            kind=kinds.astype(np.uint8),
            low=low.astype(np.float32),
            high=high.astype(np.float32),
            planes=np.array(self.planes, np.int32) if self.planes else np.zeros((0, 0, 0), np.int32),
            flat=np.array(self.flat, np.int32),
        )


def _columns(feature: Feature, hot: int) -> Iterator[Column]:
    """Yield the columns of one entry of a feature; none for an entry that is constant."""
    low, high = feature.low, feature.high
    fits = feature.length * (high - low) <= hot
    if low == high:
        return
    if feature.kind == FLAG:
        yield RANGE, 1, 1
    elif feature.kind == CATEGORY and fits and high - low < MOST_VALUES:
        yield from ((RANGE, value, value) for value in range(low + 1, high + 1))
    else:
        yield SCALED, _factor(max(-low, high)), 0
        if feature.kind == CATEGORY:
            yield from ((RANGE, first, last) for first, last in feature.groups)
        elif fits and high - low <= LEVELS:
            yield from ((RANGE, value, TOP) for value in range(low + 1, high + 1))


def _factor(most: int) -> float:
    """Return the largest power of two that scales `most` to at most 1."""
    return float(2.0 ** -int(np.ceil(np.log2(max(most, 1)))))
