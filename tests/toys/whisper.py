"""Whisper: a toy in which it is secret who is asked, as with the claims of mahjong.

Each of three seats holds a secret 0 or 1. The seats that hold 1 are asked in turn to pass
or to claim; nobody else may notice. The first to claim wins, which shows at the end.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, no-check-untyped-defs

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any

import numpy as np

from qipai.core import (
    NOBODY,
    Event,
    Feature,
    Game,
    Messages,
    Rules,
    State,
    Words,
    below,
    copy_state,
    goto,
    header,
    rule,
    state_dtype,
)
from qipai.core.errors import BadLayout

SEATS = 3
PASS, CLAIM = 0, 1


class Phase(IntEnum):
    DEAL = 0
    ASK = 1
    OVER = 2


DEALING, ASKING, OVER = int(Phase.DEAL), int(Phase.ASK), int(Phase.OVER)
EDGES = ((DEALING, ASKING), (DEALING, OVER), (ASKING, ASKING), (ASKING, OVER))
Record = state_dtype([*header(SEATS), ("holds", np.int8, (SEATS,)), ("winner", np.int8)])


@rule
def deal(s):
    """Toss a coin for each seat."""
    goto(s, DEALING)
    for seat in range(SEATS):
        s.holds[seat] = below(s, 2)
    start(s)


@rule
def start(s):
    """Ask the first that holds 1."""
    s.ply = 0
    s.cut = 0
    s.winner = NOBODY
    for seat in range(SEATS):
        s.payoff[seat] = 0
    _ask(s, 0)


@rule
def _ask(s, first):
    for seat in range(first, SEATS):
        if s.holds[seat] == 1:
            s.seat = seat
            goto(s, ASKING)
            return
    s.seat = NOBODY
    if s.winner != NOBODY:
        for seat in range(SEATS):
            s.payoff[seat] = 2 if seat == s.winner else -1
    goto(s, OVER)


@rule
def legal(s, mask):
    """Pass or claim."""
    mask[PASS] = 1
    mask[CLAIM] = 1
    return 2


@rule
def apply(s, action):
    """Note the first claim; ask the next."""
    s.ply += 1
    if action == CLAIM and s.winner == NOBODY:
        s.winner = s.seat
    _ask(s, int(s.seat) + 1)


@rule
def advance(s):
    """Do nothing: there are no automatic steps."""
    s.cut = s.cut


@rule
def observe(s, seat, out):
    """Write the seat's own coin."""
    out[0] = s.holds[seat] if seat >= 0 else 0


@rule
def determinize(s, seat):
    """Toss the other coins again; not exact, which is not needed here."""
    for k in range(SEATS):
        if k != seat and s.phase == ASKING:
            s.holds[k] = below(s, 2)


def view(s: State, seat: int) -> dict[str, Any]:
    if s["phase"] == OVER:
        return {"holds": s["holds"].tolist(), "winner": int(s["winner"])}
    return {"hold": int(s["holds"][seat]) if seat >= 0 else None, "asked": bool(s["seat"] == seat)}


def narrate(before: State, action: int, seat: int) -> list[Event]:
    s = copy_state(before)
    apply(s, action)
    events: list[Event] = []
    if before["seat"] == seat:
        events.append({"event": "answer", "claim": action == CLAIM})
    if s["phase"] == OVER:
        events.append({"event": "over", "winner": int(s["winner"])})
    return events


def lay_out(s: State, layout: Mapping[str, Any]) -> None:
    """Trust the layout, unlike a careful game: the entry point must still raise a named error."""
    for seat in range(SEATS):
        s["holds"][seat] = layout["holds"][seat]
        if s["holds"][seat] not in (0, 1):
            raise BadLayout("a coin is 0 or 1")


def parse(text: str) -> int:
    return ("pass", "claim").index(text)


GAME = Game(
    name="whisper",
    rules=Rules(
        version=3,
        seats=(SEATS, SEATS),
        actions=2,
        observation=(Feature("hold", 0, 1, "the observer's coin"),),
        length=SEATS,
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
        view=view,
        narrate=narrate,
        lay_out=lay_out,
    ),
    words=Words(
        messages=Messages({"en": {"title": "Whisper"}}),
        say=lambda action: ("pass", "claim")[action],
        parse=parse,
        draw=lambda s, seat, lang: str(view(s, seat)),
    ),
)
