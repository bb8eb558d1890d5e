"""Behaviour cloning from a dataset: a masked softmax regression in plain NumPy that imitates a bot.

    qipai data xianqi --games 3000 --agents heuristic --out runs/xianqi-heuristic
    python examples/clone_heuristic.py runs/xianqi-heuristic

Every fifth game is held out. The figure is how often the likeliest legal action is the bot's on those games,
next to a random legal action. The same dataset gives the same figure.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import get
from qipai.data import load
from qipai.envs.features import Form

HELD_OUT = 5  # every fifth game
Array = NDArray[Any]


def rows_of(folder: str) -> tuple[dict[str, Array], NDArray[np.bool_]]:
    """Return inputs (rows, D), masks and actions of decisions with a choice, and which rows are held out."""
    found = load(folder)
    arrays = found.numpy()
    choice = arrays["mask"].sum(1) > 1
    arrays = {name: array[choice] for name, array in arrays.items()}
    form = Form.of(get(found.card["game"], found.card["options"]), "onehot")
    inputs = form.encode(arrays["observation"]).astype(np.float32)
    scale = np.maximum(np.abs(form.high.astype(np.float32)), 1)
    rows = {"x": inputs / scale, "mask": arrays["mask"] > 0, "action": arrays["action"].astype(np.int64)}
    return rows, arrays["game"] % HELD_OUT == 0


def logits(weights: Array, rows: dict[str, Array]) -> Array:
    """Return the logits of all actions; those of illegal ones are far below."""
    return np.where(rows["mask"], rows["x"] @ weights[:-1] + weights[-1], -1e9)


def train(rows: dict[str, Array], passes: int, rate: float = 0.5, size: int = 1024) -> Array:
    """Return weights (D + 1, actions), the last row a bias, after gradient steps with momentum."""
    rng = np.random.default_rng(0)
    weights = np.zeros((rows["x"].shape[1] + 1, rows["mask"].shape[1]), np.float32)
    speed = np.zeros_like(weights)
    for number in range(passes):
        order = rng.permutation(len(rows["x"]))
        for start in range(0, len(order), size):
            batch = {name: array[order[start : start + size]] for name, array in rows.items()}
            found = logits(weights, batch)
            chance = np.exp(found - found.max(1, keepdims=True))
            chance /= chance.sum(1, keepdims=True)
            chance[np.arange(len(chance)), batch["action"]] -= 1
            slope = np.vstack([batch["x"].T @ chance, chance.sum(0)]) / len(chance)
            speed = 0.9 * speed + slope
            weights -= rate * (1 - number / passes) * speed
    return weights


def main(argv: Sequence[str] | None = None) -> dict[str, float]:
    """Train, and print how often the clone agrees with the bot."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="a dataset of `qipai data`")
    parser.add_argument("--passes", type=int, default=8, metavar="P", help="over the rows (default: 8)")
    args = parser.parse_args(argv)
    rows, held = rows_of(args.folder)
    weights = train({name: array[~held] for name, array in rows.items()}, args.passes)
    test = {name: array[held] for name, array in rows.items()}
    agreed = float((logits(weights, test).argmax(1) == test["action"]).mean())
    chance = float((1 / test["mask"].sum(1)).mean())
    print(f"agrees on {agreed:.1%} of {int(held.sum())} decisions with a choice; at random {chance:.1%}")
    return {"agreed": agreed, "chance": chance, "decisions": float(held.sum())}


if __name__ == "__main__":
    main()
