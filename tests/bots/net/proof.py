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

from .nets import random_weights

COUNT = 10_000
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


def positions(game: Game, count: int) -> tuple[Any, Any]:
    """Return observations and masks from random games."""
    batch = Batch(game, 250, seed=11)
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
    """Compare the exported model in onnxruntime: largest difference of logits, and equal choices."""
    figures = {}
    for name in OURS:
        net, kind = net_of(get(name))
        seen, masks = positions(net.game, COUNT)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "net.onnx"
            write_onnx(net, path)
            session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
            logits = np.concatenate(
                [
                    session.run(["logits"], {"observation": seen[at : at + 500]})[0]
                    for at in range(0, COUNT, 500)
                ]
            )
        ours = net.logits_many(seen)
        legal = masks[:, : net.actions] != 0
        chosen = [np.where(legal, found, -np.inf).argmax(axis=1) for found in (logits, ours)]
        equal = int((chosen[0] == chosen[1]).sum())
        apart = float(np.abs(logits - ours).max())
        assert apart < 0.05 and equal >= 0.998 * COUNT, f"{name}: {apart}, {equal}"
        figures[name] = f"{COUNT} positions ({kind}), logits at most {apart:.4f} apart, {equal} choices equal"
    return figures
