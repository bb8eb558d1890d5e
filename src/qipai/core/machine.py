"""What every game's machine shares: entering a phase, and payoffs that stay in range."""

from __future__ import annotations

from .rule import rule

PAYOFF_MAX = 1 << 30  # payoffs saturate here


@rule
def goto(s, phase):
    """Enter `phase`. The only way to change it, so that plain runs can record the edges."""
    s.phase = phase


@rule
def clamp_payoff(x):
    """`x`, kept within the range of a payoff."""
    if x > PAYOFF_MAX:
        return PAYOFF_MAX
    if x < -PAYOFF_MAX:
        return -PAYOFF_MAX
    return x
