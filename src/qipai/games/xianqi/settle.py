"""Xianqi: the settlement (§8), and the relations between revealers and bucklers that it depends on."""

from __future__ import annotations

from qipai.core import rule

from .state import (
    ALL_PILLARS,
    CERAMIC,
    ENOUGH,
    NONE,
    PART_CERAMIC,
    PART_ENOUGH,
    PART_REVEAL,
    SEATS,
)


@rule
def settle(s):
    """Compute the chips by parts, and their sum as the payoff (§8)."""
    for part in range(3):
        for seat in range(SEATS):
            s.parts[part, seat] = 0
    for seat in range(SEATS):
        if s.pillars[seat] >= CERAMIC:
            _settle_ceramic(s, seat)
        elif s.pillars[seat] >= ENOUGH and not is_barred(s, seat):
            for loser in range(SEATS):
                if s.pillars[loser] < ENOUGH:
                    _pay(s, PART_ENOUGH, loser, seat, chips_due(s, s.pillars[seat]))
    for i in range(s.links):
        revealer = link_revealer(s, i)
        if link_enough(s, i) == 0 and s.pillars[revealer] < ENOUGH:
            _pay(s, PART_REVEAL, revealer, link_buckler(s, i), 1)
    for seat in range(SEATS):
        total = 0
        for part in range(3):
            total += s.parts[part, seat]
        s.payoff[seat] = total


@rule
def chips_due(s, pillars):
    """Return what each seat below enough pays a seat with `pillars`, enough or ceramic (§8.1, §8.2)."""
    if pillars < CERAMIC:
        return 1
    if s.eight_pillars == 1 and pillars >= ALL_PILLARS:
        return 8
    return 1 if s.first_game_limits == 1 else 3


@rule
def _settle_ceramic(s, seat):
    for loser in range(SEATS):
        if s.pillars[loser] < ENOUGH:
            payer = loser if s.liable == NONE else int(s.liable)
            _pay(s, PART_CERAMIC, payer, seat, chips_due(s, s.pillars[seat]))


@rule
def _pay(s, part, payer, receiver, chips):
    s.parts[part, payer] -= chips
    s.parts[part, receiver] += chips


@rule
def is_barred(s, seat):
    """Return whether a seat revealed when it already had enough, or played on instead of buckling (§8.1)."""
    if (int(s.unbuckled) >> seat) & 1:
        return True
    for i in range(s.links):
        if link_revealer(s, i) == seat and link_enough(s, i) == 1:
            return True
    return False


@rule
def link_revealer(s, i):
    """Return the revealer of relation `i`."""
    return int(s.link[i]) % 3


@rule
def link_buckler(s, i):
    """Return the buckler that relation `i` was revealed against."""
    return int(s.link[i]) // 3 % 3


@rule
def link_enough(s, i):
    """Return 1 if the revealer already had enough."""
    return int(s.link[i]) // 9 % 2


@rule
def link_round(s, i):
    """Return the round that the reveal started."""
    return int(s.link[i]) // 18
