"""Simulation speed by batch size and against other libraries, and start-up time."""

from .contest import Outcome, Pace, compete
from .curve import Point, curve, draw
from .speed import Report, Speed, measure
from .start import Start, compile_apart, time_start

__all__ = [
    "Outcome",
    "Pace",
    "Point",
    "Report",
    "Speed",
    "Start",
    "compete",
    "compile_apart",
    "curve",
    "draw",
    "measure",
    "time_start",
]
