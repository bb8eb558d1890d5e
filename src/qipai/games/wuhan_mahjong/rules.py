"""Wuhan mahjong 七皮四赖: the state, the machine, what is legal, what an action changes.

Here: tiles and special tiles, the deal, phases, response windows, robbing a kong.
Not here: win detection (win.py), payments (score.py), what a seat may know, text.
Clause numbers (§) are those of the README beside this file.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from qipai.core import NOBODY, below, goto, header, rule, shuffle, state_dtype

from .score import can_win, settle_flow, settle_win, wall_left
from .tiles import (
    ACTIONS,
    BY_DISCARD,
    CHOW,
    CONCEALED,
    COPIES,
    DEALT,
    EXPOSED,
    FIRST_DRAW,
    FLIP,
    HONOURS,
    KINDS,
    KONG_LAZY,
    KONG_RED,
    KONG_SELF_DRAW,
    KONG_SKIN,
    LAID_LAIZI,
    LAID_RED,
    LAID_SKIN0,
    MELDS,
    NONE,
    NORTH,
    PASS,
    PONG,
    RED,
    ROB_KONG,
    SEATS,
    SELF_DRAW,
    SUPPLEMENT,
    T_CHOW,
    T_CONCEALED,
    T_DISCARD,
    T_EXPOSED,
    T_LAZY,
    T_PONG,
    T_RED,
    T_SKIN,
    T_SUPPLEMENT,
    T_WIN,
    TILES,
    WALL_START,
    WIN,
)

POOL = 84  # tiles lying in rivers, at most
LOG = 120  # public actions of a hand, at most 117 (README §3)
HIDDEN = KINDS  # as a tile of the log: none

# Bits of `claims`: what a seat may answer; CLAIM_WIN also in its own decision
CLAIM_CHOW, CLAIM_PONG, CLAIM_KONG, CLAIM_WIN = 1, 8, 16, 32  # chow: << 0, 1, 2

ORDER_DISCARDER, ORDER_DEALER = 0, 1


class Phase(IntEnum):
    """§3.1; 6, 11 and 14 are reserved and never entered."""

    INITIAL = 0
    DRAWING = 1
    PLAYER_DECISION = 2
    DISCARDING = 3
    MELD_DECISION = 4
    WAITING_RESPONSE = 5
    RESPONSES = 6
    PROCESSING_MELD = 7
    GONG = 8
    WAIT_ROB_KONG = 9
    DRAWING_AFTER_GONG = 10
    RESPONSES_AFTER_GONG = 11
    WIN = 12
    FLOW_DRAW = 13
    SETTLE = 14


INITIAL = int(Phase.INITIAL)
DRAWING = int(Phase.DRAWING)
PLAYER_DECISION = int(Phase.PLAYER_DECISION)
DISCARDING = int(Phase.DISCARDING)
MELD_DECISION = int(Phase.MELD_DECISION)
WAITING_RESPONSE = int(Phase.WAITING_RESPONSE)
PROCESSING_MELD = int(Phase.PROCESSING_MELD)
GONG = int(Phase.GONG)
WAIT_ROB_KONG = int(Phase.WAIT_ROB_KONG)
DRAWING_AFTER_GONG = int(Phase.DRAWING_AFTER_GONG)
WON = int(Phase.WIN)
FLOW_DRAW = int(Phase.FLOW_DRAW)

EDGES = (
    (INITIAL, PLAYER_DECISION),
    (DRAWING, PLAYER_DECISION),
    (PLAYER_DECISION, DISCARDING),
    (PLAYER_DECISION, GONG),
    (PLAYER_DECISION, WON),
    (MELD_DECISION, DISCARDING),
    (MELD_DECISION, GONG),
    (DISCARDING, FLOW_DRAW),
    (DISCARDING, WAITING_RESPONSE),
    (DISCARDING, DRAWING),
    (WAITING_RESPONSE, WAITING_RESPONSE),
    (WAITING_RESPONSE, WON),
    (WAITING_RESPONSE, GONG),
    (WAITING_RESPONSE, PROCESSING_MELD),
    (WAITING_RESPONSE, DRAWING),
    (PROCESSING_MELD, MELD_DECISION),
    (GONG, DRAWING_AFTER_GONG),
    (GONG, WAIT_ROB_KONG),
    (WAIT_ROB_KONG, WON),
    (WAIT_ROB_KONG, WAIT_ROB_KONG),
    (WAIT_ROB_KONG, DRAWING_AFTER_GONG),
    (DRAWING_AFTER_GONG, PLAYER_DECISION),
    (DRAWING_AFTER_GONG, FLOW_DRAW),
)

State = state_dtype(
    [
        *header(seats=SEATS),
        # options (§10)
        ("cap", np.int16),
        ("flow_cap", np.int16),  # -1: none
        ("min_win", np.int8),
        ("golden_mode", np.int8),
        ("kou_kou_fan", np.int8),
        ("small_laizi", np.int8),
        ("big_laizi", np.int8),
        ("wall_reserve", np.int8),
        ("auto_pass", np.int8),
        ("multi_win_order", np.int8),
        ("contract", np.int8),
        ("flow_settlement", np.int8),
        ("first_dealer", np.int8),  # -1: drawn
        # the table
        ("dealer", np.int8),
        ("indicator", np.int8),
        ("laizi", np.int8),
        ("skin0", np.int8),
        ("skin1", np.int8),
        ("wall", np.int8, (TILES,)),  # front .. back - 1 are live; the rest is NONE
        ("front", np.int16),
        ("back", np.int16),
        ("hand", np.int8, (SEATS, KINDS)),  # concealed tiles, the drawn one among them
        ("melds", np.int8, (SEATS,)),
        ("opens", np.int8, (SEATS,)),  # melds that are not concealed kongs
        ("meld_type", np.int8, (SEATS, MELDS)),  # an ActionType, in claim order
        ("meld_tile", np.int8, (SEATS, MELDS)),  # its lowest tile
        ("meld_from", np.int8, (SEATS, MELDS)),  # who supplied it
        ("laid", np.int8, (SEATS, 4)),  # special kongs: red, laizi, skin 0, skin 1
        ("river", np.int8, (SEATS, KINDS)),  # tiles lying in each river, by kind
        ("pool", np.uint8, (POOL,)),  # the same in order: kind + 64 * seat
        ("pooled", np.int8),
        ("log", np.int16, (LOG,)),  # public actions: type + 16 * tile + 1024 * seat
        ("logged", np.int8),
        # the moment
        ("turn", np.int8),  # whose turn it is: who drew, discarded, claimed or kongs
        ("doing", np.int8),  # the action an automatic phase carries out
        ("tile", np.int8),  # discarded or announced, while it can be claimed
        ("source", np.int8),  # by whom
        ("drawn", np.int8),  # the last tile drawn, until a discard or a meld
        ("win_way", np.int8),
        ("claims", np.int8, (SEATS,)),  # what each seat may answer in an open window
        ("answer", np.int8, (SEATS,)),  # and what it has answered
        ("asked", np.int8),  # place in the order of asking of the seat asked now
        # the end
        ("winner", np.int8),
        ("types", np.int16),  # the reading that won (see win.py)
        ("contractor", np.int8),
        ("ready", np.int8),  # flow draw: bit a seat
    ]
)


# --- special tiles (§1.1) ------------------------------------------------------------


@rule
def kind_after(t):
    """The next kind in its suit, or among the honours without Red."""
    if t < HONOURS:
        return t + 1 if t % 9 < 8 else t - 8
    if t == RED - 1:
        return RED + 1
    return HONOURS if t == KINDS - 1 else t + 1


@rule
def kind_before(t):
    """The kind of which `t` is the next."""
    if t < HONOURS:
        return t - 1 if t % 9 > 0 else t + 8
    if t == RED + 1:
        return RED - 1
    return KINDS - 1 if t == HONOURS else t - 1


@rule
def flip(s, indicator):
    """Turn the indicator; Red stands for North."""
    kind = NORTH if indicator == RED else indicator
    s.indicator = indicator
    s.laizi = kind_after(kind)
    s.skin0 = kind
    s.skin1 = kind_before(kind)


@rule
def is_special(s, t):
    """Whether a kind may only be konged singly."""
    return t == s.laizi or t == s.skin0 or t == s.skin1 or t == RED


# --- deal and start -------------------------------------------------------------------


@rule
def deal(s):
    """§2 draw the dealer, shuffle, then INITIAL deals."""
    for i in range(TILES):
        s.wall[i] = i // COPIES
    shuffle(s, s.wall[:], TILES)
    s.dealer = below(s, SEATS)
    if s.first_dealer >= 0:
        s.dealer = s.first_dealer
    clear(s)
    start(s)


@rule
def clear(s):
    """Everything but options, generator, wall and dealer, as before the deal."""
    s.ply = 0
    s.cut = 0
    s.seat = NOBODY
    goto(s, INITIAL)
    s.front = 0
    s.back = TILES
    s.pooled = 0
    s.logged = 0
    s.indicator = NONE
    s.laizi = NONE
    s.skin0 = NONE
    s.skin1 = NONE
    s.turn = NONE
    s.doing = NONE
    s.drawn = NONE
    s.win_way = NONE
    s.winner = NONE
    s.types = 0
    s.contractor = NONE
    s.ready = 0
    for i in range(POOL):
        s.pool[i] = 0
    for i in range(LOG):
        s.log[i] = 0
    for seat in range(SEATS):
        s.payoff[seat] = 0
        s.melds[seat] = 0
        s.opens[seat] = 0
        for t in range(KINDS):
            s.hand[seat, t] = 0
            s.river[seat, t] = 0
        for i in range(MELDS):
            s.meld_type[seat, i] = 0
            s.meld_tile[seat, i] = NONE
            s.meld_from[seat, i] = NONE
            s.laid[seat, i] = 0
    close_window(s)


@rule
def start(s):
    """Deal when nothing is dealt; in a position laid out, work out what may be claimed."""
    if s.phase == INITIAL:
        _initial(s)  # straight to a decision; `advance` would only be slower to compile
    elif s.phase == PLAYER_DECISION:
        decide(s, int(s.seat))
    elif s.phase == WAITING_RESPONSE:
        find_claims(s)
    elif s.phase == WAIT_ROB_KONG:
        find_robbers(s)


# --- legal ----------------------------------------------------------------------------


@rule
def legal(s, mask):
    """Fill `mask` (ACTIONS,) for the seat to decide; return how many are set."""
    for a in range(ACTIONS):
        mask[a] = 0
    if s.phase == PLAYER_DECISION or s.phase == MELD_DECISION:
        return _legal_decision(s, mask)
    claims = int(s.claims[s.seat])
    mask[PASS] = 1
    n = 1
    for k in range(3):
        bit = (claims >> k) & 1
        mask[CHOW + k] = bit
        n += bit
    if claims & CLAIM_PONG:
        mask[PONG] = 1
        n += 1
    if claims & CLAIM_KONG:
        mask[EXPOSED] = 1
        n += 1
    if claims & CLAIM_WIN:
        mask[WIN] = 1
        n += 1
    return n


@rule
def _legal_decision(s, mask):
    """§4.2 discards and own kongs; WIN after a draw. Never PASS."""
    seat = int(s.seat)
    hand = s.hand[seat]
    n = 0
    four = 0
    for t in range(KINDS):
        held = 1 if hand[t] > 0 else 0
        mask[t] = held
        n += held
        four += 1 if hand[t] == COPIES else 0
    _special_kongs(s, mask)  # each lost discard is a kong: n stays
    if four > 0:
        for t in range(KINDS):
            if hand[t] == COPIES and not is_special(s, t):
                mask[CONCEALED + t] = 1
                n += 1
    for i in range(s.melds[seat]):
        if s.meld_type[seat, i] == T_PONG and hand[s.meld_tile[seat, i]] > 0:
            mask[SUPPLEMENT + s.meld_tile[seat, i]] = 1
            n += 1
    if s.phase == PLAYER_DECISION and s.claims[seat] & CLAIM_WIN:
        mask[WIN] = 1
        n += 1
    return n


@rule
def _special_kongs(s, mask):
    """Special tiles in hand are not discards but kongs."""
    mask[KONG_RED] = mask[RED]
    mask[KONG_LAZY] = mask[s.laizi]
    mask[KONG_SKIN] = mask[s.skin0]
    mask[KONG_SKIN + 1] = mask[s.skin1]
    mask[RED] = 0
    mask[s.laizi] = 0
    mask[s.skin0] = 0
    mask[s.skin1] = 0


# --- apply ----------------------------------------------------------------------------


@rule
def apply(s, action):
    """Make a legal action, then go on to the next decision or the end."""
    make(s, action)
    while s.seat == NOBODY and s.phase != WON and s.phase != FLOW_DRAW:
        advance(s)


@rule
def make(s, action):
    """The action alone, without the automatic steps after it."""
    s.ply += 1
    if s.phase == PLAYER_DECISION or s.phase == MELD_DECISION:
        _make_decision(s, action)
    elif action == WIN:
        _claim_win(s)
    else:
        s.answer[s.seat] = action
        _ask_next(s)


@rule
def _make_decision(s, action):
    seat = int(s.seat)
    s.claims[seat] = 0
    s.seat = NOBODY
    s.doing = action
    if action == WIN:
        record(s, T_WIN, HIDDEN, seat)
        _end_with_win(s, seat, int(s.win_way), NONE)
    elif action < KINDS:
        goto(s, DISCARDING)
    else:
        goto(s, GONG)


@rule
def _claim_win(s):
    """A win on a discard or on a robbed kong: the tile joins the winner's hand."""
    seat = int(s.seat)
    source = int(s.source)
    tile = int(s.tile)
    s.seat = NOBODY
    if s.phase == WAITING_RESPONSE:
        _take_from_river(s)
    else:
        s.hand[source, tile] -= 1
    s.hand[seat, tile] += 1
    record(s, T_WIN, tile, seat)
    _end_with_win(s, seat, int(s.win_way), source)


