"""Shared parts of every game's state machine: changing the phase, and payoffs that stay in range."""

from __future__ import annotations

from .rule import rule

PAYOFF_MAX = 1 << 30  # payoffs saturate at this value


@rule
def goto(s, phase):
    """Enter `phase`. All phase changes go through here, so that plain runs can record the edges."""
    s.phase = phase


@rule
def clamp_payoff(x):
    """Return `x` limited to the range of a payoff."""
    if x > PAYOFF_MAX:
        return PAYOFF_MAX
    if x < -PAYOFF_MAX:
        return -PAYOFF_MAX
    return x
