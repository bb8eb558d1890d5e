"""The arithmetic of a net in integers, over batches, in NumPy.

Columns, activations and biases have 12 fractional bits, logits and values 16. Matrix products
are computed in float64: every product and every partial sum is an integer below 2 ** 53, so nothing is ever
rounded, and the order of the sums, fused operations and the BLAS library do not matter. Everything else
is int64. The result is therefore the same on every machine.
"""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from .shapes import HEAD_BITS, NORM_BITS, UNIT_BITS

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

CEILING = (1 << 22) - 1  # activations are clipped to this
ROOT_BITS = 8  # additional fractional bits of a standard deviation
EPSILON = round(1e-5 * 4**UNIT_BITS)
HEAD_UP = HEAD_BITS - UNIT_BITS


def shifted(total: Ints, exponent: Ints | int) -> Ints:
    """Return total / 2 ** exponent, rounded to the nearest integer, halves up."""
    half = (np.int64(1) << np.asarray(exponent, np.int64)) >> 1
    return (total + half) >> exponent


def clipped(value: Ints) -> Ints:
    """Return activations clipped to their bounds."""
    return np.clip(value, -CEILING, CEILING)


def relu(value: Ints) -> Ints:
    """Return activations from 0 to their upper bound."""
    return np.clip(value, 0, CEILING)


def linear(x: Ints, w: Floats, exponent: Ints, bias: Ints, up: int = 0) -> Ints:
    """Return w x + bias for rows x (n, in) and w (in, out), with `up` additional fractional bits."""
    total = (x.astype(np.float64) @ w).astype(np.int64)
    return shifted(total << up, exponent) + bias


def normalized(z: Ints, scale: Ints, shift: Ints) -> Ints:
    """Return relu(LN(z)) over the last axis."""
    z = clipped(z)
    n = z.shape[-1]
    mean = (2 * z.sum(axis=-1, keepdims=True) + n) // (2 * n)
    d = z - mean
    variance = (d * d).sum(axis=-1, keepdims=True) // n + EPSILON
    deviation = roots(variance << (2 * ROOT_BITS))
    unit = (d << (ROOT_BITS + NORM_BITS)) // deviation  # NORM_BITS fractional bits
    scaled = shifted(unit * scale, NORM_BITS) + shift
    return relu(shifted(scaled, NORM_BITS - UNIT_BITS))


def roots(value: Ints) -> Ints:
    """Return the integer part of each square root, for values below 2 ** 62."""
    root = np.sqrt(value.astype(np.float64)).astype(np.int64)
    root -= root * root > value
    root += (root + 1) * (root + 1) <= value
    return root


def convolved(h: Ints, w: Floats, exponent: Ints) -> Ints:
    """Return the 3 x 3 convolution of boards h (n, in, H, W) with w (out, in * 9), without a bias."""
    n, channels, height, width = h.shape
    framed = np.zeros((n, channels, height + 2, width + 2))
    framed[:, :, 1:-1, 1:-1] = h
    windows = sliding_window_view(framed, (3, 3), axis=(2, 3)).transpose(0, 1, 4, 5, 2, 3)
    total = (w @ windows.reshape(n, channels * 9, height * width)).astype(np.int64)
    return shifted(total, exponent[:, None]).reshape(n, len(w), height, width)


def pooled(h: Ints) -> Ints:
    """Return the mean and the maximum of each board of h (n, channels, H, W), as (n, 2 * channels)."""
    cells = h.reshape(*h.shape[:2], -1)
    n = cells.shape[2]
    mean = (2 * cells.sum(axis=2) + n) // (2 * n)
    return np.concatenate([mean, cells.max(axis=2)], axis=1)
