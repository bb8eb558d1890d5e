"""A net as the search needs it: an mlp in one array of int64, with the scratch of one thread at its end.

Weights and activations are narrower than in the file, so that sums fit 32 bits (`search/guide.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.search import guide

from .encode import SCALED
from .infer import Net
from .shapes import EXPONENT, HEAD_BITS, NORM_BITS, UNIT_BITS

STEPS = 10 << guide.STEP_BITS  # of the table: an action further behind has the weight of the last one
TOP = 1 << 16  # weight of the best action
SUM_MOST = (1 << 31) - 1  # the largest sum of products
UNIT_SCALE = 1 << 10

Words = NDArray[np.int64]


def fits(shape: Mapping[str, Any]) -> bool:
    """Return whether a net of this shape can be packed: an mlp of even width."""
    width = shape.get("width")
    return shape.get("kind") == "mlp" and isinstance(width, int) and width % 2 == 0


def bits_for(inputs: int, largest: int, most: int) -> int:
    """Return the bits of a weight, with the sign, so that no sum of products leaves 32 bits."""
    return min(most, (SUM_MOST // (inputs * largest)).bit_length())


def packed(net: Net, unit: float = 1.0, heat: float = 0.0, floor: float = 0.0) -> Words:
    """Return a net and its scratch; `unit` is the payoff of a value of 1, `heat` the temperature of a draw.

    With heat 0 the net takes its best action; the prior is then that of temperature 1. An action less likely
    than `floor` times the best one has no prior.
    """
    width, layers = net.shape["width"], net.shape["layers"]
    outputs = net.actions + 1
    reals: list[NDArray[np.float64]] = []
    first_bits = bits_for(net.encoding.size, 1 << guide.INPUT_BITS, guide.FIRST_BITS)
    bits = bits_for(width, guide.UNIT_MOST, guide.WEIGHT_BITS)
    first, factor = _narrow(net, "w0", first_bits)
    reals += _reals(net, 0, factor * 2.0**-guide.INPUT_BITS)
    hidden = []
    for k in range(1, layers):
        matrix, factor = _narrow(net, f"w{k}", bits)
        hidden.append(matrix)
        reals += _reals(net, k, factor * 2.0**-guide.UNIT_BITS)
    heads = [_narrow(net, name, bits) for name in ("wp", "wv")]
    one = 2.0**guide.RESULT_BITS
    reals.append(np.concatenate([f for _, f in heads]) * one * 2.0**-guide.UNIT_BITS)
    reals.append(np.concatenate([net.arrays["bp"], net.arrays["bv"]]) * one * 2.0**-HEAD_BITS)
    parts: dict[int, NDArray[Any]] = {
        guide.READERS: _readers(net),
        guide.FIRST: np.ascontiguousarray(first.T),
        guide.HIDDEN: np.array(hidden, np.int16),
        guide.HEAD: np.concatenate([m for m, _ in heads]),
        guide.REALS: np.concatenate(reals).astype(np.float32),
        guide.TABLE: _table(heat),
        guide.SEEN: np.zeros(net.length, np.int8),
        guide.ACTIVE: np.zeros(2 * (net.encoding.size + 1), np.int32),
        guide.SUMS: np.zeros(max(width, outputs), np.int32),
        guide.UNITS: np.zeros(width, np.int16),
        guide.RESULT: np.zeros(outputs, np.int32),
    }
    sizes = {
        guide.COLUMNS: net.encoding.size,
        guide.WIDTH: width,
        guide.LAYERS: layers,
        guide.OUTPUTS: outputs,
        guide.LENGTH: net.length,
        guide.HEAT: int(heat > 0),
        guide.UNIT: round(unit * UNIT_SCALE),
        guide.FLOOR: round(floor * TOP),
    }
    return _joined(sizes, parts)


def _joined(sizes: dict[int, int], parts: dict[int, NDArray[Any]]) -> Words:
    """Return one array: the sizes, where each part begins, and the parts."""
    head = np.zeros(guide.HEADER, np.int64)
    for name, size in sizes.items():
        head[name] = size
    pieces = [head]
    at = len(head)
    for name, part in parts.items():
        head[name] = at
        raw = part.tobytes()
        pieces.append(np.frombuffer(raw.ljust(-(-len(raw) // 8) * 8, b"\0"), np.int64))
        at += len(pieces[-1])
    return np.concatenate(pieces)


def _narrow(net: Net, name: str, bits: int) -> tuple[NDArray[np.int16], NDArray[np.float64]]:
    """Return the rows of a matrix with fewer bits, and the factor of each row."""
    rows = net.arrays[name].astype(np.float64)
    most = (1 << (bits - 1)) - 1
    top = np.abs(rows).max(axis=1, initial=1.0)
    down = np.maximum(np.ceil(np.log2(top / most)), 0.0)
    narrow = np.clip(np.rint(rows * 2.0 ** -down[:, None]), -most, most).astype(np.int16)
    return narrow, 2.0 ** (down - net.arrays[name + EXPONENT])


def _reals(net: Net, k: int, factor: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Return factor and bias of a layer's sums, scale and shift of its normalisation."""
    one = 2.0**guide.NORM_BITS
    up = 2.0**guide.UNIT_BITS
    half = 0.5  # rounds to the nearest, where the conversion to whole numbers rounds down
    return [
        factor * one,
        net.arrays[f"b{k}"] * 2.0**-UNIT_BITS * one,
        net.arrays[f"g{k}"] * 2.0**-NORM_BITS * up,
        net.arrays[f"s{k}"] * 2.0**-NORM_BITS * up + half,
    ]


def _readers(net: Net) -> NDArray[np.int32]:
    """Return for each column: the entry, its kind, and the factor or the range."""
    code = net.encoding
    low = np.where(code.kind == SCALED, code.low * 2**guide.INPUT_BITS, code.low)
    return np.ascontiguousarray(np.stack([code.source, code.kind, low, code.high], axis=1).astype(np.int32))


def _table(heat: float) -> Words:
    """Return the weight of an action by how far it is behind the best, in steps of 2 ** -STEP_BITS."""
    warmth = heat if heat > 0 else 1.0
    step = 2.0**-guide.STEP_BITS
    return np.array([max(1, round(TOP * math.exp(-k * step / warmth))) for k in range(STEPS)], np.int64)
