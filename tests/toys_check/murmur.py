"""Murmur, a toy: who is asked is a secret, and so is how many were asked before.

Each seat holds a coin. Those that hold 1 are asked in turn to pass or to claim, and nobody else notices; the
first to claim wins, which shows at the end. `determinize_counts` is wrong in one way.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from qipai.core import (
    NOBODY,
    Checks,
    Event,
    Feature,
    Game,
    Rules,
    State,
    Twins,
    below,
    copy_state,
    goto,
    header,
    rule,
    state_dtype,
)

SEATS = 3
PASS, CLAIM = 0, 1


class Phase(IntEnum):
    """What the machine waits for."""

    DEAL = 0
    ASK = 1
    OVER = 2


DEALING, ASKING, OVER = (int(p) for p in Phase)
EDGES = ((DEALING, ASKING), (DEALING, OVER), (ASKING, ASKING), (ASKING, OVER))
STATE = state_dtype([*header(SEATS), ("coin", np.int8, (SEATS,)), ("winner", np.int8)])


@rule
def deal(s: Any) -> None:
    """Toss a coin for each seat."""
    for seat in range(SEATS):
        s.coin[seat] = below(s, 2)
    start(s)


@rule
def start(s: Any) -> None:
    """Ask the first that holds 1."""
    goto(s, DEALING)
    s.ply = 0
    s.cut = 0
    s.winner = NOBODY
    for seat in range(SEATS):
        s.payoff[seat] = 0
    ask(s, 0)


@rule
def ask(s: Any, first: int) -> None:
    """Ask the next seat that holds 1, or end."""
    for seat in range(first, SEATS):
        if s.coin[seat] == 1:
            s.seat = seat
            goto(s, ASKING)
            return
    s.seat = NOBODY
    if s.winner != NOBODY:
        for seat in range(SEATS):
            s.payoff[seat] = 2 if seat == s.winner else -1
    goto(s, OVER)


@rule
def legal(s: Any, mask: Any) -> int:
    """Pass or claim."""
    mask[PASS] = 1
    mask[CLAIM] = 1
    return 2


@rule
def apply(s: Any, action: int) -> None:
    """Note the first claim; ask the next."""
    s.ply += 1
    if action == CLAIM and s.winner == NOBODY:
        s.winner = s.seat
    ask(s, int(s.seat) + 1)


@rule
def observe(s: Any, seat: int, out: Any) -> None:
    """Write the seat's own coin, and whether it is asked."""
    out[0] = s.coin[seat] if seat >= 0 else 0
    out[1] = 1 if seat >= 0 and s.seat == seat else 0
    out[2] = 1 if s.seat == NOBODY else 0


def view(s: State, seat: int) -> dict[str, Any]:
    """Return what a seat may see."""
    if s["phase"] == OVER:
        return {"coins": s["coin"].tolist(), "winner": int(s["winner"])}
    return {"coin": int(s["coin"][seat]) if seat >= 0 else None, "asked": bool(s["seat"] == seat)}


def narrate(before: State, action: int, seat: int) -> list[Event]:
    """Tell a seat about its own answers, and everyone about the end."""
    after = copy_state(before)
    apply(after, action)
    events: list[Event] = [{"event": "answer", "claim": action == CLAIM}] if before["seat"] == seat else []
    if after["seat"] == NOBODY:
        events.append({"event": "over", "winner": int(after["winner"])})
    return events


@rule
def determinize(s: Any, seat: int) -> None:
    """Toss the other coins again, and let those asked before answer again; nobody knows how many."""
    determinize_counts(s, seat)
    if s.seat != NOBODY:
        s.ply = 0


@rule
def determinize_counts(s: Any, seat: int) -> None:
    """Leaves the number of those asked before in `ply`."""
    if s.seat == NOBODY:
        return
    s.winner = NOBODY
    for k in range(SEATS):
        if k == seat or k == s.seat:
            continue
        s.coin[k] = below(s, 2)
        if k < s.seat and s.coin[k] == 1 and s.winner == NOBODY and below(s, 2) == 0:
            s.winner = k


def lay_out(s: State, layout: Any) -> None:
    """`coin`, by seat."""
    s["coin"] = layout["coin"]


GAME = Game(
    name="murmur",
    rules=Rules(
        State=STATE,
        seats=(SEATS, SEATS),
        actions=2,
        observation=(
            Feature("coin", 0, 1, "the observer's coin"),
            Feature("asked", 1, 1, "1: the observer is asked"),
            Feature("over", 2, 1, "1: the game is over"),
        ),
        deal=deal,
        start=start,
        legal=legal,
        apply=apply,
        observe=observe,
        view=view,
        narrate=narrate,
        determinize=determinize,
        length=SEATS,
        phases=Phase,
        edges=EDGES,
        lay_out=lay_out,
    ),
    checks=Checks(twins=(Twins("another coin", 0, {"coin": [1, 0, 0]}, {"coin": [1, 1, 0]}),)),
)
