"""The two kinds of nets: their arrays, the shapes of these, and the numbers of fractional bits.

`mlp`   h = relu(LN(w0 x + b0)), then h = h + relu(LN(wk h + bk)) for each further layer;
        logits = wp h + bp, value = wv h + bv.
`conv`  h = relu(cin * planes + wf flat + bf), then h = relu(h + ckb * relu(cka * h + bka) + bkb) for each
        block (3 x 3, with a border of zeros); an action that names a cell has the logit cp h + bp at that
        cell, the others, in ascending order, wo t + bo with t = [mean of h, maximum of h, flat];
        value = wv2 relu(wv1 t + bv1) + bv2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core.errors import BadWeights, short

from .encode import Encoding

UNIT_BITS = 12  # of columns, activations and biases
NORM_BITS = 14  # of the scale and shift of a normalisation
HEAD_BITS = 16  # of logits and value
MATRIX, BIAS, NORM = "matrix", "bias", "norm"
EXPONENT = "_e"  # suffix of the array of exponents of a matrix
CELLS = "cells"  # for each action: the cell that it names, or -1
MOST_INPUTS = 1 << 15  # keeps every sum of products of 16 and 22 bits below 2 ** 53
MOST = 1 << 12  # maximum of width, layers, channels and blocks


@dataclass(frozen=True)
class Part:
    """One array of a net."""

    shape: tuple[int, ...]
    kind: str
    head: bool = False  # part of a head: logits or the value


def parts_of(net: Mapping[str, Any], encoding: Encoding, cells: NDArray[np.int32]) -> dict[str, Part]:
    """Return the arrays of a net by name; raise `BadWeights` for an unknown kind or an invalid size."""
    kind = net.get("kind")
    if kind == "mlp":
        parts = _mlp(encoding.size, _count(net, "width"), _count(net, "layers"), len(cells))
    elif kind == "conv":
        parts = _conv(encoding, _count(net, "channels"), _count(net, "blocks"), cells)
    else:
        raise BadWeights(f"the kind of a net must be mlp or conv, not {short(kind)}")
    for name, part in parts.items():
        if part.kind == MATRIX and np.prod(part.shape[1:]) > MOST_INPUTS:
            raise BadWeights(f"array {name} has more than {MOST_INPUTS} inputs")
    return parts


def _mlp(columns: int, width: int, layers: int, actions: int) -> dict[str, Part]:
    parts = {}
    for k in range(layers):
        parts[f"w{k}"] = Part((width, width if k else columns), MATRIX)
        parts[f"b{k}"] = Part((width,), BIAS)
        parts[f"g{k}"] = parts[f"s{k}"] = Part((width,), NORM)
    parts["wp"], parts["bp"] = Part((actions, width), MATRIX, True), Part((actions,), BIAS, True)
    parts["wv"], parts["bv"] = Part((1, width), MATRIX, True), Part((1,), BIAS, True)
    return parts


def _conv(encoding: Encoding, channels: int, blocks: int, cells: NDArray[np.int32]) -> dict[str, Part]:
    planes, flat = len(encoding.planes), len(encoding.flat)
    if not planes:
        raise BadWeights("a convolution needs a board in the observation")
    others = int((cells < 0).sum())
    tail = 2 * channels + flat
    parts = {
        "cin": Part((channels, planes, 3, 3), MATRIX),
        "wf": Part((channels, flat), MATRIX),
        "bf": Part((channels,), BIAS),
    }
    for k in range(blocks):
        for half in "ab":
            parts[f"c{k}{half}"] = Part((channels, channels, 3, 3), MATRIX)
            parts[f"b{k}{half}"] = Part((channels,), BIAS)
    parts["cp"], parts["bp"] = Part((1, channels, 1, 1), MATRIX, True), Part((1,), BIAS, True)
    parts["wo"], parts["bo"] = Part((others, tail), MATRIX, True), Part((others,), BIAS, True)
    parts["wv1"], parts["bv1"] = Part((channels, tail), MATRIX), Part((channels,), BIAS)
    parts["wv2"], parts["bv2"] = Part((1, channels), MATRIX, True), Part((1,), BIAS, True)
    return parts


def _count(net: Mapping[str, Any], name: str) -> int:
    value = net.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST:
        raise BadWeights(f"a net must have 1 to {MOST} {name}, not {short(value)}")
    return value
