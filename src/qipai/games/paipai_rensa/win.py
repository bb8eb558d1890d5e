"""Who has a hand: the player's 14 tiles, and the CPU's pool of board and discards (README §8, §9).

Counts are packed, one suit to an integer, four bits a number. The CPU's depth-first search
takes the first success in its order; here each choice is kept when an exact count of the
melds still to be had says that the rest can be completed, which finds the same success.
"""

from __future__ import annotations

from qipai.core import rule

from .board import CELLS
from .tiles import KIND, SUITS

HAND_MAX = 14
MELDS = 4
WIN_BASE = 2000
WIN_PER_RED = 1000
ONES = 0x111111111  # the lowest bit of each of nine counts
NONE = -1


@rule
def melds_in_suit(counts):
    """The most triplets and runs that the packed counts of a numbered suit hold together.

    Over the numbers in turn, the best for each (a, b): runs begun at the last but one number
    and at the last, nine states in one integer, four bits each, value + 1 with 0 for none.
    """
    best = 1
    for i in range(9):
        c = (counts >> (4 * i)) & 15
        if best < 16 and c < 3:  # only (0, 0): a short cut for the common sparse case
            two = counts >> (4 * i + 4)
            if c == 0 or i > 6 or two & 15 == 0 or (two >> 4) & 15 == 0:
                continue
        grown = 0
        for state in range(9):
            value = (best >> (4 * state)) & 15
            if value == 0:
                continue
            a = state // 3
            b = state - 3 * a
            spare = c - a - b
            if spare < 0:
                continue
            most = 2 if i < 7 else 0
            if spare < most:
                most = spare
            for k in range(most + 1):
                v = value + k + (1 if spare - k >= 3 else 0)
                shift = 4 * (3 * b + k)
                if v > (grown >> shift) & 15:
                    grown = (grown & ~(15 << shift)) | (v << shift)
        best = grown
    return (best & 15) - 1


@rule
def triplet_bits(counts):
    """A one for every count of three or four."""
    return ((counts & (counts >> 1)) | (counts >> 2)) & ONES


@rule
def most_melds(suit, counts):
    """The most melds that the packed counts of a suit hold."""
    if suit < 3:
        return melds_in_suit(counts)
    bits = triplet_bits(counts)
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


@rule
def count_tile(s, value):
    """Add a stored tile to the counts."""
    kind = int(KIND[value])
    suit = kind // 9
    s.count[suit] = int(s.count[suit]) + (1 << (4 * (kind - 9 * suit)))


@rule
def no_counts(s):
    """Forget all counts."""
    for suit in range(SUITS):
        s.count[suit] = 0
        s.melds[suit] = 0


# --- the player -----------------------------------------------------------------------


@rule
def player_wins(s):
    """§8 whether the hand is 14 tiles that split into four melds and a pair."""
    if s.n_hand != HAND_MAX:
        return 0
    no_counts(s)
    for i in range(HAND_MAX):
        count_tile(s, int(s.hand[i]))
    won = is_complete(s)
    no_counts(s)
    return won


@rule
def is_complete(s):
    """Whether the counts, 14 tiles in all, are four melds and a pair."""
    pair_suit = NONE
    for suit in range(SUITS):
        n = 0
        for i in range(9):
            n += (int(s.count[suit]) >> (4 * i)) & 15
        if n % 3 == 1 or (n % 3 == 2 and pair_suit != NONE):
            return 0
        if n % 3 == 2:
            pair_suit = suit
    if pair_suit == NONE:
        return 0
    for suit in range(SUITS):
        if suit != pair_suit and splits(suit, int(s.count[suit])) == 0:
            return 0
    counts = int(s.count[pair_suit])
    for i in range(9):
        if (counts >> (4 * i)) & 15 >= 2 and splits(pair_suit, counts - (2 << (4 * i))):
            return 1
    return 0


@rule
def splits(suit, counts):
    """Whether the counts of a suit are melds alone: from below, what is no triplet begins runs."""
    for i in range(9):
        c = (counts >> (4 * i)) & 15
        runs = c % 3
        if runs == 0:
            continue
        if suit == 3 or i > 6:
            return 0
        for k in range(1, 3):
            if (counts >> (4 * (i + k))) & 15 < runs:
                return 0
            counts -= runs << (4 * (i + k))
    return 1


@rule
def points(reds):
    """§8 the score of a hand."""
    return WIN_BASE + WIN_PER_RED * reds


@rule
def is_red_value(value):
    """Whether a stored tile is a red five (ids 16, 52, 88)."""
    return value == 17 or value == 53 or value == 89


