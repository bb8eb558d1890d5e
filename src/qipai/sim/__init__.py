"""Many games at once: `Batch` and `playouts`, with the same interface on the CPU and on CUDA."""

from .batch import Batch, Rollout
from .playout import Playouts, playouts

__all__ = ["Batch", "Playouts", "Rollout", "playouts"]
