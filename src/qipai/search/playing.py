"""How a simulation goes on where no tree leads it: a playout, and what stands at its end.

`legal`, `apply`, `playout` and `value` are slots for a game's functions, as in `sim/loops.py`. The rules at
the end are what fills a slot where a game has nothing of its own.
"""

from __future__ import annotations

from qipai.core import Slot, rule
from qipai.core.calls import uniform

# A game's functions, filled in for each copy of this module.
legal = Slot("legal(s, mask)")
apply = Slot("apply(s, action)")
playout = Slot("playout(s, mask, n, rng, work)")
value = Slot("value(s, rng, work, values)")


@rule(work="i8[:]", values="f8[:]")
def play_out(s, mask, rng, work, values, horizon):
    """Play on by the fast policy for at most `horizon` actions; `values` gets what every seat then has."""
    for _ in range(horizon):
        if s.seat < 0:
            break
        n = legal(s, mask)
        if n < 1:
            break  # rules that leave a seat without an action: no further
        if n == 1:
            apply(s, first_of(mask))
        else:
            apply(s, playout(s, mask, n, rng, work))
    settle(s, rng, work, values)


@rule(work="i8[:]", values="f8[:]")
def play_on(s, seat, cut, mask, rng, work, values, horizon):
    """Play on as `play_out`, but, if `cut` > 0, to the decision number `cut` of `seat` at most."""
    own = 0
    for _ in range(horizon):
        if s.seat < 0:
            break
        n = legal(s, mask)
        if n < 1:
            break
        if n == 1:
            apply(s, first_of(mask))
            continue
        if s.seat == seat:
            own += 1
            if own == cut:
                break
        apply(s, playout(s, mask, n, rng, work))
    settle(s, rng, work, values)


@rule(work="i8[:]", values="f8[:]")
def settle(s, rng, work, values):
    """Fill `values` with the payoffs of a hand that is over, or with what the position is worth."""
    if s.seat < 0:
        stand(s, rng, work, values)
    else:
        value(s, rng, work, values)


@rule
def first_of(mask):
    """Return the lowest legal action; there is one."""
    a = 0
    while mask[a] == 0:
        a += 1
    return a


# --- where a game has nothing of its own --------------------------------------------------


choose_any = uniform  # the playout of a game that has none


@rule(work="i8[:]", values="f8[:]")
def stand(s, rng, work, values):
    """Take the payoffs as they stand: the value of a game that has none."""
    for k in range(values.shape[0]):
        values[k] = s.payoff[k]


@rule(work="i8[:]", weights="f8[:]")
def prefer_none(s, mask, n, work, weights):
    """Weigh all legal actions alike: the prior of a game that has none."""
    for a in range(weights.shape[0]):
        weights[a] = float(mask[a])
