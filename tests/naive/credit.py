"""Credit per lane and seat, the slow way: every decision is followed forward, one by one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float64]


def credit(
    reward: Table,  # (T, N, S)
    done: NDArray[np.bool_],  # (T, N)
    seat: NDArray[np.int64],  # (T, N)
    value: Table,  # (T, N)
    last_seat: NDArray[np.int64],  # (N,)
    last_value: Table,  # (N,)
    discount: float,
    trace: float,
) -> tuple[Table, NDArray[np.bool_]]:
    """Return advantages and which are known, as `qipai.learn.credit.credit` does."""
    steps, lanes = seat.shape
    advantage, known = np.zeros((steps, lanes)), np.zeros((steps, lanes), bool)
    for lane in range(lanes):
        cut = (int(last_seat[lane]), float(last_value[lane]))
        for t in range(steps):
            found = _follow(
                reward[:, lane], done[:, lane], seat[:, lane], value[:, lane], cut, t, discount, trace
            )
            if found is not None:
                advantage[t, lane], known[t, lane] = found, True
    return advantage, known


def _follow(
    reward: Table,
    done: NDArray[np.bool_],
    seat: NDArray[np.int64],
    value: Table,
    cut: tuple[int, float],
    start: int,
    discount: float,
    trace: float,
) -> float | None:
    """Sum the surprises of one seat's decisions from `start` on: (discount * trace)^k times the k-th."""
    own, total, weight, at = seat[start], 0.0, 1.0, start
    while True:
        following, earned = _next(done, seat, own, at), 0.0
        last = following if following is not None else len(seat)
        over = next((t for t in range(at, last) if done[t]), None)
        earned = float(reward[at : (over + 1 if over is not None else last), own].sum())
        if over is not None:
            return total + weight * (earned - float(value[at]))
        if following is None:
            if cut[0] == own:
                return total + weight * (earned + discount * cut[1] - float(value[at]))
            return total if at != start else None
        total += weight * (earned + discount * float(value[following]) - float(value[at]))
        weight *= discount * trace
        at = following


def _next(done: NDArray[np.bool_], seat: NDArray[np.int64], own: int, at: int) -> int | None:
    """Return the seat's next decision after `at` in the segment, whatever game it belongs to."""
    return next((t for t in range(at + 1, len(seat)) if seat[t] == own), None)
