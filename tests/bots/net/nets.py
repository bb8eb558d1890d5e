"""Shared by the tests of nets: random weights, real positions, and the same nets in floating point."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.bots.net import Encoding, Net, cells_of, export_net, load_net
from qipai.bots.net.shapes import MATRIX, parts_of
from qipai.core import Game, get
from qipai.sim import Batch

Weights = dict[str, NDArray[np.float32]]

MLP: dict[str, Any] = {"kind": "mlp", "width": 64, "layers": 3}
CONV: dict[str, Any] = {"kind": "conv", "channels": 12, "blocks": 2}


def small_gomoku() -> Game:
    """Return a board of nine by nine: the convolution costs little."""
    return get("skill_gomoku", {"board_size": 9})


CASES = (("xianqi", MLP), ("skill_gomoku", CONV))


def game_of(name: str) -> Game:
    return small_gomoku() if name == "skill_gomoku" else get(name)


def random_weights(game: Game, net: dict[str, Any], encoding: Encoding, seed: int = 0) -> Weights:
    """Return weights of the size that training begins with, but none is zero."""
    rng = np.random.default_rng(seed)
    found: Weights = {}
    for name, part in parts_of(net, encoding, cells_of(game)).items():
        array = rng.normal(size=part.shape)
        if part.kind == MATRIX:
            array *= np.sqrt((1.0 if name[0] == "c" else 2.0) / max(1, int(np.prod(part.shape[1:]))))
        elif name[0] == "g":
            array = 1 + 0.2 * array
        else:
            array *= 0.1
        found[name] = array.astype(np.float32)
    return found


def make_net(folder: Path, game: Game, net: dict[str, Any], seed: int = 0) -> tuple[Net, Weights]:
    """Return a net of random weights, by way of its file."""
    encoding = Encoding.of(game)
    weights = random_weights(game, net, encoding, seed)
    export_net(folder / "net.qnet", game, net, weights, encoding, {"seed": seed})
    return load_net(folder / "net.qnet", game), weights


@cache
def positions(name: str, count: int) -> tuple[NDArray[np.int8], NDArray[np.uint8]]:
    """Return observations and masks from random games."""
    game = game_of(name)
    batch = Batch(game, 64, seed=3)
    seen, masks = [], []
    for _ in range(-(-count // 64)):
        for _ in range(3):
            batch.step(batch.sample())
        seen.append(batch.obs.copy())
        masks.append(batch.mask.copy())
    return np.concatenate(seen)[:count], np.concatenate(masks)[:count]


def in_floats(net: Net, weights: Weights, observations: NDArray[np.int8]) -> tuple[Any, Any]:
    """Return logits and values as the formulas of `shapes.py` say, in float64 and without quantisation."""
    x = net.encoding.encode(observations).astype(np.float64)
    forward = _mlp if net.shape["kind"] == "mlp" else _conv
    logits, values = forward(net, {name: array.astype(np.float64) for name, array in weights.items()}, x)
    return logits, values[:, 0]


def _relu(x: Any) -> Any:
    return np.maximum(x, 0)


def _mlp(net: Net, w: Any, x: Any) -> tuple[Any, Any]:
    h = 0.0
    for k in range(net.shape["layers"]):
        z = (x if k == 0 else h) @ w[f"w{k}"].T + w[f"b{k}"]
        unit = (z - z.mean(axis=1, keepdims=True)) / np.sqrt(z.var(axis=1, keepdims=True) + 1e-5)
        h = h + _relu(unit * w[f"g{k}"] + w[f"s{k}"])
    return h @ w["wp"].T + w["bp"], h @ w["wv"].T + w["bv"]


def _convolution(h: Any, w: Any) -> Any:
    """Tap by tap, over the cells that each tap can see."""
    height, width = h.shape[2:]
    out = np.zeros((len(h), len(w), height, width))
    for dy in (-1, 0, 1):
        for dx in (-1, 0, 1):
            for y in range(max(0, -dy), min(height, height - dy)):
                for x in range(max(0, -dx), min(width, width - dx)):
                    out[:, :, y, x] += h[:, :, y + dy, x + dx] @ w[:, :, dy + 1, dx + 1].T
    return out


def _conv(net: Net, w: Any, x: Any) -> tuple[Any, Any]:
    flat = x[:, net.encoding.flat]
    h = _relu(
        _convolution(x[:, net.encoding.planes], w["cin"]) + (flat @ w["wf"].T + w["bf"])[:, :, None, None]
    )
    for k in range(net.shape["blocks"]):
        inner = _relu(_convolution(h, w[f"c{k}a"]) + w[f"b{k}a"][:, None, None])
        h = _relu(h + _convolution(inner, w[f"c{k}b"]) + w[f"b{k}b"][:, None, None])
    tail = np.concatenate([h.mean(axis=(2, 3)), h.max(axis=(2, 3)), flat], axis=1)
    board = (np.einsum("nchw,c->nhw", h, w["cp"][0, :, 0, 0]) + w["bp"]).reshape(len(x), -1)
    others = iter((tail @ w["wo"].T + w["bo"]).T)
    logits = np.stack([board[:, cell] if cell >= 0 else next(others) for cell in net.cells], axis=1)
    return logits, _relu(tail @ w["wv1"].T + w["bv1"]) @ w["wv2"].T + w["bv2"]
