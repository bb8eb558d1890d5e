"""Skeleton: a complete game in one file. Change it step by step into yours.

1. Two seats roll a die each. Nobody else sees it.
2. First seat 0, then seat 1 keeps its die or rolls it again, once.
3. Then both dice are shown. The higher one wins the difference.
"""

import numpy as np

from qipai import core
from qipai.core import CATEGORY, FLAG, NOBODY, Feature, below, rule
from qipai.core.errors import BadLayout, BadText

SEATS, SIDES = 2, 6
KEEP, ROLL = 0, 1  # the actions

# --- the state: fixed-size fields only ------------------------------------------------

State = core.state_dtype(
    [
        *core.header(seats=SEATS),
        ("die", np.int8, (SEATS,)),  # by seat, 1 to 6
        ("again", np.int8, (SEATS,)),  # by seat: 1 after a second roll
    ]
)


# --- the rules: compiled, so no lists, no text, no exceptions -------------------------


@rule
def deal(s):
    """Roll the dice (clause 1). Set every field except the generator: nothing of the last hand may stay."""
    s.ply = 0
    s.cut = 0
    for seat in range(SEATS):
        s.payoff[seat] = 0
        s.again[seat] = 0
        s.die[seat] = 1 + below(s, SIDES)
    s.seat = 0


@rule
def legal(s, mask):
    """Fill the mask of the seat to move, and return how many actions are legal (clause 2)."""
    mask[KEEP] = 1
    mask[ROLL] = 1
    return 2


@rule
def apply(s, action):
    """Make one action, and move on to the next decision or the end."""
    seat = int(s.seat)
    s.ply += 1
    if action == ROLL:
        s.die[seat] = 1 + below(s, SIDES)
        s.again[seat] = 1
    if seat == 0:
        s.seat = 1
    else:
        finish(s)


@rule
def finish(s):
    """Show the dice and pay (clause 3). `int` widens a small field before arithmetic."""
    s.payoff[0] = int(s.die[0]) - int(s.die[1])
    s.payoff[1] = -s.payoff[0]
    s.seat = NOBODY


# --- what a seat may know -------------------------------------------------------------

FEATURES = (
    Feature("dice", 0, 2, "own seat first; 0 where it is hidden", CATEGORY, 0, SIDES),
    Feature("again", 2, 2, "own seat first: 1 after a second roll", FLAG),
    Feature("turn", 4, 1, "1 the observer decides, 2 the other seat, 0 nobody", CATEGORY, 0, 2),
)


@rule
def observe(s, seat, out):
    """Write what `seat` may know; a watcher (-1) counts from seat 0."""
    own = max(seat, 0)
    for k in range(SEATS):
        of = (own + k) % SEATS
        out[k] = s.die[of] if s.seat == NOBODY or of == seat else 0
        out[2 + k] = s.again[of]
    out[4] = 0 if s.seat == NOBODY else (1 if s.seat == own else 2)


@rule
def determinize(s, seat):
    """Draw again what `seat` cannot see."""
    if s.seat == NOBODY:
        return
    for other in range(SEATS):
        if other != seat:
            s.die[other] = 1 + below(s, SIDES)


def view(s, seat):
    """Return what `seat` may see, as JSON."""
    over = int(s.seat) == NOBODY
    dice = [die if over or k == seat else None for k, die in enumerate(s.die.tolist())]
    return {"dice": dice, "again": s.again.tolist(), "seat": int(s.seat), "payoff": s.payoff.tolist()}


def narrate(before, action, seat):
    """Return what an action does, as `seat` may know it: the same for everyone here."""
    return [{"event": TEXT[action], "seat": int(before.seat)}]


# --- words: sentences by key; {seat} is the name of the one who sits there, or "you" --

TEXT = ("keep", "roll")

MESSAGES = core.Messages(
    {
        "en": {
            "title": "Skeleton",
            "log.keep": "{seat} {seat, select, you {keep} other {keeps}} the die.",
            "log.roll": "{seat} {seat, select, you {roll} other {rolls}} again.",
            "draw.seat": "{seat}: {die}",
            "bot.steady": "Steady",
            "bot.steady.about": "rolls again below 4",
        }
    }
)


def parse(text):
    """Return the action that `text` names."""
    if text not in TEXT:
        raise BadText("an action is keep or roll")
    return TEXT.index(text)


def draw(s, seat, lang, names=None):
    """Return the table as text; `names` are those of the seats."""
    dice = [{"seat": core.seat_value(k), "die": die or "?"} for k, die in enumerate(view(s, seat)["dice"])]
    return "   ".join(MESSAGES.tell(("draw.seat", one), lang, names, seat) for one in dice)


# --- a bot, positions for the check, and the description that names it all ----------------


class Steady:
    """Rolls again below 4."""

    def __init__(self, game, words):
        """Ignore `words`, which seed a generator for bots that need chance."""

    def act(self, sight):
        """Return an action. `sight.state` is a possible world: only what the seat sees in it is true."""
        return ROLL if sight.state.die[sight.seat] < 4 else KEEP


def lay_out(s, layout):
    """Deal given dice: {"dice": [6, 1]}."""
    dice = layout.get("dice")
    if (
        not isinstance(dice, list)
        or len(dice) != SEATS
        or not all(die in range(1, SIDES + 1) for die in dice)
    ):
        raise BadLayout(f"a layout is {{'dice': [a, b]}}, each from 1 to {SIDES}")
    deal(s)
    s.die[:] = dice


TWINS = (core.Twins("the other die is hidden", 0, {"dice": [6, 1]}, {"dice": [6, 2]}),)

GAME = core.Game(
    name="skeleton",
    rules=core.Rules(
        State=State,
        seats=(SEATS, SEATS),
        actions=len(TEXT),
        observation=FEATURES,
        deal=deal,
        legal=legal,
        apply=apply,
        observe=observe,
        determinize=determinize,
        view=view,
        narrate=narrate,
        public_events=True,
        length=SEATS,
        lay_out=lay_out,
    ),
    words=core.Words(messages=MESSAGES, say=TEXT.__getitem__, parse=parse, draw=draw),
    checks=core.Checks(twins=TWINS),
    agents=(core.AgentSpec(name="steady", place=1, make=Steady),),
)