@rule
def _end_with_win(s, seat, way, payer):
    """The reading is that of the whole hand; the minimum was met when WIN was offered."""
    reading = can_win(s, seat, NONE, way, payer)
    settle_win(s, seat, way, payer, reading)
    for other in range(SEATS):
        s.claims[other] = 0
        s.answer[other] = NONE
    s.doing = NONE
    goto(s, WON)


@rule
def advance(s):
    """One automatic step of the machine (§3.2)."""
    if s.phase == DRAWING:
        _draw_front(s)
    elif s.phase == DISCARDING:
        _discard(s)
    elif s.phase == PROCESSING_MELD:
        _process_meld(s)
    elif s.phase == GONG:
        _gong(s)
    elif s.phase == DRAWING_AFTER_GONG:
        _draw_tail(s)
    elif s.phase == INITIAL:
        _initial(s)


@rule
def _initial(s):
    """§2 hands, the dealer's 14th tile, the indicator; the wall is what is left."""
    for seat in range(SEATS):
        for i in range(seat * DEALT, (seat + 1) * DEALT):
            s.hand[seat, s.wall[i]] += 1
    dealer = int(s.dealer)
    s.drawn = s.wall[FIRST_DRAW]
    s.hand[dealer, s.drawn] += 1
    flip(s, int(s.wall[FLIP]))
    for i in range(WALL_START):
        s.wall[i] = NONE
    s.front = WALL_START
    s.win_way = SELF_DRAW
    goto(s, PLAYER_DECISION)
    decide(s, dealer)


