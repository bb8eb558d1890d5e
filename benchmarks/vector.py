"""Measure learner decisions per second in `vector` environments against agents that are called from Python.

python benchmarks/vector.py xianqi --seconds 3
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np

from qipai.core import AgentSpec, Game, Sight
from qipai.envs import vector


class First:
    """Takes the first legal action, one table at a time."""

    def __init__(self, game: Game, words: Any) -> None:
        """Ignore `words`: the agent needs no chance."""

    def act(self, sight: Sight) -> int:
        """Return the first legal action."""
        return int(sight.mask.argmax())


class FirstMany(First):
    """Takes the first legal action, at all tables at once."""

    def act_many(self, observations: Any, masks: Any, seats: Any) -> Any:
        """Return the first legal action of every row."""
        return masks.argmax(axis=1)


def rate(game: str, opponent: str | AgentSpec, lanes: int, seconds: float) -> float:
    """Return the decisions per second of a learner that plays at random."""
    env = vector(game, lanes, opponent, seed=1)
    env.reset()
    chance = np.random.default_rng(0)
    env.step(env.action_masks().argmax(axis=1))
    began, made = time.perf_counter(), 0
    while (spent := time.perf_counter() - began) < seconds:
        masks = env.action_masks()
        env.step((masks * chance.random(masks.shape, dtype=np.float32)).argmax(axis=1))
        made += lanes
    return made / spent


def main() -> None:
    """Print the rate against each kind of opponent."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", nargs="?", default="xianqi")
    parser.add_argument("--seconds", type=float, default=3.0)
    args = parser.parse_args()
    cases: list[tuple[str, str | AgentSpec, int]] = [
        ("act", AgentSpec("first", 1, First), 512),
        ("act_many", AgentSpec("first", 1, FirstMany), 4096),
        ("net", "net", 1024),
        ("random", "random", 4096),
    ]
    for name, opponent, lanes in cases:
        print(f"{name:9} {rate(args.game, opponent, lanes, args.seconds):>10,.0f} decisions/s")


if __name__ == "__main__":
    main()
