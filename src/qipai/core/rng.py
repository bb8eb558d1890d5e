"""The generator sfc32: four 32-bit words; only additions, shifts and exclusive-ors.

It produces the same stream plain, compiled and on a GPU. A state carries its words in `s.rng`;
policies carry their own, so that choices never influence chance. Words are handled as int64
and masked, because a uint32 wraps in Python's NumPy and widens in compiled code.
"""

from __future__ import annotations

import numpy as np

from .rule import rule

WORD = 0xFFFFFFFF
WARM_UP = 12  # steps after seeding, before the first number is used


@rule
def next_word(rng):
    """Advance one step and return 32 fresh bits, as a number from 0 to 2^32 - 1."""
    a = np.int64(rng[0])
    b = np.int64(rng[1])
    c = np.int64(rng[2])
    d = np.int64(rng[3])
    t = (a + b + d) & WORD
    rng[0] = b ^ (b >> 9)
    rng[1] = (c + (c << 3)) & WORD
    rng[2] = ((((c << 21) | (c >> 11)) & WORD) + t) & WORD
    rng[3] = (d + 1) & WORD
    return t


@rule
def seed_words(rng, w0, w1, w2, w3):
    """Set the four words and run the warm-up."""
    rng[0] = w0 & WORD
    rng[1] = w1 & WORD
    rng[2] = w2 & WORD
    rng[3] = w3 & WORD
    for _ in range(WARM_UP):
        next_word(rng)


@rule
def draw(rng, n):
    """Return a number from 0 to n - 1, exactly uniform (1 <= n < 2^31).

    It is the high half of word * n; the few words that would cause a bias are drawn again.
    """
    product = next_word(rng) * n
    if (product & WORD) < n:
        unfair = (WORD + 1 - n) % n
        while (product & WORD) < unfair:
            product = next_word(rng) * n
    return product >> 32


@rule
def draw_wide(rng, n):
    """Return a number from 0 to n - 1, exactly uniform, for 1 <= n < 2^62."""
    mask = 1
    while mask < n:
        mask = mask << 1
    mask -= 1
    while True:
        x = ((next_word(rng) << 30) ^ next_word(rng)) & mask
        if x < n:
            return x


@rule
def below(s, n):
    """Return a number from 0 to n - 1 from the state's generator."""
    return draw(s.rng[:], n)


@rule(cards="i1[:]")
def shuffle(s, cards, n):
    """Shuffle the first `n` of `cards` with the state's generator (Fisher-Yates)."""
    rng = s.rng[:]
    for i in range(n - 1, 0, -1):
        j = draw(rng, i + 1)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card


@rule
def pick(rng, mask, n):
    """Return a uniformly random set position of `mask` (zeros and ones), which has `n` ones."""
    k = draw(rng, n)
    i = 0
    k -= int(mask[i])  # subtracting at every position is faster than a branch
    while k >= 0:
        i += 1
        k -= int(mask[i])
    return i
