"""Kuhn poker: three cards, one bet. With best play the first seat loses 1/18 of a chip per hand.

H. W. Kuhn, "A simplified two-person poker", 1950. Each seat puts in a chip and gets one of three cards. A
seat passes or bets a chip; facing a bet, to pass is to fold. Otherwise the higher card wins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from qipai.core import NOBODY, Checks, Feature, Game, Rules, Twins, below, header, rule, state_dtype
from qipai.core import State as Record
from qipai.core.errors import BadLayout

from .poker import RANKS, finish, words_of

PASS, BET = 0, 1
ACTIONS = ("pass", "bet")
VALUE = -1 / 18  # of the first seat, with best play of both

State = state_dtype(
    [
        *header(seats=2),
        ("card", np.int8, (2,)),  # by seat: 0 jack, 1 queen, 2 king
        ("paid", np.int8, (2,)),  # by seat: chips in the pot
        ("shown", np.int8),  # 1 after a showdown
    ]
)


@rule
def deal(s):
    """Deal two of three cards; each seat puts in a chip."""
    s.ply = 0
    s.cut = 0
    s.phase = 0
    s.shown = 0
    s.card[0] = below(s, 3)
    s.card[1] = (int(s.card[0]) + 1 + below(s, 2)) % 3
    for seat in range(2):
        s.paid[seat] = 1
        s.payoff[seat] = 0
    s.seat = 0


@rule
def legal(s, mask):
    """Allow both actions always."""
    mask[PASS] = 1
    mask[BET] = 1
    return 2


@rule
def apply(s, action):
    """Make an action, and move on to the next decision or the end."""
    seat = int(s.seat)
    facing = s.paid[1 - seat] > s.paid[seat]
    s.ply += 1
    if action == BET:
        s.paid[seat] = 2
    if facing and action == PASS:
        finish(s, 1 - seat)
    elif facing or (seat == 1 and action == PASS):
        s.shown = 1
        finish(s, 0 if s.card[0] > s.card[1] else 1)
    else:
        s.seat = 1 - seat


@rule
def observe(s, seat, out):
    """Write the observer's card, the cards of a showdown, the pot and whose turn it is."""
    own = max(seat, 0)
    out[0] = int(s.card[own]) + 1 if seat >= 0 else 0
    out[1] = int(s.card[own]) + 1 if s.shown else 0
    out[2] = int(s.card[1 - own]) + 1 if s.shown else 0
    out[3] = s.paid[own]
    out[4] = s.paid[1 - own]
    out[5] = 0 if s.seat == NOBODY else (1 if s.seat == own else 2)
    out[6] = s.ply


@rule
def determinize(s, seat):
    """Redraw the cards that `seat` has not seen."""
    if s.shown:
        return
    if seat < 0:
        s.card[0] = below(s, 3)
    own = max(seat, 0)
    s.card[1 - own] = (int(s.card[own]) + 1 + below(s, 2)) % 3


def view(s: Record, seat: int) -> dict[str, Any]:
    """Return what `seat` may see, as JSON."""
    cards = [RANKS[c] if s["shown"] or k == seat else None for k, c in enumerate(s["card"].tolist())]
    return {
        "cards": cards,
        "paid": s["paid"].tolist(),
        "ply": int(s["ply"]),
        "seat": int(s["seat"]),
        "payoff": s["payoff"].tolist(),
    }


def narrate(before: Record, action: int, seat: int) -> list[dict[str, Any]]:
    """Return what happened: the same for everyone."""
    return [{"event": ACTIONS[action], "seat": int(before["seat"])}]


def lay_out(s: Record, layout: Mapping[str, Any]) -> None:
    """Deal given cards: {"cards": [2, 0]}."""
    cards = layout.get("cards")
    if not isinstance(cards, list | tuple) or len(set(cards)) != 2 or not set(cards) <= {0, 1, 2}:
        raise BadLayout("cards are two different numbers from 0 to 2")
    deal(s)
    s["card"] = cards


def chance(s: Record) -> list[tuple[int, Mapping[str, Any]]]:
    """Return every deal, with its weight."""
    return [(1, {"cards": [a, b]}) for a in range(3) for b in range(3) if a != b]


def information(s: Record, seat: int) -> str:
    """Return what `seat` knows: its card and the bets, from which every action follows."""
    shown = s["card"].tolist() if s["shown"] else int(s["card"][seat])
    return f"{shown} {s['paid'].tolist()} {int(s['ply'])}"


GAME = Game(
    name="kuhn_poker",
    rules=Rules(
        State=State,
        seats=(2, 2),
        actions=2,
        observation=(
            Feature("card", 0, 1, "the observer's card plus 1, 0 for a watcher", low=0, high=3),
            Feature("shown", 1, 2, "after a showdown the cards plus 1, own seat first", low=0, high=3),
            Feature("paid", 3, 2, "chips in the pot, own seat first", low=1, high=2),
            Feature("turn", 5, 1, "1 if the observer decides, 2 the other seat, 0 nobody", low=0, high=2),
            Feature("plies", 6, 1, "actions so far", low=0, high=3),
        ),
        deal=deal,
        legal=legal,
        apply=apply,
        observe=observe,
        determinize=determinize,
        view=view,
        narrate=narrate,
        public_events=True,
        length=3,
        lay_out=lay_out,
        chance=chance,
        information=information,
    ),
    words=words_of("kuhn_poker", ACTIONS),
    checks=Checks(
        twins=(Twins("the king cannot see the other card", 0, {"cards": [2, 0]}, {"cards": [2, 1]}),)
    ),
)
