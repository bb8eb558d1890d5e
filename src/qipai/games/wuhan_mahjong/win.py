"""Wuhan mahjong: win detection with laizi (§5.2-5.4), by arithmetic on packed counts.

A group (a suit, or the honours) is an integer with 4 bits per rank. Because 16 = 1 mod 3,
`c % 3` is its number of tiles mod 3, which tells the group that holds the pair. The sum of the
ranks mod 3 tells which third of the ranks the pair is from, and 2, 5, 8 are one third:
a suit's pair is always a 258 pair or never, however the suit is split.

What a group can become with some substitutes is a set of at most eight cases (all
triplets? all 258 tiles? pair of 258?), stored as eight bits; groups are then combined.
"""

from __future__ import annotations

from qipai.core import rule

from .tiles import (
    BIG_BITS,
    FLUSH_BIT,
    HARD_BIT,
    HONOURS,
    JIANG_BIT,
    KINDS,
    PENG_BIT,
    RED,
    RED_RANK,
    SOFT_BIT,
    SUBSTITUTES,
    WIND_BIT,
)

RANKS_258 = 0x0F00F00F0  # ranks 2, 5, 8 (indices 1, 4, 7)
RANKS_369 = 0xF00F00F00
EVERY_RANK = 0x111111111  # the lowest bit of each
NO_RANK = 99

# A case of a group
TRIPLETS, ALL_258, PAIR_258 = 1, 2, 4

# What the melds of a seat contribute to patterns: bits 0-3 the groups they are in, then:
HAS_CHOW = 16
NOT_258 = 32  # some meld is not of 258 tiles
HONOUR_GROUP = 8


@rule(hand="i1[:]")
def pack(hand, first, n):
    """Return the counts hand[first .. first + n - 1] as one group."""
    c = 0
    for i in range(n):
        c |= int(hand[first + i]) << (4 * i)
    return c


@rule
def is_sets(c):
    """Return whether a suit splits into runs and triplets.

    Three equal runs are three triplets, so the lowest rank starts (its count mod 3) runs.
    """
    while c != 0:
        runs = (c & 15) % 3
        if runs > 0:
            if ((c >> 4) & 15) < runs or ((c >> 8) & 15) < runs:
                return False
            c -= runs * 0x110
        c = c >> 4
    return True


@rule
def is_triplets(c):
    """Return whether a group splits into triplets only."""
    while c != 0:
        if (c & 15) % 3 != 0:
            return False
        c = c >> 4
    return True


@rule
def is_triplets_and_pair(c):
    """Return whether a group splits into triplets and one pair."""
    pairs = 0
    while c != 0:
        extra = (c & 15) % 3
        if extra == 1:
            return False
        if extra == 2:
            pairs += 1
        c = c >> 4
    return pairs == 1


@rule
def rank_sum(c):
    """Return the sum of the rank indices of a suit's tiles, mod 3."""
    return ((c & RANKS_258) % 3 + 2 * ((c & RANKS_369) % 3)) % 3


@rule
def is_sets_and_pair(c):
    """Return whether a suit splits into sets and one pair: 2 * pair = rank sum mod 3."""
    for rank in range(2 * rank_sum(c) % 3, 9, 3):
        if ((c >> (4 * rank)) & 15) >= 2 and is_sets(c - (2 << (4 * rank))):
            return True
    return False


@rule
def group_case(c, honours):
    """Return the case of a complete group, or -1 if it does not split."""
    pair = c % 3 == 2
    triplets = is_triplets_and_pair(c) if pair else is_triplets(c)
    case = 0
    if triplets:
        case = TRIPLETS
    elif honours == 1 or not (is_sets_and_pair(c) if pair else is_sets(c)):
        return -1
    if honours == 1:
        return case | (ALL_258 if c == 0 else 0)
    if (c & RANKS_258) == c:
        case |= ALL_258
    if pair and rank_sum(c) == 2:
        case |= PAIR_258
    return case


