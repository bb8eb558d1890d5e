"""The arithmetic of `exact.py`, compiled: the same integers, ten times as fast for one position.

Weights are (in, out) int16, so that a column that is 0 costs nothing. Shapes: D columns, `out` outputs of a
layer.
"""

from __future__ import annotations

import math

import numpy as np

from qipai.core import rule

from .encode import SCALED
from .exact import CEILING, EPSILON, HEAD_UP, ROOT_BITS
from .shapes import NORM_BITS, UNIT_BITS


@rule(obs="i1[:]", source="i4[:]", kind="u1[:]", low="i4[:]", high="i4[:]", x="i8[:]")
def encode(obs, source, kind, low, high, x):
    """Fill `x` (D,) with the columns of an observation; for a scaled column, `low` is the factor."""
    for d in range(x.shape[0]):
        entry = int(obs[source[d]])
        if kind[d] == SCALED:
            x[d] = entry * low[d]
        else:
            x[d] = 1 << UNIT_BITS if low[d] <= entry <= high[d] else 0


@rule(x="i8[:]", w="i2[:,:]", total="i8[:]")
def multiply(x, w, total):
    """Fill `total` (out,) with the sums of x (in,) times w (in, out)."""
    for o in range(total.shape[0]):
        total[o] = 0
    for i in range(x.shape[0]):
        value = x[i]
        if value != 0:
            row = w[i]
            for o in range(total.shape[0]):
                total[o] += value * row[o]


@rule
def shifted(total, exponent):
    """Return total / 2 ** exponent, rounded to the nearest integer, halves up."""
    return (total + ((1 << exponent) >> 1)) >> exponent


@rule
def root(value):
    """Return the integer part of the square root, for values below 2 ** 62."""
    found = int(math.sqrt(float(value)))
    if found * found > value:
        found -= 1
    if (found + 1) * (found + 1) <= value:
        found += 1
    return found


@rule(total="i8[:]", exponent="i8[:]", bias="i8[:]", scale="i8[:]", shift="i8[:]", h="i8[:]")
def normalize(total, exponent, bias, scale, shift, h, add):
    """Write relu(LN(...)) of a layer's sums to `h` (out,), or add it if `add` is 1. Overwrites `total`."""
    n = total.shape[0]
    whole = 0
    for o in range(n):
        z = shifted(total[o], exponent[o]) + bias[o]
        z = min(max(z, -CEILING), CEILING)
        total[o] = z
        whole += z
    mean = (2 * whole + n) // (2 * n)
    squares = 0
    for o in range(n):
        total[o] -= mean
        squares += total[o] * total[o]
    deviation = root((squares // n + EPSILON) << (2 * ROOT_BITS))
    for o in range(n):
        unit = (total[o] << (ROOT_BITS + NORM_BITS)) // deviation
        y = shifted(shifted(unit * scale[o], NORM_BITS) + shift[o], NORM_BITS - UNIT_BITS)
        y = min(max(y, 0), CEILING)
        h[o] = min(h[o] + y, CEILING) if add else y


@rule(total="i8[:]", exponent="i8[:]", bias="i8[:]")
def finish(total, exponent, bias):
    """Turn the sums of a head into logits or values, in place."""
    for o in range(total.shape[0]):
        total[o] = shifted(total[o] << HEAD_UP, exponent[o]) + bias[o]


# --- many positions -------------------------------------------------------------------------
#
# Matrix products of many rows are those of `exact.py`, in float64 by the BLAS library. The other steps are
# compiled: in float64 where every number is a whole one below 2 ** 53, so that nothing is rounded.


@rule(obs="i1[:,:]", source="i4[:]", kind="u1[:]", low="i4[:]", high="i4[:]", x="f8[:,:]")
def encode_rows(obs, source, kind, low, high, x):
    """Fill `x` (n, D) with the columns of observations (n, L)."""
    for i in range(x.shape[0]):
        for d in range(x.shape[1]):
            entry = int(obs[i, source[d]])
            if kind[d] == SCALED:
                x[i, d] = entry * low[d]
            else:
                x[i, d] = 1 << UNIT_BITS if low[d] <= entry <= high[d] else 0


@rule(total="f8[:,:]", exponent="i8[:]", bias="i8[:]", scale="i8[:]", shift="i8[:]", h="f8[:,:]")
def normalize_rows(total, exponent, bias, scale, shift, h, add):
    """Do what `normalize` does for rows (n, out)."""
    n = total.shape[1]
    half = float(1 << (NORM_BITS - 1))
    down = 1.0 / (1 << NORM_BITS)
    half_up = float(1 << (NORM_BITS - UNIT_BITS - 1))
    down_up = 1.0 / (1 << (NORM_BITS - UNIT_BITS))
    top = float(CEILING)
    for i in range(total.shape[0]):
        row = total[i]
        out = h[i]
        whole = 0
        for o in range(n):
            z = shifted(int(row[o]), exponent[o]) + bias[o]
            z = min(max(z, -CEILING), CEILING)
            row[o] = z
            whole += z
        mean = float((2 * whole + n) // (2 * n))
        squares = 0.0
        for o in range(n):
            row[o] -= mean
            squares += row[o] * row[o]
        deviation = float(root((int(squares) // n + EPSILON) << (2 * ROOT_BITS)))
        for o in range(n):
            unit = np.floor(row[o] * (1 << (ROOT_BITS + NORM_BITS)) / deviation)
            y = np.floor((unit * scale[o] + half) * down) + shift[o]
            y = np.floor((y + half_up) * down_up)
            y = min(max(y, 0.0), top)
            out[o] = min(out[o] + y, top) if add else y


@rule(total="f8[:,:]", exponent="i8[:]", bias="i8[:]", result="i8[:,:]")
def finish_rows(total, exponent, bias, result):
    """Turn the sums of the heads into logits and values."""
    for i in range(total.shape[0]):
        for o in range(total.shape[1]):
            result[i, o] = shifted(int(total[i, o]) << HEAD_UP, exponent[o]) + bias[o]


RULES = (encode, multiply, normalize, finish, encode_rows, normalize_rows, finish_rows)
