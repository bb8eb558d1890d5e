"""Steps per second of MaskablePPO on `QipaiVecEnv` and on SB3's DummyVecEnv over `single`, while it learns.

python benchmarks/sb3.py [GAME] [LANES] [ROUNDS]

Both learn in turn, a round after the other; figures are medians of the rounds. Seconds by the clock depend on
what else the machine does; those of the processor, over all threads, less so.
"""

from __future__ import annotations

import sys
import time
from statistics import median
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

from qipai.envs import single
from qipai.envs.sb3 import QipaiVecEnv

STEPS = 32
UPDATES = 4  # of a round


class Learning:
    """A model that learns on an environment, round by round."""

    def __init__(self, env: Any, lanes: int) -> None:
        self._size = STEPS * lanes
        self._model = MaskablePPO(
            "MlpPolicy",
            env,
            n_steps=STEPS,
            batch_size=self._size,
            n_epochs=1,
            device="cpu",
            policy_kwargs={"net_arch": [64]},
        )
        self._model.learn(self._size)  # compiles and allocates

    def rates(self) -> tuple[float, float]:
        """Return steps per second of a round, by the clock and by the processor."""
        clock, processor = time.perf_counter(), time.process_time()
        self._model.learn(UPDATES * self._size)
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
        return UPDATES * self._size / clock, UPDATES * self._size / processor


def main() -> None:
    game = sys.argv[1] if len(sys.argv) > 1 else "xianqi"
    lanes, rounds = (int(sys.argv[k]) if len(sys.argv) > k else n for k, n in ((2, 256), (3, 7)))
    torch.set_num_threads(1)
    ours = Learning(QipaiVecEnv(game, lanes, seed=1), lanes)
    theirs = Learning(DummyVecEnv([lambda: single(game, space="box") for _ in range(lanes)]), lanes)
    found = [(ours.rates(), theirs.rates()) for _ in range(rounds)]
    print(f"{game}, {lanes} lanes, {rounds} rounds, steps per second of QipaiVecEnv and of DummyVecEnv:")
    for k, name in enumerate(("clock", "processor")):
        mine, other = (median(rates[env][k] for rates in found) for env in (0, 1))
        ratio = median(rates[0][k] / rates[1][k] for rates in found)
        print(f"{name}: {mine:,.0f} and {other:,.0f}, {ratio:.1f} times")


if __name__ == "__main__":
    main()
