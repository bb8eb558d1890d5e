"""One position or many in compiled code give the bytes of the NumPy twin."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from qipai.bots.net import Encoding, Net, export_net, load_net, read_container
from qipai.bots.net.quick import Quick
from qipai.core import get

from .nets import CASES, CONV, MLP, game_of, make_net, positions, random_weights

jitted = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="compilation is off")  # type: ignore[attr-defined]


def twins(net: Net, seen: Any) -> None:
    logits, values = net.forward(seen)
    for row, wanted, value in zip(seen, logits, values, strict=True):
        found, worth = net.evaluate_one(row)
        assert found.tobytes() == wanted.tobytes() and worth == value
    together, worths = net.evaluate(seen)
    assert together.tobytes() == logits.tobytes() and worths.tobytes() == values.tobytes()


@jitted
@pytest.mark.parametrize("name", ["xianqi", "wuhan_mahjong", "paipai_rensa"])
def test_one_position_gives_the_bytes_of_a_batch(name: str, tmp_path: Path) -> None:
    net, _ = make_net(tmp_path, get(name), MLP)
    assert isinstance(net._quick, Quick)
    twins(net, positions(name, 200)[0])


@jitted
def test_extreme_weights_give_the_bytes_of_the_twin(tmp_path: Path) -> None:
    """Every integer at its bound, so that activations meet their ceiling."""
    net, _ = make_net(tmp_path, get("xianqi"), MLP)
    header, arrays = read_container(tmp_path / "net.qnet")
    rng = np.random.default_rng(5)
    extreme = {}
    for name, array in arrays.items():
        if name.startswith("enc_"):
            extreme[name] = array
        elif name.endswith("_e"):
            extreme[name] = rng.integers(0, 31, array.shape).astype(np.int8)
        else:
            most = 2**30 - 1 if array.dtype == np.int32 else np.iinfo(array.dtype).max
            extreme[name] = (rng.choice([-most, most], array.shape)).astype(array.dtype)
    net = Net(get("xianqi"), header, extreme)
    seen = rng.integers(-128, 128, (100, 132)).astype(np.int8)
    twins(net, seen)


@jitted
def test_a_single_layer_of_8_bits(tmp_path: Path) -> None:
    game, shape = get("xianqi"), {"kind": "mlp", "width": 16, "layers": 1}
    code = Encoding.of(game)
    export_net(
        tmp_path / "net.qnet", game, shape, random_weights(game, shape, code), code, limit_bytes=26_000
    )
    net = load_net(tmp_path / "net.qnet", game)
    assert net.arrays["w0"].dtype == np.int8
    twins(net, positions("xianqi", 50)[0])


@jitted
def test_threads_share_a_net(tmp_path: Path) -> None:
    net, _ = make_net(tmp_path, get("xianqi"), MLP)
    seen, _ = positions("xianqi", 200)
    wanted = [net.evaluate_one(row)[0].tobytes() for row in seen]
    with ThreadPoolExecutor(4) as pool:
        assert [r[0].tobytes() for r in pool.map(net.evaluate_one, seen)] == wanted


def test_a_convolution_has_no_quick_form(tmp_path: Path) -> None:
    name, _ = CASES[1]
    net, _ = make_net(tmp_path, game_of(name), CONV)
    assert net._quick is None
    twins(net, positions(name, 5)[0])
