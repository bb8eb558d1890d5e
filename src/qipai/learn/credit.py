"""Which decision a reward belongs to: advantages per lane and seat.

Between two decisions of a seat others decide, and payoffs change on their moves too. The reward of a decision
is the change of its seat's payoff up to that seat's next decision in the same game. `tests/naive/credit.py`
is
the naive twin, which follows every decision forward.
"""

from __future__ import annotations

import torch
from torch import Tensor


def credit(
    reward: Tensor,  # (T, N, S) float32: change of every seat's payoff in step t
    done: Tensor,  # (T, N): nonzero if a game ended in step t
    seat: Tensor,  # (T, N): whose decision it was
    value: Tensor,  # (T, N) float32: its value, as estimated then
    last_seat: Tensor,  # (N,): who decides at the cut, after the last step
    last_value: Tensor,  # (N,) float32: the value of that decision
    discount: float,
    trace: float,
) -> tuple[Tensor, Tensor]:
    """Return advantages (T, N) float32, and which of them are known (T, N) bool.

    Scan backwards, keeping for every lane and seat the reward since that seat's next decision, the value of
    that decision and its running advantage; the end of a game clears all three. A decision whose next one
    is beyond the cut uses `last_value` if its seat decides at the cut, and is unknown otherwise.
    """
    steps, _, seats = reward.shape
    numbers = torch.arange(seats, device=reward.device)
    since = torch.zeros_like(reward[0])  # (N, S)
    following = torch.zeros_like(since)  # the next decision's value
    running = torch.zeros_like(since)  # and its advantage
    at_cut = last_seat[:, None] == numbers
    closed = at_cut.clone()  # whether the seat's future is known
    following = torch.where(at_cut, last_value[:, None], following)
    advantage = torch.zeros_like(value)
    known = torch.zeros(value.shape, dtype=torch.bool, device=value.device)
    for t in reversed(range(steps)):
        over = (done[t] != 0)[:, None]  # (N, 1)
        since = torch.where(over, 0.0, since) + reward[t]
        following = torch.where(over, 0.0, following)
        running = torch.where(over, 0.0, running)
        closed = closed | over
        own = seat[t][:, None] == numbers  # (N, S): one per lane
        estimate = since + discount * (following + trace * running) - value[t][:, None]
        advantage[t] = torch.where(own & closed, estimate, 0.0).sum(1)
        known[t] = (own & closed).any(1)
        since = torch.where(own, 0.0, since)
        following = torch.where(own, value[t][:, None], following)
        running = torch.where(own, advantage[t][:, None], running)
        closed = closed | own
    return advantage, known
