"""Embers, a toy: a card is burnt unseen, cards are drawn unseen, and a boast is a fact for all to believe.

For the checks of redrawn worlds; each `determinize_...` below the game is wrong in one way. No part of
this game looks wrong in a single world: only the worlds that a history allows tell.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from qipai.core import (
    NOBODY,
    Checks,
    Feature,
    Game,
    Option,
    Rules,
    State,
    below,
    goto,
    header,
    rule,
    state_dtype,
)

SEATS = 2
MOST = 12  # cards
DRAW, BOAST, STOP = 0, 1, 2
STOCK, BURNT, HAND, OUT = 0, 1, 2, 4  # where a card is; of a hand, + seat


class Phase(IntEnum):
    """What the machine waits for."""

    DEAL = 0
    TURN = 1
    OVER = 2


DEALING, TURN, OVER = (int(p) for p in Phase)
EDGES = ((DEALING, TURN), (TURN, TURN), (TURN, OVER))

STATE = state_dtype(
    [
        *header(seats=SEATS),
        ("cards", np.int8),  # option: in the deck
        ("held", np.int8),  # option: dealt to each seat
        ("where", np.int8, (MOST,)),  # by card
        ("burnt", np.int8),  # the card that was burnt
        ("drawn", np.int8, (SEATS,)),  # the last card that a seat drew, -1 none
        ("boast", np.int8, (SEATS,)),  # 1: has said that it holds a card of the upper half
        ("done", np.int8, (SEATS,)),  # 1: draws no more
    ]
)


# --- rules ----------------------------------------------------------------------------


@rule
def deal(s: Any) -> None:
    """Deal the hands, burn a card, and leave the rest as a stock."""
    goto(s, DEALING)
    s.ply = 0
    s.cut = 0
    for card in range(MOST):
        s.where[card] = STOCK if card < s.cards else OUT
    for seat in range(SEATS):
        s.payoff[seat] = 0
        s.drawn[seat] = -1
        s.boast[seat] = 0
        s.done[seat] = 0
        for _ in range(s.held):
            s.where[any_card(s, STOCK)] = HAND + seat
    s.burnt = any_card(s, STOCK)
    s.where[s.burnt] = BURNT
    s.seat = 0
    goto(s, TURN)


@rule
def any_card(s: Any, place: int) -> int:
    """Return a random card in a place."""
    k = below(s, count(s, place))
    for card in range(MOST):
        if s.where[card] == place:
            if k == 0:
                return card
            k -= 1
    return 0


@rule
def count(s: Any, place: int) -> int:
    """Return how many cards are in a place."""
    n = 0
    for card in range(MOST):
        if s.where[card] == place:
            n += 1
    return n


@rule
def is_high(s: Any, seat: int) -> bool:
    """Return whether a seat holds a card of the upper half."""
    for card in range(s.cards // 2, s.cards):
        if s.where[card] == HAND + seat:
            return True
    return False


@rule
def legal(s: Any, mask: Any) -> int:
    """Draw while there is a stock, boast with a high card, stop."""
    mask[DRAW] = 1 if count(s, STOCK) > 0 else 0
    mask[BOAST] = 1 if is_high(s, s.seat) else 0
    mask[STOP] = 1
    return int(mask[DRAW]) + int(mask[BOAST]) + 1


@rule
def apply(s: Any, action: int) -> None:
    """Draw, or draw no more; then the next seat that still draws."""
    s.ply += 1
    seat = int(s.seat)
    if action == DRAW:
        s.drawn[seat] = any_card(s, STOCK)
        s.where[s.drawn[seat]] = HAND + seat
    else:
        s.done[seat] = 1
        if action == BOAST:
            s.boast[seat] = 1
    other = 1 - seat
    if s.done[other] == 1:
        other = seat
    if s.done[other] == 0:
        s.seat = other
        goto(s, TURN)
        return
    s.seat = NOBODY
    one, two = points(s, 0), points(s, 1)
    s.payoff[0] = one - two
    s.payoff[1] = two - one
    goto(s, OVER)


@rule
def points(s: Any, seat: int) -> int:
    """Return the value of a hand."""
    n = 0
    for card in range(MOST):
        if s.where[card] == HAND + seat:
            n += card
    return n


# --- what a seat may know -------------------------------------------------------------

KNOWN = 9
FEATURES = (
    Feature("phase", 0, 1, "the phase"),
    Feature("decider", 1, 1, "1 + seat"),
    Feature("stock", 2, 1, "cards in the stock"),
    Feature("held", 3, SEATS, "cards held, by seat"),
    Feature("boast", 5, SEATS, "who has boasted"),
    Feature("done", 7, SEATS, "who draws no more"),
    Feature("known", KNOWN, MOST, "1: in the observer's hand"),
)


@rule
def observe(s: Any, seat: int, out: Any) -> None:
    """Fill `out`."""
    out[0] = s.phase
    out[1] = s.seat + 1
    out[2] = count(s, STOCK)
    for k in range(SEATS):
        out[3 + k] = count(s, HAND + k)
        out[5 + k] = s.boast[k]
        out[7 + k] = s.done[k]
    for card in range(MOST):
        out[KNOWN + card] = 1 if seat >= 0 and s.where[card] == HAND + seat else 0


def view(s: State, seat: int) -> dict[str, Any]:
    """Return what a seat may see."""
    hands = [[c for c in range(MOST) if s["where"][c] == HAND + k] for k in range(SEATS)]
    seen: dict[str, Any] = {
        "decider": int(s["seat"]),
        "held": [len(hand) for hand in hands],
        "boast": s["boast"].tolist(),
        "done": s["done"].tolist(),
    }
    if seat >= 0:
        seen["hand"] = hands[seat]
    return seen


@rule
def determinize(s: Any, seat: int) -> None:
    """Shuffle the unseen cards until every boast is true; exact."""
    if s.seat == NOBODY:
        return
    while True:
        shuffle_hidden(s, seat, BURNT)
        if is_true(s, seat):
            break
    note_hidden(s, seat)


@rule
def shuffle_hidden(s: Any, seat: int, last: int) -> None:
    """Exchange the places of all unseen cards, those in places up to `last` and in other hands."""
    for card in range(MOST - 1, 0, -1):
        if is_hidden(s, seat, card, last):
            n = 0
            for other in range(card + 1):
                n += is_hidden(s, seat, other, last)
            exchange(s, seat, card, below(s, n), last)


@rule
def exchange(s: Any, seat: int, card: int, k: int, last: int) -> None:
    """Exchange the places of a card and the `k`-th unseen one."""
    for other in range(card + 1):
        if is_hidden(s, seat, other, last):
            if k == 0:
                place = s.where[card]
                s.where[card] = s.where[other]
                s.where[other] = place
                return
            k -= 1


@rule
def is_hidden(s: Any, seat: int, card: int, last: int) -> int:
    """Return 1 for a card that `seat` cannot see."""
    place = int(s.where[card])
    if place == OUT or (seat >= 0 and place == HAND + seat):
        return 0
    return 1 if place >= HAND or place <= last else 0


@rule
def is_true(s: Any, seat: int) -> bool:
    """Return whether every other seat that has boasted can."""
    for k in range(SEATS):
        if k != seat and s.boast[k] == 1 and not is_high(s, k):
            return False
    return True


@rule
def note_hidden(s: Any, seat: int) -> None:
    """Redraw the burnt card, and what others drew last, in the new world."""
    for card in range(MOST):
        if s.where[card] == BURNT:
            s.burnt = card
    for k in range(SEATS):
        if k != seat and s.drawn[k] >= 0:
            s.drawn[k] = any_card(s, HAND + k)


def pieces(s: State) -> int:
    """Return the number of cards in all places."""
    return int((s["where"] != OUT).sum())


GAME = Game(
    name="embers",
    rules=Rules(
        State=STATE,
        seats=(SEATS, SEATS),
        actions=3,
        observation=FEATURES,
        deal=deal,
        legal=legal,
        apply=apply,
        observe=observe,
        view=view,
        determinize=determinize,
        length=MOST + SEATS,
        phases=Phase,
        edges=EDGES,
        options=(Option("cards", 8, low=7, high=MOST), Option("held", 2, low=1, high=3)),
    ),
    checks=Checks(pieces=pieces),
)


# --- faults ---------------------------------------------------------------------------


@rule
def determinize_keeps_burnt(s: Any, seat: int) -> None:
    """Keep the burnt card as it is."""
    if s.seat == NOBODY:
        return
    while True:
        shuffle_hidden(s, seat, STOCK)
        if is_true(s, seat):
            break
    note_hidden(s, seat)


@rule
def determinize_keeps_drawn(s: Any, seat: int) -> None:
    """Keep what another seat drew last in its hand."""
    if s.seat == NOBODY:
        return
    for k in range(SEATS):
        if k != seat and s.drawn[k] >= 0:
            s.where[s.drawn[k]] = OUT
    while True:
        shuffle_hidden(s, seat, BURNT)
        for k in range(SEATS):
            if k != seat and s.drawn[k] >= 0:
                s.where[s.drawn[k]] = HAND + k
        if is_true(s, seat):
            break
        for k in range(SEATS):
            if k != seat and s.drawn[k] >= 0:
                s.where[s.drawn[k]] = OUT
    for card in range(MOST):
        if s.where[card] == BURNT:
            s.burnt = card


@rule
def determinize_ignores_boasts(s: Any, seat: int) -> None:
    """Reveal nothing by a boast that everyone has heard."""
    if s.seat == NOBODY:
        return
    shuffle_hidden(s, seat, BURNT)
    note_hidden(s, seat)


@rule
def determinize_biased(s: Any, seat: int) -> None:
    """High cards are put back into the stock, if there is room, every second time."""
    determinize(s, seat)
    if s.seat == NOBODY or below(s, 2) == 0:
        return
    for k in range(SEATS):
        low = any_card(s, STOCK) if count(s, STOCK) > 0 else MOST
        for card in range(low + 1, s.cards):
            if k != seat and s.where[card] == HAND + k and s.boast[k] == 0 and s.drawn[k] < 0:
                s.where[card] = STOCK
                s.where[low] = HAND + k
                break
