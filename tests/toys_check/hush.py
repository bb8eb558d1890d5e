"""Hush, a toy: draw from a stock or bury cards face down; the heaviest hand wins.

Small, and still with everything that can go wrong: hidden hands, chance, a move of several
actions, options, a cap, scratch space. Written against the contract, for the checks of
`qipai.testing`; `faults.py` breaks it in many ways.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from qipai.core import (
    NOBODY,
    SWITCH,
    Checks,
    Event,
    Example,
    Feature,
    Game,
    Line,
    Messages,
    Option,
    Rules,
    State,
    Twins,
    Words,
    below,
    copy_state,
    goto,
    header,
    rule,
    seat_value,
    state_dtype,
)
from qipai.core.errors import BadLayout, BadText

SEATS = 3  # at most
TYPES = 4
COPIES = 3  # of each type
DEALT = 3
LENGTH = 12

DRAW = 0
BURY = 1  # + type
ACTIONS = 5


class Phase(IntEnum):
    """What the machine waits for."""

    INIT = 0
    TURN = 1
    BURYING = 2  # some of the cards are under, not all
    SCORING = 3
    OVER = 4
    RESERVED = 5  # no edges


INIT, TURN, BURYING, SCORING, OVER = (int(p) for p in Phase if p != Phase.RESERVED)

EDGES = (
    (INIT, TURN),
    (INIT, SCORING),  # a misdeal
    (TURN, TURN),
    (TURN, BURYING),
    (TURN, SCORING),  # the cap, or one card to bury
    (BURYING, TURN),
    (BURYING, SCORING),
    (SCORING, OVER),
)

FIELDS = [
    *header(seats=SEATS),
    ("cards", np.int8),  # option: the number of cards that each seat buries
    ("cap", np.int8),  # option: turns end after so many actions
    ("spoils", np.int8),  # option: the winner is paid by the house
    ("hand", np.int8, (SEATS, TYPES)),
    ("buried", np.int8, (SEATS, TYPES)),
    ("held", np.int8, (SEATS,)),  # cards in hand, as all see it
    ("stock", np.int8, (TYPES,)),
    ("done", np.int8, (SEATS,)),  # 1 when the seat has buried
    ("picked", np.int8),  # cards already put under by the seat that buries
    ("misdeal", np.int8),
    ("pool", np.int8, (TYPES,)),  # scratch of determinize
]
STATE = state_dtype(FIELDS)


# --- rules ----------------------------------------------------------------------------


@rule
def deal(s: Any) -> None:
    """Deal three cards to each seat; one deal in twenty is a misdeal."""
    clear(s)
    for t in range(TYPES):
        s.stock[t] = COPIES
        for k in range(SEATS):
            s.hand[k, t] = 0
            s.buried[k, t] = 0
    for k in range(s.seats):
        for _ in range(DEALT):
            s.hand[k, from_stock(s)] += 1
    s.misdeal = 1 if below(s, 20) == 0 else 0
    start(s)


@rule
def clear(s: Any) -> None:
    """Reset everything except cards, options and generator."""
    s.ply = 0
    s.cut = 0
    s.seat = NOBODY
    goto(s, INIT)
    s.picked = 0
    s.misdeal = 0
    for k in range(SEATS):
        s.payoff[k] = 0
        s.done[k] = 0
        s.held[k] = DEALT if k < s.seats else 0


@rule
def from_stock(s: Any) -> int:
    """Take a random card out of the stock."""
    n = 0
    for t in range(TYPES):
        n += s.stock[t]
    k = below(s, n)
    for t in range(TYPES):
        k -= s.stock[t]
        if k < 0:
            s.stock[t] -= 1
            return t
    return 0


@rule
def start(s: Any) -> None:
    """Let seat 0 begin, unless the deal is void."""
    if s.misdeal == 1:
        goto(s, SCORING)
        while s.phase != OVER:
            advance(s)
    else:
        s.seat = 0
        goto(s, TURN)


@rule
def legal(s: Any, mask: Any) -> int:
    """Draw while there is a stock; bury what is held."""
    n = 0
    for a in range(ACTIONS):
        mask[a] = 0
    if s.phase == TURN and stock_left(s) > 0:
        mask[DRAW] = 1
        n = 1
    for t in range(TYPES):
        if s.hand[s.seat, t] > 0:
            mask[BURY + t] = 1
            n += 1
    return n


@rule
def stock_left(s: Any) -> int:
    """Return cards in the stock."""
    n = 0
    for t in range(TYPES):
        n += s.stock[t]
    return n


@rule
def apply(s: Any, action: int) -> None:
    """Draw a card, or put one under."""
    s.ply += 1
    seat = int(s.seat)
    if action == DRAW:
        s.hand[seat, from_stock(s)] += 1
        s.held[seat] += 1
        next_turn(s)
    else:
        t = action - BURY
        s.hand[seat, t] -= 1
        s.buried[seat, t] += 1
        s.picked += 1
        if s.picked < s.cards:
            goto(s, BURYING)
        else:
            s.picked = 0
            s.done[seat] = 1
            s.held[seat] -= s.cards
            next_turn(s)
    while s.seat == NOBODY and s.phase != OVER:
        advance(s)


@rule
def next_turn(s: Any) -> None:
    """Go to the next seat that has not buried; score if there is none or at the cap."""
    seat = int(s.seat)
    for k in range(1, s.seats + 1):
        other = (seat + k) % s.seats
        if s.done[other] == 0:
            if s.ply >= s.cap:
                s.cut = 1
                break
            s.seat = other
            goto(s, TURN)
            return
    s.seat = NOBODY
    goto(s, SCORING)


@rule
def advance(s: Any) -> None:
    """Go from SCORING to the end."""
    if s.phase == SCORING:
        if s.misdeal == 0:
            score(s)
        goto(s, OVER)


@rule
def score(s: Any) -> None:
    """Pay the heaviest hand one from each, or three from the house; a tie pays nothing."""
    best = -1
    winner = NOBODY
    for k in range(s.seats):
        total = 0
        for t in range(TYPES):
            total += t * s.hand[k, t]
        if total == best:
            winner = NOBODY
        elif total > best:
            best = total
            winner = k
    if winner == NOBODY:
        return
    if s.spoils == 1:
        s.payoff[winner] = 3
        return
    for k in range(s.seats):
        s.payoff[k] = -1
    s.payoff[winner] = s.seats - 1


@rule
def partial(s: Any) -> int:
    """Return 1 in the middle of a burial."""
    return 1 if s.picked > 0 else 0


# --- what a seat may know -------------------------------------------------------------

HELD = 4
DONE = HELD + SEATS
HAND = DONE + SEATS
BURIED = HAND + TYPES
SIZE = BURIED + TYPES
FEATURES = (
    Feature("phase", 0, 1, "the phase; an unfinished burial of another does not show"),
    Feature("decider", 1, 1, "1 + seat that decides as the observer counts, 0 nobody"),
    Feature("stock", 2, 1, "cards in the stock"),
    Feature("spoils", 3, 1, "the option"),
    Feature("held", HELD, SEATS, "cards held, own seat first"),
    Feature("done", DONE, SEATS, "who has buried, own seat first"),
    Feature("hand", HAND, TYPES, "own cards by type"),
    Feature("buried", BURIED, TYPES, "own buried cards by type"),
)


@rule
def observe(s: Any, seat: int, out: Any) -> None:
    """Fill `out` (SIZE,)."""
    base = max(seat, 0)
    out[0] = TURN if s.phase == BURYING and s.seat != seat else s.phase
    out[1] = 0 if s.seat == NOBODY else (s.seat - base + s.seats) % s.seats + 1
    out[2] = stock_left(s)
    out[3] = s.spoils
    for k in range(SEATS):
        out[HELD + k] = s.held[(base + k) % s.seats] if k < s.seats else 0
        out[DONE + k] = s.done[(base + k) % s.seats] if k < s.seats else 0
    for t in range(TYPES):
        out[HAND + t] = 0 if seat < 0 else s.hand[seat, t]
        out[BURIED + t] = 0 if seat < 0 else s.buried[seat, t]


@rule
def determinize(s: Any, seat: int) -> None:
    """Redraw all cards that `seat` cannot place; exact, because nothing else is known about them."""
    for t in range(TYPES):
        s.pool[t] = s.stock[t]
        for k in range(s.seats):
            if k != seat:
                s.pool[t] += s.hand[k, t] + s.buried[k, t]
    for k in range(s.seats):
        if k != seat:
            redraw(s, s.hand[k])
            redraw(s, s.buried[k])
    for t in range(TYPES):
        s.stock[t] = s.pool[t]
        s.pool[t] = 0


@rule(row="i1[:]")  # type: ignore[untyped-decorator]
def redraw(s: Any, row: Any) -> None:
    """Redraw as many cards as `row` (TYPES,) has, at random from the pool."""
    n = 0
    for t in range(TYPES):
        n += row[t]
        row[t] = 0
    for _ in range(n):
        left = 0
        for t in range(TYPES):
            left += s.pool[t]
        k = below(s, left)
        for t in range(TYPES):
            k -= s.pool[t]
            if k < 0:
                s.pool[t] -= 1
                row[t] += 1
                break


# --- outside compiled code ------------------------------------------------------------


def view(s: State, seat: int) -> dict[str, Any]:
    """Return the JSON that `seat` may see; a finished match shows everything."""
    phase = Phase(int(s["phase"]))
    if phase == Phase.BURYING and int(s["seat"]) != seat:
        phase = Phase.TURN
    seats = int(s["seats"])
    over = int(s["seat"]) == NOBODY
    found: dict[str, Any] = {
        "phase": phase.name.lower(),
        "decider": int(s["seat"]),
        "stock": int(s["stock"].sum()),
        "held": s["held"][:seats].tolist(),
        "done": [bool(d) for d in s["done"][:seats]],
        "payoff": s["payoff"][:seats].tolist(),
    }
    if seat >= 0:
        found["hand"] = s["hand"][seat].tolist()
        found["buried"] = s["buried"][seat].tolist()
    if over:
        found["hands"] = s["hand"][:seats].tolist()
    return found


def narrate(before: State, action: int, seat: int) -> list[Event]:
    """Return what happened, as `seat` may know it."""
    after = copy_state(before)
    apply(after, action)
    actor = int(before["seat"])
    events: list[Event] = []
    if action == DRAW:
        drawn = int(np.argmax(after["hand"][actor] - before["hand"][actor]))
        events.append({"kind": "draw", "seat": actor, "card": drawn if seat == actor else None})
    elif after["done"][actor]:
        cards = after["buried"][actor].tolist() if seat == actor else None
        events.append({"kind": "bury", "seat": actor, "cards": cards})
    elif seat == actor:
        events.append({"kind": "put", "seat": actor, "card": action - BURY})
    if int(after["seat"]) == NOBODY:
        events.append({"kind": "score", "payoff": after["payoff"].tolist()})
    return events


MESSAGES = Messages(
    {
        "en": {
            "title": "Hush",
            "option.cards": "cards that a seat buries",
            "option.cap": "turns end after so many actions",
            "option.spoils": "the house pays the winner",
            "log.draw": "{seat} draws {what}",
            "log.bury": "{seat} buries {what}",
            "log.put": "{seat} puts under {what}",
            "log.score": "the score: {what}",
            "card": "a card",
        }
    }
)


def line(event: Event) -> Line | None:
    """Return the message of an event."""
    what = event.get("card", event.get("cards", event.get("payoff")))
    values: dict[str, Any] = {"what": ("card", {}) if what is None else str(what)}
    if "seat" in event:
        values["seat"] = seat_value(event["seat"])
    return f"log.{event['kind']}", values


def say(action: int) -> str:
    """Return an action as text."""
    return "draw" if action == DRAW else f"bury {action - BURY}"


def parse(text: str) -> int:
    """Return the action that `text` names."""
    for action in range(ACTIONS):
        if text == say(action):
            return action
    raise BadText(f"{text[:40]!r} is not an action of hush")


def draw(s: State, seat: int, lang: str) -> str:
    """Return the table as `seat` sees it."""
    seen = view(s, seat)
    return f"stock {seen['stock']}  held {seen['held']}  hand {seen.get('hand', '-')}"


def lay_out(s: State, layout: Mapping[str, Any]) -> None:
    """Set up `hand` (one row of counts per seat) and, optionally, `stock` and `misdeal`."""
    if set(layout) - {"hand", "stock", "misdeal"} or "hand" not in layout:
        raise BadLayout("hush lays out hand, stock and misdeal")
    try:
        hand = np.array(layout["hand"], np.int64)
    except (TypeError, ValueError) as error:
        raise BadLayout("hand is rows of counts") from error
    if hand.shape != (int(s["seats"]), TYPES) or (hand < 0).any() or (hand.sum(0) > COPIES).any():
        raise BadLayout("hand does not fit the cards")
    clear(s)
    s["hand"] = 0
    s["buried"] = 0
    s["hand"][: len(hand)] = hand
    s["held"] = s["hand"].sum(1)
    s["stock"] = layout.get("stock", COPIES - hand.sum(0))
    s["misdeal"] = 1 if layout.get("misdeal") else 0


def pieces(s: State) -> list[int]:
    """Return all cards by type, wherever they are."""
    found: list[int] = (s["stock"] + s["hand"].sum(0) + s["buried"].sum(0)).tolist()
    return found


HANDS = [[1, 1, 1, 0], [1, 1, 0, 1], [1, 1, 0, 1]]
OTHER = [[1, 1, 1, 0], [0, 0, 2, 1], [1, 1, 0, 1]]

GAME = Game(
    name="hush",
    rules=Rules(
        version=1,
        seats=(2, SEATS),
        actions=ACTIONS,
        observation=FEATURES,
        length=LENGTH,
        State=STATE,
        phases=Phase,
        edges=EDGES,
        deal=deal,
        start=start,
        legal=legal,
        apply=apply,
        advance=advance,
        observe=observe,
        determinize=determinize,
        partial=partial,
        view=view,
        narrate=narrate,
        lay_out=lay_out,
        options=(
            Option("cards", 2, low=1, high=2),
            Option("cap", LENGTH, low=3, high=LENGTH),
            Option("spoils", 0, SWITCH),
        ),
        scratch=("pool",),
    ),
    words=Words(
        messages=MESSAGES,
        line=line,
        say=say,
        parse=parse,
        draw=draw,
    ),
    checks=Checks(
        pieces=pieces,
        zero_sum=lambda s: bool(s["spoils"] == 0),
        examples=(Example("a misdeal is scored at once", {"hand": HANDS, "misdeal": True}, seats=3),),
        twins=(Twins("another hand at seat 1", 0, {"hand": HANDS}, {"hand": OTHER}, seats=3),),
    ),
)
