"""The arithmetic of `exact.py` for one position, compiled: the same integers, ten times as fast.

Weights are (in, out) int16, so that a column that is 0 costs nothing. Shapes: D columns, `out` outputs of a
layer.
"""

from __future__ import annotations

import math

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


RULES = (encode, multiply, normalize, finish)
