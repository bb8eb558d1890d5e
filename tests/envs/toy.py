"""Laps, a toy game for tests of environments and arena: everyone in turn, every action legal.

Action k stakes k and throws a die k + 1 times: what was staked goes to the seat that the
first throw names, from all alike (the others only use up chance). A deal draws a colour
for each seat that only it knows; when all are 0 the deal holds no decision. With `cap` a
match that is not over by then is cut.
"""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from typing import Any

import numpy as np

from qipai.core import (
    NOBODY,
    Event,
    Feature,
    Game,
    Messages,
    Option,
    Rules,
    State,
    Words,
    below,
    goto,
    header,
    rule,
    state_dtype,
)

MOST = 4
ACTIONS = 3
COLOURS = 2


class Phase(IntEnum):
    """A lap is under way, or all are done."""

    RUN = 0
    OVER = 1


RUN = int(Phase.RUN)
OVER = int(Phase.OVER)
EDGES = ((RUN, RUN), (RUN, OVER))

Record = state_dtype(
    [
        *header(seats=MOST),
        ("laps", np.int16),
        ("cap", np.int16),
        ("done", np.int16),  # laps
        ("colour", np.int8, (MOST,)),  # 0 or 1, each known to its seat alone
        ("last", np.int8),  # the last stake
        ("winner", np.int8),  # who got it; -1 at first
    ]
)


@rule
def deal(s):  # type: ignore[no-untyped-def]
    """Draw the colours."""
    for k in range(MOST):
        s.colour[k] = below(s, COLOURS)
        s.payoff[k] = 0
    start(s)


@rule
def start(s):  # type: ignore[no-untyped-def]
    """Go to the first seat, unless every colour is 0."""
    s.ply = 0
    s.done = 0
    s.last = 0
    s.winner = -1
    s.cut = 0
    s.seat = NOBODY
    for k in range(s.seats):
        if s.colour[k] != 0:
            s.seat = 0
    if s.seat == NOBODY:
        goto(s, OVER)
    else:
        goto(s, RUN)


@rule
def legal(s, mask):  # type: ignore[no-untyped-def]
    """Mark every action as legal."""
    for a in range(ACTIONS):
        mask[a] = 1
    return ACTIONS


@rule
def apply(s, action):  # type: ignore[no-untyped-def]
    """Stake, throw, pay, pass on."""
    stake(s, action)
    pass_on(s)


@rule
def stake(s, action):  # type: ignore[no-untyped-def]
    """Throw and pay."""
    seats = int(s.seats)
    winner = below(s, seats)
    for k in range(seats):
        s.payoff[k] += action * (seats - 1) if k == winner else -action
    for _ in range(action):
        below(s, seats)
    s.last = action
    s.winner = winner
    s.ply += 1
    s.seat += 1


@rule
def pass_on(s):  # type: ignore[no-untyped-def]
    """Go to the next seat, the next lap, or the end."""
    if s.seat == s.seats:
        s.seat = 0
        s.done += 1
    if s.done >= s.laps or (s.cap > 0 and s.ply >= s.cap):
        s.cut = 1 if s.done < s.laps else 0
        s.seat = NOBODY
        goto(s, OVER)
    else:
        goto(s, RUN)


@rule
def advance(s):  # type: ignore[no-untyped-def]
    """Do nothing: there are no automatic steps."""
    s.phase = s.phase


@rule
def observe(s, seat, out):  # type: ignore[no-untyped-def]
    """Write who decides, the lap, the last stake, and the observer's colour plus one."""
    out[0] = 1 + s.seat
    out[1] = min(int(s.done), 127)
    out[2] = s.last
    out[3] = 0 if seat < 0 else 1 + s.colour[seat]


@rule
def determinize(s, seat):  # type: ignore[no-untyped-def]
    """Redraw the other colours, not all 0."""
    some = 0
    while some == 0:
        for k in range(s.seats):
            if k != seat:
                s.colour[k] = below(s, COLOURS)
            some += s.colour[k]


def _view(s: State, seat: int) -> dict[str, Any]:
    return {"seat": int(s["seat"]), "colour": None if seat < 0 else int(s["colour"][seat])}


def _narrate(before: State, action: int, seat: int) -> list[Event]:
    return [{"stake": action}]


def _draw(s: State, seat: int, lang: str) -> str:
    return f"lap {int(s['done'])}, seen by {seat}, in {lang}"


LAPS = Game(
    name="laps",
    rules=Rules(
        version=3,
        seats=(2, MOST),
        actions=ACTIONS,
        observation=(
            Feature("decider", 0, 1, "1 + seat"),
            Feature("lap", 1, 1, "laps done"),
            Feature("last", 2, 1, "the last stake"),
            Feature("colour", 3, 1, "1 + one's own colour"),
        ),
        length=4000,
        State=Record,
        phases=Phase,
        edges=EDGES,
        deal=deal,
        start=start,
        legal=legal,
        apply=apply,
        advance=advance,
        observe=observe,
        determinize=determinize,
        view=_view,
        narrate=_narrate,
        options=(
            Option("laps", 3, low=1, high=1000),
            Option("cap", 0, low=0, high=1000),
        ),
    ),
    words=Words(
        messages=Messages({"en": {"title": "Laps"}, "zh": {"title": "圈"}}),
        say=str,
        parse=int,
        draw=_draw,
    ),
)


@rule
def legal_at_first(s, mask):  # type: ignore[no-untyped-def]
    """Offer nothing from the second lap on, though the game is not over (faulty)."""
    n = 1 if s.done == 0 else 0
    for a in range(ACTIONS):
        mask[a] = n
    return n * ACTIONS


@rule
def act(s, action):  # type: ignore[no-untyped-def]
    """Do `apply` up to the end of a lap; return 1 if that is due."""
    stake(s, action)
    if s.seat == s.seats:
        return 1
    pass_on(s)
    return 0


@rule
def end_lap(s):  # type: ignore[no-untyped-def]
    """Do the rest of `apply`."""
    if s.seat == s.seats:
        pass_on(s)


STUCK = replace(LAPS, rules=replace(LAPS.rules, legal=legal_at_first), name="stuck")
PARTED = replace(LAPS, device=replace(LAPS.device, act=act, rest=end_lap, gather=24), name="parted")
