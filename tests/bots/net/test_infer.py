"""Nets play in whole numbers: as their floats do, alone as in a batch, and only the game they are for."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai.bots.net import Encoding, Net, cells_of, export_net, load_net, read_container, write_container
from qipai.bots.net.encode import turns_of
from qipai.bots.net.infer import check_header
from qipai.bots.net.shapes import EXPONENT, MATRIX, parts_of
from qipai.core import get
from qipai.core.errors import BadBatch, BadWeights, ForeignWeights

from .nets import CASES, CONV, MLP, game_of, in_floats, make_net, positions, random_weights


@pytest.mark.parametrize(("name", "shape"), CASES)
def test_whole_numbers_agree_with_the_trained_floats(
    name: str, shape: dict[str, Any], tmp_path: Path
) -> None:
    net, weights = make_net(tmp_path, game_of(name), shape)
    seen, masks = positions(name, 256)
    logits, values = in_floats(net, weights, seen)
    assert np.abs(net.logits_many(seen) - logits).max() < 0.01
    assert np.abs(net.values_many(seen) - values).max() < 0.01
    legal = masks[:, : net.actions] != 0
    wanted = np.where(legal, logits, -np.inf).argmax(axis=1)
    assert (net.act_many(seen, masks) == wanted).mean() > 0.98


@pytest.mark.parametrize(("name", "shape"), CASES)
def test_a_position_alone_gives_the_bytes_it_gives_in_a_batch(
    name: str, shape: dict[str, Any], tmp_path: Path
) -> None:
    net, _ = make_net(tmp_path, game_of(name), shape)
    seen, masks = positions(name, 24)
    many, values, chosen = net.logits_many(seen), net.values_many(seen), net.act_many(seen, masks)
    for i in range(24):
        assert net.logits(seen[i]).tobytes() == many[i].tobytes()
        assert np.float32(net.value(seen[i])) == values[i]
        assert net.act(seen[i], masks[i]) == chosen[i]
    order = np.random.default_rng(0).permutation(24)
    assert net.logits_many(seen[order]).tobytes() == many[order].tobytes()
    assert net.logits_many(seen[:0]).shape == (0, net.actions)


def test_the_largest_legal_logit_is_chosen_and_the_lowest_of_equal_ones(tmp_path: Path) -> None:
    net, _ = make_net(tmp_path, get("xianqi"), {"kind": "mlp", "width": 8, "layers": 1})
    header, arrays = read_container(tmp_path / "net.qnet")
    bias = np.zeros(40, np.int32)
    bias[[3, 7, 9]] = 5, 9, 9
    same = {**arrays, "wp": np.zeros_like(arrays["wp"]), "bp": bias}
    net = Net(get("xianqi"), header, same)
    seen, _ = positions("xianqi", 1)
    for legal, wanted in (([1, 3, 7, 9], 7), ([1, 3], 3), ([30, 12], 12), ([9], 9)):
        mask = np.zeros(64, np.uint8)
        mask[legal] = 1
        assert net.act(seen[0], mask) == wanted


def test_odd_observations_and_masks_are_refused(tmp_path: Path) -> None:
    net, _ = make_net(tmp_path, get("xianqi"), {"kind": "mlp", "width": 8, "layers": 1})
    seen, masks = positions("xianqi", 4)
    odd: list[Any] = [seen[:, 1:], seen.astype(np.int16), seen[0]]
    for given in odd:
        with pytest.raises(BadBatch, match="int8 rows of 132"):
            net.logits_many(given)
    for given in (masks[1:], np.zeros_like(masks), masks[:, :39]):
        with pytest.raises(BadBatch, match="every observation needs one mask"):
            net.act_many(seen, given)


def test_a_net_for_something_else_is_refused_by_name(tmp_path: Path) -> None:
    game = get("xianqi")
    net, _ = make_net(tmp_path, game, {"kind": "mlp", "width": 8, "layers": 1})
    path = tmp_path / "net.qnet"
    load_net(path, game)
    first = replace(game.rules.observation[0], high=7)
    others = {
        "game": get("nana"),
        "rules_version": replace(game, rules=replace(game.rules, version=2)),
        "observation": replace(
            game, rules=replace(game.rules, observation=(first, *game.rules.observation[1:]))
        ),
    }
    for name, other in others.items():
        with pytest.raises(ForeignWeights, match=f"the net has {name} "):
            load_net(path, other)
    with pytest.raises(ForeignWeights, match="has format"):
        check_header({**net.header, "format": "other"}, game)
    with pytest.raises(ForeignWeights, match="has actions 41"):
        check_header({**net.header, "actions": 41}, game)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"w0": None}, "has no array w0"),
        ({"w0": np.zeros((8, 8), np.int16)}, "array w0 has the wrong type or shape"),
        ({"wp": np.zeros((40, 8), np.float32)}, "array wp has the wrong type or shape"),
        ({"wp": np.zeros((40, 8), np.int32)}, "array wp has the wrong type or shape"),
        ({"b0": np.zeros(8, np.int64)}, "array b0 has the wrong type or shape"),
        ({"w0_e": np.full(8, 31, np.int8)}, "an exponent out of range"),
        ({"w0_e": np.full(8, -1, np.int8)}, "an exponent out of range"),
        ({"enc_low": None}, "has no array enc_low"),
        ({"header": {"net": None}}, "must be mlp or conv"),
        ({"header": {"net": {"kind": "mlp", "width": 9, "layers": 1}}}, "wrong type or shape"),
    ],
)
def test_a_file_with_wrong_arrays_is_refused(change: dict[str, Any], text: str, tmp_path: Path) -> None:
    game = get("xianqi")
    make_net(tmp_path, game, {"kind": "mlp", "width": 8, "layers": 1})
    header, arrays = read_container(tmp_path / "net.qnet")
    header |= change.pop("header", {})
    kept = {**arrays, **change}
    write_container(tmp_path / "odd.qnet", header, {n: a for n, a in kept.items() if a is not None})
    with pytest.raises(BadWeights, match=text):
        load_net(tmp_path / "odd.qnet", game)


def test_a_convolution_for_other_cells_is_refused(tmp_path: Path) -> None:
    name, shape = CASES[1]
    make_net(tmp_path, game_of(name), shape)
    header, arrays = read_container(tmp_path / "net.qnet")
    with pytest.raises(BadWeights, match="does not match the cells"):
        Net(game_of(name), header, {**arrays, "cells": arrays["cells"][::-1].copy()})
    with pytest.raises(ForeignWeights, match="the net has observation"):
        load_net(tmp_path / "net.qnet", get(name))  # the board of 15 x 15


def test_a_net_may_read_fewer_columns_than_its_game_offers(tmp_path: Path) -> None:
    game = get("xianqi")
    code = Encoding.of(game, hot=0, skip=("entry", "link"))
    export_net(tmp_path / "net.qnet", game, MLP, random_weights(game, MLP, code), code)
    assert load_net(tmp_path / "net.qnet", game).encoding.size == code.size < Encoding.of(game).size


def _stream(seed: int) -> Any:
    """Return numbers that every version of NumPy draws alike: the raw words of a generator."""
    return np.random.PCG64(seed)


def _raw(words: Any, shape: tuple[int, ...], bits: int) -> Any:
    """Return signed integers of `bits` bits."""
    found = np.asarray(words.random_raw(int(np.prod(shape))), np.uint64) >> np.uint64(64 - bits)
    return (found.astype(np.int64) - (1 << (bits - 1))).reshape(shape)


@pytest.mark.parametrize(
    ("name", "shape", "digest"),
    [
        ("xianqi", MLP, "d75a58f88246b5a4"),
        ("skill_gomoku", CASES[1][1], "7a1dcc693c4f1525"),
    ],
)
def test_logits_are_the_same_on_every_machine(
    name: str, shape: dict[str, Any], digest: str, tmp_path: Path
) -> None:
    """Weights and observations are whole numbers of a fixed stream, and so is every result."""
    game = game_of(name)
    make_net(tmp_path, game, shape)
    header, arrays = read_container(tmp_path / "net.qnet")
    words = _stream(7)
    for key, part in parts_of(shape, Encoding.of(game), cells_of(game)).items():
        if part.kind == MATRIX:
            arrays[key] = _raw(words, part.shape, 14).astype(np.int16)
            arrays[key + EXPONENT] = (17 + _raw(words, part.shape[:1], 2)).astype(np.int8)
        else:
            arrays[key] = (_raw(words, part.shape, 12) + (1 << 14 if key[0] == "g" else 0)).astype(np.int32)
    net = Net(game, header, arrays)
    features = [f for f in game.rules.observation for _ in range(f.length)]
    low, high = (np.array([getattr(f, end) for f in features]) for end in ("low", "high"))
    seen = (low + np.abs(_raw(words, (32, net.length), 20)) % (high - low + 1)).astype(np.int8)
    logits, values = net.evaluate(seen)
    assert logits.std() > 1000 and values.std() > 0  # nothing is saturated or dead
    found = hashlib.sha256(logits.astype("<i8").tobytes() + values.astype("<i8").tobytes()).hexdigest()[:16]
    assert found == digest


@pytest.mark.parametrize("count", [2, 4, 8])
def test_symmetries_are_averaged_and_turned_positions_give_turned_logits(count: int, tmp_path: Path) -> None:
    game = game_of("skill_gomoku")
    one, _ = make_net(tmp_path, game, CONV)
    header, arrays = read_container(tmp_path / "net.qnet")
    net = Net(game, header | {"symmetries": count}, arrays)
    seen, _ = positions("skill_gomoku", 8)
    first = next(f.start for f in game.rules.observation if f.shape)
    cell = game.rules.first_cell
    turns = turns_of(game, count)
    assert len({turn.tobytes() for turn in turns}) == count
    total, worth = np.zeros((8, game.rules.actions), np.int64), np.zeros(8, np.int64)
    for turn in turns:
        turned = seen.copy()
        boards = turned[:, first:].reshape(8, -1, 81)
        turned[:, first:] = boards[:, :, turn].reshape(8, -1)
        logits, values = one.evaluate(turned)
        back = logits.copy()
        back[:, cell:][:, turn] = logits[:, cell:]
        total, worth = total + back, worth + values
        again = net.evaluate(turned)[0]  # the mean over a group of symmetries turns with the board
        assert (again[:, cell:] == net.evaluate(seen)[0][:, cell:][:, turn]).all()
    logits, values = net.evaluate(seen)
    assert (logits == (2 * total + count) // (2 * count)).all()
    assert (values == (2 * worth + count) // (2 * count)).all()
    assert not (logits == one.evaluate(seen)[0]).all()


def test_symmetries_that_the_game_does_not_have_are_refused(tmp_path: Path) -> None:
    game = game_of("skill_gomoku")
    make_net(tmp_path, game, CONV)
    header, arrays = read_container(tmp_path / "net.qnet")
    for odd in (0, 3, 16, True, "8", None, [2]):
        with pytest.raises(BadWeights, match=r"does not have .* symmetries of its board"):
            Net(game, header | {"symmetries": odd}, arrays)
    make_net(tmp_path, get("xianqi"), MLP)
    header, arrays = read_container(tmp_path / "net.qnet")
    with pytest.raises(BadWeights, match="does not have 2 symmetries"):
        Net(get("xianqi"), header | {"symmetries": 2}, arrays)
    make_net(tmp_path, game, {"kind": "mlp", "width": 8, "layers": 1})
    header, arrays = read_container(tmp_path / "net.qnet")
    with pytest.raises(BadWeights, match="only a convolution"):
        Net(game, header | {"symmetries": 2}, arrays)
