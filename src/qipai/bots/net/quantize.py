"""From trained float weights to the integers that are shipped, and into a file.

A matrix row r is stored as integers q[r] and an exponent e[r], which represent q[r] / 2 ** e[r]; 16 bits
each,
or 8 in the largest matrices if the file would otherwise be too large. Biases and the scale and shift of a
normalisation are fixed-point numbers. `infer.py` uses them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game
from qipai.core.errors import BadWeights

from .encode import Encoding, cells_of
from .shapes import BIAS, CELLS, EXPONENT, HEAD_BITS, MATRIX, NORM_BITS, UNIT_BITS, parts_of
from .weights import Arrays, made_for, write_container

FORMAT = "qipai-net-1"
FILE_MOST = 3_000_000  # maximum bytes of a shipped net
EXPONENT_MOST = 30
MARGIN = 8192  # bytes for the header and padding between arrays


def export_net(
    path: str | os.PathLike[str],
    game: Game,
    net: Mapping[str, Any],
    arrays: Mapping[str, NDArray[np.float32]],
    encoding: Encoding,
    about: Mapping[str, Any] | None = None,
    limit_bytes: int = FILE_MOST,
) -> None:
    """Quantise a net and write it for `load_net`.

    `net` is {"kind": "mlp", "width": 512, "layers": 3} or {"kind": "conv", "channels": 64, "blocks": 5},
    `arrays` are its weights under the names that `parts_of` returns, and `about` has further entries for the
    header (command, seed, decisions, date, options).
    """
    low, high = game.rules.seats
    header = {
        **made_for(game, FORMAT),
        "seats": [low, high],
        "net": dict(net),
        **(about or {}),
    }
    write_container(
        path, header, {**encoding.to_arrays(), **quantized(game, net, arrays, encoding, limit_bytes)}
    )


def quantized(
    game: Game,
    net: Mapping[str, Any],
    arrays: Mapping[str, NDArray[np.float32]],
    encoding: Encoding,
    limit_bytes: int = FILE_MOST,
) -> Arrays:
    """Return the integer arrays of a net; raise `BadWeights` if an array is missing or invalid."""
    cells = cells_of(game)
    parts = parts_of(net, encoding, cells)
    for name, part in parts.items():
        if name not in arrays or arrays[name].shape != part.shape:
            found = arrays[name].shape if name in arrays else None
            raise BadWeights(f"array {name} has the shape {found}, not {part.shape}")
        if not np.isfinite(arrays[name]).all():
            raise BadWeights(f"array {name} holds a number that is not finite")
    fixed = sum(a.nbytes for a in encoding.to_arrays().values()) + MARGIN
    bits = _bits(
        {n: a for n, a in arrays.items() if n in parts and parts[n].kind == MATRIX}, limit_bytes - fixed
    )
    made: Arrays = {CELLS: cells} if net["kind"] == "conv" else {}
    for name, part in parts.items():
        array = np.asarray(arrays[name], np.float64)
        if part.kind == MATRIX:
            made[name], made[name + EXPONENT] = quantize_rows(array, bits[name])
        else:
            shift = {BIAS: UNIT_BITS}.get(part.kind, NORM_BITS)
            made[name] = _fixed(name, array, HEAD_BITS if part.head else shift)
    return made


def quantize_rows(matrix: NDArray[np.float64], bits: int) -> tuple[NDArray[Any], NDArray[np.int8]]:
    """Return integers of `bits` bits and one exponent per row: the finest power of two that fits the row."""
    most = (1 << (bits - 1)) - 1
    top = np.abs(matrix.reshape(len(matrix), -1)).max(axis=1, initial=0.0)
    if (top > most).any():
        raise BadWeights(f"a weight of {top.max():g} is too large")
    exponent = np.full(len(matrix), EXPONENT_MOST)
    used = top > 0
    exponent[used] = np.minimum(np.floor(np.log2(most / top[used])), EXPONENT_MOST).astype(int)
    scale = 2.0 ** exponent.reshape(-1, *[1] * (matrix.ndim - 1))
    rounded = np.clip(np.rint(matrix * scale), -most, most)
    return rounded.astype(np.int16 if bits == 16 else np.int8), exponent.astype(np.int8)


def _bits(matrices: Mapping[str, NDArray[Any]], room: int) -> dict[str, int]:
    """Return the bits of each matrix: 16, or 8 for the largest ones until everything fits."""
    bits = dict.fromkeys(matrices, 16)
    for name in sorted(matrices, key=lambda n: -matrices[n].size):
        if sum(matrices[n].size * bits[n] // 8 for n in matrices) <= room:
            return bits
        bits[name] = 8
    if sum(m.size for m in matrices.values()) > room:
        raise BadWeights(f"the net does not fit into {room} bytes")
    return bits


def _fixed(name: str, array: NDArray[np.float64], shift: int) -> NDArray[np.int32]:
    """Return fixed-point numbers with `shift` fractional bits."""
    found = np.rint(array * 2.0**shift)
    if np.abs(found).max(initial=0) >= 1 << 30:
        raise BadWeights(f"array {name} holds a number that is too large")
    return found.astype(np.int32)