@rule
def _draw_front(s):
    t = int(s.wall[s.front])
    s.wall[s.front] = NONE
    s.front += 1
    s.win_way = SELF_DRAW
    _drew(s, t)


@rule
def _draw_tail(s):
    if wall_left(s) <= 0:
        _flow(s)
        return
    s.back -= 1
    t = int(s.wall[s.back])
    s.wall[s.back] = NONE
    s.win_way = KONG_SELF_DRAW
    _drew(s, t)


@rule
def _drew(s, t):
    seat = int(s.turn)
    s.hand[seat, t] += 1
    s.drawn = t
    goto(s, PLAYER_DECISION)
    decide(s, seat)


@rule
def decide(s, seat):
    """PLAYER_DECISION of `seat`: may it win?"""
    s.seat = seat
    s.turn = seat
    s.claims[seat] = CLAIM_WIN if can_win(s, seat, NONE, int(s.win_way), NONE) != 0 else 0


@rule
def _flow(s):
    settle_flow(s)
    goto(s, FLOW_DRAW)


@rule
def _discard(s):
    """§3.2 the tile joins the river; with an empty wall nobody is asked."""
    seat = int(s.turn)
    t = int(s.doing)
    s.hand[seat, t] -= 1
    s.drawn = NONE
    s.doing = NONE
    s.tile = t
    s.source = seat
    s.pool[s.pooled] = t + 64 * seat
    s.pooled += 1
    s.river[seat, t] += 1
    record(s, T_DISCARD, t, seat)
    if wall_left(s) <= 0:
        close_window(s)
        _flow(s)
        return
    s.win_way = BY_DISCARD  # set before anyone is tested for a win
    find_claims(s)
    ask(s, 0, WAITING_RESPONSE)


