"""Quantised weights are as near to the trained ones as their bits allow, and a file has its limit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qipai.bots.net import Encoding, export_net, read_container
from qipai.bots.net.quantize import EXPONENT_MOST, quantize_rows, quantized
from qipai.core import get
from qipai.core.errors import BadWeights

from .nets import MLP, random_weights

GAME = get("xianqi")
CODE = Encoding.of(GAME)


@pytest.mark.parametrize("bits", [8, 16])
def test_a_weight_is_off_by_at_most_half_a_step_of_its_row(bits: int) -> None:
    rng = np.random.default_rng(1)
    matrix = rng.normal(size=(40, 30)) * np.exp(rng.normal(size=(40, 1)))
    q, e = quantize_rows(matrix, bits)
    assert q.dtype == np.dtype(f"i{bits // 8}") and (e >= 0).all()
    step = 2.0 ** -e.astype(float)[:, None]
    assert (np.abs(q * step - matrix) <= step / 2).all()
    assert (np.abs(q).max(axis=1) >= 1 << (bits - 2)).all()  # no row wastes more than a bit


def test_rows_of_zeros_and_of_tiny_numbers_have_an_exponent_too() -> None:
    q, e = quantize_rows(np.array([[0.0, 0.0], [1e-12, 0.0]]), 16)
    assert not q.any() and e.tolist() == [EXPONENT_MOST] * 2


def test_the_largest_matrices_get_8_bits_when_room_is_short(tmp_path: Path) -> None:
    weights = random_weights(GAME, MLP, CODE)
    wide = quantized(GAME, MLP, weights, CODE)
    assert {a.dtype for n, a in wide.items() if n in ("w0", "w1", "wp")} == {np.dtype("i2")}
    narrow = quantized(GAME, MLP, weights, CODE, limit_bytes=90_000)
    assert narrow["w0"].dtype == np.int8 and narrow["wp"].dtype == np.int16
    export_net(tmp_path / "net.qnet", GAME, MLP, weights, CODE, limit_bytes=90_000)
    assert (tmp_path / "net.qnet").stat().st_size <= 90_000
    with pytest.raises(BadWeights, match="does not fit"):
        quantized(GAME, MLP, weights, CODE, limit_bytes=40_000)


def test_the_header_says_what_the_net_is_for(tmp_path: Path) -> None:
    about = {"command": "qipai train xianqi", "seed": 3, "decisions": 10**9}
    export_net(tmp_path / "net.qnet", GAME, MLP, random_weights(GAME, MLP, CODE), CODE, about)
    header, _ = read_container(tmp_path / "net.qnet")
    assert header == {
        "format": "qipai-net-1",
        "game": "xianqi",
        "rules_version": GAME.rules.version,
        "observation": GAME.observation_digest,
        "actions": 40,
        "seats": [3, 3],
        "net": MLP,
        **about,
    }


def test_weights_that_are_missing_odd_or_not_finite_are_refused() -> None:
    weights = random_weights(GAME, MLP, CODE)
    for name, array, text in (
        ("w1", None, "array w1 has the shape None"),
        ("w1", weights["w1"][:1], "array w1 has the shape"),
        ("b0", np.full(64, np.nan, np.float32), "array b0 holds a number that is not finite"),
        ("b0", np.full(64, 1e9, np.float32), "array b0 holds a number that is too large"),
        ("wp", np.full((40, 64), 4e4, np.float32), "a weight of 40000 is too large"),
    ):
        given = {k: v for k, v in weights.items() if k != name} | ({} if array is None else {name: array})
        with pytest.raises(BadWeights, match=text):
            quantized(GAME, MLP, given, CODE)
