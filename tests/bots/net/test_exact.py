"""The arithmetic of nets against Python's own whole numbers, at the edges of their ranges."""

from __future__ import annotations

from fractions import Fraction
from math import floor, isqrt

import numpy as np
import pytest

from qipai.bots.net import exact
from qipai.bots.net.exact import CEILING, EPSILON

RNG = np.random.default_rng(2)


def rounded(value: Fraction) -> int:
    """To the nearest whole number, halves up."""
    return floor(value + Fraction(1, 2))


def test_shifts_round_to_the_nearest_halves_up() -> None:
    totals = np.array([0, 1, -1, 2, -2, 3, 5, -5, 2**50 + 1, -(2**50) - 1], np.int64)
    for e in (0, 1, 2, 17, 30):
        assert exact.shifted(totals, e).tolist() == [rounded(Fraction(int(t), 1 << e)) for t in totals]


def test_products_are_exact_at_the_largest_sums_there_can_be() -> None:
    """All inputs and weights at their bounds, then alternating: nothing is rounded in any order."""
    n = 1 << 12
    for sign in (np.ones(n), np.where(np.arange(n) % 2, 1, -1)):
        x = (CEILING * sign).astype(np.int64)[None]
        w = np.full((n, 3), 32767.0) * np.array([1, -1, 1])
        w[:, 2] -= np.arange(n) % 7
        exponent, bias = np.array([0, 3, 30]), np.array([5, -5, 0])
        found = exact.linear(x, w, exponent, bias, up=4)
        for o in range(3):
            total = sum(int(a) * int(b) for a, b in zip(x[0], w[:, o], strict=True)) << 4
            assert found[0, o] == rounded(Fraction(total, 1 << int(exponent[o]))) + int(bias[o])


def test_roots_are_whole_parts_of_square_roots() -> None:
    edges = [0, 1, 2, 3, 4, 2**52 + 1, (2**31 - 1) ** 2, (2**31 - 1) ** 2 - 1, 2**62 - 1]
    squares = [k * k + d for k in (94906265, 94906266, 2**30 + 7) for d in (-1, 0, 1)]
    values = np.array([*edges, *squares, *RNG.integers(0, 2**62, 2000)], np.int64)
    assert exact.roots(values).tolist() == [isqrt(int(v)) for v in values]


@pytest.mark.parametrize("size", [1, 1000, CEILING, 4 * CEILING])
def test_a_normalisation_in_whole_numbers(size: int) -> None:
    z = RNG.integers(-size, size + 1, (3, 48))
    scale, shift = RNG.integers(-40_000, 40_000, (2, 48))
    found = exact.normalized(z, scale, shift)
    for row, seen in zip(np.clip(z, -CEILING, CEILING).tolist(), found.tolist(), strict=True):
        mean = rounded(Fraction(sum(row), 48))
        d = [v - mean for v in row]
        deviation = isqrt((sum(v * v for v in d) // 48 + EPSILON) << 16)
        unit = [(v << 22) // deviation for v in d]
        out = [
            rounded(Fraction(u * int(g), 1 << 14)) + int(s)
            for u, g, s in zip(unit, scale, shift, strict=True)
        ]
        assert seen == [min(max(rounded(Fraction(v, 4)), 0), CEILING) for v in out]


def test_a_row_of_equal_numbers_normalises_to_the_shift_alone() -> None:
    shift = np.array([4096, -4096, 8192], np.int64)
    assert exact.normalized(np.full((1, 3), 777), np.full(3, 1 << 14), shift).tolist() == [[1024, 0, 2048]]


def test_a_convolution_sees_zeros_beyond_the_board() -> None:
    h = RNG.integers(-50, 50, (2, 3, 4, 5))
    w = RNG.integers(-9, 9, (2, 3, 3, 3))
    found = exact.convolved(h, w.reshape(2, -1).astype(float), np.array([0, 2]))
    for n, o, y, x in np.ndindex(found.shape):
        total = sum(
            int(h[n, c, y + i - 1, x + j - 1]) * int(w[o, c, i, j])
            for c, i, j in np.ndindex(3, 3, 3)
            if 0 <= y + i - 1 < 4 and 0 <= x + j - 1 < 5
        )
        assert found[n, o, y, x] == rounded(Fraction(total, (1, 4)[o]))


def test_boards_are_pooled_by_mean_and_maximum() -> None:
    h = RNG.integers(0, 99, (2, 3, 4, 4))
    mean, most = np.split(exact.pooled(h), 2, axis=1)
    assert mean.tolist() == [[rounded(Fraction(int(b.sum()), 16)) for b in row] for row in h]
    assert most.tolist() == [[int(b.max()) for b in row] for row in h]
