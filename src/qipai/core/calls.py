"""The most frequent operations on a single state, each as one compiled call.

`legal`, `apply`, `partial` and `determinize` are slots for a game's functions: `Game` makes a copy of this
module with the slots filled in (`Variant`). States are passed in arrays, which cost a compiled function a
fraction of what a record costs. Every call from Python that is avoided saves about a microsecond.
"""

from __future__ import annotations

from .rng import pick, seed_words
from .rule import rule
from .variant import Slot

# Slots for a game's functions, filled in for each copy of this module.
legal = Slot("legal(s, mask)")
apply = Slot("apply(s, action)")
partial = Slot("partial(s)")
determinize = Slot("determinize(s, seat)")

CALLS = ("take", "redraw")
BEFORE, AFTER, OWN = 0, 1, 2  # rows of `take`


@rule
def never(s):
    """Return 0, because no move is unfinished: the `partial` of a game whose moves are single actions."""
    return 0


@rule(work="i8[:]")
def uniform(s, mask, n, rng, work):
    """Return a random legal action: the policy of playouts where a game's own is not asked for.

    Such a policy is given the `n` legal actions as `mask`, and draws from `rng` alone. It writes to
    neither `s` nor `mask`, and makes no arrays. `work` is scratch, which never changes an answer.
    """
    return pick(rng, mask, n)


@rule(old="states", new="states")
def take(old, new, mask, action, w0, w1, w2, w3):
    """Apply a legal `action` to the last of the three states `old`, and fill in the three states `new`.

    The new states are: the old one with its generator set from four words, the state after the action, and
    a second copy of that state. `mask` must be all zero and receives the next legal actions. Returns
    2 * (seat + 1) for the seat that decides next, plus 1 in the middle of a move.
    """
    new[BEFORE] = old[OWN]
    seed_words(new[BEFORE].rng[:], w0, w1, w2, w3)
    new[AFTER] = new[BEFORE]
    s = new[AFTER]
    apply(s, action)
    new[OWN] = s
    if s.seat < 0:
        return 0
    legal(s, mask)
    return 2 * (int(s.seat) + 1) + (1 if partial(s) != 0 else 0)


@rule(states="states")
def redraw(states, seat, w0, w1, w2, w3):
    """Draw everything that is hidden from `seat` again, using four generator words."""
    s = states[0]
    seed_words(s.rng[:], w0, w1, w2, w3)
    determinize(s, seat)
