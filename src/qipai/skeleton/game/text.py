"""Four prizes: actions as text and back, events in words, a drawing of the table."""

from __future__ import annotations

from qipai.core import Event, State
from qipai.core.errors import BadText

from .rules import CARDS, SEATS
from .view import view


def say(action: int) -> str:
    """An action as text: the card's points."""
    return str(action + 1)


def parse(text: str) -> int:
    """The action that `text` names."""
    word = text.strip() if isinstance(text, str) else ""
    if not (word.isascii() and word.isdigit() and len(word) <= 2 and 1 <= int(word) <= CARDS):
        raise BadText(f"a card is a number from 1 to {CARDS}")
    return int(word) - 1


def tell(event: Event, lang: str) -> str:
    """An event in words. (Only English so far: `lang` is the place for another language.)"""
    kind = event["event"]
    if kind == "put":
        what = _cards(event["cards"]) if "cards" in event else "two cards"
        return f"Seat {event['seat']} puts {what} away."
    if kind == "prize":
        return f"The prize is {say(event['card'])}."
    if kind == "bid":
        what = say(event["card"]) if "card" in event else "a card, face down"
        return f"Seat {event['seat']} bids {what}."
    if kind == "award":
        bids = " against ".join(say(card) for card in event["bids"])
        return f"The bids are {bids}: seat {event['seat']} takes {say(event['prize'])}."
    if kind == "over":
        return f"The game is over: {', '.join(f'{p:+d}' for p in event['payoff'])}."
    return kind if isinstance(kind, str) else ""


def draw(s: State, seat: int, lang: str) -> str:
    """The table as `seat` sees it."""
    seen = view(s, seat)
    prize = "-" if seen["prize"] is None else say(seen["prize"])
    lines = [f"prize {prize}   still in the stock {seen['stock']}"]
    for k in range(SEATS):
        bid = ", has bid" if seen["has_bid"][k] else ""
        lines.append(
            f"seat {k}: {seen['held'][k]} in hand{bid}   spent {_cards(seen['spent'][k])}"
            f"   won {_cards(seen['won'][k])}"
        )
    if seat >= 0:
        lines.append(f"your hand {_cards(seen['hand'])}   put away {_cards(seen['put'])}")
    if "payoff" in seen:
        lines.append("result " + ", ".join(f"seat {k} {p:+d}" for k, p in enumerate(seen["payoff"])))
    return "\n".join(lines)


def _cards(cards: list[int]) -> str:
    return " ".join(say(card) for card in cards) or "-"
