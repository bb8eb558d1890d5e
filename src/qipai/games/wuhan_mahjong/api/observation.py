"""The mask and the observation of `WuhanMahjongEnv` (§4.3, §8.3), written by compiled code into flat arrays.

Seats are absolute here. `PARTS` gives the place of each key of the observation.
"""

from __future__ import annotations

from qipai.core import compile_rules, rule

from ..layout import make_ready as compile_layout
from ..observe import shown_phase, shown_seat
from ..rules import apply, legal
from ..score import fan_log
from ..state import HIDDEN
from ..state import State as STATE
from ..tiles import (
    CONCEALED,
    COPIES,
    EXPOSED,
    HISTORY,
    KINDS,
    KONG_LAZY,
    KONG_RED,
    KONG_SKIN,
    LAID_LAIZI,
    LAID_RED,
    LAID_SKIN0,
    LAID_SKIN1,
    MELDS,
    PASS,
    RED,
    SEATS,
    SUPPLEMENT,
    T_CHOW,
    T_CONCEALED,
    T_PONG,
    WALL,
    WIN,
)

MASK = 278  # width of the public mask
# Where its blocks start
M_CHOW, M_PONG, M_EXPOSED, M_SUPPLEMENT, M_CONCEALED = 34, 37, 38, 72, 106
M_RED, M_LAZY, M_SKIN0, M_SKIN1, M_WIN, M_PASS = 140, 174, 208, 242, 276, 277

UNKNOWN_COUNT, UNKNOWN_TILE = 5, 34
NO_TYPE, NO_SEAT = 11, 4  # padding of the history
MOST_FANS = 599

_LENGTHS = (
    ("global_hand", SEATS * KINDS),
    ("private_hand", KINDS),
    ("discard_pool_total", KINDS),
    ("wall", WALL),
    ("melds.action_types", SEATS * MELDS),
    ("melds.tiles", SEATS * MELDS * COPIES),
    ("melds.group_indices", SEATS * MELDS * 2),
    ("action_history.types", HISTORY),
    ("action_history.params", HISTORY),
    ("action_history.players", HISTORY),
    ("special_gangs", SEATS * 3),
    ("current_player", 1),
    ("special_indicators", 2),
    ("dealer", 1),
    ("action_mask", MASK),
    ("current_phase", 1),
    ("remaining_tiles", 1),
)
PARTS: dict[str, tuple[int, int]] = {}  # key: (start, end)
SIZE = 0  # length of the whole
for _name, _length in _LENGTHS:
    PARTS[_name] = (SIZE, SIZE + _length)
    SIZE += _length

GLOBAL_HAND = PARTS["global_hand"][0]
PRIVATE_HAND = PARTS["private_hand"][0]
DISCARDS = PARTS["discard_pool_total"][0]
WALL_TILES = PARTS["wall"][0]
MELD_TYPES = PARTS["melds.action_types"][0]
MELD_TILES = PARTS["melds.tiles"][0]
MELD_GROUPS = PARTS["melds.group_indices"][0]
PAST_TYPES = PARTS["action_history.types"][0]
PAST_PARAMS = PARTS["action_history.params"][0]
PAST_PLAYERS = PARTS["action_history.players"][0]
GANGS = PARTS["special_gangs"][0]
CURRENT = PARTS["current_player"][0]
INDICATORS = PARTS["special_indicators"][0]
DEALER = PARTS["dealer"][0]
ACTION_MASK = PARTS["action_mask"][0]
PHASE = PARTS["current_phase"][0]
REMAINING = PARTS["remaining_tiles"][0]


@rule
def mask_index(s, action):
    """Return the bit of a native action in the public mask."""
    if action < EXPOSED:
        return action  # discards, chows and pong have the same numbers
    if action == EXPOSED:
        return M_EXPOSED + int(s.tile)
    if action < CONCEALED:
        return M_SUPPLEMENT + action - SUPPLEMENT
    if action < KONG_RED:
        return M_CONCEALED + action - CONCEALED
    if action == KONG_RED:
        return M_RED + RED
    if action == KONG_LAZY:
        return M_LAZY + int(s.laizi)
    if action == KONG_SKIN:
        return M_SKIN0 + int(s.skin0)
    if action == KONG_SKIN + 1:
        return M_SKIN1 + int(s.skin1)
    return M_WIN if action == WIN else M_PASS


@rule
def fill_mask(s, mask, out):
    """Fill `out` (MASK,) with the public mask of the seat to move; `mask` is scratch."""
    for i in range(MASK):
        out[i] = 0
    if s.seat >= 0:
        legal(s, mask)
        for action in range(PASS + 1):
            if mask[action] != 0:
                out[mask_index(s, action)] = 1


