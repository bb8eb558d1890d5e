"""Wuhan mahjong: `determinize`, a world that is consistent with everything a seat has seen.

Exact for the seat that decides: the kinds of others' concealed kongs are uniform over those that
are possible (each leaves equally many deals), then all unseen tiles are uniform over hidden hands
and wall. Passes are secret and a win is a choice, so play gives no hard inference beyond
what is visible. The answers of earlier responders are drawn uniformly from those they
could have given. Nobody knows how many have passed in secret, so `ply` counts public actions only.
For a seat that waits while others are asked, worlds are drawn until another
seat has a claim, at most TRIES times; after that a seat that can only pass takes its place.
"""

from __future__ import annotations

import numpy as np

from qipai.core import NOBODY, below, rule, shuffle

from .claims import find_claims, find_robbers, is_special, responder
from .rules import decide
from .state import CLAIM_KONG, CLAIM_PONG, PLAYER_DECISION, WAIT_ROB_KONG, WAITING_RESPONSE
from .tiles import (
    CHOW,
    COPIES,
    EXPOSED,
    KINDS,
    NONE,
    PASS,
    PONG,
    SEATS,
    T_CONCEALED,
    TILES,
)

TRIES = 64


@rule
def determinize(s, seat):
    """Redraw what `seat` cannot know, with the state's own generator (see above)."""
    if s.seat == NOBODY:
        return  # over: everything is visible
    s.ply = s.logged
    unseen = np.zeros(TILES, np.int8)
    counts = np.zeros(KINDS, np.int8)
    sizes = np.zeros(SEATS, np.int64)
    _gather(s, seat, counts, sizes)
    _redraw_kongs(s, seat, counts)
    n = 0
    for t in range(KINDS):
        for _ in range(counts[t]):
            unseen[n] = t
            n += 1
    window = s.phase == WAITING_RESPONSE or s.phase == WAIT_ROB_KONG
    waiting = window and s.seat != seat
    passed = window and seat >= 0 and seat != s.source and _was_asked(s, seat)
    for left in range(TRIES if waiting else 1, 0, -1):
        shuffle(s, unseen, n)
        _deal_out(s, seat, unseen, sizes)
        if window:
            _find(s)
        if waiting and _choose_asked(s, seat, passed, left == 1):
            break
    if window:
        _redraw_answers(s, seat)
    elif s.seat != seat:
        _redraw_turn(s, seat)


@rule(counts="i1[:]", sizes="i8[:]")
def _gather(s, seat, counts, sizes):
    """Count the unseen tiles by kind in `counts`, and the sizes of hidden hands in `sizes`."""
    for i in range(int(s.front), int(s.back)):
        counts[s.wall[i]] += 1
    for other in range(SEATS):
        if other == seat:
            continue
        for t in range(KINDS):
            counts[t] += s.hand[other, t]
            sizes[other] += s.hand[other, t]
        for i in range(s.melds[other]):
            if s.meld_type[other, i] == T_CONCEALED:
                counts[s.meld_tile[other, i]] += COPIES
    if s.phase == WAIT_ROB_KONG and s.source != seat:
        counts[s.tile] -= 1  # announced: it stays where it is
        sizes[s.source] -= 1


@rule(counts="i1[:]")
def _redraw_kongs(s, seat, counts):
    """Choose new kinds for others' concealed kongs; their tiles leave `counts`."""
    for other in range(SEATS):
        if other == seat:
            continue
        for i in range(s.melds[other]):
            if s.meld_type[other, i] != T_CONCEALED:
                continue
            n = 0
            for t in range(KINDS):
                n += 1 if counts[t] == COPIES and not is_special(s, t) else 0
            k = below(s, n)
            for t in range(KINDS):
                if counts[t] == COPIES and not is_special(s, t):
                    if k == 0:
                        s.meld_tile[other, i] = t
                        counts[t] = 0
                        break
                    k -= 1
        _rewrite_log(s, other)


