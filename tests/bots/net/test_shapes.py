"""Which arrays a net has; what is not a net is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.bots.net.encode import Encoding, cells_of
from qipai.bots.net.shapes import MOST_INPUTS, parts_of
from qipai.core import get
from qipai.core.errors import BadWeights

from .nets import CONV, MLP, small_gomoku


def test_an_mlp_has_its_layers_and_two_heads() -> None:
    game = get("xianqi")
    code = Encoding.of(game)
    parts = parts_of(MLP, code, cells_of(game))
    assert parts["w0"].shape == (64, code.size) and parts["w2"].shape == (64, 64) and "w3" not in parts
    assert parts["wp"].shape == (40, 64) and parts["wv"].shape == (1, 64)
    assert [n for n, p in parts.items() if p.head] == ["wp", "bp", "wv", "bv"]


def test_a_convolution_has_a_row_for_each_action_that_names_no_cell() -> None:
    game = small_gomoku()
    code = Encoding.of(game)
    parts = parts_of(CONV, code, cells_of(game))
    assert parts["cin"].shape == (12, 5, 3, 3) and parts["c1b"].shape == (12, 12, 3, 3)
    assert parts["wo"].shape == (3, 24 + len(code.flat))


@pytest.mark.parametrize(
    ("net", "text"),
    [
        ({}, "must be mlp or conv, not None"),
        ({"kind": "rnn"}, "not 'rnn'"),
        ({"kind": "mlp", "width": 0, "layers": 3}, "1 to 4096 width, not 0"),
        ({"kind": "mlp", "width": 64, "layers": True}, "layers, not True"),
        ({"kind": "mlp", "width": 64.0, "layers": 3}, "width, not 64.0"),
        ({"kind": "conv", "channels": 8, "blocks": 1 << 40}, "blocks"),
        ({"kind": "conv", "channels": 8, "blocks": 2}, "needs a board"),
    ],
)
def test_what_is_no_net_is_refused(net: dict[str, Any], text: str) -> None:
    game = get("xianqi")
    with pytest.raises(BadWeights, match=text):
        parts_of(net, Encoding.of(game), cells_of(game))


def test_a_layer_has_few_enough_inputs_for_its_sums_to_be_exact() -> None:
    game = small_gomoku()
    with pytest.raises(BadWeights, match=f"more than {MOST_INPUTS} inputs"):
        parts_of({"kind": "conv", "channels": 4096, "blocks": 1}, Encoding.of(game), cells_of(game))
    assert MOST_INPUTS * 2**15 * 2**22 < 2**53
    assert np.float64(2**53 - 1) + 1 == 2**53  # whole numbers up to here are exact