@rule
def lone_tiles(c, honours):
    """Return the tiles of a group, one bit per rank, that form no part of a pair, triplet or run."""
    more = c >> 1 | c >> 2 | c >> 3  # two or more of a rank
    present = (c | more) & EVERY_RANK
    if honours == 1:
        return present & ~more
    return present & ~(more | present << 4 | present >> 4 | present << 8 | present >> 8)


@rule
def count_laizi(c0, c1, c2, c3, laizi):
    """Return how many laizi a hand holds."""
    group = laizi // 9
    c = c0 if group == 0 else (c1 if group == 1 else (c2 if group == 2 else c3))
    return (c >> (4 * (laizi % 9))) & 15


@rule
def loose_types(c0, c1, c2, c3, melds):
    """Return all winds and all 258, which need no shape; substitutes can always be named to fit."""
    if (c0 | c1 | c2) == 0 and melds & 7 == 0:
        return WIND_BIT
    if c3 == 0 and ((c0 | c1 | c2) & RANKS_258) == (c0 | c1 | c2) and melds & NOT_258 == 0:
        return JIANG_BIT
    return 0


@rule
def is_loose(c0, c1, c2, c3, laizi):
    """Return whether a hand, apart from laizi, is all winds or all 258, which may need no shape."""
    others = ~(15 << (4 * (laizi % 9)))
    group = laizi // 9
    types = loose_types(
        c0 & others if group == 0 else c0,
        c1 & others if group == 1 else c1,
        c2 & others if group == 2 else c2,
        c3 & others if group == 3 else c3,
        0,
    )
    return types != 0


