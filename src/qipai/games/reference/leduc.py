"""Leduc hold'em: six cards, two rounds of bets, one public card.

F. Southey and others, "Bayes' bluff: opponent modelling in poker", 2005. Two jacks, queens and kings. Each
seat puts in a chip and gets a card. In each round seats fold, call or raise by 2 chips, in the second by 4,
at most two raises a round. Between the rounds the public card is shown. A pair with it wins, then the higher
card; equal cards split.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import permutations
from typing import Any

import numpy as np

from qipai.core import NOBODY, Checks, Feature, Game, Rules, Twins, below, header, rule, state_dtype
from qipai.core import State as Record
from qipai.core.errors import BadLayout

from .poker import RANKS, finish, words_of

FOLD, CALL, RAISE = 0, 1, 2
ACTIONS = ("fold", "call", "raise")
CARDS = 6  # card c has rank c // 2
PUBLIC = 2  # its place in s.card
RAISES = 2  # of a round at most
LONGEST = 8  # actions of a hand: twice call, raise, raise, call

State = state_dtype(
    [
        *header(seats=2),
        ("card", np.int8, (3,)),  # by seat, then the public one, which is dealt at once and shown later
        ("paid", np.int8, (2,)),  # by seat: chips in the pot
        ("street", np.int8),  # 0 or 1
        ("raises", np.int8),  # in this round
        ("calls", np.int8),  # in a row, in this round
        ("shown", np.int8),  # 1 after a showdown
        ("history", np.int8, (LONGEST,)),  # actions plus 1
    ]
)


@rule
def deal(s):
    """Deal three of six cards; each seat puts in a chip."""
    s.ply = 0
    s.cut = 0
    s.phase = 0
    s.street = 0
    s.raises = 0
    s.calls = 0
    s.shown = 0
    for i in range(LONGEST):
        s.history[i] = 0
    s.card[0] = below(s, CARDS)
    draw_card(s, 1, 1)
    draw_card(s, PUBLIC, 2)
    for seat in range(2):
        s.paid[seat] = 1
        s.payoff[seat] = 0
    s.seat = 0


@rule
def draw_card(s, place, taken):
    """Draw a card that is not among the `taken` first ones of s.card."""
    while True:
        card = below(s, CARDS)
        free = 1
        for i in range(taken):
            if s.card[i] == card:
                free = 0
        if free:
            s.card[place] = card
            return


@rule
def legal(s, mask):
    """Allow a call always, a fold facing a bet, and a raise while there are raises left."""
    facing = s.paid[1 - s.seat] > s.paid[s.seat]
    mask[FOLD] = 1 if facing else 0
    mask[CALL] = 1
    mask[RAISE] = 1 if s.raises < RAISES else 0
    return 1 + int(mask[FOLD]) + int(mask[RAISE])


@rule
def apply(s, action):
    """Make an action, and move on to the next decision, round or the end."""
    seat = int(s.seat)
    s.history[s.ply] = action + 1
    s.ply += 1
    if action == FOLD:
        finish(s, 1 - seat)
        return
    s.paid[seat] = s.paid[1 - seat]
    if action == RAISE:
        s.paid[seat] += 2 if s.street == 0 else 4
        s.raises += 1
        s.calls = 0
        s.seat = 1 - seat
        return
    s.calls += 1
    if s.raises == 0 and s.calls < 2:
        s.seat = 1 - seat
    elif s.street == 0:
        s.street = 1
        s.raises = 0
        s.calls = 0
        s.seat = 0
    else:
        s.shown = 1
        finish(s, winner(s))


@rule
def winner(s):
    """Return the seat with a pair, else with the higher card; -1 when they are equal."""
    first = int(s.card[0]) // 2
    second = int(s.card[1]) // 2
    public = int(s.card[PUBLIC]) // 2
    if first == second:
        return -1
    if first == public or (second != public and first > second):
        return 0
    return 1


@rule
def observe(s, seat, out):
    """Write the observer's rank, the public one, those of a showdown, the pot, the turn and all actions."""
    own = max(seat, 0)
    out[0] = int(s.card[own]) // 2 + 1 if seat >= 0 else 0
    out[1] = int(s.card[PUBLIC]) // 2 + 1 if s.street == 1 else 0
    out[2] = int(s.card[own]) // 2 + 1 if s.shown else 0
    out[3] = int(s.card[1 - own]) // 2 + 1 if s.shown else 0
    out[4] = s.paid[own]
    out[5] = s.paid[1 - own]
    out[6] = 0 if s.seat == NOBODY else (1 if s.seat == own else 2)
    for i in range(LONGEST):
        out[7 + i] = s.history[i]


