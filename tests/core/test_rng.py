"""The generator against a naive twin, and the numbers drawn from it against arithmetic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from qipai.core import below, draw, draw_wide, new_state, next_word, pick, seed_words, shuffle
from qipai.core.compiling import compile_rules
from qipai.core.variant import Variant
from tests.toys_check.hush import STATE

WORDS = 1 << 32
VARIANTS = ("plain", "compiled", "checked")


class Naive:
    """sfc32 as Chris Doty-Humphrey wrote it, in Python integers."""

    def __init__(self, a: int, b: int, c: int, counter: int) -> None:
        self.a, self.b, self.c, self.counter = a, b, c, counter

    def word(self) -> int:
        out = (self.a + self.b + self.counter) % WORDS
        self.counter = (self.counter + 1) % WORDS
        self.a = self.b ^ self.b >> 9
        self.b = (self.c + 8 * self.c) % WORDS
        rotated = (self.c << 21 | self.c >> 11) % WORDS
        self.c = (rotated + out) % WORDS
        return out

    def words(self) -> list[int]:
        return [self.a, self.b, self.c, self.counter]

    def draw(self, n: int) -> int:
        """Uniform below n: words whose product falls into the short last stretch are thrown away."""
        while True:
            product = self.word() * n
            if product % WORDS >= WORDS % n:
                return product // WORDS


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    compile_rules([next_word, seed_words, pick, draw, draw_wide, below, shuffle], STATE, "tests/rng")


@pytest.fixture(params=VARIANTS)
def make(request: pytest.FixtureRequest) -> Callable[[Any], Any]:
    """Return one of the three ways to run a rule."""
    variant = Variant(request.param)
    if request.param == "checked":
        rules = [variant(f) for f in (next_word, seed_words, draw, draw_wide)]
        compile_rules(rules, STATE, "tests/rng/checked")
    return variant


def words(*values: int) -> Any:
    return np.array(values, np.uint32)


STARTS = [(0, 0, 0, 0), (1, 2, 3, 4), (WORDS - 1,) * 4, (0xDEADBEEF, 0x12345678, 0x9ABCDEF0, 0xFFFFFFF0)]


@pytest.mark.parametrize("start", STARTS)
def test_the_stream_is_that_of_the_naive_twin(make: Callable[[Any], Any], start: tuple[int, ...]) -> None:
    rng, twin, step = words(*start), Naive(*start), make(next_word)
    for _ in range(200):
        assert int(step(rng)) == twin.word()
    assert rng.tolist() == twin.words()


def test_the_first_words_of_a_known_seed() -> None:
    """Fixed once: a change of the generator would change every recorded match."""
    rng = words(0, 0, 0, 0)
    seed_words(rng, 1, 2, 3, 4)
    assert [int(next_word(rng)) for _ in range(4)] == [417285410, 1196253302, 123583739, 800524041]


def test_seeding_sets_the_words_and_runs_twelve_steps(make: Callable[[Any], Any]) -> None:
    rng, twin = words(9, 9, 9, 9), Naive(1, 2, 3, 4)
    make(seed_words)(rng, 1, 2, 3, 4)
    for _ in range(12):
        twin.word()
    assert rng.tolist() == twin.words()


def test_seeds_are_masked_to_32_bits(make: Callable[[Any], Any]) -> None:
    one, other = words(0, 0, 0, 0), words(0, 0, 0, 0)
    make(seed_words)(one, 5, 6, 7, 8)
    make(seed_words)(other, 5 + WORDS, 6 - WORDS, 7, 8)
    assert one.tolist() == other.tolist()


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 24, 1000, 65537, (1 << 31) - 1, 3 << 29])
def test_draw_is_the_naive_twin_for_every_n(make: Callable[[Any], Any], n: int) -> None:
    rng, twin, take = words(9, 8, 7, n), Naive(9, 8, 7, n), make(draw)
    for _ in range(100):
        found = int(take(rng, n))
        assert 0 <= found < n
        assert found == twin.draw(n)
    assert rng.tolist() == twin.words()


@pytest.mark.parametrize("n", [3, 5, 6, 7, 1000])
def test_a_word_that_would_favour_a_number_is_drawn_again(n: int) -> None:
    """With c = b = counter = 0 the first word is `a`: word 0 is the first of the unfair ones."""
    rng = words(0, 12345, 678, WORDS - 12345)
    twin = Naive(*(int(w) for w in rng))
    assert twin.word() == 0
    second = twin.word()
    assert second * n % WORDS >= WORDS % n
    assert int(draw(rng, n)) == second * n // WORDS
    assert rng.tolist() == twin.words()


@pytest.mark.parametrize("n", [*range(1, 60), 1000, 65537, (1 << 31) - 1])
def test_as_many_words_lead_to_every_number(n: int) -> None:
    """The arithmetic behind `draw`: words w with k * 2^32 + r <= w * n < (k + 1) * 2^32, r = 2^32 mod n."""

    def first_at_least(product: int) -> int:
        return -(-product // n)

    r = WORDS % n
    some = [*range(min(n, 60)), n - 1]
    counts = {first_at_least((k + 1) * WORDS) - first_at_least(k * WORDS + r) for k in some}
    assert counts == {WORDS // n}


def chi_square(counts: Counter[Any], cells: int) -> float:
    total = sum(counts.values())
    expected = total / cells
    return sum((counts[c] - expected) ** 2 / expected for c in counts) + expected * (cells - len(counts))


def test_drawn_numbers_pass_a_chi_square_test() -> None:
    rng = words(1, 1, 1, 1)
    counts = Counter(int(draw(rng, 10)) for _ in range(50_000))
    assert chi_square(counts, 10) < 27.9  # 9 degrees of freedom, 1 in 1000


def test_wide_numbers_are_in_range_and_even() -> None:
    rng = words(2, 2, 2, 2)
    for n in (1, 2, 3, 1 << 31, (1 << 61) + 1, (1 << 62) - 1):
        found = [int(draw_wide(rng, n)) for _ in range(64)]
        assert min(found) >= 0
        assert max(found) < n
    halves = Counter(int(draw_wide(rng, 3 << 60)) >> 60 for _ in range(30_000))
    assert chi_square(halves, 3) < 13.8  # 2 degrees of freedom, 1 in 1000


def test_wide_numbers_are_the_same_in_all_ways(make: Callable[[Any], Any]) -> None:
    one, other = words(3, 3, 3, 3), words(3, 3, 3, 3)
    take = make(draw_wide)
    for n in (5, 1 << 40, (1 << 62) - 1):
        assert int(take(one, n)) == int(draw_wide(other, n))
    assert one.tolist() == other.tolist()


def shuffles(count: int) -> Iterator[tuple[int, ...]]:
    s = new_state(STATE)
    seed_words(s["rng"], 4, 4, 4, 4)
    for _ in range(count):
        cards = np.arange(6, dtype=np.int8)
        shuffle(s, cards, 4)
        yield tuple(cards.tolist())


def test_a_shuffle_gives_every_permutation_equally_often() -> None:
    counts = Counter(shuffles(24_000))
    assert set(counts) == {(*p, 4, 5) for p in permutations(range(4))}
    assert chi_square(counts, 24) < 49.7  # 23 degrees of freedom, 1 in 1000


def test_a_shuffle_is_that_of_fisher_and_yates() -> None:
    s = new_state(STATE)
    seed_words(s["rng"], 5, 6, 7, 8)
    twin = Naive(*(int(w) for w in s["rng"]))
    cards = np.arange(30, dtype=np.int8)
    shuffle(s, cards, 30)
    expected = list(range(30))
    for i in range(29, 0, -1):
        j = twin.draw(i + 1)
        expected[i], expected[j] = expected[j], expected[i]
    assert cards.tolist() == expected


def test_below_draws_from_the_state_and_nothing_else() -> None:
    s = new_state(STATE)
    seed_words(s["rng"], 1, 2, 3, 4)
    twin = Naive(*(int(w) for w in s["rng"]))
    before = s.tobytes()[16:]
    assert [int(below(s, 9)) for _ in range(50)] == [twin.draw(9) for _ in range(50)]
    assert s.tobytes()[16:] == before


def test_pick_takes_each_set_position_equally_often_and_no_other() -> None:
    rng = words(6, 6, 6, 6)
    mask = np.zeros(64, np.uint8)
    places = [0, 3, 31, 32, 40]
    mask[places] = 1
    counts = Counter(int(pick(rng, mask, len(places))) for _ in range(10_000))
    assert set(counts) == set(places)
    assert chi_square(counts, 5) < 18.5  # 4 degrees of freedom, 1 in 1000
