"""Paipai Rensa 牌牌連鎖: falling pairs of mahjong tiles, chains, a hand to win, a CPU that takes the rest.

This module is the machine from the deal to the end: placements, the chain, allocation. The state is in
`state.py`, the board in `board.py`, hands in `win.py`, the end of a HOLD in `hold.py`, the order of the
supply in `planner.py`. The moves of a pair while it falls are in `api/game.py`. Clause numbers (§) are
those of the README in this folder.
"""

from __future__ import annotations

from qipai.core import goto, rule

from .board import clear, gravity, may_clear, put_tile, reachable, settle
from .hold import close_hold, evaluate, judge, pay
from .planner import plan
from .state import (
    ALL_PLACEMENTS,
    ALLOC,
    CELLS,
    CHAIN,
    COLS,
    DISCARD,
    EVALUATE,
    HALF_LIST,
    HAND_MAX,
    HOLD,
    KEEP,
    LIST_MAX,
    OVER,
    PLACE,
    PLACEMENTS,
    ROWS,
    SCORE_PER_TILE,
    SUPPLY,
    TITLE,
    WINNER_NONE,
)
from .tiles import CODE, CODES, SUIT, SUITS, TILES
from .win import no_cpu_tiles

# --- deal and start -----------------------------------------------------------------


@rule
def deal(s):
    """Deal the whole supply in planned order, an empty board, then the first pair (§3)."""
    clear_state(s)
    for i in range(TILES):
        s.deck[i] = i + 1
    s.total = TILES
    plan(s, 0)
    look_at_supply(s)
    start(s)


@rule
def start(s):
    """Advance to the first decision (or the end). A position set up at a decision stays where it is."""
    rest(s)


# --- legal --------------------------------------------------------------------------


@rule
def legal(s, mask):
    """Fill `mask` (ACTIONS,) for the seat; return how many are set (§15.3, §15.4)."""
    n = 0
    if s.phase == PLACE:
        bits = placements(s)
        for i in range(PLACEMENTS):
            mask[i] = (bits >> i) & 1
            n += (bits >> i) & 1
        mask[KEEP] = 0
        mask[DISCARD] = 0
        return n
    for i in range(PLACEMENTS):
        mask[i] = 0
    keep = 1 if s.kept < HAND_MAX else 0
    mask[KEEP] = keep
    mask[DISCARD] = 1
    return 1 + keep


@rule
def partial(s):
    """Return 1 once an allocation has begun, because it is one move."""
    return 1 if s.phase == ALLOC and s.cursor > 0 else 0


# --- apply --------------------------------------------------------------------------


@rule
def apply(s, action):
    """Place the pair, or answer for one tile; then advance to the next decision or the end."""
    act(s, action)
    rest(s)


@rule
def act(s, action):
    """Do `apply` up to the long step, if there is one; return 1 if an evaluation is due."""
    s.ply += 1
    if s.phase == PLACE:
        place(s, action >> 2, action & 3)
    else:
        answer(s, action)
    while s.phase == CHAIN or (s.phase == SUPPLY and pair_left(s)):
        advance(s)
    return 1 if s.phase == EVALUATE or s.phase == SUPPLY else 0


# --- advance ------------------------------------------------------------------------


@rule
def advance(s):
    """Take one automatic step: start, supply a pair, a chain tick, the evaluation, or the close of a HOLD."""
    if s.phase == TITLE:
        goto(s, SUPPLY)
    elif s.phase == SUPPLY:
        supply(s)
    elif s.phase == CHAIN:
        tick(s)
    elif s.phase == EVALUATE:
        evaluate(s)
        goto(s, HOLD)
    elif s.phase == HOLD:
        close_hold(s)


@rule
def rest(s):
    """Take automatic steps until a decision or the end: the evaluation is the long step for a GPU."""
    while s.phase != PLACE and s.phase != ALLOC and s.phase != OVER:
        advance(s)


# --- the supply ---------------------------------------------------------------------


@rule
def clear_state(s):
    """Reset everything except options, seats and generator."""
    s.ply = 0
    s.cut = 0
    s.seat = 0
    s.payoff[0] = 0
    s.score = 0
    s.cpu_score = 0
    s.player_points = 0
    s.cpu_points = 0
    s.chain = 0
    s.longest = 0
    s.player_wins = 0
    s.cpu_wins = 0
    s.holds = 0
    s.winner = WINNER_NONE
    s.at = 0
    s.total = 0
    s.window = 0
    s.zoros = 0
    s.main = 0
    s.streak = 0
    s.pair[0] = 0
    s.pair[1] = 0
    s.loose = 0
    s.stable = 1
    s.fresh = 0
    s.last = -1
    s.n_hand = 0
    s.n_tiles = 0
    s.cursor = 0
    s.kept = 0
    s.kept_bits[0] = 0
    s.kept_bits[1] = 0
    s.n_discards = 0
    s.n_lost = 0
    s.consumed = 0
    for i in range(TILES):
        s.deck[i] = 0
        s.discards[i] = 0
        s.lost[i] = 0
    for i in range(CELLS):
        s.board[i] = 0
        s.work[i] = 0
    for i in range(COLS):
        s.height[i] = 0
    for i in range(HAND_MAX):
        s.hand[i] = 0
    no_cpu_tiles(s)
    for i in range(LIST_MAX):
        s.tiles[i] = 0
    for i in range(CODES):
        s.unseen[i] = 0
        s.thrown[i] = 0
    for i in range(SUITS):
        s.bucket[i] = 0
        s.odds[i] = 0
        s.weight[i] = 0
        s.count[i] = 0
        s.melds[i] = 0
        s.left[i] = 0
    goto(s, TITLE)


