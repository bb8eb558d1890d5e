"""The agents of the game: `heuristic`, the original's, and `sharp`, which searches."""

from __future__ import annotations

from qipai.core import AgentSpec

from .heuristic import HeuristicAgent
from .sharp import SharpAgent

AGENTS = (
    AgentSpec(name="heuristic", place=1, make=HeuristicAgent, plain=True),
    AgentSpec(name="sharp", place=3, make=SharpAgent),
)
