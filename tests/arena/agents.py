"""Agents for the tests of the arena."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Sight


class Made:
    """An agent from a function."""

    def __init__(self, choose: Callable[[Sight], Any]) -> None:
        self._choose = choose

    def act(self, sight: Sight) -> int:
        return self._choose(sight)  # type: ignore[no-any-return]


def spec(name: str, choose: Callable[[Sight], Any]) -> AgentSpec:
    def make(game: Game, words: NDArray[np.uint32]) -> Made:
        return Made(choose)

    return AgentSpec(name, 0, make)


def stakes(name: str, action: int) -> AgentSpec:
    """Return an agent that always chooses the same action."""
    return spec(name, lambda sight: action)
