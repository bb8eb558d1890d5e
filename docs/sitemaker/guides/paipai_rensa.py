"""Paipai Rensa: clearing, a chain, hands of the player and of the CPU with their points."""

from __future__ import annotations

from qipai.games.paipai_rensa.state import DISCARD, KEEP
from qipai.match import Match

from .row import Board, Example, Group, Row, play, told

EMPTY = ".. .. .. .. .. .."
SHOWN = 6  # rows from the bottom
BEFORE = [EMPTY] * 11 + ["m1 m7 m3 .. p1 p2"]
CHAIN = [EMPTY] * 9 + [
    ".. s2 .. .. .. ..",
    "zS s3 p9 .. .. ..",
    "zP s4 zF p1 p2 p3",
]
WIN = "m2 m3 m4 m0 m6 m7 p3 p3 p3 s7 s8"
FOUR = [EMPTY] * 11 + ["s9 s9 s9 .. zE zC"]
LEFT_OVER = [EMPTY] * 9 + ["p4 s2 s2 s2 zW ..", "m5 m6 m7 p5 zN p9", "zE zE p6 s1 zN p9"]


def examples() -> dict[str, Example]:
    """Return the examples by name."""
    return {
        "suits": _suits(),
        "clear": _placed(BEFORE, "m4 p3", 3 * 4),
        "chain": _placed(CHAIN, "s1 zE", 1 * 4),
        "win": _win(),
        "cpu": _cpu(),
    }


def _suits() -> Example:
    suits = (
        ("m", ["m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9", "m0"]),
        ("p", ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p0"]),
        ("s", ["s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s0"]),
        ("z", ["zE", "zS", "zW", "zN", "zP", "zF", "zC"]),
    )
    total = Match("paipai_rensa", seed=bytes(32)).view(0)
    known = sum(total["unseen"].values()) + 2 * 2
    rows: list[Row] = [{"groups": [{"pieces": [*codes]}]} for _, codes in suits]
    return {"values": {"n": known, "pairs": known // 2}, "rows": rows}


def _placed(board: list[str], pair: str, action: int) -> Example:
    """Return a board before a pair lands, and after every clearing."""
    match = Match("paipai_rensa", layout={"board": board, "pair": pair, "deck": "m9 p8 s5 zW"})
    rows: list[Row] = []
    total = 0
    for event in play(match, [action]):
        if event["type"] not in ("land", "clear"):
            continue
        line = told(match, event)
        row: Row = {"boards": [_board(event["board"], event.get("cells", []))]}
        if line is not None:
            row["line"] = line
        if event["type"] == "clear":
            row["groups"] = [{"pieces": [*event["tiles"]]}]
            total += event["points"]
        rows.append(row)
    return {"values": {"points": total}, "rows": rows}


def _board(board: list[list[str | None]], cells: list[list[int]]) -> Board:
    top = len(board) - SHOWN
    return {"cells": board[top:], "mark": [[x, y - top] for x, y in cells if y >= top]}


def _hold(
    board: list[str], hand: str, pair: str, action: int, keep: list[int], discards: str = ""
) -> Example:
    """Return what both sides have when cleared tiles were shared out."""
    layout = {"board": board, "pair": pair, "hand": hand, "deck": "m9 p8 s5 zW", "discards": discards}
    match = Match("paipai_rensa", layout=layout)
    play(match, [action])
    events = play(match, [keep])
    held = next(event for event in events if event["type"] == "hold")
    side = held["player"] if held["player"]["won"] else held["cpu"]
    line = told(match, held)
    if line is None:
        raise ValueError("nobody has a hand")
    groups: list[Group] = [{"pieces": group} for group in side["groups"]]
    return {
        "values": {"points": side["score"], "base": side["base"], "reds": side["redPoints"]},
        "rows": [{"line": line, "groups": groups}],
    }


def _win() -> Example:
    """Return a hand that the last cleared tiles complete."""
    return _hold(FOUR, WIN, "s9 p1", 3 * 4, [KEEP] * 14 + [DISCARD])


def _cpu() -> Example:
    """Return a hand that the CPU finds in what was left lying."""
    return _hold(LEFT_OVER, "", "p9 p9", 5 * 4, [DISCARD] * 4)
