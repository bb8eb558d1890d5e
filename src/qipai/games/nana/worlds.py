"""NANA: the deals that are consistent with what a seat has seen, counted (compiled).

Every physical deal (all cards distinct) that agrees with the seat's own hand and with every
card ever shown is equally likely (README §9). The cards of a hand that were never shown
are one dark run between known cards, so a deal is determined by how many copies k of each
number n lie in the dark run of each other hand; the rest is in the dark of the centre.
Going through the numbers in ascending order, the state is how many cards of each dark
run are filled: `F[n]` sums the ways up to number n, `B[n]` the ways from it on.

Arrays of this module: `hands` (SEATS, COLUMNS) and `known` (SEATS, NUMBERS + 2) describe
the hands that are counted, `rest` (NUMBERS + 2,) the copies of each number whose place is
unknown, `k` (SEATS,) a vector of copies by hand, `d` (SEATS,) an odometer.
Weights are integers in float64: exact below 2^53, else accurate to 15 digits.
"""

from __future__ import annotations

import numpy as np

from qipai.core import rule

from .state import CENTRE_SLOT, COPIES, HAND, NUMBERS

# Columns of `hands`
SEAT, DARK, FLOOR, CEILING, STRIDE = range(5)
COLUMNS = 5
ENDS = NUMBERS + 2  # rows of F and B: before number 1 .. NUMBERS, and after the last

FACTORIAL = np.array([1, 1, 2, 6], np.int64)


@rule(hands="i8[:,:]", known="i8[:,:]", rest="i8[:]")
def gather(s, seat, merge, hands, known, rest):
    """Fill the tables for what `seat` knows; return how many hands are counted.

    With `merge`, a hand of which nothing was ever shown is left out: its cards are drawn
    together with the centre's.
    """
    for n in range(ENDS):
        rest[n] = COPIES if n > 0 and (int(s.numbers) >> n) & 1 else 0
    for i in range(s.centre):
        if (int(s.shown) >> i) & 1:
            rest[s.card[CENTRE_SLOT + i]] -= 1
    count = 0
    stride = 1
    for other in range(s.seats):
        if other == seat:
            for i in range(s.dealt[other]):
                rest[s.card[other * HAND + i]] -= 1
            continue
        dark = int(s.dark_high[other]) - int(s.dark_low[other])
        if merge and dark == s.dealt[other]:
            continue
        _gather_hand(s, other, count, hands, known, rest)
        hands[count, STRIDE] = stride
        stride *= dark + 1
        count += 1
    return count


@rule(hands="i8[:,:]", known="i8[:,:]", rest="i8[:]")
def _gather_hand(s, other, row, hands, known, rest):
    base = other * HAND
    low = int(s.dark_low[other])
    high = int(s.dark_high[other])
    hands[row, SEAT] = other
    hands[row, DARK] = high - low
    hands[row, FLOOR] = s.card[base + low - 1] if low > 0 else 0
    hands[row, CEILING] = s.card[base + high] if high < s.dealt[other] else NUMBERS + 1
    for n in range(ENDS):
        known[row, n] = 0
    for i in range(s.dealt[other]):
        if i < low or i >= high:
            n = int(s.card[base + i])
            known[row, n] += 1
            rest[n] -= 1


@rule(hands="i8[:,:]")
def table_size(hands, count):
    """Return how many fill states the counted hands have."""
    size = 1
    for j in range(count):
        size *= hands[j, DARK] + 1
    return size


@rule(hands="i8[:,:]", k="i8[:]")
def next_vector(hands, count, n, limit, k):
    """Set `k` to the next way to put at most `limit` copies of `n` into dark runs; return 0 at the end."""
    total = 0
    for j in range(count):
        total += k[j]
    for j in range(count):
        if total < limit and k[j] < hands[j, DARK] and hands[j, FLOOR] <= n <= hands[j, CEILING]:
            k[j] += 1
            return 1
        total -= k[j]
        k[j] = 0
    return 0


@rule(known="i8[:,:]", rest="i8[:]", k="i8[:]")
def vector_weight(known, rest, count, n, k):
    """Return the physical ways behind a vector: f! / (u! * product of K!), whole hands counted."""
    free = rest[n]
    dark = rest[n]
    ways = 1
    for j in range(count):
        free += known[j, n]
        dark -= k[j]
        ways *= FACTORIAL[known[j, n] + k[j]]
    return FACTORIAL[free] // (ways * FACTORIAL[dark])


@rule(hands="i8[:,:]")
def lowest_fill(hands, j, n):
    """Return the fewest cards of dark run `j` that can be filled before number `n`."""
    return hands[j, DARK] if n > hands[j, CEILING] else 0


@rule(hands="i8[:,:]", k="i8[:]")
def highest_fill(hands, j, n, k):
    """Return the most cards of dark run `j` that can be filled before number `n`, with k[j] to follow."""
    return 0 if n <= hands[j, FLOOR] else hands[j, DARK] - k[j]


@rule(hands="i8[:,:]", k="i8[:]", d="i8[:]", weight="f8", target="f8[:]", source="f8[:]")
def spread(hands, count, n, k, d, weight, target, source, forward):
    """Add the part of vector `k` at number `n` to a whole row of B (or of F, `forward`)."""
    step = 0
    at = 0
    for j in range(count):
        step += k[j] * hands[j, STRIDE]
        d[j] = lowest_fill(hands, j, n)
        at += d[j] * hands[j, STRIDE]
        if d[j] > highest_fill(hands, j, n, k):
            return
    run = highest_fill(hands, 0, n, k) - d[0] + 1 if count > 0 else 1
    while True:
        here = target[at + step : at + step + run] if forward else target[at : at + run]
        there = source[at : at + run] if forward else source[at + step : at + step + run]
        for i in range(run):
            here[i] += weight * there[i]
        j = 1
        while j < count:
            if d[j] < highest_fill(hands, j, n, k):
                d[j] += 1
                at += hands[j, STRIDE]
                break
            low = lowest_fill(hands, j, n)
            at -= (d[j] - low) * hands[j, STRIDE]
            d[j] = low
            j += 1
        if j >= count:
            return


@rule(hands="i8[:,:]", known="i8[:,:]", rest="i8[:]", k="i8[:]", d="i8[:]", B="f8[:,:]")
def backward(hands, count, known, rest, k, d, size, B):
    """Fill B[n, fill] with the ways to finish from before number n; return the total."""
    for n in range(ENDS):
        for i in range(size):
            B[n, i] = 0.0
    B[ENDS - 1, size - 1] = 1.0
    for n in range(NUMBERS, 0, -1):
        for j in range(count):
            k[j] = 0
        while True:
            weight = vector_weight(known, rest, count, n, k)
            spread(hands, count, n, k, d, float(weight), B[n], B[n + 1], 0)
            if next_vector(hands, count, n, rest[n], k) == 0:
                break
    return B[1, 0]


@rule(hands="i8[:,:]", known="i8[:,:]", rest="i8[:]", k="i8[:]", d="i8[:]", F="f8[:,:]")
def forward(hands, count, known, rest, k, d, size, F):
    """Fill F[n, fill] with the ways to reach each fill before number n."""
    for n in range(ENDS):
        for i in range(size):
            F[n, i] = 0.0
    F[1, 0] = 1.0
    for n in range(1, NUMBERS + 1):
        for j in range(count):
            k[j] = 0
        while True:
            weight = vector_weight(known, rest, count, n, k)
            spread(hands, count, n, k, d, float(weight), F[n + 1], F[n], 1)
            if next_vector(hands, count, n, rest[n], k) == 0:
                break
