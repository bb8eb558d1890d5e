"""Skill Gomoku's deck, plainly: presets, building, Place on top, drawing. Lists end at the top."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .codes import Code, SkillGomokuError, short
from .reference import Generator, Mulberry32, seed_state

IDS = ("Place", "Take", "PolarityInversion", "TimeFreeze", "SpontaneousGeneration")  # registry order
PRESETS: dict[str, dict[str, int]] = {
    name: dict(zip(IDS, counts, strict=True))
    for name, counts in {
        "default": (12, 6, 3, 3, 5),
        "source-current": (12, 6, 3, 0, 5),
        "source-early": (3, 2, 1, 1, 1),
    }.items()
}
LARGEST = 10_000  # cards of one deck of the plain machine


def deck_counts(given: Any, ids: Sequence[str] = IDS) -> dict[str, int]:
    """§4 cards of each registered id: from a preset's name or a mapping of numbers."""
    if isinstance(given, str):
        if given not in PRESETS:
            raise SkillGomokuError(Code.InvalidConfig, f"no deck preset is called {short(given)}")
        given = PRESETS[given]
    if not isinstance(given, Mapping):
        raise SkillGomokuError(Code.InvalidConfig, f"deckCounts is a preset or a mapping, not {short(given)}")
    counts = {card: _whole(given.get(card, 0)) for card in ids}
    if sum(counts.values()) > LARGEST:
        raise SkillGomokuError(Code.InvalidConfig, f"a deck has at most {LARGEST} cards")
    return counts


def _whole(number: Any) -> int:
    if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
        raise SkillGomokuError(Code.InvalidConfig, f"a count of cards is a number, not {short(number)}")
    return max(0, math.floor(number))


def build_deck(counts: Any, ids: Sequence[str] = IDS) -> list[str]:
    """The unshuffled deck, in registry order."""
    numbers = deck_counts(counts, ids)
    return [card for card in ids for _ in range(numbers[card])]


def ensure_place_top(deck: Sequence[str]) -> list[str]:
    """§4.4 the Place with the lowest index changes places with the last card."""
    out = list(deck)
    if "Place" in out:
        i = out.index("Place")
        out[i], out[-1] = out[-1], out[i]
    return out


def shuffled_deck(counts: Any, seed: int | str, place_top: bool = True) -> list[str]:
    """The deck that the original deals from `seed`."""
    deck = Mulberry32(seed_state(seed)).shuffle(build_deck(counts))
    return ensure_place_top(deck) if place_top else deck


def draw_cards(
    draw_pile: Sequence[str], discard_pile: Sequence[str], n: int, generator: Generator
) -> dict[str, Any]:
    """§4.5 draw `n`; the lists given stay as they are. Keys as in the vectors' kind `draw`."""
    pile, discards, drawn = list(draw_pile), list(discard_pile), []
    reshuffled = False
    for _ in range(n):
        if not pile and discards:
            pile, discards = generator.shuffle(discards), []
            reshuffled = True
        if not pile:
            break
        drawn.append(pile.pop())
    return {"drawn": drawn, "drawPile": pile, "discardPile": discards, "reshuffled": reshuffled}
