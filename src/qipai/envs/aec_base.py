"""What our PettingZoo environments have in common: nothing is told before a reset or after the end."""

from __future__ import annotations

from typing import Any

from pettingzoo import AECEnv

from qipai.core import State
from qipai.core.errors import MatchOver


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

    def _dealt(self) -> State:
        raise NotImplementedError
