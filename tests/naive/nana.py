"""NANA the slow and obvious way: lists of cards, one step at a time; and every deal listed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

CONNECTED = {(a, b) for a in range(1, 13) for b in range(1, 13) if a != b and (a + b == 7 or abs(a - b) == 7)}


def reason(mode: str, numbers: list[int]) -> str | None:
    """Return why a collection wins."""
    if 7 in numbers:
        return "sevens"
    if mode != "simple" and any((a, b) in CONNECTED for a in numbers for b in numbers):
        return "connected"
    if mode != "spicy" and len(numbers) >= 3:
        return "three-trios"
    return None


class Naive:
    """A table whose cards are dicts `{slot, number, up}`."""

    def __init__(
        self,
        hands: list[list[int]],
        centre: list[int],
        mode: str = "nana",
        after: str = "continue",
        first: int = 0,
        cap: int = 1000,
    ) -> None:
        def card(slot: str, n: int) -> dict[str, Any]:
            return {"slot": slot, "number": n, "up": False}

        self.hands = [[card(f"h{k}.{i}", n) for i, n in enumerate(h)] for k, h in enumerate(hands)]
        self.centre: list[dict[str, Any] | None] = [card(f"c{i}", n) for i, n in enumerate(centre)]
        self.mode, self.after, self.cap = mode, after, cap
        self.current, self.turn, self.phase = first, 0, "flip-1"
        self.chain: list[dict[str, Any]] = []
        self.known: dict[str, int] = {}
        self.collections: list[list[int]] = [[] for _ in hands]
        self.winner: int | None = None

    def legal(self) -> dict[int, dict[str, Any]]:
        """Return the card that each action shows."""
        found = {}
        n = len(self.hands)
        for r in range(n):
            down = [c for c in self.hands[(self.current + r) % n] if not c["up"]]
            if down:
                found[2 * r], found[2 * r + 1] = down[0], down[-1]
        for i, card in enumerate(self.centre):
            if card is not None and not card["up"]:
                found[12 + i] = card
        return found

    def act(self, action: int) -> None:
        """Make a reveal, then everything that follows from it."""
        card = self.legal()[action]
        card["up"] = True
        self.known[card["slot"]] = card["number"]
        self.chain.append(card)
        if card["number"] != self.chain[0]["number"]:
            self._fail()
        elif len(self.chain) == 3:
            self._collect()
        else:
            self.phase = f"flip-{len(self.chain) + 1}"

    def _fail(self) -> None:
        for card in self.chain:
            card["up"] = False
        self.chain = []
        self._next()

    def _collect(self) -> None:
        number = self.chain[0]["number"]
        for hand in self.hands:
            hand[:] = [c for c in hand if not c["up"]]
        self.centre = [None if c is not None and c["up"] else c for c in self.centre]
        for card in self.chain:
            del self.known[card["slot"]]
        self.chain = []
        self.collections[self.current].append(number)
        if reason(self.mode, self.collections[self.current]):
            self.winner, self.phase = self.current, "game-over"
        elif not any(self.hands) and not any(self.centre):
            self.phase = "game-over"
        elif self.after == "pass":
            self._next()
        else:
            self.phase = "flip-1"

    def _next(self) -> None:
        self.current = (self.current + 1) % len(self.hands)
        self.turn += 1
        self.phase = "game-over" if self.turn >= self.cap else "flip-1"


# --- every deal that fits -------------------------------------------------------------


def deals(
    numbers: list[int],
    own: list[int],
    others: list[list[int | None]],
    centre: list[int | None],
    copies: int = 3,
) -> Iterator[tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]]:
    """Yield every physical deal that fits, as (other hands, centre); copies of a card are distinct cards.

    An entry is a number, minus a number (collected), or None.
    """
    deck = [(n, i) for n in numbers for i in range(copies)]
    held = Counter(abs(n) for n in own)
    rest = [card for card in deck if card[1] >= held[card[0]]]  # any own copies do: they are alike
    yield from _deal_hands(rest, others, centre, ())


def _deal_hands(
    rest: list[tuple[int, int]],
    others: list[list[int | None]],
    centre: list[int | None],
    done: tuple[tuple[int, ...], ...],
) -> Iterator[tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]]:
    if others:
        for chosen in combinations(rest, len(others[0])):
            hand = tuple(n for n, _ in sorted(chosen))
            if _fits(hand, others[0]):
                left = [card for card in rest if card not in chosen]
                yield from _deal_hands(left, others[1:], centre, (*done, hand))
        return
    for order in permutations(rest, len(centre)):
        shown = tuple(n for n, _ in order)
        if _fits(shown, centre):
            yield done, shown


def _fits(cards: tuple[int, ...], facts: list[int | None]) -> bool:
    return all(e is None or abs(e) == n for n, e in zip(cards, facts, strict=True))
