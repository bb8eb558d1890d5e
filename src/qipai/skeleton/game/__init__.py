"""Four prizes: the game's record."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from qipai.core import Checks, Game, Messages, Option, Rules, State, Twins, Words
from qipai.core.errors import BadLayout

from . import bot, observe, rules, text, view

OPTIONS = (Option("first_seat", -1, low=-1, high=1, about={"en": "the seat that acts first; -1 draws it"}),)

# Two deals that are one to seat 0: what it cannot see differs.
TWINS = (
    Twins(
        "the other hand and the stock differ",
        seat=0,
        one={"hands": [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]], "first": 0},
        other={"hands": [[0, 1, 2, 3, 4, 5], [10, 11, 12, 13, 14, 15]], "first": 0},
    ),
)


def lay_out(s: State, layout: Mapping[str, Any]) -> None:
    """A given deal: `hands`, six cards (0..15) a seat, and `first`, the seat that acts first."""
    if set(layout) != {"hands", "first"}:
        raise BadLayout("a layout has the keys hands and first")
    hands, first = layout["hands"], layout["first"]
    if not isinstance(first, int) or isinstance(first, bool) or not 0 <= first < rules.SEATS:
        raise BadLayout("first is a seat")
    if not isinstance(hands, list) or len(hands) != rules.SEATS:
        raise BadLayout(f"hands are {rules.SEATS} lists of cards")
    seen: set[int] = set()
    for hand in hands:
        if not isinstance(hand, list) or len(hand) != rules.DEALT:
            raise BadLayout(f"a hand is a list of {rules.DEALT} cards")
        for card in hand:
            if not isinstance(card, int) or isinstance(card, bool) or not 0 <= card < rules.CARDS:
                raise BadLayout(f"a card is a whole number from 0 to {rules.CARDS - 1}")
            seen.add(card)
    if len(seen) != rules.SEATS * rules.DEALT:
        raise BadLayout("a card is dealt twice")
    s["where"][:] = rules.STOCK
    for seat, hand in enumerate(hands):
        s["where"][hand] = rules.HAND + seat
    s["first"] = first


def successor(s: State) -> dict[str, Any]:
    """The seat that lost acts first in the next hand; after a draw it is drawn."""
    low = int(s["payoff"].argmin())
    return {"first_seat": low if s["payoff"][low] < 0 else -1}


def pieces(s: State) -> list[int]:
    """What is conserved: six cards of each seat, wherever it has laid them, and four prizes."""
    owner = {rules.STOCK: 2, rules.PRIZE: 2, rules.WON: 2, rules.WON + 1: 2}
    count = [0, 0, 0]
    for place in s["where"].tolist():
        count[owner.get(place, place % 2)] += 1
    return count


GAME = Game(
    name="skeleton",
    rules=Rules(
        version=1,
        seats=(2, 2),
        actions=rules.CARDS,
        observation=observe.FEATURES,
        length=13,  # 12, and one that determinize may have taken back
        State=rules.State,
        phases=rules.Phase,
        edges=rules.EDGES,
        deal=rules.deal,
        start=rules.start,
        legal=rules.legal,
        apply=rules.apply,
        advance=rules.advance,
        observe=observe.observe,
        determinize=observe.determinize,
        partial=rules.partial,
        view=view.view,
        narrate=view.narrate,
        lay_out=lay_out,
        successor=successor,
        options=OPTIONS,
    ),
    words=Words(
        messages=Messages.of_package(__name__),
        tell=text.tell,
        say=text.say,
        parse=text.parse,
        draw=text.draw,
        rules_text={"en": files(__name__).joinpath("README.md").read_text("utf-8")},
    ),
    checks=Checks(
        pieces=pieces,
        twins=TWINS,
    ),
    agents=(bot.SPEC,),
)
