"""Wuhan mahjong: what a seat may know, as features (`observe`), and consistent worlds (`determinize`).

Seats are rotated so that the observer is 0; a watcher sees them as they are. Numbers that
may be "none" are stored plus one, so that 0 always means "nothing". Which seats are asked in a
window depends on hidden tiles: to everyone else the window looks like the discard (or
the announced kong) that opened it (§8.2).
"""

from __future__ import annotations

from qipai.core import CATEGORY, NUMBER, Feature, rule

from .score import fan_log
from .state import (
    DISCARDING,
    GONG,
    HIDDEN,
    MELD_DECISION,
    PLAYER_DECISION,
    WAIT_ROB_KONG,
    WAITING_RESPONSE,
    WON,
    Phase,
)
from .tiles import (
    ACTIONS,
    COPIES,
    DEALT,
    KINDS,
    MELDS,
    NONE,
    RED,
    SEATS,
    T_CHOW,
    T_CONCEALED,
    T_PASS,
    T_PONG,
    WALL,
)
from .worlds import determinize

__all__ = ["FEATURES", "SIZE", "determinize", "observe", "shown_phase", "shown_seat", "turned"]

PAST = 48  # number of public actions shown, the last ones; rivers and melds keep the rest

# Where each feature starts; `FEATURES` below says what it is.
PHASE = 0
DECIDER = 1
DEALER = 2
TILE = 3
SOURCE = 4
WIN_WAY = 5
DRAWN = 6
ANSWER = 7
INDICATOR = 8
WALL_LEFT = 12
HANDS = 13
FANS = 17
OPENS = 21
LAID = 25
OPTIONS = 41
HAND = 54
UNSEEN = HAND + KINDS
RIVER = UNSEEN + KINDS
MELD_TYPE = RIVER + SEATS * KINDS
MELD_TILE = MELD_TYPE + SEATS * MELDS
MELD_FROM = MELD_TILE + SEATS * MELDS
PAST_TYPE = MELD_FROM + SEATS * MELDS
PAST_TILE = PAST_TYPE + PAST
PAST_SEAT = PAST_TILE + PAST
SIZE = PAST_SEAT + PAST

LAST_PHASE = max(int(phase) for phase in Phase)
SUITS = ((1, 9), (10, 18), (19, 27), (28, KINDS))  # of 1 + tile: characters, bamboo, dots, honours

FEATURES = (
    Feature("phase", PHASE, 1, "the phase, by number, as the observer may know it", CATEGORY, 0, LAST_PHASE),
    Feature(
        "decider", DECIDER, 1, "1 + seat to act, as the observer may know it; 0 nobody", CATEGORY, 0, SEATS
    ),
    Feature("dealer", DEALER, 1, "1 + dealer", CATEGORY, 0, SEATS),
    Feature("tile", TILE, 1, "1 + tile that can be claimed or robbed now", CATEGORY, 0, KINDS, groups=SUITS),
    Feature("source", SOURCE, 1, "1 + seat that discarded or announced it", CATEGORY, 0, SEATS),
    Feature("win_way", WIN_WAY, 1, "1 + win way of the last draw or window", CATEGORY, 0, 4),
    Feature("drawn", DRAWN, 1, "1 + tile the observer has just drawn", CATEGORY, 0, KINDS, groups=SUITS),
    Feature(
        "answer", ANSWER, 1, "1 + action the observer has answered in the open window", CATEGORY, 0, ACTIONS
    ),
    Feature("specials", INDICATOR, 4, "indicator, laizi, skin 0, skin 1 (kinds)", CATEGORY, 0, KINDS - 1),
    Feature("wall", WALL_LEFT, 1, "tiles in the wall", NUMBER, 0, WALL),
    Feature("hands", HANDS, 4, "concealed tiles, by seat", NUMBER, 0, DEALT + 1),
    Feature("fans", FANS, 4, "fan product as a power of two, by seat", NUMBER, 0, 40),
    Feature("opens", OPENS, 4, "open melds, by seat", NUMBER, 0, MELDS),
    Feature("laid", LAID, 16, "by seat: special kongs of Red, laizi, skin 0, skin 1", NUMBER, 0, COPIES),
    Feature(
        "options",
        OPTIONS,
        13,
        "cap / 100, 1 if flow draws are capped, min_win, golden_mode, kou_kou_fan, small_laizi, big_laizi,"
        " wall_reserve, auto_pass, multi_win_order, contract, flow_settlement, 1 + first_dealer",
        NUMBER,
        0,
        64,
    ),
    Feature(
        "hand", HAND, KINDS, "the observer's concealed tiles, by kind (0 for a watcher)", NUMBER, 0, COPIES
    ),
    Feature("unseen", UNSEEN, KINDS, "tiles the observer has not seen, by kind", NUMBER, 0, COPIES),
    Feature("river", RIVER, SEATS * KINDS, "by seat: tiles lying in its river, by kind", NUMBER, 0, COPIES),
    Feature(
        "meld_type",
        MELD_TYPE,
        SEATS * MELDS,
        "by seat: ActionType of each meld in claim order, 0 none",
        CATEGORY,
        0,
        T_CONCEALED,
    ),
    Feature(
        "meld_tile",
        MELD_TILE,
        SEATS * MELDS,
        "1 + its lowest tile; 0 for another's concealed kong",
        CATEGORY,
        0,
        KINDS,
        groups=SUITS,
    ),
    Feature("meld_from", MELD_FROM, SEATS * MELDS, "1 + seat that supplied it", CATEGORY, 0, SEATS),
    Feature(
        "past_type",
        PAST_TYPE,
        PAST,
        "the last public actions, oldest first: 1 + ActionType, 0 none",
        CATEGORY,
        0,
        T_PASS + 1,
    ),
    Feature(
        "past_tile",
        PAST_TILE,
        PAST,
        "1 + tile; 0 for none or another's concealed kong",
        CATEGORY,
        0,
        HIDDEN + 1,
        groups=SUITS,
    ),
    Feature("past_seat", PAST_SEAT, PAST, "1 + acting seat", CATEGORY, 0, SEATS),
)


