"""One of several processes that train together: `python -m tests.learn.rank FOLDER`, started as a rank.

It learns from its share of FOLDER/segment.npz as one minibatch, then plays and learns by itself, and leaves
the mean of its gradients and its weights.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

from qipai.core import get
from qipai.learn.nets import Raw
from qipai.learn.ranks import Group, share_of
from qipai.learn.remote import PLAYED
from qipai.learn.trainer import Trainer
from tests.learn.parts import tiny

WHOLE: dict[str, Any] = {"lanes": 64, "steps": 8, "minibatch": 512, "epochs": 1, "seed": 3}


def fill(trainer: Trainer, folder: Path, first: int, last: int) -> None:
    """Put lanes `first` to `last` - 1 of the segment in the folder into the trainer's."""
    with np.load(folder / "segment.npz") as arrays:
        for name in PLAYED:
            if arrays[name].ndim > 1:
                getattr(trainer.segment, name).copy_(torch.from_numpy(arrays[name][:, first:last]))


def main(folder: Path) -> None:
    ranks = Group("cpu")
    settings = share_of(tiny(**WHOLE), ranks)
    made = Trainer(settings, "cpu", columns=Raw.of(get("xianqi")), ranks=ranks)
    fill(made, folder, ranks.rank * settings.lanes, (ranks.rank + 1) * settings.lanes)
    found = {}
    made.learn()
    found["gradient"] = made.learner.adam.mean.numpy().copy()
    found["given"] = made.learner.weights.numpy().copy()
    made.prepare()
    for _ in range(2):
        made.iterate()
    found["played"] = made.learner.weights.numpy().copy()
    found["obs"] = made.segment.obs.numpy()
    found["decisions"] = np.array(made.decisions)
    np.savez(folder / f"rank{ranks.rank}.npz", **found)
    ranks.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
