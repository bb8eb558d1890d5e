"""Policies to be given to the search, and a search that peeks."""

from __future__ import annotations

from typing import Any

from qipai.core import State, draw, rule
from qipai.search import Policies
from qipai.search.playing import choose_any, first_of, prefer_none, stand


@rule(work="i8[:]")  # type: ignore[untyped-decorator]
def play_card(s: Any, mask: Any, n: Any, rng: Any, work: Any) -> Any:
    """Kuhn and Leduc: the last legal action with a king, the first with a jack, any with a queen."""
    rank = int(s.card[s.seat]) if s.card.shape[0] == 2 else int(s.card[s.seat]) // 2
    first = first_of(mask)
    last = 2 if mask.shape[0] > 2 and s.card.shape[0] == 3 and mask[2] != 0 else 1
    if rank == 0:
        return first
    if rank == 2:
        return last
    return first if draw(rng, 2) == 0 else last


def card_chances(s: State, actions: list[int]) -> list[float]:
    """`play_card` as chances."""
    card = int(s["card"][int(s["seat"])])
    rank = card if len(s["card"]) == 2 else card // 2
    low, high = [1.0] + [0.0] * (len(actions) - 1), [0.0] * (len(actions) - 1) + [1.0]
    if rank == 1:
        return [(a + b) / 2 for a, b in zip(low, high, strict=True)]
    return low if rank == 0 else high


@rule(s="state")  # type: ignore[untyped-decorator]
def keep_all(s: Any, seat: Any) -> None:
    """Draw nothing: with this `determinize` a search sees every hidden card."""


@rule(work="i8[:]", values="f8[:]")  # type: ignore[untyped-decorator]
def seven(s: Any, rng: Any, work: Any, values: Any) -> None:
    """Judge that every seat gets 7."""
    for k in range(values.shape[0]):
        values[k] = 7.0


PLAIN = Policies(playout=choose_any, opponent=choose_any, prior=prefer_none, value=stand)
CARDS = Policies(playout=choose_any, opponent=play_card, prior=prefer_none, value=stand)
