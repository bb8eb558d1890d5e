"""Steps per second of MaskablePPO on `QipaiVecEnv` and on SB3's DummyVecEnv over `single`, while it learns.

python benchmarks/sb3.py [GAME] [LANES]

Seconds by the clock depend on what else the machine does; those of the processor, over all threads, hardly.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import DummyVecEnv

from qipai.envs import single
from qipai.envs.sb3 import QipaiVecEnv

STEPS = 32
UPDATES = 10


def rates(env: Any, lanes: int) -> tuple[float, float]:
    """Return steps per second of all updates but the first, by the clock and by the processor."""
    size = STEPS * lanes
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=STEPS,
        batch_size=size,
        n_epochs=1,
        device="cpu",
        policy_kwargs={"net_arch": [64]},
    )
    model.learn(size)
    clock, processor = time.perf_counter(), time.process_time()
    model.learn(UPDATES * size)
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    return UPDATES * size / clock, UPDATES * size / processor


def main() -> None:
    game = sys.argv[1] if len(sys.argv) > 1 else "xianqi"
    lanes = int(sys.argv[2]) if len(sys.argv) > 2 else 256
    torch.set_num_threads(1)
    ours = rates(QipaiVecEnv(game, lanes, seed=1), lanes)
    theirs = rates(DummyVecEnv([lambda: single(game, space="box") for _ in range(lanes)]), lanes)
    print(f"{game}, {lanes} lanes, steps per second of QipaiVecEnv and of DummyVecEnv:")
    for name, mine, other in zip(("clock", "processor"), ours, theirs, strict=True):
        print(f"{name}: {mine:,.0f} and {other:,.0f}, {mine / other:.1f} times")


if __name__ == "__main__":
    main()
