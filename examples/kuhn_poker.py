"""Kuhn poker: three cards, two players, one bet. Clause numbers are those of the page "Your first game"."""

import numpy as np

from qipai import core
from qipai.core import NOBODY, Feature, below, rule
from qipai.core.errors import BadText

PASS, BET = 0, 1

State = core.state_dtype(
    [
        *core.header(seats=2),
        ("card", np.int8, (2,)),  # by seat: 0 jack, 1 queen, 2 king
        ("paid", np.int8, (2,)),  # by seat: chips in the pot
        ("shown", np.int8),  # 1 after a showdown
    ]
)


@rule
def deal(s):
    """Deal one card to each seat (clause 1)."""
    s.ply = 0
    s.cut = 0
    s.shown = 0
    s.card[0] = below(s, 3)
    s.card[1] = (int(s.card[0]) + 1 + below(s, 2)) % 3
    for seat in range(2):
        s.paid[seat] = 1
        s.payoff[seat] = 0
    s.seat = 0


@rule
def legal(s, mask):
    """Fill the mask of the seat to move, and return how many actions are legal (clause 2)."""
    mask[PASS] = 1
    mask[BET] = 1
    return 2


@rule
def apply(s, action):
    """Make one action, and move on to the next decision or the end."""
    seat = int(s.seat)
    other = 1 - seat
    facing_bet = s.paid[other] > s.paid[seat]
    s.ply += 1
    if action == BET:
        s.paid[seat] = 2
        if facing_bet:
            showdown(s)
        else:
            s.seat = other
    elif facing_bet:
        finish(s, other)
    elif seat == 1:
        showdown(s)
    else:
        s.seat = other


@rule
def showdown(s):
    """Compare the cards (clause 5)."""
    s.shown = 1
    finish(s, 0 if s.card[0] > s.card[1] else 1)


@rule
def finish(s, winner):
    """Pay the winner what the other has put in, and end the hand."""
    amount = int(s.paid[1 - winner])
    s.payoff[winner] = amount
    s.payoff[1 - winner] = -amount
    s.seat = NOBODY


FEATURES = (
    Feature("card", 0, 1, "the observer's card plus 1, 0 for a watcher"),
    Feature("shown", 1, 2, "after a showdown: the cards plus 1, own seat first; else 0"),
    Feature("paid", 3, 2, "chips in the pot, own seat first"),
    Feature("turn", 5, 1, "1 if the observer decides, 2 if the other seat does, 0 after the end"),
)


@rule
def observe(s, seat, out):
    """Write what `seat` may know; a watcher counts from seat 0."""
    own = max(seat, 0)
    other = 1 - own
    out[0] = int(s.card[own]) + 1 if seat >= 0 else 0
    out[1] = int(s.card[own]) + 1 if s.shown else 0
    out[2] = int(s.card[other]) + 1 if s.shown else 0
    out[3] = s.paid[own]
    out[4] = s.paid[other]
    out[5] = 0 if s.seat == NOBODY else (1 if s.seat == own else 2)


@rule
def determinize(s, seat):
    """Redraw the cards that `seat` has not seen."""
    if s.shown:
        return
    if seat < 0:
        s.card[0] = below(s, 3)
    own = max(seat, 0)
    s.card[1 - own] = (int(s.card[own]) + 1 + below(s, 2)) % 3


def view(s, seat):
    """Return what `seat` may see, as JSON."""
    cards = [NAMES[c] if s.shown or k == seat else None for k, c in enumerate(s.card.tolist())]
    return {"cards": cards, "paid": s.paid.tolist(), "seat": int(s.seat), "payoff": s.payoff.tolist()}


NAMES = ("jack", "queen", "king")
TEXT = ("pass", "bet")

MESSAGES = core.Messages(
    {
        "en": {
            "title": "Kuhn poker",
            "log.pass": "{seat} {seat, select, you {pass} other {passes}}",
            "log.bet": "{seat} {seat, select, you {bet} other {bets}}",
            "bot.honest": "Honest",
            "bot.honest.about": "bets with the king and never bluffs",
        }
    }
)


def narrate(before, action, seat):
    """Return what happened, as `seat` may know it: the same for everyone here."""
    return [{"event": TEXT[action], "seat": int(before.seat)}]


def parse(text):
    """Return the action that `text` names."""
    if text not in TEXT:
        raise BadText("an action is pass or bet")
    return TEXT.index(text)


def draw(s, seat, lang):
    """Return the table as text."""
    seen = view(s, seat)
    hands = zip(seen["cards"], seen["paid"], strict=True)
    return "   ".join(f"seat {k}: {card or '?'} ({paid})" for k, (card, paid) in enumerate(hands))


class Honest:
    """Bets with the king, calls with the queen or better."""

    def __init__(self, game, words):
        """Ignore `words`, which seed a generator for bots that need chance."""

    def act(self, sight):
        """Return the action of an honest player."""
        card = int(sight.state.card[sight.seat])
        facing_bet = sight.state.paid[1 - sight.seat] > sight.state.paid[sight.seat]
        return BET if card == 2 or (facing_bet and card == 1) else PASS


def lay_out(s, layout):
    """Deal given cards: {"cards": [2, 0]}."""
    deal(s)
    s.card[0], s.card[1] = layout["cards"]


TWINS = (core.Twins("the king cannot see the other card", 0, {"cards": [2, 0]}, {"cards": [2, 1]}),)

GAME = core.Game(
    name="kuhn_poker",
    rules=core.Rules(
        State=State,
        seats=(2, 2),
        actions=2,
        observation=FEATURES,
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
    ),
    words=core.Words(messages=MESSAGES, say=TEXT.__getitem__, parse=parse, draw=draw),
    checks=core.Checks(twins=TWINS),
    agents=(core.AgentSpec(name="honest", place=1, make=Honest),),
)


if __name__ == "__main__":
    from qipai import arena
    from qipai.testing import check_game

    print("\n".join(check_game(GAME, games=200).lines()))
    print(arena.run(GAME, ["honest", "random"], deals=200, seed=1).text())
