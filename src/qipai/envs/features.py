"""Spaces of observations, exact by the types of a game's features, and other forms of the same bytes.

`raw` is what `observe` writes. `onehot` gives every value of a category an entry of its own. `planes` makes
images: boards first, one plane per value of a category, then one constant plane for each other entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import CATEGORY, Feature, Game
from qipai.core.errors import BadOption, short

FORMS = ("raw", "onehot", "planes")
AS_IS = 1000  # in place of a value: the entry itself


@dataclass(frozen=True, eq=False)
class Form:
    """Entries of an observation, each as it is, or 1 where it has a certain value.

    source  int64, the shape of an observation in this form: which entry
    value   int16, the same shape: which value, or AS_IS
    low, high   int8, the same shape: the exact range, of at least two values
    """

    source: NDArray[np.int64]
    value: NDArray[np.int16]
    low: NDArray[np.int8]
    high: NDArray[np.int8]
    raw: bool

    @classmethod
    def of(cls, game: Game, form: Any) -> Form:
        """Return a form by name; raise `BadOption` if there is none, or if the game has no boards."""
        if form not in FORMS:
            raise BadOption(f"features must be one of {', '.join(FORMS)}, not {short(form)}")
        features = game.rules.observation
        if form == "planes":
            return cls._planes(game, features)
        columns: list[tuple[int, int, int, int]] = []
        for feature in features:
            split = form == "onehot" and feature.kind == CATEGORY
            for entry in range(feature.start, feature.start + feature.length):
                columns += _values(feature, entry) if split else [_as_is(feature, entry)]
        return cls._made(np.array(columns, np.int64).T, form == "raw")

    @classmethod
    def _planes(cls, game: Game, features: tuple[Feature, ...]) -> Form:
        boards = [feature for feature in features if feature.shape]
        if not boards:
            raise BadOption(f"{game.name} has no board, so its observation has no planes")
        height, width = boards[0].shape[-2:]
        planes: list[NDArray[np.int64]] = []  # (4, height, width) each
        for feature in boards:
            cells = np.arange(feature.start, feature.start + feature.length).reshape(-1, height, width)
            kinds = _values(feature, 0) if feature.kind == CATEGORY else [_as_is(feature, 0)]
            for board in cells:
                for _, *rest in kinds:
                    planes.append(np.stack([board, *(np.full_like(board, number) for number in rest)]))
        for feature in features:
            if not feature.shape:
                for entry in range(feature.start, feature.start + feature.length):
                    column = np.array(_as_is(feature, entry)).reshape(4, 1, 1)
                    planes.append(np.broadcast_to(column, (4, height, width)))
        return cls._made(np.stack(planes, axis=1), False)

    @classmethod
    def _made(cls, columns: NDArray[np.int64], raw: bool) -> Form:
        source, value, low, high = columns
        high = np.maximum(high, low + 1)  # an entry that is always the same: Gymnasium warns of empty ranges
        return cls(source, value.astype(np.int16), low.astype(np.int8), high.astype(np.int8), raw)

    def encode(self, observation: NDArray[np.int8]) -> NDArray[np.int8]:
        """Return observations (..., L) in this form, as a copy."""
        if self.raw:
            return observation.copy()
        entry = observation[..., self.source]
        return np.where(self.value == AS_IS, entry, entry == self.value).astype(np.int8)


def _as_is(feature: Feature, entry: int) -> tuple[int, int, int, int]:
    return entry, AS_IS, feature.low, feature.high


def _values(feature: Feature, entry: int) -> list[tuple[int, int, int, int]]:
    return [(entry, value, 0, 1) for value in range(feature.low, feature.high + 1)]
