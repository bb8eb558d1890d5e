"""Generators of the plain turn machine: the pinned one of the original, and a twin of the core's.

Both answer `below`, `shuffle` and `scatter`; the machine knows no more of chance. The
original's (mulberry32 seeded by xmur3) deals every match that is made from a seed by
name; within play, chance comes from the core's generator.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from .codes import Code, SkillGomokuError, short

WORD = 0xFFFFFFFF
Point = tuple[int, int]
T = TypeVar("T")


class Generator(Protocol):
    """What the plain turn machine asks of chance."""

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        ...

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """The items in a new list and a random order."""
        ...

    def scatter(self, empties: Sequence[Point], n: int) -> list[tuple[Point, int]]:
        """`n` distinct cells of `empties`, each with a colour 1 or 2."""
        ...

    def to_json(self) -> dict[str, Any]:
        """The whole state of the generator."""
        ...

    def copy(self) -> Generator:
        """An independent generator in the same state."""
        ...


class Mulberry32:
    """The original's generator, number for number."""

    def __init__(self, state: int) -> None:
        self.state = state & WORD
        self.used = 0  # numbers drawn so far

    def u32(self) -> int:
        """The next 32 bits."""
        self.used += 1
        self.state = (self.state + 0x6D2B79F5) & WORD
        t = self.state
        t = ((t ^ (t >> 15)) * (t | 1)) & WORD
        t ^= (t + (((t ^ (t >> 7)) * (t | 61)) & WORD)) & WORD
        return t ^ (t >> 14)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return (self.u32() * n) >> 32

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """Fisher-Yates, len - 1 numbers."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out

    def scatter(self, empties: Sequence[Point], n: int) -> list[tuple[Point, int]]:
        """All empty cells shuffled, the first `n` kept, then a colour each."""
        cells = self.shuffle(empties)[:n]
        return [(cell, 1 + self.below(2)) for cell in cells]

    def to_json(self) -> dict[str, Any]:
        """The whole state, one number."""
        return {"algorithm": "mulberry32", "state": self.state}

    def copy(self) -> Mulberry32:
        """An independent generator in the same state."""
        return Mulberry32(self.state)


class Sfc32:
    """The core's generator, written out plainly: draws as the compiled rules draw."""

    def __init__(self, words: Sequence[int]) -> None:
        self.words = [int(w) & WORD for w in words]

    @classmethod
    def seeded(cls, words: Sequence[int]) -> Sfc32:
        """From four words, with the core's warm-up."""
        made = cls(words)
        for _ in range(12):
            made.u32()
        return made

    def u32(self) -> int:
        """The next 32 bits."""
        a, b, c, d = self.words
        t = (a + b + d) & WORD
        turned = ((c << 21) | (c >> 11)) & WORD
        self.words = [b ^ (b >> 9), (c + (c << 3)) & WORD, (turned + t) & WORD, (d + 1) & WORD]
        return t

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, exactly uniform."""
        while True:
            product = self.u32() * n
            if (product & WORD) >= n or (product & WORD) >= (WORD + 1 - n) % n:
                return product >> 32

    def shuffle(self, items: Sequence[T]) -> list[T]:
        """Fisher-Yates from the end."""
        out = list(items)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out

    def scatter(self, empties: Sequence[Point], n: int) -> list[tuple[Point, int]]:
        """Cell and colour by turns; a cell is drawn by its rank among those still empty."""
        left = list(empties)
        out = []
        for _ in range(n):
            cell = left.pop(self.below(len(left)))
            out.append((cell, 1 + self.below(2)))
        return out

    def to_json(self) -> dict[str, Any]:
        """The four words."""
        return {"algorithm": "sfc32", "state": list(self.words)}

    def copy(self) -> Sfc32:
        """An independent generator in the same state."""
        return Sfc32(self.words)


def seed_state(seed: int | str) -> int:
    """The state of the original's generator for a seed; text goes through the xmur3 hash."""
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
    """The four words that seed play from a state of the original's generator."""
    return state & WORD, 0x736B696C, 0x6C676F6D, 1


def core_generator(state: int) -> Sfc32:
    """The core's generator, seeded from a state of the original's."""
    return Sfc32.seeded(play_words(state))


def read_generator(doc: Any, pinned: bool = False) -> Generator:
    """A generator from its JSON; a mulberry32 state seeds the core's unless it stays `pinned`."""
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
    """Whether `value` is an unsigned 32-bit number."""
    return type(value) is int and 0 <= value <= WORD
