"""Xianqi: events as lines of the log: keys of the message files with their values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qipai.core import Event
from qipai.core.message import Line, list_value, seat_value

from .state import CERAMIC, ENOUGH, SEATS

Nested = list[Any]  # a line within a line, as JSON

DOGS = {"R_GOU": 1, "B_GOU": 1}
PLAIN = {"start": "log.start", "spared": "log.spared"}  # events that only name seats


def line(event: Event) -> Line | None:
    """Return the line that describes an event of `view.narrate`, or None for an unknown event."""
    kind = event.get("event")
    if kind in PLAIN:
        return PLAIN[kind], _seats(event)
    if kind == "play":
        return "log.lead" if event["lead"] else "log.play", _laid(event, combo_line(event["cards"]))
    if kind == "cover":
        return "log.cover", _laid(event, _covered(event))
    if kind == "buckle":
        first, second = map(seat_value, event["asked"])
        return "log.buckle", {"seat": seat_value(event["seat"]), "first": first, "second": second}
    if kind == "reveal":
        return "log.reveal.enough" if event["was_enough"] else "log.reveal", _seats(event)
    if kind == "pass":
        return "log.pass" if event["asked"] else "log.pass.open", _seats(event)
    if kind == "round":
        return "log.round", _won(event)
    return _ending(event)


def _ending(event: Event) -> Line | None:
    """Return the line of an event of the settlement."""
    kind = event.get("event")
    if kind == "end":
        most = max(range(SEATS), key=lambda seat: event["pillars"][seat])
        found = {"seat": seat_value(most), "total": event["pillars"][most]}
        return f"log.end.{event['reason']}", found if event["reason"] == "ceramic" else {}
    if kind == "pay":
        why = "liable" if event.get("liable") else event["why"]
        return f"log.pay.{why}", {**_seats(event), "chips": event["chips"]}
    if kind == "barred":
        return f"log.barred.{event['why']}", _seats(event)
    if kind == "settlement":
        return "log.settlement", {"payoff": chips_value(event["payoff"])}
    return None


def _seats(event: Event) -> dict[str, Any]:
    return {key: seat_value(event[key]) for key in ("seat", "to", "buckler") if key in event}


def _laid(event: Event, cards: Nested) -> dict[str, Any]:
    return {"seat": seat_value(event["seat"]), "cards": cards}


def _covered(event: Event) -> Nested:
    return cover_line(event["cards"]) if "cards" in event else hidden_line(event["count"])


def _won(event: Event) -> dict[str, Any]:
    total = event["pillars"][event["winner"]]
    return {
        "seat": seat_value(event["winner"]),
        "gain": event["kind"],
        "total": total,
        "rank": _reached(total - event["kind"], total),
    }


def _reached(before: int, now: int) -> str:
    """Return what a seat becomes by winning a round."""
    if before < CERAMIC <= now:
        return "ceramic"
    return "enough" if before < ENOUGH <= now else "none"


# --- values ---------------------------------------------------------------------------


def card_line(card: str) -> Nested:
    """Return the name of a piece: "red shi"."""
    return [f"card.{card}", {}]


def combo_line(cards: Mapping[str, int]) -> Nested:
    """Return the name of a combo: "a pair of red shi"."""
    if cards == DOGS:
        return ["cards.dog", {}]
    ((card, n),) = cards.items()
    return ["cards.combo", {"card": card_line(card), "n": n}]


def cover_line(cards: Mapping[str, int]) -> Nested:
    """Return the names of covered pieces, which are no combo even when they are alike."""
    *others, last = [["cards.some", {"card": card_line(card), "n": n}] for card, n in cards.items()]
    return ["cards.and", {"cards": list_value(others), "last": last}] if others else last


def hidden_line(n: int) -> Nested:
    """Return a number of pieces that the reader does not see: "two pieces"."""
    return ["cards.hidden", {"n": n}]


def chips_value(payoff: list[int]) -> dict[str, list[Any]]:
    """Return the chips of every seat as one value."""
    return list_value([["log.chips", {"seat": seat_value(k), "chips": n}] for k, n in enumerate(payoff)])
