"""Generators: the original's, which deals every match made from a named seed, and the core's.

Both offer `below`, `shuffle` and `scatter`, which is all the randomness that a card of a third party may use.
The original's (mulberry32 seeded by xmur3) is pinned by the specification, number for number. The core's is
the generator of the state, with its own words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

from qipai.core import draw, next_word, seed_words
from qipai.core.variant import Variant

from .api.codes import Code, SkillGomokuError, short

WORD = 0xFFFFFFFF
Point = tuple[int, int]
T = TypeVar("T")

_plain = Variant("plain")
_next_word, _draw, _seed_words = _plain(next_word), _plain(draw), _plain(seed_words)


class Generator(Protocol):
    """The random functions that a card's effect may call."""

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        ...

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """Return the items in a new list, in random order."""
        ...

    def scatter(self, empties: Sequence[Point], n: int) -> list[tuple[Point, int]]:
        """Return `n` distinct cells of `empties`, each with a colour 1 or 2."""
        ...

    def to_json(self) -> dict[str, Any]:
        """Return the whole state of the generator."""
        ...


def shuffled(items: Sequence[T], below: Callable[[int], int]) -> list[T]:
    """Return the items in a new list, shuffled from the end (Fisher-Yates, len - 1 numbers)."""
    out = list(items)
    for i in range(len(out) - 1, 0, -1):
        j = below(i + 1)
        out[i], out[j] = out[j], out[i]
    return out


class Mulberry32:
    """The original's generator, number for number."""

    def __init__(self, state: int) -> None:
        self.state = state & WORD
        self.used = 0  # numbers drawn so far

    def u32(self) -> int:
        """Return the next 32 bits."""
        self.used += 1
        self.state = (self.state + 0x6D2B79F5) & WORD
        t = self.state
        t = ((t ^ (t >> 15)) * (t | 1)) & WORD
        t ^= (t + (((t ^ (t >> 7)) * (t | 61)) & WORD)) & WORD
        return t ^ (t >> 14)

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        return (self.u32() * n) >> 32

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """Return the items in a new list, in random order."""
        return shuffled(items, self.below)

    def scatter(self, empties: Sequence[Point], n: int) -> list[tuple[Point, int]]:
        """Shuffle all empty cells, keep the first `n`, then draw a colour for each."""
        cells = self.shuffle(empties)[:n]
        return [(cell, 1 + self.below(2)) for cell in cells]

    def to_json(self) -> dict[str, Any]:
        """Return the whole state, one number."""
        return {"algorithm": "mulberry32", "state": self.state}


class Sfc32:
    """The core's generator, on four words outside a state."""

    def __init__(self, words: Sequence[int]) -> None:
        self._words = [int(w) & WORD for w in words]

    @classmethod
    def seeded(cls, words: Sequence[int]) -> Sfc32:
        """Return a generator from four words, with the core's warm-up."""
        made = cls((0, 0, 0, 0))
        _seed_words(made._words, *words)
        return made

    @property
    def words(self) -> list[int]:
        """The four words."""
        return [int(w) for w in self._words]

    def u32(self) -> int:
        """Return the next 32 bits."""
        return int(_next_word(self._words))

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1, exactly uniform."""
        return int(_draw(self._words, n))

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """Return the items in a new list, in random order."""
        return shuffled(items, self.below)

    def scatter(self, empties: Sequence[Point], n: int) -> list[tuple[Point, int]]:
        """Draw a cell and a colour `n` times; a cell by its rank among those still empty."""
        left = list(empties)
        return [(left.pop(self.below(len(left))), 1 + self.below(2)) for _ in range(n)]

    def to_json(self) -> dict[str, Any]:
        """Return the four words."""
        return {"algorithm": "sfc32", "state": self.words}


def seed_state(seed: int | str) -> int:
    """Return the state of the original's generator for a seed; text is hashed with xmur3."""
    if isinstance(seed, bool) or not isinstance(seed, int | str):
        raise SkillGomokuError(Code.InvalidConfig, f"a seed is an integer or text, not {short(seed)}")
    if isinstance(seed, int):
        return seed & WORD
    units = seed.encode("utf-16-le", "surrogatepass")
    count = len(units) // 2
    h = 1779033703 ^ count
    for i in range(count):
        unit = units[2 * i] | units[2 * i + 1] << 8
        h = ((h ^ unit) * 3432918353) & WORD
        h = ((h << 13) | (h >> 19)) & WORD
    h = ((h ^ (h >> 16)) * 2246822507) & WORD
    h = ((h ^ (h >> 13)) * 3266489909) & WORD
    return h ^ (h >> 16)


def play_words(state: int) -> tuple[int, int, int, int]:
    """Return the four words that seed play from a state of the original's generator."""
    return state & WORD, 0x736B696C, 0x6C676F6D, 1


def core_generator(state: int) -> Sfc32:
    """Return the core's generator, seeded from a state of the original's."""
    return Sfc32.seeded(play_words(state))


def read_generator(doc: Any, pinned: bool = False) -> Mulberry32 | Sfc32:
    """Return a generator from its JSON; a mulberry32 state seeds the core's unless it stays `pinned`."""
    if not isinstance(doc, dict):
        raise SkillGomokuError(Code.InvalidConfig, f"rng is an object, not {short(doc)}")
    state: Any = doc.get("state")
    if doc.get("algorithm") == "mulberry32" and is_word(state):
        return Mulberry32(state) if pinned else core_generator(state)
    if doc.get("algorithm") == "sfc32" and isinstance(state, list) and len(state) == 4:
        if all(is_word(w) for w in state):
            return Sfc32(state)
    raise SkillGomokuError(Code.InvalidConfig, f"rng is not a known generator: {short(doc)}")


def is_word(value: Any) -> bool:
    """Return whether `value` is an unsigned 32-bit number."""
    return type(value) is int and 0 <= value <= WORD
