"""A packed net: nearly the net of the file, and no sum that overflows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qipai.bots.net.guided import _rules
from qipai.bots.net.packed import SUM_MOST, bits_for, fits, packed
from qipai.core import compile_rules, get
from qipai.search import guide
from tests.search.test_guide import decisions, evaluator, results

from .nets import MLP, make_net

GAME = get("xianqi")


def test_it_says_nearly_what_the_net_says(tmp_path: Path) -> None:
    net, _ = make_net(tmp_path, GAME, MLP)
    work = packed(net)
    evaluate = evaluator(GAME, "compiled")
    choose = _rules(GAME)["choose"]
    compile_rules([choose], GAME.rules.State, "test/packed/choose")
    positions = decisions(GAME, 12)
    same = 0
    for s in positions:
        seat = int(s["seat"])
        logits, value = net.evaluate_one(GAME.observation_of(s, seat))
        evaluate(s, seat, work)
        wanted = np.append(logits, value) / 2.0**16
        assert np.abs(results(work, net.actions + 1) - wanted).max() < 0.1
        mask = GAME.mask(s)
        rng = np.zeros(4, np.uint32)
        same += choose(s, mask, int(mask.sum()), rng, work) == net.act(GAME.observation_of(s, seat), mask)
    assert len(positions) > 50 and same >= 0.9 * len(positions)


@pytest.mark.parametrize("inputs", [1, 64, 512, 1024, 1533, 4096, 1 << 15])
def test_no_sum_of_products_leaves_32_bits(inputs: int) -> None:
    for largest, most in ((1 << guide.INPUT_BITS, guide.FIRST_BITS), (guide.UNIT_MOST, guide.WEIGHT_BITS)):
        bits = bits_for(inputs, largest, most)
        assert 2 <= bits <= most
        assert inputs * largest * ((1 << (bits - 1)) - 1) <= SUM_MOST


def test_only_an_mlp_fits() -> None:
    assert fits({"kind": "mlp", "width": 512, "layers": 3})
    assert not fits({"kind": "mlp", "width": 5, "layers": 3})
    assert not fits({"kind": "conv", "channels": 64, "blocks": 5})