@rule
def look_at_supply(s):
    """Compute what follows from the visible pairs, and what lies behind them."""
    for i in range(CODES):
        s.unseen[i] = 0
    for i in range(int(s.at) + 2, int(s.total)):
        s.unseen[CODE[s.deck[i]] - 1] += 1
    for i in range(0, int(s.at) + 2, 2):
        see_pair(s, i)


@rule
def see_pair(s, i):
    """Count the pair deck[i:i + 2] as seen (§15.5: zoro history and streak are public)."""
    if i + 2 > s.total:
        return
    last = int(s.bias_window_pairs) - 1
    suit = int(SUIT[s.deck[i]])
    flag = 1 if SUIT[s.deck[i + 1]] == suit else 0
    window = int(s.window)
    s.zoros = int(s.zoros) + flag - ((window >> last) & 1)
    s.window = ((window & ((1 << last) - 1)) << 1) | flag
    s.streak = int(s.streak) + 1 if s.main == suit + 1 else 1
    s.main = suit + 1


@rule
def supply(s):
    """Spawn the next pair (§4); if there is none, make the final judgement (§11)."""
    if pair_left(s) == 0:
        judge(s)
        return
    s.pair[0] = s.deck[s.at]
    s.pair[1] = s.deck[int(s.at) + 1]
    s.at += 2
    for i in range(int(s.at), min(int(s.at) + 2, int(s.total))):
        s.unseen[CODE[s.deck[i]] - 1] -= 1
    see_pair(s, int(s.at))
    s.chain = 0
    goto(s, PLACE)


@rule
def pair_left(s):
    """Return whether the supply has another pair."""
    return 1 if int(s.total) - int(s.at) >= 2 else 0


# --- placements and the chain -------------------------------------------------------


@rule
def placements(s):
    """Return the legal placements as bits; all of them while every column leaves three rows (§15.3)."""
    for x in range(COLS):
        if s.height[x] > ROWS - 3:
            return reachable(s)
    return ALL_PLACEMENTS


@rule
def place(s, x, r):
    """Move to (x, r) at the top (§15.3), fall as far as the columns allow (§5.5), land."""
    h = int(s.height[x])
    if r == 1 or r == 3:
        side = int(s.height[x + 2 - r])
        h = side if side > h else h
    y = ROWS - 2 - h - (1 if r == 2 else 0)
    land(s, x, y if y > 0 else 0, r)


@rule
def land(s, x, y, r):
    """Write both tiles where the pair is; overwritten tiles are lost (§5.4, §5.6)."""
    rx = x
    if r == 1:
        rx = x + 1
    elif r == 3:
        rx = x - 1
    if r == 2:  # the lower tile first, which overwrites nothing here
        put_tile(s, x, y + 2, int(s.pair[1]))
        put_tile(s, x, y + 1, int(s.pair[0]))
    else:
        put_tile(s, x, y + 1, int(s.pair[0]))
        put_tile(s, rx, y + 1 - (1 if r == 0 else 0), int(s.pair[1]))
    s.pair[0] = 0
    s.pair[1] = 0
    s.fresh = (1 << x) | (1 << rx)
    s.last = 4 * x + r
    s.chain = 0
    s.n_tiles = 0
    goto(s, CHAIN)


@rule
def tick(s):
    """Run one chain tick: gravity, then clearing (§6.3)."""
    if s.loose != 0:
        gravity(s)
    n = 0
    if may_clear(s):
        n = clear(s, int(s.n_tiles))
    s.fresh = 0
    if n > 0:
        s.stable = 0
        s.n_tiles += n
        s.chain += 1
        if s.chain > s.longest:
            s.longest = s.chain
        s.score += n * SCORE_PER_TILE * int(s.chain)
        pay(s)
        goto(s, CHAIN)
        return
    s.stable = 1
    if s.n_tiles > 0:
        open_allocation(s)
    else:
        s.chain = 0
        goto(s, SUPPLY)


# --- allocation ---------------------------------------------------------------------


@rule
def open_allocation(s):
    """Open an allocation: the hand in order, then the collected tiles in order of removal (§7)."""
    hand = int(s.n_hand)
    for i in range(int(s.n_tiles) - 1, -1, -1):
        s.tiles[i + hand] = s.tiles[i]
    for i in range(hand):
        s.tiles[i] = s.hand[i]
    s.n_tiles += hand
    goto(s, ALLOC)


@rule
def answer(s, action):
    """Put the tile under the cursor into the hand or the discards; the last answer confirms (§15.4)."""
    i = int(s.cursor)
    if action == KEEP:
        word = i // HALF_LIST
        s.kept_bits[word] = int(s.kept_bits[word]) | (1 << (i - HALF_LIST * word))
        s.kept += 1
    s.cursor = i + 1
    if s.cursor < s.n_tiles:
        goto(s, ALLOC)
    else:
        confirm(s)


@rule
def is_kept(s, i):
    """Return whether tile `i` of the list was kept."""
    word = i // HALF_LIST
    return (int(s.kept_bits[word]) >> (i - HALF_LIST * word)) & 1


@rule
def confirm(s):
    """Set the hand and the discards as answered (§7)."""
    n = 0
    for i in range(s.n_tiles):
        if is_kept(s, i):
            s.hand[n] = s.tiles[i]
            n += 1
        else:
            s.discards[s.n_discards] = s.tiles[i]
            s.n_discards += 1
            s.thrown[CODE[s.tiles[i]] - 1] += 1
        s.tiles[i] = 0
    for i in range(n, HAND_MAX):
        s.hand[i] = 0
    s.n_hand = n
    s.n_tiles = 0
    s.cursor = 0
    s.kept = 0
    s.kept_bits[0] = 0
    s.kept_bits[1] = 0
    settle(s)
    s.holds += 1
    goto(s, EVALUATE)
