"""Paipai Rensa's agents: `greedy`, one ply, and `builder`, which builds chains by beam search."""

from __future__ import annotations

from qipai.core import AgentSpec

from .builder import BUILDER, GREEDY, Budget, Builder, make_greedy

__all__ = ["AGENTS", "BUILDER", "GREEDY", "Budget", "Builder"]

AGENTS = (
    AgentSpec(
        "greedy",
        1,
        make_greedy,
        {"en": "one ply; keeps the best shape in hand", "zh": "只看一手，按牌形留牌"},
    ),
    AgentSpec(
        "builder",
        2,
        Builder,
        {
            "en": "looks at NEXT and samples beyond it, builds long chains and winning hands",
            "zh": "看下一对并抽样其后，构筑长连锁与和牌",
        },
    ),
)