@rule
def _process_meld(s):
    """§3.2 chow or pong: lay the meld; there was no draw, so no win may follow."""
    seat = int(s.turn)
    action = int(s.doing)
    t = int(s.tile)
    source = int(s.source)
    _take_from_river(s)
    if action == PONG:
        s.hand[seat, t] -= 2
        _lay(s, seat, T_PONG, t, source)
        record(s, T_PONG, t, seat)
    else:
        low = t - (action - CHOW)
        for i in range(low, low + 3):
            if i != t:
                s.hand[seat, i] -= 1
        _lay(s, seat, T_CHOW, low, source)
        record(s, T_CHOW, t, seat)
    close_window(s)
    s.drawn = NONE
    s.doing = NONE
    s.win_way = NONE
    s.seat = seat
    goto(s, MELD_DECISION)


@rule
def _take_from_river(s):
    s.pooled -= 1
    s.pool[s.pooled] = 0
    s.river[s.source, s.tile] -= 1


@rule
def _lay(s, seat, kind, tile, source):
    i = int(s.melds[seat])
    s.meld_type[seat, i] = kind
    s.meld_tile[seat, i] = tile
    s.meld_from[seat, i] = source
    s.melds[seat] = i + 1
    if kind != T_CONCEALED:
        s.opens[seat] += 1