@rule
def _rewrite_log(s, other):
    """Write the new kinds to the log: its last concealed kong is the seat's last, and so on."""
    i = int(s.melds[other]) - 1
    for j in range(int(s.logged) - 1, -1, -1):
        entry = int(s.log[j])
        if (entry & 15) == T_CONCEALED and entry >> 10 == other:
            while i >= 0 and s.meld_type[other, i] != T_CONCEALED:
                i -= 1
            if i < 0:
                return
            s.log[j] = T_CONCEALED + 16 * int(s.meld_tile[other, i]) + 1024 * other
            i -= 1


@rule(unseen="i1[:]", sizes="i8[:]")
def _deal_out(s, seat, unseen, sizes):
    n = 0
    for other in range(SEATS):
        if other == seat:
            continue
        for t in range(KINDS):
            s.hand[other, t] = 0
        for _ in range(sizes[other]):
            s.hand[other, unseen[n]] += 1
            n += 1
    if s.phase == WAIT_ROB_KONG and s.source != seat:
        s.hand[s.source, s.tile] += 1
    for i in range(int(s.front), int(s.back)):
        s.wall[i] = unseen[n]
        n += 1


@rule
def _find(s):
    if s.phase == WAITING_RESPONSE:
        find_claims(s)
    else:
        find_robbers(s)


@rule
def _is_asked(s, seat):
    """Return whether a seat is asked at all in this window."""
    return s.claims[seat] != 0 or (s.auto_pass == 0 and s.phase == WAITING_RESPONSE)


@rule
def _was_asked(s, seat):
    """Return whether a waiting seat has already been asked."""
    return s.answer[seat] != NONE


@rule
def _choose_asked(s, seat, passed, force):
    """Choose who is asked now, if a waiting seat cannot know: uniform over the possible seats.

    A seat that has answered knows that the question is past it in the order; a seat
    that has a claim and was not asked knows that it has not reached it.
    """
    for strict in range(2):
        n = 0
        for place in range(SEATS - 1):
            n += 1 if _can_be_asked(s, seat, passed, place, strict == 0) else 0
        if n > 0:
            k = below(s, n)
            for place in range(SEATS - 1):
                if _can_be_asked(s, seat, passed, place, strict == 0):
                    if k == 0:
                        s.asked = place
                        s.seat = responder(s, place, int(s.phase))
                        return True
                    k -= 1
        if not force:
            return False
    return False


@rule
def _can_be_asked(s, seat, passed, place, claimant):
    other = responder(s, place, int(s.phase))
    if other == seat or (claimant and not _is_asked(s, other)):
        return False
    if seat < 0 or seat == s.source or not _is_asked(s, seat):
        return True
    mine = 0
    while responder(s, mine, int(s.phase)) != seat:
        mine += 1
    return place > mine if passed else place < mine


@rule
def _redraw_answers(s, seat):
    """Redraw the answers of the seats asked before: any they could have given, except a win."""
    for place in range(SEATS - 1):
        other = responder(s, place, int(s.phase))
        if other == seat:
            continue
        s.answer[other] = NONE
        if place >= s.asked or not _is_asked(s, other):
            continue
        s.answer[other] = PASS
        if s.phase == WAITING_RESPONSE:
            s.answer[other] = _any_answer(s, other)


@rule
def _any_answer(s, seat):
    claims = int(s.claims[seat])
    n = 1
    for k in range(5):
        n += (claims >> k) & 1
    pick = below(s, n)
    for k in range(3):
        if (claims >> k) & 1:
            if pick == 0:
                return CHOW + k
            pick -= 1
    if claims & CLAIM_PONG:
        if pick == 0:
            return PONG
        pick -= 1
    if claims & CLAIM_KONG:
        if pick == 0:
            return EXPOSED
        pick -= 1
    return PASS


@rule
def _redraw_turn(s, seat):
    """Redraw the deciding seat's drawn tile and chance to win, in the new world."""
    turn = int(s.turn)
    if s.drawn != NONE:
        n = 0
        for t in range(KINDS):
            n += s.hand[turn, t]
        k = below(s, n)
        for t in range(KINDS):
            if k < s.hand[turn, t]:
                s.drawn = t
                break
            k -= s.hand[turn, t]
    if s.phase == PLAYER_DECISION:
        decide(s, turn)
