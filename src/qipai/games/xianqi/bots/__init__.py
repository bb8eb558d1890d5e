"""The agents of Xianqi."""

from qipai.core import AgentSpec

from .heuristic import Heuristic

AGENTS = (AgentSpec(name="heuristic", place=1, make=Heuristic),)
