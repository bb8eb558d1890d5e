"""Compiled arithmetic gives the whole numbers of its NumPy twin, at the edges of their ranges too."""

from __future__ import annotations

from math import isqrt
from typing import Any

import numpy as np
import pytest

from qipai.bots.net import compiled, exact
from qipai.bots.net.exact import CEILING
from qipai.core import compile_rules, get

RNG = np.random.default_rng(4)


@pytest.fixture(scope="module", autouse=True)
def _ready() -> None:
    rules = [*compiled.RULES, compiled.shifted, compiled.root]
    compile_rules(rules, get("xianqi").rules.State, "tests/bots/net")


def ints(*shape: int, most: int) -> Any:
    return RNG.integers(-most, most + 1, shape)


def test_sums_of_products() -> None:
    for most in (1, 4096, CEILING):
        x, w = ints(300, most=most), ints(300, 40, most=32767).astype(np.int16)
        x[RNG.random(300) < 0.5] = 0
        total = np.full(40, 99, np.int64)
        compiled.multiply(x, w, total)
        assert total.tolist() == (x @ w.astype(np.int64)).tolist()
    compiled.multiply(np.full(4096, CEILING), np.full((4096, 40), -32767, np.int16), total)
    assert total.tolist() == [-4096 * CEILING * 32767] * 40


@pytest.mark.parametrize("most", [0, 5, 10**6, 2**46])
def test_a_normalisation(most: int) -> None:
    total, exponent = ints(48, most=most), RNG.integers(0, 31, 48)
    bias, scale, shift = ints(48, most=2**20), ints(48, most=2**20), ints(48, most=2**20)
    z = exact.shifted(total, exponent) + bias
    wanted = exact.normalized(z[None], scale, shift)[0]
    before = np.minimum(np.abs(ints(48, most=CEILING)), CEILING)
    h = before.copy()
    compiled.normalize(total.copy(), exponent, bias, scale, shift, h, 1)
    assert h.tolist() == exact.relu(before + wanted).tolist()
    compiled.normalize(total.copy(), exponent, bias, scale, shift, h, 0)
    assert h.tolist() == wanted.tolist()


def test_a_head() -> None:
    total, exponent, bias = ints(40, most=2**46), RNG.integers(0, 31, 40), ints(40, most=2**29)
    wanted = exact.shifted(total << exact.HEAD_UP, exponent) + bias
    compiled.finish(total, exponent, bias)
    assert total.tolist() == wanted.tolist()


def test_shifts_and_roots() -> None:
    for value in (0, 1, 2, 3, 94906266**2 - 1, 94906266**2, (2**31 - 1) ** 2 - 1, 2**62 - 1):
        assert compiled.root(value) == isqrt(value)
    for value in RNG.integers(0, 2**62, 500).tolist():
        assert compiled.root(value) == isqrt(value)
    for total in (-3, -1, 0, 1, 3, -(2**50)):
        assert compiled.shifted(total, 1) == (total + 1) // 2 and compiled.shifted(total, 0) == total
