"""SuitPlanner: the order of the supply (README §3), in scaled integers on the state's generator.

The composition is fixed; only the order is controlled. `plan` orders everything behind a
given position, so it makes the deal and also redraws what a seat cannot know: given the
pairs seen so far, the rest is an independent chain, so the redrawn order is exactly as likely
as the true one. `reference.py` has the floating-point form that the spec pins.
"""

from __future__ import annotations

import math

import numpy as np

from qipai.core import draw, next_word, rule

from .tiles import SUITS, TILES
from .win import ones

MILLION = 1_000_000
ONE = 1 << 28  # a weight of 1; four weights and their noise stay below 2^31
NONE = -1

# log2 n and 2^-x in fixed point (28 and 30 fraction bits); 2^-x from two tables and a linear rest
LOG2 = np.array([0] + [round(math.log2(n) * 2**28) for n in range(1, TILES + 1)], np.int64)
COARSE = np.array([round(2 ** (30 - k / 64)) for k in range(64)], np.int64)
FINE = np.array([round(2 ** (30 - k / 4096)) for k in range(64)], np.int64)
LN2 = round(math.log(2) * 2**20)


@rule
def half_to(x):
    """Return 2^-x with 30 fraction bits, for x >= 0 with 32."""
    whole = x >> 32
    if whole > 30:
        return 0
    part = x & 0xFFFFFFFF
    value = (int(COARSE[part >> 26]) * int(FINE[(part >> 20) & 63])) >> 30
    value -= (value * (((part & 0xFFFFF) * LN2) >> 20)) >> 32
    return value >> whole


@rule
def exponent(gamma):
    """Return a gamma in millionths as fixed point with 26 fraction bits; below one acts as one (§3.5)."""
    return (gamma << 26) // MILLION if gamma > MILLION else 1 << 26


@rule
def ratio_power(n, total, power):
    """Return (n / total) ** power as a weight; `power` has 26 fraction bits."""
    w = half_to(((int(LOG2[total]) - int(LOG2[n])) * power) >> 22) >> 2
    return w if w > 0 else 1


@rule
def zoro_chance(s, zoros, length):
    """Return the probability of a same-suit pair in billionths, after `zoros` among `length` pairs (§3.4)."""
    target = int(s.bias_zoro_target)
    p = target * 1000
    if length > 0:
        error = target * length - zoros * MILLION
        p += int(s.bias_zoro_feedback) * error // (length * 1000)
    low = int(s.bias_zoro_min) * 1000
    high = int(s.bias_zoro_max) * 1000
    if p < low:
        return low
    return high if p > high else p


@rule
def base_weights(s, last, streak, power):
    """Write the weights before noise to s.odds (§3.5 steps 1-3); `power` as in `exponent`."""
    total = 0
    for suit in range(SUITS):
        total += int(s.left[suit])
    for suit in range(SUITS):
        n = int(s.left[suit])
        w = 0
        if n > 0:
            w = ratio_power(n, total, power)
            if suit == last and streak >= s.bias_max_streak:
                w = w * int(s.bias_streak_penalty) // MILLION
                w = w if w > 0 else 1
        s.odds[suit] = w


@rule
def noisy_weights(s):
    """Write every weight above zero with fresh noise to s.weight (§3.5 step 4)."""
    eps = int(s.bias_noise_eps) * ONE // MILLION
    for suit in range(SUITS):
        w = int(s.odds[suit])
        if w > 0:
            w += (next_word(s.rng[:]) * eps) >> 32
        s.weight[suit] = w


@rule
def pick_suit(s, forbidden):
    """Return a suit by weight, none of the set `forbidden`; NONE without a draw if none is left (§3.5)."""
    total = 0
    for suit in range(SUITS):
        if (forbidden >> suit) & 1 == 0:
            total += int(s.weight[suit])
    if total == 0:
        return NONE
    r = draw(s.rng[:], total)
    chosen = NONE
    for suit in range(SUITS):
        if (forbidden >> suit) & 1 == 0 and s.weight[suit] > 0 and r >= 0:
            chosen = suit
            r -= int(s.weight[suit])
    return chosen


