"""Skeleton: its agents, weakest first."""

from qipai.core import AgentSpec

from .steady import Steady

AGENTS = (AgentSpec(name="steady", level=1, make=Steady),)