@rule
def _gong(s):
    """§3.2 lay the kong; a supplement kong can be robbed first."""
    seat = int(s.turn)
    action = int(s.doing)
    s.drawn = NONE
    s.doing = NONE
    if SUPPLEMENT <= action < CONCEALED:
        t = action - SUPPLEMENT
        record(s, T_SUPPLEMENT, t, seat)
        s.tile = t
        s.source = seat
        s.win_way = ROB_KONG
        find_robbers(s)
        ask(s, 0, WAIT_ROB_KONG)
        return
    if action == EXPOSED:
        t = int(s.tile)
        _take_from_river(s)
        s.hand[seat, t] -= 3
        _lay(s, seat, T_EXPOSED, t, int(s.source))
        record(s, T_EXPOSED, t, seat)
        close_window(s)
    elif action < KONG_RED:
        t = action - CONCEALED
        s.hand[seat, t] -= COPIES
        _lay(s, seat, T_CONCEALED, t, seat)
        record(s, T_CONCEALED, t, seat)
    else:
        _lay_special(s, seat, action)
    goto(s, DRAWING_AFTER_GONG)


@rule
def _lay_special(s, seat, action):
    column = LAID_SKIN0 + action - KONG_SKIN
    kind = T_SKIN
    t = int(s.skin0) if action == KONG_SKIN else int(s.skin1)
    if action == KONG_RED:
        column, kind, t = LAID_RED, T_RED, RED
    elif action == KONG_LAZY:
        column, kind, t = LAID_LAIZI, T_LAZY, int(s.laizi)
    s.hand[seat, t] -= 1
    s.laid[seat, column] += 1
    record(s, kind, t, seat)


@rule
def _complete_supplement(s):
    """The announced tile turns the PONG into a kong, same place and source."""
    seat = int(s.source)
    t = int(s.tile)
    s.hand[seat, t] -= 1
    for i in range(s.melds[seat]):
        if s.meld_type[seat, i] == T_PONG and s.meld_tile[seat, i] == t:
            s.meld_type[seat, i] = T_SUPPLEMENT
    close_window(s)
    s.turn = seat
    goto(s, DRAWING_AFTER_GONG)


