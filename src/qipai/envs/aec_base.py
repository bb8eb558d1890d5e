"""Shared parts of the PettingZoo environments.

Nothing can be read before a reset or after the end. A pickled environment, or a deep copy, continues from the
same point.
"""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from qipai.core import State
from qipai.core.errors import MatchOver

from .kept import own


class DealtEnv(AECEnv):  # type: ignore[misc]  # PettingZoo carries no type information
    """An environment whose deal is read by `_dealt`, which raises if there is none."""

    agents: list[str]

    def last(self, observe: bool = True) -> tuple[Any, ...]:
        """Return observation, reward since its last step, termination, truncation and info of an agent."""
        self._dealt()
        self._check_going()
        found: tuple[Any, ...] = super().last(observe)
        return found

    def _check_going(self) -> None:
        if not self.agents:
            raise MatchOver("the episode has ended: reset the environment")

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Continue from the values of another environment, of this process or another."""
        for name, value in kept.items():
            setattr(self, name, own(value))
        self._compile()

    def _compile(self) -> None:
        """Compile the rules, which a pickle does not contain."""
        raise NotImplementedError

    def _dealt(self) -> State:
        raise NotImplementedError
