"""Shared parts of the PettingZoo environments: `last` raises before a reset and after the end."""

from __future__ import annotations

import pytest
from pettingzoo import AECEnv

from qipai.core import State
from qipai.core.errors import MatchOver
from qipai.envs import WuhanMahjongEnv, aec
from qipai.envs.aec_base import DealtEnv
from qipai.envs.aec_game import GameEnv

from .toy import LAPS


@pytest.mark.parametrize("made", [GameEnv, WuhanMahjongEnv])
def test_our_environments_share_the_base(made: type) -> None:
    assert issubclass(made, DealtEnv) and issubclass(made, AECEnv)


def test_last_refuses_before_the_first_reset() -> None:
    with pytest.raises(MatchOver, match="reset the environment first"):
        aec(LAPS, seats=2).last()


def test_last_refuses_when_every_agent_has_left() -> None:
    env = aec(LAPS, seats=2, seed=1)
    env.reset()
    while env.agents:
        ended = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        env.step(None if ended else int(env.last()[0]["action_mask"].argmax()))
    with pytest.raises(MatchOver, match="the episode has ended"):
        env.last()


def test_an_environment_says_itself_what_is_dealt() -> None:
    class Bare(DealtEnv):
        def dealt(self) -> State:
            return self._dealt()

    with pytest.raises(NotImplementedError):
        Bare().dealt()
