"""Several processes that train one net together, one GPU each: `torchrun` starts them.

Every rank plays its share of the lanes and computes the gradient of its share of each minibatch; sums over
all ranks make of it the gradient of the whole minibatch, and every rank takes the same step. Alone, nothing
is exchanged and no value changes.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import torch
import torch.distributed
from torch import Tensor

from qipai.core.errors import BadTraining

from .settings import Settings

PATIENCE = timedelta(minutes=20)  # the first rank may clone and measure while the others wait


# Where the processes meet, if not at torchrun's port: `file:///shared/path` needs no port to be open.
MEETING = "QIPAI_MEETING"


class Ranks:
    """One process alone; `Group` is the same for several."""

    rank = 0
    size = 1

    @property
    def first(self) -> bool:
        """Whether this process writes and talks."""
        return self.rank == 0

    def add(self, tensor: Tensor) -> Tensor:
        """Replace a tensor by its sum over all ranks; return it."""
        return tensor

    def from_first(self, tensor: Tensor) -> Tensor:
        """Replace a tensor by that of the first rank; return it."""
        return tensor

    def close(self) -> None:
        """Leave."""


ALONE = Ranks()


class Group(Ranks):
    """The processes of a `torchrun`, connected by NCCL (GPUs) or Gloo (CPU)."""

    def __init__(self, kind: str) -> None:
        torch.distributed.init_process_group(
            "nccl" if kind == "cuda" else "gloo",
            init_method=os.environ.get(MEETING, "env://"),
            rank=int(os.environ["RANK"]),
            world_size=int(os.environ["WORLD_SIZE"]),
            timeout=PATIENCE,
        )
        self.rank, self.size = torch.distributed.get_rank(), torch.distributed.get_world_size()

    def add(self, tensor: Tensor) -> Tensor:
        """Replace a tensor by its sum over all ranks; return it."""
        torch.distributed.all_reduce(tensor)
        return tensor

    def from_first(self, tensor: Tensor) -> Tensor:
        """Replace a tensor by that of the first rank; return it."""
        torch.distributed.broadcast(tensor, 0)
        return tensor

    def close(self) -> None:
        """Leave the group."""
        torch.distributed.destroy_process_group()


def started(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether `torchrun` started this process as one of several."""
    return int(environment.get("WORLD_SIZE", "1")) > 1 and "RANK" in environment


def pick_gpu() -> None:
    """Let this process see one GPU, its own; call it before anything uses CUDA."""
    numbers = os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",")
    local = int(os.environ.get("LOCAL_RANK", "0"))
    if numbers == [""]:
        os.environ["CUDA_VISIBLE_DEVICES"] = str(local)
    elif local < len(numbers):
        os.environ["CUDA_VISIBLE_DEVICES"] = numbers[local]
    else:
        raise BadTraining(f"torchrun started more processes than there are GPUs ({len(numbers)})")


def share_of(settings: Settings, ranks: Ranks) -> Settings:
    """Return the settings of one rank: its part of lanes and minibatches.

    Raise `BadTraining` if they cannot be shared evenly.
    """
    if ranks.size == 1:
        return settings
    tables = max(1, len(settings.seats))
    if settings.lanes % (ranks.size * tables) or settings.minibatch % ranks.size:
        raise BadTraining(
            f"{settings.lanes} lanes in minibatches of {settings.minibatch} cannot be shared by"
            f" {ranks.size} processes evenly"
        )
    made = replace(settings, lanes=settings.lanes // ranks.size, minibatch=settings.minibatch // ranks.size)
    made.check()
    return made
