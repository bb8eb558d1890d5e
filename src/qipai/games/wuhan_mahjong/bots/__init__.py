"""The agents that play Wuhan mahjong."""

from __future__ import annotations

from qipai.core import AgentSpec

from .heuristic import Heuristic

AGENTS = (AgentSpec(name="heuristic", place=1, make=Heuristic),)
