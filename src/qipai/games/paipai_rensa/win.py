"""Who has a hand: the player's 14 tiles, and the CPU's pool of board and discards (README §8, §9).

Counts are packed, one suit per integer, four bits per number. The CPU's depth-first search
takes the first success in its order; here each choice is kept if an exact count of the
remaining melds says that the rest can be completed, which finds the same success.
"""

from __future__ import annotations

from qipai.core import rule

from .board import first_cell
from .state import CELLS, HAND_MAX, MELDS, WIN_BASE, WIN_PER_RED
from .tiles import SUITS, TILES

ONES = 0x111111111  # the lowest bit of each of nine counts
NONE = -1
WANTED = TILES + 1  # an entry of the CPU's hand while only its kind is known: WANTED + kind


@rule
def melds_in_suit(counts):
    """Return the most triplets and runs that the packed counts of a numbered suit contain together.

    Exact up to MELDS; if there are more, some number from MELDS on.
    """
    triplets = triplet_bits(counts)
    if ones(triplets) >= MELDS:
        return MELDS
    best = most_runs(counts)
    taken = triplets & -triplets
    while taken:  # every set of triplets, and as many runs as it leaves
        n = ones(taken) + most_runs(counts - 3 * taken)
        best = n if n > best else best
        taken = (taken - triplets) & triplets
    return best


@rule
def most_runs(counts):
    """Return the most runs that the packed counts of a numbered suit contain, taking the lowest first."""
    n = 0
    starts = run_bits(counts)
    while starts:
        counts -= 0x111 * (starts & -starts)
        n += 1
        starts = run_bits(counts)
    return n


@rule
def run_bits(counts):
    """Return a one for every number at which a run can start."""
    some = (counts | (counts >> 1) | (counts >> 2)) & ONES
    return some & (some >> 4) & (some >> 8)


@rule
def ones(bits):
    """Return how many bits are set."""
    n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


@rule
def triplet_bits(counts):
    """Return a one for every count of three or four."""
    return ((counts & (counts >> 1)) | (counts >> 2)) & ONES


@rule
def most_melds(suit, counts):
    """Return the most melds that the packed counts of a suit contain."""
    if suit < 3:
        return melds_in_suit(counts)
    return ones(triplet_bits(counts))


@rule
def suit_of_value(value):
    """Return the suit of a stored tile, by comparison, which is cheaper than a table for many tiles."""
    return (value > 36) + (value > 72) + (value > 108)


@rule
def count_tile(s, value):
    """Add a stored tile to the counts."""
    suit = suit_of_value(value)
    s.count[suit] = int(s.count[suit]) + (1 << (((value - 1) & ~3) - 36 * suit))


@rule
def no_counts(s):
    """Clear all counts."""
    for suit in range(SUITS):
        s.count[suit] = 0
        s.melds[suit] = 0


# --- the player -----------------------------------------------------------------------


@rule
def player_wins(s):
    """Return whether the hand is 14 tiles that split into four melds and a pair (§8)."""
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
    """Return whether the counts, 14 tiles in total, are four melds and a pair."""
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
    """Return whether the counts of a suit are melds only: from below, what is not a triplet starts runs."""
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
    """Return the score of a hand (§8)."""
    return WIN_BASE + WIN_PER_RED * reds


@rule
def is_red_value(value):
    """Return whether a stored tile is a red five (ids 16, 52, 88)."""
    return value == 17 or value == 53 or value == 89


# --- the CPU --------------------------------------------------------------------------


@rule
def cpu_wins(s):
    """Return whether the pool has a hand (§9); its tiles go to s.cpu_tiles (pair, then melds in order)."""
    no_cpu_tiles(s)
    no_counts(s)
    for cell in range(first_cell(s), CELLS):
        if s.board[cell] != 0:
            count_tile(s, int(s.board[cell]))
    for i in range(s.n_discards):
        count_tile(s, int(s.discards[i]))
    total = 0
    for suit in range(SUITS):
        m = most_melds(suit, int(s.count[suit]))
        s.melds[suit] = m
        total += m
    won = search(s) if total >= MELDS else 0
    no_counts(s)
    return won


