"""The keys follow docs/records.md, computed here independently."""

from __future__ import annotations

import hashlib
import hmac
from random import Random

import numpy as np
import pytest

from qipai.core.errors import BadSeed
from qipai.core.rng import WARM_UP, WORD
from qipai.match import Match, keys
from tests.toys import PRIZES, SEED, play, random_move


def sfc32(words: list[int], steps: int) -> list[int]:
    """Return the next word of the generator, implemented a second time."""
    a, b, c, d = words
    for _ in range(steps):
        t = (a + b + d) & WORD
        turned = (c << 21 | c >> 11) & WORD
        a, b, c, d = b ^ (b >> 9), (c + (c << 3)) & WORD, (turned + t) & WORD, (d + 1) & WORD
    return [a, b, c, d]


def words_of(label: bytes) -> list[int]:
    key = hmac.new(SEED, label, hashlib.sha256).digest()[:16]
    return [int.from_bytes(key[i : i + 4], "little") for i in range(0, 16, 4)]


def test_the_commitment_is_the_hash_of_prefix_and_seed() -> None:
    assert keys.commitment(SEED) == hashlib.sha256(b"qipai/1/commit" + SEED).hexdigest()
    assert Match(PRIZES, seed=SEED).commitment == keys.commitment(SEED)


def test_the_deal_is_drawn_from_its_own_key() -> None:
    assert list(keys.deal_words(SEED)) == words_of(b"qipai/1/deal")
    s = PRIZES.new(words=words_of(b"qipai/1/deal"))
    assert s["where"].tolist() == Match(PRIZES, seed=SEED).state["where"].tolist()


def test_every_action_is_keyed_by_the_number_of_actions_before_it() -> None:
    match = play(Match(PRIZES, seed=SEED), Random(1))
    for step in match.steps():
        words = words_of(b"qipai/1/act/%d" % step.ply)
        assert list(keys.action_words(SEED, step.ply)) == words
        assert step.before["rng"].tolist() == sfc32(words, WARM_UP)
    assert step.ply == 11


def test_what_was_drawn_before_does_not_carry_into_what_comes() -> None:
    """Two matches that differ only in an earlier choice turn up prizes from the same key."""
    one, two = Match(PRIZES, seed=SEED), Match(PRIZES, seed=SEED)
    play(one, Random(1), 6)
    play(two, Random(2), 6)
    assert one.moves != two.moves
    for match in (one, two):
        match.act(match.seat, random_move(match, Random(3)))
    # The bid at ply 8 drew nothing: the generator is as its key left it.
    words = sfc32(words_of(b"qipai/1/act/8"), WARM_UP)
    assert one.state["rng"].tolist() == two.state["rng"].tolist() == words


def test_a_seed_is_32_secure_bytes() -> None:
    assert Match(PRIZES).commitment != Match(PRIZES).commitment
    for bad in (b"", b"x" * 31, b"x" * 33, "x" * 32, 7, bytearray(32), np.zeros(32, np.uint8)):
        with pytest.raises(BadSeed):
            Match(PRIZES, seed=bad)  # type: ignore[arg-type]
