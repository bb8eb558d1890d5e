"""Nets at their stated counts: shipped weights where a game has them, else random ones of full size."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime

from qipai.bots.net import Encoding, Net, export_net, load_net
from qipai.bots.net.agent import weights_path
from qipai.bots.net.export_onnx import write_onnx
from qipai.core import Game, get
from qipai.core.registry import OURS
from qipai.sim import Batch
from tests.spread import spread

from .nets import random_weights

COUNT = 10_000
SHARES = 20
APART = 0.002  # most that a logit of the exported model differs, as a share of the largest logit
MLP: dict[str, Any] = {"kind": "mlp", "width": 512, "layers": 3}
CONV: dict[str, Any] = {"kind": "conv", "channels": 64, "blocks": 5}


def proofs() -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Return the proofs: one position against the batch, and ONNX against our inference."""
    return [("twins", twins), ("onnx", onnx)]


def net_of(game: Game) -> tuple[Net, str]:
    """Return the shipped net, or one of random weights."""
    path = weights_path(game)
    if path is not None and path.exists():
        return load_net(path, game), "shipped"
    shape = CONV if game.rules.first_cell is not None else MLP
    code = Encoding.of(game)
    with tempfile.TemporaryDirectory() as folder:
        export_net(Path(folder) / "net.qnet", game, shape, random_weights(game, shape, code), code)
        return load_net(Path(folder) / "net.qnet", game), "random weights"


def positions(game: Game, count: int, seed: int = 11) -> tuple[Any, Any]:
    """Return observations and masks from random games."""
    batch = Batch(game, 250, seed=seed, threads=1)
    seen: list[Any] = []
    masks: list[Any] = []
    while 250 * len(seen) < count:
        for _ in range(5):
            batch.step(batch.sample())
        seen.append(batch.obs.copy())
        masks.append(batch.mask.copy())
    return np.concatenate(seen)[:count], np.concatenate(masks)[:count]


def twins() -> dict[str, Any]:
    """Compare logits and values of single positions with those of the batch, byte for byte."""
    figures = {}
    for name in OURS:
        net, kind = net_of(get(name))
        count = COUNT if net.shape["kind"] == "mlp" else COUNT // 20
        seen, _ = positions(net.game, count)
        logits, values = net.evaluate(seen)
        for row, wanted, value in zip(seen, logits, values, strict=True):
            found, worth = net.evaluate_one(row)
            assert found.tobytes() == wanted.tobytes() and worth == value, name
        figures[name] = f"{count} positions ({kind})"
    return figures


def onnx() -> dict[str, Any]:
    """Compare the exported model in onnxruntime: largest difference of logits, and equal choices.

    Our sums are rounded integers, so the difference grows with the logits: its bound is a share of the
    largest.
    """
    calls = [(name, seed) for name in OURS for seed in range(SHARES)]
    shares = dict(zip(calls, spread(onnx_share, calls), strict=True))
    figures = {}
    for name in OURS:
        apart, largest = (max(shares[name, seed][k] for seed in range(SHARES)) for k in (0, 1))
        equal = sum(shares[name, seed][2] for seed in range(SHARES))
        assert apart < APART * largest and equal >= 0.998 * COUNT, f"{name}: {apart}, {largest}, {equal}"
        kind = net_of(get(name))[1]
        figures[name] = (
            f"{COUNT} positions ({kind}), logits of up to {largest:.1f} at most {apart:.4f} apart,"
            f" {equal} choices equal"
        )
    return figures


def onnx_share(name: str, seed: int) -> tuple[float, float, int]:
    """Compare a share of the positions; return largest difference, largest logit and equal choices."""
    net, _ = net_of(get(name))
    seen, masks = positions(net.game, COUNT // SHARES, seed)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.onnx"
        write_onnx(net, path)
        one = onnxruntime.SessionOptions()
        one.intra_op_num_threads = 1  # every core has a share
        session = onnxruntime.InferenceSession(str(path), one, providers=["CPUExecutionProvider"])
        parts = [seen[at : at + 100] for at in range(0, len(seen), 100)]
        logits = np.concatenate([session.run(["logits"], {"observation": part})[0] for part in parts])
    ours = np.concatenate([net.logits_many(part) for part in parts])
    legal = masks[:, : net.actions] != 0
    chosen = [np.where(legal, found, -np.inf).argmax(axis=1) for found in (logits, ours)]
    apart, largest = float(np.abs(logits - ours).max()), float(np.abs(ours).max())
    return apart, largest, int((chosen[0] == chosen[1]).sum())
