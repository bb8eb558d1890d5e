"""Wuhan mahjong 七皮四赖: the state, the machine, what is legal, what an action changes.

This module has the deal, phases, response windows and robbing a kong. The state is in state.py,
special tiles and claims in claims.py, win detection in win.py, payments in score.py.
Clause numbers (§) are those of the README in this folder.

It is longer than other files because the phases of a hand and their windows form one machine.
"""

from __future__ import annotations

from qipai.core import NOBODY, below, goto, rule, shuffle

from .claims import find_claims, find_robbers, flip, is_special, responder
from .score import can_win, settle_flow, settle_win, wall_left
from .state import (
    CLAIM_KONG,
    CLAIM_PONG,
    CLAIM_WIN,
    DISCARDING,
    DRAWING,
    DRAWING_AFTER_GONG,
    FLOW_DRAW,
    GONG,
    HIDDEN,
    INITIAL,
    LOG,
    MELD_DECISION,
    PLAYER_DECISION,
    POOL,
    PROCESSING_MELD,
    WAIT_ROB_KONG,
    WAITING_RESPONSE,
    WON,
)
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

# --- the machine ----------------------------------------------------------------------


@rule
def deal(s):
    """Draw the dealer and shuffle; then INITIAL deals (§2)."""
    for i in range(TILES):
        s.wall[i] = i // COPIES
    shuffle(s, s.wall[:], TILES)
    s.dealer = below(s, SEATS)
    if s.first_dealer >= 0:
        s.dealer = s.first_dealer
    clear(s)
    start(s)


@rule
def start(s):
    """Deal if nothing is dealt; in a position that was set up, compute what may be claimed."""
    if s.phase == INITIAL:
        _initial(s)  # directly to a decision; `advance` would only take longer to compile
    elif s.phase == PLAYER_DECISION:
        decide(s, int(s.seat))
    elif s.phase == WAITING_RESPONSE:
        find_claims(s)
    elif s.phase == WAIT_ROB_KONG:
        find_robbers(s)


@rule
def legal(s, mask):
    """Fill `mask` (ACTIONS,) for the seat to move; return how many are set."""
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
def apply(s, action):
    """Make a legal action, then advance to the next decision or the end."""
    act(s, action)
    rest(s)


@rule
def act(s, action):
    """Do `apply` up to the long step; return 1 if that is due: the hand flows, and readiness is computed."""
    make(s, action)
    while is_automatic(s) and not is_flowing(s):
        advance(s)
    return 1 if is_automatic(s) else 0


@rule
def rest(s):
    """Do the rest of `apply`."""
    if is_automatic(s):
        advance(s)


@rule
def advance(s):
    """Take one automatic step of the machine (§3.2)."""
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


# --- the deal -------------------------------------------------------------------------


@rule
def clear(s):
    """Reset everything except options, generator, wall and dealer."""
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
def _initial(s):
    """Deal the hands, the dealer's 14th tile and the indicator; the wall is what is left (§2)."""
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


# --- what is legal --------------------------------------------------------------------


@rule
def _legal_decision(s, mask):
    """Mark discards and own kongs, and WIN after a draw; never PASS (§4.2)."""
    seat = int(s.seat)
    hand = s.hand[seat]
    n = 0
    four = 0
    for t in range(KINDS):
        held = 1 if hand[t] > 0 else 0
        mask[t] = held
        n += held
        four += 1 if hand[t] == COPIES else 0
    _special_kongs(s, mask)  # each lost discard is a kong, so n stays the same
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
    """Turn the discards of special tiles into kongs."""
    mask[KONG_RED] = mask[RED]
    mask[KONG_LAZY] = mask[s.laizi]
    mask[KONG_SKIN] = mask[s.skin0]
    mask[KONG_SKIN + 1] = mask[s.skin1]
    mask[RED] = 0
    mask[s.laizi] = 0
    mask[s.skin0] = 0
    mask[s.skin1] = 0


# --- actions --------------------------------------------------------------------------


@rule
def make(s, action):
    """Make the action alone, without the automatic steps after it."""
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
    """Win on a discard or on a robbed kong: the tile joins the winner's hand."""
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
    """End the hand with a win. The reading covers the whole hand; the minimum was checked before."""
    reading = can_win(s, seat, NONE, way, payer)
    settle_win(s, seat, way, payer, reading)
    for other in range(SEATS):
        s.claims[other] = 0
        s.answer[other] = NONE
    s.doing = NONE
    goto(s, WON)


@rule
def is_automatic(s):
    """Return whether nobody has to decide, and the hand is not over."""
    return s.seat == NOBODY and s.phase != WON and s.phase != FLOW_DRAW


@rule
def is_flowing(s):
    """Return whether the next automatic step ends the hand because the wall is empty."""
    return wall_left(s) <= 0 and (s.phase == DISCARDING or s.phase == DRAWING_AFTER_GONG)


# --- automatic steps (§3.2) -----------------------------------------------------------


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
    """Enter PLAYER_DECISION of `seat`, and compute whether it may win."""
    s.seat = seat
    s.turn = seat
    s.claims[seat] = CLAIM_WIN if can_win(s, seat, NONE, int(s.win_way), NONE) != 0 else 0


@rule
def _flow(s):
    settle_flow(s)
    goto(s, FLOW_DRAW)


@rule
def put_down(s):
    """Add the discard to the river."""
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


@rule
def _discard(s):
    """Add the tile to the river; with an empty wall nobody is asked (§3.2)."""
    put_down(s)
    if wall_left(s) <= 0:
        close_window(s)
        _flow(s)
        return
    s.win_way = BY_DISCARD  # set before any seat is tested for a win
    find_claims(s)
    ask(s, 0, WAITING_RESPONSE)


@rule
def announce(s):
    """Announce a supplement kong; the tile stays in hand until nobody robs it."""
    seat = int(s.turn)
    t = int(s.doing) - SUPPLEMENT
    s.drawn = NONE
    s.doing = NONE
    record(s, T_SUPPLEMENT, t, seat)
    s.tile = t
    s.source = seat
    s.win_way = ROB_KONG


@rule
def _process_meld(s):
    """Lay the meld of a chow or pong; without a draw, no win may follow (§3.2)."""
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
    """Lay the kong; a supplement kong can be robbed first (§3.2)."""
    seat = int(s.turn)
    action = int(s.doing)
    if SUPPLEMENT <= action < CONCEALED:
        announce(s)
        find_robbers(s)
        ask(s, 0, WAIT_ROB_KONG)
        return
    s.drawn = NONE
    s.doing = NONE
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
    """Turn the PONG into a kong with the announced tile, in the same place and from the same source."""
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
    """Log a public action."""
    if s.logged < LOG:
        s.log[s.logged] = kind + 16 * tile + 1024 * seat
        s.logged += 1


# --- windows (§3.3, §3.4) -------------------------------------------------------------


@rule
def ask(s, place, phase):
    """Ask the first seat from `place` on that has a choice; if there is none, close the window."""
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
    """Resolve the answers: KONG before PONG before CHOW (§3.3)."""
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
    """Clear all claims."""
    s.tile = NONE
    s.source = NONE
    s.asked = NONE
    for seat in range(SEATS):
        s.claims[seat] = 0
        s.answer[seat] = NONE
