"""Many games at once: `Batch`, with the same interface on the CPU and on CUDA."""

from .batch import Batch, Rollout

__all__ = ["Batch", "Rollout"]
