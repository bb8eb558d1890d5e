"""Xianqi's own agents."""

from qipai.core import AgentSpec

from .heuristic import Heuristic

AGENTS = (
    AgentSpec(
        name="heuristic",
        level=1,
        make=Heuristic,
        about={
            "en": "counts cards; buckles, reveals and plays by expected chips",
            "zh": "会记牌，按期望筹码决定扣、掀与出牌",
        },
    ),
)