@rule
def pool_tile(s, i):
    """Return place `i` of the pool: the cells of the board, then the discards; 0 if there is none."""
    if i < CELLS:
        return int(s.board[i])
    return int(s.discards[i - CELLS])


@rule
def remove(s, suit, amount, need):
    """Take `amount` from a suit's counts if `need` melds remain possible; return 1 if taken."""
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
def search(s):
    """Find the first success of the ordered search (§9.2); set counts and melds. Return 1 if there is one.

    What cannot be taken at one depth cannot be taken deeper either (else it could have been
    taken first), so each list of choices is traversed once.
    """
    if take_alike(s, 2, 1, 0) == 0:
        return 0
    triplets = 0
    for suit in range(SUITS):
        if triplet_bits(int(s.count[suit])) != 0:
            triplets = take_alike(s, 3, MELDS, 2)
            break
    take_runs(s, MELDS - triplets, 2 + 3 * triplets)
    realise(s)
    return 1


@rule
def take_alike(s, size, most, n):
    """Take at most `most` pairs or triplets, kinds in order of first appearance; return how many.

    One is taken if the melds still needed are possible without it; it becomes entry n, n + 1...
    """
    taken = 0
    tried = 0  # kinds, as bits
    for i in range(first_cell(s), CELLS + int(s.n_discards)):
        value = pool_tile(s, i)
        kind = (value - 1) >> 2
        if value == 0 or (tried >> kind) & 1:
            continue
        tried |= 1 << kind
        suit = suit_of_value(value)
        shift = 4 * kind - 36 * suit
        need = MELDS if size == 2 else MELDS - taken - 1
        if (int(s.count[suit]) >> shift) & 15 >= size and remove(s, suit, size << shift, need):
            for k in range(size):
                s.cpu_tiles[n + size * taken + k] = WANTED + kind
            taken += 1
            if taken == most:
                break
    return taken


@rule
def take_runs(s, need, n):
    """Take `need` runs, man 1-2-3 first and sou 7-8-9 last; they are known to exist."""
    for suit in range(3):
        for i in range(7):
            while need > 0 and (run_bits(int(s.count[suit])) >> (4 * i)) & 1:
                if remove(s, suit, 0x111 << (4 * i), need - 1) == 0:
                    break
                for k in range(3):
                    s.cpu_tiles[n + k] = WANTED + 9 * suit + i + k
                n += 3
                need -= 1


@rule
def realise(s):
    """Find tiles for the kinds in s.cpu_tiles (§9.2 step 4): newest discards first, then the board's last."""
    wanted = 0  # kinds, as bits from 1 on: an empty cell is none
    for n in range(HAND_MAX):
        wanted |= 2 << (int(s.cpu_tiles[n]) - WANTED)
    for i in range(int(s.n_discards) - 1, -1, -1):
        value = int(s.discards[i])
        if (wanted >> ((value + 3) >> 2)) & 1:
            wanted ^= use(s, value)
    cell = CELLS - 1
    while wanted:
        value = int(s.board[cell])
        if (wanted >> ((value + 3) >> 2)) & 1:
            wanted ^= use(s, value)
        cell -= 1


@rule
def use(s, value):
    """Put a tile where its kind is wanted first; return the kind's bit if it is no longer wanted."""
    kind = (value - 1) >> 2
    s.used[value % 3] = int(s.used[value % 3]) | (1 << (value // 3))
    given = 0
    for n in range(HAND_MAX):
        if s.cpu_tiles[n] == WANTED + kind:
            if given:
                return 0
            s.cpu_tiles[n] = value
            given = 1
    return 2 << kind


@rule
def is_used(s, value):
    """Return whether a stored tile is one of the CPU's 14."""
    return (int(s.used[value % 3]) >> (value // 3)) & 1


@rule
def no_cpu_tiles(s):
    """Clear the CPU's hand."""
    for i in range(HAND_MAX):
        s.cpu_tiles[i] = 0
    for i in range(3):
        s.used[i] = 0
