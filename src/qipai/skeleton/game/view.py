"""Skeleton: what a seat may see (`view`) and what happened as it may know it (`narrate`).

Both are built from nothing: a new field of the state stays secret until it is copied in.
"""

from __future__ import annotations

from typing import Any

from qipai.core import NOBODY, Event, State, copy_state

from .rules import advance, make
from .state import AWARDING, BID, CARDS, HAND, OVER, PRIZE, PUT, PUTTING, SEATS, SPENT, STOCK, WON, Phase


def cards_in(s: State, place: int) -> list[int]:
    """Return the cards in `place`, lowest first."""
    return [card for card in range(CARDS) if s["where"][card] == place]


def view(s: State, seat: int) -> dict[str, Any]:
    """Return the JSON that `seat` may see; -1 is a watcher. When the game is over, everything."""
    prize = cards_in(s, PRIZE)
    seen = {
        "phase": Phase(int(s["phase"])).name,
        "seat": int(s["seat"]),
        "first": int(s["first"]),
        "prize": prize[0] if prize else None,
        "stock": len(cards_in(s, STOCK)),
        "held": [_held(s, k) for k in range(SEATS)],
        "has_bid": [bool(cards_in(s, BID + k)) for k in range(SEATS)],
        "spent": [cards_in(s, SPENT + k) for k in range(SEATS)],
        "won": [cards_in(s, WON + k) for k in range(SEATS)],
    }
    if seat >= 0:
        seen["hand"] = cards_in(s, HAND + seat)
        seen["put"] = cards_in(s, PUT + seat)
        seen["bid"] = cards_in(s, BID + seat)
    if s["phase"] == OVER:
        seen["put_by"] = [cards_in(s, PUT + k) for k in range(SEATS)]
        seen["payoff"] = s["payoff"].tolist()
    return seen


def _held(s: State, seat: int) -> int:
    """Return the cards in a hand as everyone sees it: a card put away in an unfinished move still counts."""
    unfinished = int(s["picked"]) if s["seat"] == seat else 0
    return len(cards_in(s, HAND + seat)) + unfinished


def narrate(before: State, action: int, seat: int) -> list[Event]:
    """Return what `seat` learns from `action`, step by step."""
    s = copy_state(before)
    actor = int(s["seat"])
    make(s, action)
    events: list[Event] = []
    if before["phase"] == PUTTING:
        if s["picked"] > 0:
            return []  # told when the move is complete
        event: Event = {"event": "put", "seat": actor}
        if seat == actor:
            event["cards"] = cards_in(s, PUT + actor)
    else:
        event = {"event": "bid", "seat": actor}
        if seat == actor:
            event["card"] = action
    events.append(event)
    while s["seat"] == NOBODY and s["phase"] != OVER:
        events.append(_step(s))
    if s["phase"] == OVER:
        put = [cards_in(s, PUT + k) for k in range(SEATS)]
        events.append({"event": "over", "put": put, "payoff": s["payoff"].tolist()})
    return events


def _step(s: State) -> Event:
    """Advance once; return what everybody sees of it."""
    if s["phase"] == AWARDING:
        bids = [cards_in(s, BID + k)[0] for k in range(SEATS)]
        prize = cards_in(s, PRIZE)[0]
        advance(s)
        return {"event": "award", "bids": bids, "prize": prize, "seat": int(s["first"])}
    advance(s)
    return {"event": "prize", "card": cards_in(s, PRIZE)[0]}
