"""The agents of Xianqi."""

from qipai.core import AgentSpec

from .heuristic import Heuristic

AGENTS = (AgentSpec(name="heuristic", level=1, make=Heuristic),)
