"""Skeleton: its agents, weakest first."""

from qipai.core import AgentSpec

from .steady import Steady

AGENTS = (AgentSpec(name="steady", place=1, make=Steady),)