@rule
def shown_phase(s, seat):
    """Return the phase as `seat` may know it."""
    if s.seat != seat:
        if s.phase == WAITING_RESPONSE:
            return DISCARDING
        if s.phase == WAIT_ROB_KONG:
            return GONG
    return int(s.phase)


@rule
def shown_seat(s, seat):
    """Return the seat to act as `seat` may know it."""
    if s.seat != seat and (s.phase == WAITING_RESPONSE or s.phase == WAIT_ROB_KONG):
        return int(s.source)
    return int(s.seat)


@rule
def turned(seat, base):
    """Return 1 + the seat as counted from `base`, 0 for nobody."""
    if seat < 0:
        return 0
    return seat - base + 1 if seat >= base else seat - base + 1 + SEATS


@rule
def observe(s, seat, out):
    """Fill `out` (SIZE,) with what `seat` may know; NOBODY is a watcher."""
    base = max(seat, 0)
    window = s.phase == WAITING_RESPONSE or s.phase == WAIT_ROB_KONG
    out[PHASE] = shown_phase(s, seat)
    out[DECIDER] = turned(shown_seat(s, seat), base)
    out[DEALER] = turned(int(s.dealer), base)
    out[TILE] = s.tile + 1 if window else 0
    out[SOURCE] = turned(int(s.source), base) if window else 0
    out[WIN_WAY] = s.win_way + 1
    out[DRAWN] = s.drawn + 1 if seat >= 0 and s.turn == seat else 0
    out[ANSWER] = s.answer[seat] + 1 if seat >= 0 else 0
    out[INDICATOR] = s.indicator
    out[INDICATOR + 1] = s.laizi
    out[INDICATOR + 2] = s.skin0
    out[INDICATOR + 3] = s.skin1
    out[WALL_LEFT] = s.back - s.front
    _observe_options(s, base, out)
    _observe_seats(s, seat, base, out)
    _observe_tiles(s, seat, out)
    _observe_past(s, seat, base, out)


@rule
def _observe_options(s, base, out):
    out[OPTIONS] = s.cap // 100
    out[OPTIONS + 1] = 1 if s.flow_cap >= 0 else 0
    out[OPTIONS + 2] = s.min_win
    out[OPTIONS + 3] = s.golden_mode
    out[OPTIONS + 4] = s.kou_kou_fan
    out[OPTIONS + 5] = s.small_laizi
    out[OPTIONS + 6] = s.big_laizi
    out[OPTIONS + 7] = s.wall_reserve
    out[OPTIONS + 8] = s.auto_pass
    out[OPTIONS + 9] = s.multi_win_order
    out[OPTIONS + 10] = s.contract
    out[OPTIONS + 11] = s.flow_settlement
    out[OPTIONS + 12] = turned(int(s.first_dealer), base)