# --- the CPU --------------------------------------------------------------------------


@rule
def cpu_wins(s):
    """§9 whether the pool holds a hand; its tiles go to s.cpu_tiles (pair, then the melds in order)."""
    no_cpu_tiles(s)
    n = int(s.n_discards)
    for cell in range(CELLS):
        n += 1 if s.board[cell] != 0 else 0
    if n < HAND_MAX:
        return 0
    no_counts(s)
    for cell in range(CELLS):
        if s.board[cell] != 0:
            count_tile(s, int(s.board[cell]))
    for i in range(s.n_discards):
        count_tile(s, int(s.discards[i]))
    total = 0
    for suit in range(SUITS):
        m = most_melds(suit, int(s.count[suit]))
        s.melds[suit] = m
        total += m
    won = 0
    if total >= MELDS:
        won = search(s)
    no_counts(s)
    return won


@rule
def pool_tile(s, i):
    """Place `i` of the pool: the cells of the board, then the discards; 0 where there is none."""
    if i < CELLS:
        return int(s.board[i])
    return int(s.discards[i - CELLS])


@rule
def search(s):
    """§9.2 the first success of the ordered search; counts and melds are set. 1 when there is one."""
    if first_of_kind(s, 2, MELDS, 0) == NONE:
        return 0
    n = 2
    for need in range(MELDS - 1, -1, -1):
        if first_of_kind(s, 3, need, n) == NONE:
            first_run(s, need, n)
        n += 3
    return 1


@rule
def remove(s, suit, amount, need):
    """Take `amount` from a suit's counts if `need` melds can still be had; 1 when taken."""
    counts = int(s.count[suit]) - amount
    m = most_melds(suit, counts)
    total = m
    for other in range(SUITS):
        if other != suit:
            total += int(s.melds[other])
    if total < need:
        return 0
    s.count[suit] = counts
    s.melds[suit] = m
    return 1


@rule
def first_of_kind(s, size, need, n):
    """A pair or triplet, kinds in order of first appearance, after which `need` melds can be had.

    Its tiles become entries n, n + 1... of the CPU's hand. NONE when there is none.
    """
    if size == 3 and triplet_bits(int(s.count[0])) | triplet_bits(int(s.count[1])) == 0:
        if triplet_bits(int(s.count[2])) | triplet_bits(int(s.count[3])) == 0:
            return NONE
    seen = 0
    for i in range(CELLS + int(s.n_discards)):
        value = pool_tile(s, i)
        if value == 0:
            continue
        kind = int(KIND[value])
        if (seen >> kind) & 1:
            continue
        seen |= 1 << kind
        suit = kind // 9
        shift = 4 * (kind - 9 * suit)
        if (int(s.count[suit]) >> shift) & 15 >= size and remove(s, suit, size << shift, need):
            for k in range(size):
                realise(s, kind, n + k)
            return kind
    return NONE


@rule
def first_run(s, need, n):
    """A run, man 1-2-3 first and sou 7-8-9 last, after which `need` melds can be had."""
    for suit in range(3):
        counts = int(s.count[suit])
        some = (counts | (counts >> 1) | (counts >> 2)) & ONES
        runs = some & (some >> 4) & (some >> 8)
        for i in range(7):
            if (runs >> (4 * i)) & 1 and remove(s, suit, 0x111 << (4 * i), need):
                for k in range(3):
                    realise(s, 9 * suit + i + k, n + k)
                return 1
    return 0


@rule
def realise(s, kind, n):
    """§9.2 step 4: entry `n` of the CPU's hand: the newest discard of the kind, else the last board tile."""
    for i in range(int(s.n_discards) - 1, -1, -1):
        value = int(s.discards[i])
        if KIND[value] == kind and is_used(s, value) == 0:
            use(s, value, n)
            return
    for cell in range(CELLS - 1, -1, -1):
        value = int(s.board[cell])
        if KIND[value] == kind and is_used(s, value) == 0:
            use(s, value, n)
            return


@rule
def is_used(s, value):
    """Whether a stored tile is one of the CPU's 14."""
    return (int(s.used[value % 3]) >> (value // 3)) & 1


@rule
def use(s, value, n):
    """Entry `n` of the CPU's hand."""
    s.cpu_tiles[n] = value
    s.used[value % 3] = int(s.used[value % 3]) | (1 << (value // 3))


@rule
def no_cpu_tiles(s):
    """The CPU has no hand."""
    for i in range(HAND_MAX):
        s.cpu_tiles[i] = 0
    for i in range(3):
        s.used[i] = 0