@rule(fans="i2[:]")
def fill_observation(s, seat, bare, mask, out, fans):
    """Fill `out` (SIZE,) and `fans` (SEATS,) with what `seat` may see; with `bare` nothing is hidden."""
    for other in range(SEATS):
        fans[other] = min(1 << min(fan_log(s, other), 12), MOST_FANS)
        for i in range(KINDS):
            shown = bare == 1 or other == seat
            out[GLOBAL_HAND + KINDS * other + i] = s.hand[other, i] if shown else UNKNOWN_COUNT
        gangs = out[GANGS + 3 * other : GANGS + 3 * other + 3]
        gangs[0] = s.laid[other, LAID_SKIN0] + s.laid[other, LAID_SKIN1]
        gangs[1] = s.laid[other, LAID_LAIZI]
        gangs[2] = s.laid[other, LAID_RED]
    for t in range(KINDS):
        out[PRIVATE_HAND + t] = s.hand[seat, t]
        out[DISCARDS + t] = s.river[0, t] + s.river[1, t] + s.river[2, t] + s.river[3, t]
    left = int(s.back) - int(s.front)
    for i in range(WALL):
        out[WALL_TILES + i] = s.wall[int(s.front) + i] if bare == 1 and i < left else UNKNOWN_TILE
    _fill_melds(s, seat, bare, out)
    _fill_past(s, seat, bare, out)
    out[CURRENT] = max(shown_seat(s, seat), 0)
    out[INDICATORS] = s.laizi
    out[INDICATORS + 1] = s.skin0
    out[DEALER] = s.dealer
    out[PHASE] = shown_phase(s, seat)
    out[REMAINING] = left
    public = out[ACTION_MASK : ACTION_MASK + MASK]
    if s.seat == seat:
        fill_mask(s, mask, public)
    else:
        for i in range(MASK):
            public[i] = 0


@rule
def _fill_melds(s, seat, bare, out):
    for other in range(SEATS):
        for slot in range(MELDS):
            at = MELDS * other + slot
            kind = int(s.meld_type[other, slot])
            filled = slot < s.melds[other]
            out[MELD_TYPES + at] = kind if filled else 0
            out[MELD_GROUPS + 2 * at] = other if filled else 0
            out[MELD_GROUPS + 2 * at + 1] = slot if filled else 0
            low = int(s.meld_tile[other, slot])
            size = 3 if kind <= T_PONG else COPIES
            if not filled or (kind == T_CONCEALED and other != seat and bare == 0):
                size = 0
            for i in range(COPIES):
                tile = low + i if kind == T_CHOW else low
                out[MELD_TILES + COPIES * at + i] = tile if i < size else UNKNOWN_TILE


@rule
def _fill_past(s, seat, bare, out):
    n = min(int(s.logged), HISTORY)
    first = int(s.logged) - n
    for i in range(HISTORY):
        kind = NO_TYPE
        tile = UNKNOWN_TILE
        who = NO_SEAT
        if i < n:
            entry = int(s.log[first + i])
            kind = entry & 15
            tile = (entry >> 4) & 63
            who = entry >> 10
            if tile == HIDDEN or (kind == T_CONCEALED and who != seat and bare == 0):
                tile = UNKNOWN_TILE
        out[PAST_TYPES + i] = kind
        out[PAST_PARAMS + i] = tile
        out[PAST_PLAYERS + i] = who


def make_ready() -> None:
    """Compile the rules that Python code calls one by one, those of this module among them."""
    compile_layout()
    compile_rules([mask_index, fill_observation], STATE, "wuhan_mahjong/observation")


# --- calls of the environment ----------------------------------------------------------
# An array of one state passes from Python into compiled code far faster than a record.


@rule(states="states", note="i8[:]")
def take_turn(states, action, mask, out, note):
    """Apply `action` (unless it is NONE); then fill the native mask, the public mask `out` and `note`.

    note: seat to act, phase, and both as everyone but that seat may know them.
    """
    s = states[0]
    if action >= 0:
        apply(s, action)
    for i in range(mask.shape[0]):
        mask[i] = 0
    fill_mask(s, mask, out)
    note[0] = s.seat
    note[1] = s.phase
    note[2] = shown_seat(s, -1)
    note[3] = shown_phase(s, -1)


@rule(states="states", fans="i2[:]")
def observe_first(states, seat, bare, mask, out, fans):
    """Fill in the observation of the first state (see `fill_observation`)."""
    fill_observation(states[0], seat, bare, mask, out, fans)