@rule
def holds_extra(s):
    """Return the seat that holds one tile more than the others, or NONE."""
    if s.phase == PLAYER_DECISION or s.phase == MELD_DECISION:
        return int(s.seat)
    if s.phase == WAIT_ROB_KONG:
        return int(s.source)
    return int(s.winner)


@rule
def _observe_seats(s, seat, base, out):
    extra = holds_extra(s)
    melds = out[MELD_TYPE:PAST_TYPE]  # types, tiles and sources
    for i in range(PAST_TYPE - MELD_TYPE):
        melds[i] = 0
    for k in range(SEATS):
        other = (base + k) & 3
        out[FANS + k] = fan_log(s, other)
        out[OPENS + k] = s.opens[other]
        out[HANDS + k] = DEALT - 3 * int(s.melds[other]) + (1 if other == extra else 0)
        for i in range(4):
            out[LAID + 4 * k + i] = s.laid[other, i]
        river = out[RIVER + KINDS * k : RIVER + KINDS * (k + 1)]
        lying = s.river[other]
        # not KINDS: a short fixed loop would be unrolled instead of vectorised
        for t in range(river.shape[0]):
            river[t] = lying[t]
        for i in range(s.melds[other]):
            kind = int(s.meld_type[other, i])
            out[MELD_TYPE + MELDS * k + i] = kind
            if kind != T_CONCEALED or other == seat:
                out[MELD_TILE + MELDS * k + i] = s.meld_tile[other, i] + 1
            out[MELD_FROM + MELDS * k + i] = ((int(s.meld_from[other, i]) - base) & 3) + 1


@rule
def _observe_tiles(s, seat, out):
    """Write the hand, and the tiles of each kind that the observer has not seen."""
    hand = out[HAND : HAND + KINDS]
    unseen = out[UNSEEN : UNSEEN + KINDS]
    for t in range(KINDS):
        hand[t] = 0
        unseen[t] = COPIES - s.river[0, t] - s.river[1, t] - s.river[2, t] - s.river[3, t]
    if seat >= 0:
        held = s.hand[seat]
        for t in range(KINDS):
            hand[t] = held[t]
            unseen[t] -= held[t]
    unseen[s.indicator] -= 1
    for other in range(SEATS):
        unseen[RED] -= s.laid[other, 0]
        unseen[s.laizi] -= s.laid[other, 1]
        unseen[s.skin0] -= s.laid[other, 2]
        unseen[s.skin1] -= s.laid[other, 3]
        for i in range(s.melds[other]):
            kind = s.meld_type[other, i]
            t = int(s.meld_tile[other, i])
            if kind == T_CHOW:
                unseen[t] -= 1
                unseen[t + 1] -= 1
                unseen[t + 2] -= 1
            elif kind == T_PONG:
                unseen[t] -= 3
            elif kind != T_CONCEALED or other == seat:
                unseen[t] -= COPIES
    if s.phase == WAIT_ROB_KONG and s.source != seat:
        unseen[s.tile] -= 1  # announced: known to be in the hand of the kong seat


@rule
def _observe_past(s, seat, base, out):
    n = min(int(s.logged), PAST)
    log = s.log[int(s.logged) - n : int(s.logged) - n + PAST]
    kinds = out[PAST_TYPE : PAST_TYPE + PAST]
    tiles = out[PAST_TILE : PAST_TILE + PAST]
    seats = out[PAST_SEAT : PAST_SEAT + PAST]
    for i in range(PAST):  # one fixed loop over int16, which the compiler vectorises
        entry = log[i]
        shown = 1 if i < n else 0
        kinds[i] = ((entry & 15) + 1) * shown
        tiles[i] = (((entry >> 4) & 63) + 1) * shown
        seats[i] = ((((entry >> 10) - base) & 3) + 1) * shown
    if s.phase == WON and n > 0 and tiles[n - 1] == HIDDEN + 1:
        tiles[n - 1] = 0
    for other in range(SEATS):
        if other != seat and s.melds[other] > s.opens[other]:
            _hide_kongs(log, other, n, tiles)


@rule(log="i2[:]", tiles="i1[:]")
def _hide_kongs(log, other, n, tiles):
    """Remove the tiles of other seats' concealed kongs."""
    for i in range(n):
        if (int(log[i]) & 15) == T_CONCEALED and int(log[i]) >> 10 == other:
            tiles[i] = 0


assert NONE == -1  # "plus one" above
