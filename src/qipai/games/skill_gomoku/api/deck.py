"""Decks and piles as lists of card ids, tops last: presets, dealing from a seed, drawing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .. import rules
from ..extensions.chance import chance_from
from ..extensions.wide import piles, plain, put_place_on_top
from ..reference import Generator, Mulberry32, seed_state
from ..state import DECKS, IDS, NONE, PLACE
from .codes import Code, SkillGomokuError, short

PRESETS: dict[str, dict[str, int]] = {
    name: dict(zip(IDS, counts, strict=True))
    for name, counts in zip(("default", "source-current", "source-early"), DECKS.tolist(), strict=True)
}
LARGEST = 10_000  # maximum cards of one deck


def deck_counts(given: Any, ids: Sequence[str] = IDS) -> dict[str, int]:
    """Return the number of cards of each registered id, from a preset's name or a mapping (§4)."""
    if isinstance(given, str):
        if given not in PRESETS:
            raise SkillGomokuError(Code.InvalidConfig, f"there is no deck preset {short(given)}")
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
    """Return the unshuffled deck, in registry order."""
    numbers = deck_counts(counts, ids)
    return [card for card in ids for _ in range(numbers[card])]


def ensure_place_top(deck: Sequence[str]) -> list[str]:
    """Return the deck after swapping the Place with the lowest index and the last card (§4.4)."""
    s = piles([PLACE if card == IDS[PLACE] else i + 1 for i, card in enumerate(deck)], [])
    put_place_on_top(s)
    return [IDS[PLACE] if i == PLACE else deck[i - 1] for i in s["pile"][: len(deck)].tolist()]


def shuffled_deck(counts: Any, seed: int | str, place_top: bool = True) -> list[str]:
    """Return the deck that the original implementation deals from `seed`."""
    deck = Mulberry32(seed_state(seed)).shuffle(build_deck(counts))
    return ensure_place_top(deck) if place_top else deck


def draw_cards(
    draw_pile: Sequence[str], discard_pile: Sequence[str], n: int, generator: Generator
) -> dict[str, Any]:
    """Draw `n` cards (§4.5) without changing the given lists. Keys as in the vectors' kind `draw`."""
    cards = [*draw_pile, *discard_pile]
    s = piles(range(len(draw_pile)), range(len(draw_pile), len(cards)))
    draw_card = plain(chance_from(generator))(rules.draw_card)
    drawn: list[str] = []
    reshuffled = False
    while len(drawn) < n:
        refilled = bool(s["piled"] == 0 and s["discarded"] > 0)
        card = draw_card(s)
        if card == NONE:
            break
        drawn.append(cards[card])
        reshuffled = reshuffled or refilled
    pile = [cards[i] for i in s["pile"][: s["piled"]]]
    discards = [cards[i] for i in s["discard"][: s["discarded"]]]
    return {"drawn": drawn, "drawPile": pile, "discardPile": discards, "reshuffled": reshuffled}
