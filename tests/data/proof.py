"""Datasets of 100,000 games per game, and the figure of the baseline for behaviour cloning."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from qipai.data import write
from tests.data.whole import AGENTS, check

GAMES = 100_000
SAMPLED = 200
WORKERS = 2
CLONED = 3_000
CLONE = Path(__file__).parents[2] / "examples" / "clone_heuristic.py"
DIGEST = "cc5d02e2297e62ee338e1267123bf35a89a345a0a48eac87ab78304634cec3e9"
AGREED = 0.526  # docs/research/tools/datasets.md
TOLERANCE = 0.002  # sums of float32 may differ between machines


def proofs() -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Return one proof per game, and the baseline."""
    return [*((f"games_{game}", partial(dataset, game)) for game in AGENTS), ("clone", clone)]


def dataset(game: str) -> dict[str, Any]:
    """Write, read, verify, replay and spoil the games."""
    with TemporaryDirectory() as folder:
        return check(game, GAMES, SAMPLED, WORKERS, Path(folder))


def clone() -> dict[str, Any]:
    """Write the dataset of the docs again, and clone its bot."""
    spec = importlib.util.spec_from_file_location("clone_heuristic", CLONE)
    assert spec is not None and spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    with TemporaryDirectory() as folder:
        card = write("xianqi", Path(folder) / "set", CLONED, ["heuristic"], workers=WORKERS)
        assert card["digest"] == DIGEST, f"the dataset has the digest {card['digest']}"
        found = example.main([str(Path(folder) / "set")])
    assert abs(found["agreed"] - AGREED) <= TOLERANCE, f"agrees on {found['agreed']:.2%}, not {AGREED:.1%}"
    return {
        "games": f"{CLONED:,}",
        "decisions": f"{card['decisions']:,}",
        "digest": card["digest"],
        "agreement on held-out decisions with a choice": f"{found['agreed']:.2%}",
        "at random": f"{found['chance']:.2%}",
    }