@rule
def determinize(s, seat):
    """Redraw the cards that `seat` has not seen, and which of two equal cards it holds itself."""
    if s.shown:
        return
    public = int(s.card[PUBLIC]) // 2 if s.street == 1 else -1
    first = max(seat, 0)
    a = CARDS  # none yet
    if seat >= 0:
        a = int(s.card[seat]) // 2 * 2 + below(s, 2)
    b = CARDS
    if public >= 0:
        b = public * 2 + below(s, 2)
        if b == a:
            b ^= 1
    if seat < 0:
        a = one_of_others(s, b, CARDS)
    if public < 0:
        b = one_of_others(s, a, CARDS)
    s.card[first] = a
    s.card[PUBLIC] = b
    s.card[1 - first] = one_of_others(s, a, b)


@rule
def one_of_others(s, a, b):
    """Draw one of the cards other than `a` and `b`; CARDS stands for no card."""
    low = min(a, b)
    high = max(a, b)
    card = below(s, CARDS - (1 if low < CARDS else 0) - (1 if high < CARDS else 0))
    if card >= low:
        card += 1
    if card >= high:
        card += 1
    return card


def view(s: Record, seat: int) -> dict[str, Any]:
    """Return what `seat` may see, as JSON."""
    ranks = [RANKS[c // 2] for c in s["card"].tolist()]
    return {
        "cards": [ranks[k] if s["shown"] or k == seat else None for k in range(2)],
        "public": ranks[PUBLIC] if s["street"] == 1 else None,
        "paid": s["paid"].tolist(),
        "history": [ACTIONS[a - 1] for a in s["history"].tolist() if a],
        "seat": int(s["seat"]),
        "payoff": s["payoff"].tolist(),
    }


def narrate(before: Record, action: int, seat: int) -> list[dict[str, Any]]:
    """Return what happened: the same for everyone."""
    return [{"event": ACTIONS[action], "seat": int(before["seat"])}]


def lay_out(s: Record, layout: Mapping[str, Any]) -> None:
    """Deal given cards, the public one last: {"cards": [5, 0, 3]}."""
    cards = layout.get("cards")
    if not isinstance(cards, list | tuple) or len(set(cards)) != 3 or not set(cards) <= set(range(CARDS)):
        raise BadLayout("cards are three different numbers from 0 to 5")
    deal(s)
    s["card"] = cards


def chance(s: Record) -> list[tuple[int, Mapping[str, Any]]]:
    """Return every deal by ranks, with its weight: one of its deals of cards stands for all of them."""
    found: dict[tuple[int, ...], tuple[int, Mapping[str, Any]]] = {}
    for cards in permutations(range(CARDS), 3):
        ranks = tuple(card // 2 for card in cards)
        weight, layout = found.get(ranks, (0, {"cards": list(cards)}))
        found[ranks] = weight + 1, layout
    return list(found.values())


def information(s: Record, seat: int) -> str:
    """Return what `seat` knows: its rank, the public one and all actions."""
    ranks = (s["card"] // 2).tolist()
    public = ranks[PUBLIC] if s["street"] == 1 else None
    shown = ranks[:PUBLIC] if s["shown"] else ranks[seat]
    return f"{shown} {public} {[a - 1 for a in s['history'].tolist() if a]}"


GAME = Game(
    name="leduc_poker",
    rules=Rules(
        State=State,
        seats=(2, 2),
        actions=3,
        observation=(
            Feature("rank", 0, 1, "the observer's rank plus 1, 0 for a watcher", low=0, high=3),
            Feature("public", 1, 1, "the public rank plus 1, 0 in the first round", low=0, high=3),
            Feature("shown", 2, 2, "after a showdown the ranks plus 1, own seat first", low=0, high=3),
            Feature("paid", 4, 2, "chips in the pot, own seat first", low=1, high=13),
            Feature("turn", 6, 1, "1 if the observer decides, 2 the other seat, 0 nobody", low=0, high=2),
            Feature("history", 7, LONGEST, "all actions plus 1, 0 where there is none", low=0, high=3),
        ),
        deal=deal,
        legal=legal,
        apply=apply,
        observe=observe,
        determinize=determinize,
        view=view,
        narrate=narrate,
        public_events=True,
        length=LONGEST,
        lay_out=lay_out,
        chance=chance,
        information=information,
    ),
    words=words_of("leduc_poker", ACTIONS),
    checks=Checks(
        twins=(Twins("the king cannot see the jack", 0, {"cards": [4, 0, 2]}, {"cards": [4, 3, 1]}),)
    ),
)
