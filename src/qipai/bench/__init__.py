"""How fast a game simulates, how large its state is, how long it takes to start."""

from .speed import Report, Speed, measure
from .start import Start, time_start

__all__ = ["Report", "Speed", "Start", "measure", "time_start"]
