"""Skeleton: events as lines of messages/, actions as text and back, a drawing of the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from qipai.core import Event, Line, Messages, State, seat_value
from qipai.core.errors import BadText

from .state import CARDS, SEATS
from .view import view

MESSAGES = Messages.of_package(__package__)


def line(event: Event) -> Line | None:
    """Return the message of an event, with its values; None if it needs no words."""
    kind = event["event"]
    if kind == "put":
        cards: Any = _cards(event["cards"]) if "cards" in event else ("cards.two", {})
        return "log.put", {"seat": seat_value(event["seat"]), "cards": cards}
    if kind == "prize":
        return "log.prize", {"card": say(event["card"])}
    if kind == "bid":
        card: Any = say(event["card"]) if "card" in event else ("card.hidden", {})
        return "log.bid", {"seat": seat_value(event["seat"]), "card": card}
    if kind == "award":
        bids = {"one": say(event["bids"][0]), "other": say(event["bids"][1])}
        return "log.award", {**bids, "seat": seat_value(event["seat"]), "prize": say(event["prize"])}
    if kind == "over":
        return "log.over", {"one": event["payoff"][0], "other": event["payoff"][1]}
    return None


def say(action: int) -> str:
    """Return an action as text: the card's points."""
    return str(action + 1)


def parse(text: str) -> int:
    """Return the action that `text` names; raise `BadText` if it names none."""
    word = text.strip() if isinstance(text, str) else ""
    if not (word.isascii() and word.isdigit() and len(word) <= 2 and 1 <= int(word) <= CARDS):
        raise BadText(f"a card is a number from 1 to {CARDS}")
    return int(word) - 1


def draw(s: State, seat: int, lang: str, names: Sequence[str] | None = None) -> str:
    """Return the table as `seat` sees it; the others are called by their `names`."""
    seen = view(s, seat)
    prize = "-" if seen["prize"] is None else say(seen["prize"])
    lines = [MESSAGES.say("draw.prize", lang, prize=prize, stock=seen["stock"])]
    for k in range(SEATS):
        cards = {"spent": _cards(seen["spent"][k]), "won": _cards(seen["won"][k])}
        shown = {"seat": seat_value(k), "held": seen["held"][k], "bid": "yes" if seen["has_bid"][k] else "no"}
        lines.append(MESSAGES.tell(("draw.seat", {**shown, **cards}), lang, names, seat))
    if seat >= 0:
        lines.append(MESSAGES.say("draw.own", lang, hand=_cards(seen["hand"]), put=_cards(seen["put"])))
    if "payoff" in seen:
        for k in range(SEATS):
            result = {"seat": seat_value(k), "points": seen["payoff"][k]}
            lines.append(MESSAGES.tell(("draw.result", result), lang, names, seat))
    return "\n".join(lines)


def _cards(cards: list[int]) -> str:
    return " ".join(say(card) for card in cards) or "-"
