"""NANA: what is dealt, an attempt that succeeds and one that fails, and every way to win."""

from __future__ import annotations

from typing import Any

from qipai.core import get
from qipai.match import Match

from .row import Example, Group, Row, play, told

DEAL = {
    "hands": [[1, 2, 4, 5, 7, 9, 10, 11], [1, 3, 3, 4, 6, 7, 8, 10], [1, 2, 5, 6, 8, 8, 9, 11]],
    "centre": [2, 7, 3, 11, 4, 9, 5, 10, 6],
}
CENTRE = 12
HEAD, TAIL = 0, 1  # of the mover's own hand; two more for each seat further on


def examples() -> dict[str, Example]:
    """Return the examples by name."""
    return {
        "deal": _deal(),
        "trio": _attempt([HEAD, HEAD + 2, HEAD + 4]),
        "miss": _attempt([HEAD, HEAD + 2, CENTRE]),
        "sevens": _win(
            {"hands": [[2, 7], [5, 7], [7, 9]], "centre": [2, 2, 5, 5, 9, 9]}, [TAIL, TAIL + 2, HEAD + 4]
        ),
        "connected": _win(
            {"hands": [[1, 6, 8], [1, 6, 8], [1, 6, 8]], "centre": []},
            [HEAD, HEAD + 2, HEAD + 4, HEAD, HEAD + 2, HEAD + 4],
        ),
        "three": _win(
            {"hands": [[1, 2, 3], [1, 2, 3], [1, 2, 3]], "centre": []},
            [HEAD, HEAD + 2, HEAD + 4] * 3,
        ),
        "links": _links(),
    }


def _deal() -> Example:
    """Return the numbers, hands and centre of every number of seats."""
    low, high = get("nana").rules.seats
    rows: list[Row] = []
    for seats in range(low, high + 1):
        view = Match("nana", seats=seats).view(0)
        numbers: list[Group] = [{"pieces": [str(n) for n in view["numbers"]]}]
        hand, centre = len(view["my_hand"]), len(view["centre"])
        rows.append({"line": ("guide.deal", {"n": seats, "hand": hand, "centre": centre}), "groups": numbers})
    return {"values": {}, "rows": rows}


def _attempt(moves: list[int]) -> Example:
    return {"values": {}, "rows": _rows(Match("nana", seats=3, layout=DEAL), moves)}


def _rows(match: Match, moves: list[int]) -> list[Row]:
    rows: list[Row] = []
    for event in play(match, list(moves)):
        line = told(match, event)
        if line is None:
            continue
        row: Row = {"line": line}
        if event["type"] == "reveal":
            row["groups"] = [{"pieces": [str(event["number"])]}]
        elif event["type"] == "collect":
            row["groups"] = [{"pieces": [str(event["number"])] * len(event["slots"])}]
        rows.append(row)
    return rows


def _win(layout: dict[str, Any], moves: list[int]) -> Example:
    """Return the trios of a hand that was won, and the points."""
    match = Match("nana", seats=3, layout=layout)
    rows = [row for row in _rows(match, moves) if row["line"][0] in ("log.collect", "log.win")]
    if not match.over or match.payoff is None:
        raise ValueError("the hand of an example is not over")
    return {"values": {"won": match.payoff[0], "lost": -match.payoff[1]}, "rows": rows}


def _links() -> Example:
    """Return every two numbers that are connected, as the view tells them."""
    pairs = Match("nana", seats=4).view(0)["connected"]
    groups: list[Group] = [{"pieces": [str(a), str(b)]} for a, b in pairs]
    return {"values": {"n": len(pairs)}, "rows": [{"groups": groups}]}