@rule
def too_many_alone(c0, c1, c2, c3, laizi, more):
    """Return whether more tiles are isolated than `more` others can connect.

    One tile connects at most one: two tiles that it could join in a run are not isolated.
    """
    alone = lone_tiles(c0, 0) | lone_tiles(c1, 0) << 1 | lone_tiles(c2, 0) << 2 | lone_tiles(c3, 1) << 3
    alone &= ~(1 << (4 * (laizi % 9) + laizi // 9))  # a laizi can itself be a substitute
    for _ in range(more):
        alone &= alone - 1
    return alone != 0


@rule
def group_cases(c, subs, honours, skip):
    """Return every case that a group can become with `subs` named tiles (0 to 4), as bits.

    Honours never name Red; no group names rank `skip` (the laizi's own).
    """
    alone = lone_tiles(c, honours)
    for _ in range(subs):
        alone &= alone - 1  # each needs its own substitute
    if alone != 0:
        return 0
    if subs == 0:
        case = group_case(c, honours)
        return 1 << case if case >= 0 else 0
    ranks = KINDS - HONOURS if honours == 1 else 9
    cases = 0
    # a <= b <= x <= y are the named ranks; a loop without a tile to name runs once
    for a in range(ranks):
        for b in range(a, ranks if subs > 1 else a + 1):
            for x in range(b, ranks if subs > 2 else b + 1):
                for y in range(x, ranks if subs > 3 else x + 1):
                    named = 1 << (4 * a)
                    if subs > 1:
                        named += 1 << (4 * b)
                    if subs > 2:
                        named += 1 << (4 * x)
                    if subs > 3:
                        named += 1 << (4 * y)
                    if skip != NO_RANK and ((named >> (4 * skip)) & 15) != 0:
                        continue
                    if honours == 1 and ((named >> (4 * RED_RANK)) & 15) != 0:
                        continue
                    case = group_case(c + named, honours)
                    if case >= 0:
                        cases |= 1 << case
    return cases


@rule
def both_cases(one, other):
    """Return the cases of two groups together: both triplets, both 258, either's pair."""
    cases = 0
    for i in range(8):
        if (one >> i) & 1:
            for j in range(8):
                if (other >> j) & 1:
                    cases |= 1 << ((i & j & (TRIPLETS | ALL_258)) | ((i | j) & PAIR_258))
    return cases


@rule
def hand_cases(c0, c1, c2, c3, s0, s1, s2, s3, laizi):
    """Return the cases of a whole hand whose groups get s0..s3 substitutes; 0 if it has no shape."""
    rank = laizi % 9
    group = laizi // 9
    honours = group_cases(c3, s3, 1, rank if group == 3 else NO_RANK)
    if honours == 0:
        return 0
    first = group_cases(c0, s0, 0, rank if group == 0 else NO_RANK)
    if first == 0:
        return 0
    second = group_cases(c1, s1, 0, rank if group == 1 else NO_RANK)
    if second == 0:
        return 0
    third = group_cases(c2, s2, 0, rank if group == 2 else NO_RANK)
    if third == 0:
        return 0
    return both_cases(both_cases(first, second), both_cases(third, honours))


@rule
def better(one, other):
    """Return the better of two sets of types: more big patterns, then the smaller list (§5.4)."""
    n = count_big(one)
    m = count_big(other)
    if n != m:
        return one if n > m else other
    apart = one ^ other
    return one if (apart & -apart & one) != 0 else other


@rule
def count_big(types):
    """Return the number of big patterns in a set of types."""
    n = 0
    bits = types & BIG_BITS
    while bits != 0:
        bits &= bits - 1
        n += 1
    return n


@rule
def best_of_cases(cases, groups, melds, situation, small, big):
    """Return the best types among `cases`: big patterns, SOFT_BIT alone for a small win, or 0.

    `groups` are those that hold any tile, including melds; `small` and `big` say whether
    such a win is allowed with this number of substitutes.
    """
    fixed = 0
    if groups == 1 or groups == 2 or groups == 4:
        fixed = FLUSH_BIT
    if groups == HONOUR_GROUP:
        fixed |= WIND_BIT
    best = 0
    for case in range(8):
        if (cases >> case) & 1 == 0:
            continue
        types = fixed
        if case & TRIPLETS and melds & HAS_CHOW == 0:
            types |= PENG_BIT
        if case & ALL_258 and melds & NOT_258 == 0:
            types |= JIANG_BIT
        if case & PAIR_258:
            types |= situation
        if types != 0:
            if big == 1:
                best = better(best, types)
        elif case & PAIR_258 and small == 1 and best == 0:
            best = SOFT_BIT
    return best


@rule
def lack(c):
    """Return how many tiles (0 to 2) a group lacks to consist of sets."""
    return 2 * c % 3


@rule
def pair_lack(lacks):
    """Return how many more (or fewer) tiles it lacks to consist of sets and a pair."""
    return 2 if lacks == 0 else -1


@rule
def can_split(c0, c1, c2, c3, laizi, subs):
    """Return whether the numbers of tiles allow sets and one pair with at most `subs` substitutes."""
    group = laizi // 9
    for k in range(subs + 1):
        n0 = lack(c0 - k if group == 0 else c0)
        n1 = lack(c1 - k if group == 1 else c1)
        n2 = lack(c2 - k if group == 2 else c2)
        n3 = lack(c3 - k if group == 3 else c3)
        lacks = n0 + n1 + n2 + n3
        if lacks + pair_lack(lacks) <= k:  # the pair goes where it costs least
            return True
    return False


@rule
def shape_types(c0, c1, c2, c3, s0, s1, s2, s3, laizi, melds, situation, small, big):
    """Return the best types of a hand whose groups get s0..s3 substitutes (see `best_of_cases`)."""
    cases = hand_cases(c0, c1, c2, c3, s0, s1, s2, s3, laizi)
    if cases == 0:
        return 0
    groups = melds & 15
    groups |= 1 if c0 + s0 > 0 else 0
    groups |= 2 if c1 + s1 > 0 else 0
    groups |= 4 if c2 + s2 > 0 else 0
    groups |= 8 if c3 + s3 > 0 else 0
    return best_of_cases(cases, groups, melds, situation, small, big)


@rule
def best_with(c0, c1, c2, c3, subs, laizi, melds, situation, small, big):
    """Return the best types with exactly `subs` substitutes (already taken out of the groups).

    Which group holds the pair determines how many substitutes each group gets, mod 3: of at most four,
    either three are left over or none, and three left over go to one group together.
    """
    best = 0
    if big == 1:
        best = loose_types(c0, c1, c2, c3, melds)
    n0, n1, n2, n3 = lack(c0), lack(c1), lack(c2), lack(c3)
    left = subs - n0 - n1 - n2 - n3
    if left < -1:
        return best  # too few for any pair
    for pair in range(4):
        more = pair_lack(n0 if pair == 0 else (n1 if pair == 1 else (n2 if pair == 2 else n3)))
        spare = left - more
        if spare != 0 and spare != 3:
            continue
        s0 = n0 + more if pair == 0 else n0
        s1 = n1 + more if pair == 1 else n1
        s2 = n2 + more if pair == 2 else n2
        s3 = n3 + more if pair == 3 else n3
        for g in range(1 if spare == 0 else 4):
            types = shape_types(
                c0,
                c1,
                c2,
                c3,
                s0 + spare if g == 0 else s0,
                s1 + spare if g == 1 else s1,
                s2 + spare if g == 2 else s2,
                s3 + spare if g == 3 else s3,
                laizi,
                melds,
                situation,
                small,
                big,
            )
            if types & BIG_BITS:
                best = better(best, types)
            elif best == 0:
                best = types
    return best


@rule
def best_reading(c0, c1, c2, c3, laizi, melds, situation, small, big):
    """Return the best reading of a complete hand; 0 if there is none.

    A reading is its types with HARD or SOFT and, above bit SUBSTITUTES, the number of substitutes.

    `melds`: bits as above; `situation`: the big patterns that a 258 shape scores here;
    `small`, `big`: most substitutes in a small and in a big win.
    """
    one = 1 << (4 * (laizi % 9))
    group = laizi // 9
    held = count_laizi(c0, c1, c2, c3, laizi)
    best = 0
    best_value = 0
    for subs in range(min(held, max(small, big)) + 1):
        gone = subs * one
        types = best_with(
            c0 - gone if group == 0 else c0,
            c1 - gone if group == 1 else c1,
            c2 - gone if group == 2 else c2,
            c3 - gone if group == 3 else c3,
            subs,
            laizi,
            melds,
            situation,
            1 if subs <= small else 0,
            1 if subs <= big else 0,
        )
        if types == 0:
            continue
        n = count_big(types)
        value = 10 * n if n > 0 else 1
        mark = SOFT_BIT
        if subs == 0:
            value *= 2
            mark = HARD_BIT
        if value > best_value:
            best_value = value
            best = (types & BIG_BITS) | mark | (subs << SUBSTITUTES)
    return best


@rule
def waits(c0, c1, c2, c3, laizi, skin0, skin1, melds, small, big):
    """Return the kinds that complete a hand one tile short, as bits, ignoring situations (§5.6)."""
    home = laizi // 9
    held = count_laizi(c0, c1, c2, c3, laizi)
    most = max(small, big)
    loose = is_loose(c0, c1, c2, c3, laizi)
    if not loose and too_many_alone(c0, c1, c2, c3, laizi, min(held, most) + 1):
        return 0
    found = 0
    for g in range(4):
        one0 = 1 if g == 0 else 0
        one1 = 1 if g == 1 else 0
        one2 = 1 if g == 2 else 0
        one3 = 1 if g == 3 else 0
        subs = min(held + 1 if g == home else held, most)
        if not loose and not can_split(c0 + one0, c1 + one1, c2 + one2, c3 + one3, laizi, subs):
            continue
        for i in range(KINDS - HONOURS if g == 3 else 9):
            t = 9 * g + i
            if t in (RED, skin0, skin1):
                continue
            d0 = c0 + (one0 << (4 * i))
            d1 = c1 + (one1 << (4 * i))
            d2 = c2 + (one2 << (4 * i))
            d3 = c3 + (one3 << (4 * i))
            if not loose and too_many_alone(d0, d1, d2, d3, laizi, subs):
                continue
            reading = best_reading(d0, d1, d2, d3, laizi, melds, 0, small, big)
            if reading != 0:
                found |= 1 << t
    return found
