"""Xianqi: the compiled half of the heuristic agent.

`weigh` plays every legal action out in many worlds that are consistent with what the seat has seen and
adds up the chips; `quick` is the simple policy of those playouts.
"""

from __future__ import annotations

import numpy as np

from qipai.core import draw, next_word, pick, rule

from ..observe import determinize
from ..rules import after, apply, legal, play_power
from ..state import (
    ACTIONS,
    B_CHE,
    B_GOU,
    B_NIU,
    BUCKLE,
    BUCKLE_DECISION,
    DOG_PAIR,
    ENOUGH,
    NONE,
    PASS,
    PLAY_SIZE,
    PLAYS,
    POWER,
    R_GOU,
    R_NIU,
    REVEAL,
    REVEAL_DECISION,
    SEATS,
    TYPES,
    UNDER,
)

ROOT, WORLD, LINE = 0, 1, 2  # the three states that `weigh` works on
WHIM = 12  # one playout move in this many is random, so that no plan looks certain
STRONG = 7  # power of a card that mostly wins a single


@rule(states="states", work="i8[:]")
def choose(states, seat, mask, n, rng, work):
    """Choose as `Heuristic.act` does: the legal action that earns the most chips, the first of equal ones.

    work[ACTIONS] is the number of worlds; the totals are before it, and room for a mask behind it.
    """
    best = NONE
    if n > 1:
        weigh(states, seat, work[ACTIONS], rng, work[ACTIONS + 1 :].view(np.uint8)[: mask.shape[0]], work)
    for a in range(ACTIONS):
        if mask[a] != 0 and (best == NONE or work[a] > work[best]):
            best = a
    return best


@rule(states="states", totals="i8[:]")
def weigh(states, seat, worlds, rng, mask, totals):
    """Add up, for each legal action, the chips of `seat` over `worlds` playouts.

    states[ROOT] is a state that is consistent with what the seat knows; the others are scratch.
    """
    legal(states[ROOT], mask)
    for a in range(ACTIONS):
        totals[a] = 0
    keep = mask[:ACTIONS].copy()
    for _ in range(worlds):
        states[WORLD] = states[ROOT]
        world = states[WORLD]
        for k in range(4):
            world.rng[k] = next_word(rng)
        determinize(world, seat)
        for a in range(ACTIONS):
            if keep[a] != 0:
                states[LINE] = states[WORLD]
                line = states[LINE]
                apply(line, a)
                play_out(line, rng, mask)
                totals[a] += line.payoff[seat]


@rule
def play_out(s, rng, mask):
    """Play `s` to its end with the simple policy."""
    while s.seat >= 0:
        n = legal(s, mask)
        if n == 1 or draw(rng, WHIM) == 0:
            apply(s, pick(rng, mask, n))
        else:
            apply(s, quick(s, mask))


@rule
def quick(s, mask):
    """Return a sensible action in a fully known world."""
    if s.phase == REVEAL_DECISION:
        return REVEAL if wants_reveal(s) else PASS
    if mask[BUCKLE] != 0 and wants_buckle(s):
        return BUCKLE
    if s.phase == BUCKLE_DECISION and mask[PASS] != 0:
        return PASS
    if s.kind == 0:
        return lead(s, mask)
    play = answer(s, mask)
    return play if play != NONE else throw(s)


@rule
def wants_buckle(s):
    """Return whether to stop: with enough, or with nothing while another seat nears ceramic."""
    own = int(s.pillars[s.seat])
    if own >= ENOUGH:
        return True
    if own > 0:
        return False
    for seat in range(SEATS):
        if s.pillars[seat] > ENOUGH:
            return True
    return False


@rule
def wants_reveal(s):
    """Return whether to play on: the strong cards in hand may still make it enough."""
    own = int(s.pillars[s.seat])
    if own >= ENOUGH:
        return False
    for t in range(TYPES):
        if POWER[t] >= STRONG:
            own += s.hand[s.seat, t]
    return own >= ENOUGH


@rule
def lead(s, mask):
    """Return the largest lead that nobody can beat, the weakest of its size; else the weakest card."""
    found = NONE
    for a in range(PLAYS):
        if mask[a] == 0:
            continue
        best = strongest(s, int(PLAY_SIZE[a]), after(s.seat))
        best = max(best, strongest(s, int(PLAY_SIZE[a]), after(after(s.seat))))
        if play_power(s, a) >= best:
            found = a  # plays are ordered from small to large, and from strong to weak
    if found != NONE:
        return found
    for a in range(PLAYS):
        if mask[a] != 0 and PLAY_SIZE[a] == 1:
            found = a  # singles are ordered from strong to weak
    return found


@rule
def answer(s, mask):
    """Return the weakest beating play that holds, else the weakest; NONE if there is none."""
    later = -1
    if s.acted == 1:
        later = strongest(s, int(s.kind), after(s.seat))
    found = NONE
    holds = NONE
    for a in range(PLAYS):
        if mask[a] != 0:
            found = a
            if play_power(s, a) >= later:
                holds = a
    return holds if holds != NONE else found


@rule
def throw(s):
    """Return the first of the weakest cards that must still be put under (types go from strong to weak)."""
    need = int(s.kind) - int(s.picked)
    t = TYPES
    while need > 0:
        t -= 1
        need -= s.hand[s.seat, t]
    return UNDER + t


@rule
def strongest(s, kind, seat):
    """Return the highest power of `kind` cards in a seat's hand, -1 if it has none."""
    hand = s.hand[seat]
    if kind == 1:
        for t in range(TYPES):
            if hand[t] > 0:
                best = int(POWER[t])
                if t == B_CHE and hand[R_GOU] > 0:  # the only place where type and power differ
                    best = int(POWER[R_GOU])
                return best
        return -1
    if kind == 2:
        if hand[R_GOU] > 0 and hand[B_GOU] > 0:
            return play_power(s, DOG_PAIR)
        for t in range(TYPES):
            if hand[t] > 1:
                return int(POWER[t])
        return -1
    if hand[R_NIU] > 2:
        return 11
    return 10 if hand[B_NIU] > 2 else -1