@rule
def zoro_suit(s, last, streak):
    """Return the suit of a same-suit pair, or NONE (§3.6 step 3 with §3.7)."""
    short = 0
    for suit in range(SUITS):
        if s.left[suit] < 2:
            short |= 1 << suit
    main = pick_suit(s, short)
    if main == last and main != NONE and is_capped(s, streak):
        other = pick_suit(s, short | (1 << last))
        if other != NONE:
            return other
        for suit in range(SUITS):
            if suit != last and s.left[suit] > 0:
                return NONE
    return main


@rule
def main_suit(s, last, streak):
    """Return the suit of the first tile (§3.6 step 4 with §3.7)."""
    main = pick_suit(s, 0)
    if main == last and is_capped(s, streak):
        other = pick_suit(s, 1 << last)
        if other != NONE:
            return other
    return main


@rule
def is_capped(s, streak):
    """Return whether the main suit may not come once more (§3.7)."""
    return s.bias_streak_hard_cap != 0 and streak > s.bias_max_streak


@rule
def wants_zoro(s, zoros, length):
    """Make decision A (§3.4), without a draw if there is nothing to decide."""
    if s.bias_enabled == 0:
        return 0
    enough = 0
    for suit in range(SUITS):
        if s.left[suit] >= 2:
            enough = 1
    if enough == 0:
        return 0
    return 1 if draw(s.rng[:], 1000 * MILLION) < zoro_chance(s, zoros, length) else 0


@rule
def nth_bit(bits, n):
    """Return the place of the set bit that has `n` set bits below it; `bits` has at most 64."""
    at = 0
    for k in range(5, -1, -1):
        half = 1 << k
        below = ones((bits >> at) & ((1 << half) - 1))
        if n >= below:
            n -= below
            at += half
    return at


@rule
def take(s, suit):
    """Take a random tile of the suit's bucket, as a stored value."""
    at = nth_bit(int(s.bucket[suit]), draw(s.rng[:], int(s.left[suit])))
    s.bucket[suit] = int(s.bucket[suit]) ^ (1 << at)
    s.left[suit] -= 1
    return 36 * suit + 1 + at


@rule
def gather(s, first):
    """Put every tile from position `first` of the deck into the bucket of its suit."""
    for suit in range(SUITS):
        s.bucket[suit] = 0
        s.left[suit] = 0
    for i in range(first, int(s.total)):
        tile = int(s.deck[i]) - 1
        suit = tile // 36
        s.bucket[suit] = int(s.bucket[suit]) | (1 << (tile - 36 * suit))
        s.left[suit] += 1


@rule
def behind_next(s):
    """Return where the deck begins that nobody sees: behind the NEXT pairs that are shown (§4)."""
    return int(s.at) + 2 * int(s.next_pairs)


@rule
def plan(s, first):
    """Order deck[first:total] again; `first` is even and what lies before it was dealt as pairs."""
    gather(s, first)
    memory = int(s.bias_window_pairs)
    power = exponent(int(s.bias_remaining_gamma))
    window = 0  # zoro flags of the latest pairs, newest in bit 0
    length = 0
    zoros = 0
    last = NONE
    streak = 0
    at = 0
    total = int(s.total)
    while at + 1 < total:
        if at < first:
            main = (int(s.deck[at]) - 1) // 36
            second = (int(s.deck[at + 1]) - 1) // 36
        else:
            base_weights(s, last, streak, power)
            main = NONE
            zoro = wants_zoro(s, zoros, length)
            noisy_weights(s)
            if zoro:
                main = zoro_suit(s, last, streak)
            second = main
            if main == NONE:
                main = main_suit(s, last, streak)
                noisy_weights(s)
                second = pick_suit(s, 1 << main)
                if second == NONE:
                    second = main
            s.deck[at] = take(s, main)
            s.deck[at + 1] = take(s, second)
        at += 2
        if length == memory:
            zoros -= (window >> (memory - 1)) & 1
        else:
            length += 1
        flag = 1 if main == second else 0
        window = ((window << 1) | flag) & ((1 << memory) - 1)
        zoros += flag
        if main == last:
            streak += 1
        else:
            last = main
            streak = 1
    if at < total and at >= first:  # §3.8
        base_weights(s, last, streak, power)
        noisy_weights(s)
        s.deck[at] = take(s, pick_suit(s, 0))
    for suit in range(SUITS):
        s.bucket[suit] = 0
        s.left[suit] = 0
        s.odds[suit] = 0
        s.weight[suit] = 0
