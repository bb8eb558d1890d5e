"""What every game's machine shares: entering a phase, and payoffs that stay in range."""

from __future__ import annotations

import pytest

from qipai.core import clamp_payoff, copy_state, goto
from qipai.core.machine import PAYOFF_MAX
from tests.toys_check import hush


@pytest.mark.parametrize(
    ("x", "clamped"),
    [
        (0, 0),
        (-5, -5),
        (PAYOFF_MAX, PAYOFF_MAX),
        (PAYOFF_MAX + 1, PAYOFF_MAX),
        (-PAYOFF_MAX - 1, -PAYOFF_MAX),
        (1 << 62, PAYOFF_MAX),
    ],
)
def test_a_payoff_saturates_at_2_to_the_30(x: int, clamped: int) -> None:
    assert clamp_payoff(x) == clamped
    assert PAYOFF_MAX == 2**30


def test_goto_enters_a_phase_and_changes_nothing_else() -> None:
    s = hush.GAME.new(seats=3)
    before = copy_state(s)
    goto(s, int(hush.SCORING))
    assert int(s["phase"]) == hush.SCORING
    s["phase"] = before["phase"]
    assert s.tobytes() == before.tobytes()
