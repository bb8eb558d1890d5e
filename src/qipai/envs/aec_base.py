"""What our PettingZoo environments have in common.

Nothing is told before a reset or after the end. A pickled environment, or a deep copy, goes on from the same
point.
"""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from qipai.core import State
from qipai.core.errors import MatchOver

from .kept import own


class DealtEnv(AECEnv):  # type: ignore[misc]  # PettingZoo carries no type information
    """An environment that is asked for its deal (`_dealt`), which refuses where there is none."""

    agents: list[str]

    def last(self, observe: bool = True) -> tuple[Any, ...]:
        """Observation, reward since its last step, ended, cut and info of `agent_selection`."""
        self._dealt()
        self._check_going()
        found: tuple[Any, ...] = super().last(observe)
        return found

    def _check_going(self) -> None:
        if not self.agents:
            raise MatchOver("the episode has ended: reset the environment")

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Go on from the values of another environment, of this process or not."""
        for name, value in kept.items():
            setattr(self, name, own(value))
        self._compile()

    def _compile(self) -> None:
        """Compile the rules, which a pickle does not hold."""
        raise NotImplementedError

    def _dealt(self) -> State:
        raise NotImplementedError
