"""How a simulation goes on where no tree leads it: a playout, and what stands at its end.

`legal`, `apply`, `playout` and `value` are slots for a game's functions, as in `sim/loops.py`. The rules at
the end are what fills a slot where a game has nothing of its own.
"""

from __future__ import annotations

from qipai.core import Slot, pick, rule

# A game's functions, filled in for each copy of this module.
legal = Slot("legal(s, mask)")
apply = Slot("apply(s, action)")
playout = Slot("playout(s, mask, n, rng, work)")
value = Slot("value(s, rng, work, values)")
fast = Slot("fast(s, mask, n, rng)")  # `Rules.playout`, which needs no scratch


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


@rule(work="i8[:]")
def play_fast(s, mask, n, rng, work):
    """Choose as `Rules.playout` does: the playout of a game that needs no scratch for it."""
    return fast(s, mask, n, rng)


# --- where a game has nothing of its own --------------------------------------------------


@rule(work="i8[:]")
def choose_any(s, mask, n, rng, work):
    """Choose a legal action, all equally likely: the playout of a game that has none."""
    return pick(rng, mask, n)


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
