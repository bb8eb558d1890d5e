"""Paipai Rensa's agents: `greedy`, one ply, and `builder`, which builds chains by beam search."""

from __future__ import annotations

from qipai.core import AgentSpec

from .builder import BUILDER, GREEDY, Budget, Builder, make_greedy

__all__ = ["AGENTS", "BUILDER", "GREEDY", "Budget", "Builder"]

AGENTS = (
    AgentSpec("greedy", 1, make_greedy, plain=True),
    AgentSpec("builder", 3, Builder),
)