@rule
def record(s, kind, tile, seat):
    """Note a public action."""
    if s.logged < LOG:
        s.log[s.logged] = kind + 16 * tile + 1024 * seat
        s.logged += 1


# --- windows (§3.3, §3.4) --------------------------------------------------------------


@rule
def find_claims(s):
    """What every seat may answer to the discard of `tile` by `source`."""
    source = int(s.source)
    t = int(s.tile)
    for k in range(1, SEATS):
        s.claims[(source + k) % SEATS] = seat_claims(s, (source + k) % SEATS, t, source)
    s.claims[source] = 0


@rule
def seat_claims(s, seat, t, source):
    """§4.2 the claims of one seat on a discard, as bits."""
    if is_special(s, t):
        return 0
    claims = 0
    held = s.hand[seat, t]
    if held >= 2:
        claims = CLAIM_PONG
        if held >= 3:
            claims |= CLAIM_KONG
    if t < HONOURS and (source + 1) % SEATS == seat:
        rank = t % 9
        above = _usable(s, seat, t + 1) if rank < 8 else False
        below_it = _usable(s, seat, t - 1) if rank > 0 else False
        if above and rank < 7 and _usable(s, seat, t + 2):
            claims |= CLAIM_CHOW
        if above and below_it:
            claims |= CLAIM_CHOW << 1
        if below_it and rank > 1 and _usable(s, seat, t - 2):
            claims |= CLAIM_CHOW << 2
    if can_win(s, seat, t, BY_DISCARD, source) != 0:
        claims |= CLAIM_WIN
    return claims


@rule
def _usable(s, seat, t):
    return s.hand[seat, t] > 0 and not is_special(s, t)


@rule
def find_robbers(s):
    """§3.4 who may win on the announced tile."""
    source = int(s.source)
    t = int(s.tile)
    for k in range(1, SEATS):
        seat = (source + k) % SEATS
        s.claims[seat] = CLAIM_WIN if can_win(s, seat, t, ROB_KONG, source) != 0 else 0
    s.claims[source] = 0


@rule
def responder(s, place, phase):
    """The seat at `place` in the order of asking, or NOBODY after the last."""
    source = int(s.source)
    if phase == WAITING_RESPONSE and s.multi_win_order == ORDER_DEALER:
        k = (source - int(s.dealer)) % SEATS  # where the discarder would be
        at = place if place < k else place + 1
        return (int(s.dealer) + at) % SEATS if at < SEATS else NOBODY
    return (source + 1 + place) % SEATS if place < SEATS - 1 else NOBODY


@rule
def ask(s, place, phase):
    """Ask the first seat from `place` on that has a choice; without one, close the window."""
    while place < SEATS - 1:
        seat = responder(s, place, phase)
        if s.claims[seat] != 0 or (s.auto_pass == 0 and phase == WAITING_RESPONSE):
            s.asked = place
            s.seat = seat
            goto(s, phase)
            return
        place += 1
    s.seat = NOBODY
    if phase == WAITING_RESPONSE:
        _resolve(s)
    else:
        _complete_supplement(s)


@rule
def _ask_next(s):
    ask(s, int(s.asked) + 1, int(s.phase))


@rule
def _resolve(s):
    """§3.3 all have answered: KONG before PONG before CHOW."""
    best = PASS
    taker = NOBODY
    for seat in range(SEATS):
        answer = int(s.answer[seat])
        if answer != NONE and answer != PASS and (best == PASS or answer > best):
            best = answer
            taker = seat
    if best == PASS:
        s.turn = (int(s.source) + 1) % SEATS
        close_window(s)
        goto(s, DRAWING)
    else:
        s.turn = taker
        s.doing = best
        goto(s, GONG if best == EXPOSED else PROCESSING_MELD)


@rule
def close_window(s):
    """Nothing can be claimed any more."""
    s.tile = NONE
    s.source = NONE
    s.asked = NONE
    for seat in range(SEATS):
        s.claims[seat] = 0
        s.answer[seat] = NONE
