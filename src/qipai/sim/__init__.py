"""Many games at once: `Batch`, on the CPU and on CUDA with the same face."""

from .batch import Batch, Rollout

__all__ = ["Batch", "Rollout"]
