"""Xianqi: the order of the pieces, rounds, buckling, and what is paid."""

from __future__ import annotations

from typing import Any

from qipai.games.xianqi.state import CARDS, COPIES
from qipai.games.xianqi.text import parse
from qipai.match import Match

from .row import Example, Group, Row, Who, play, told

STRONG = {"R_SHI": 2, "B_SHI": 2, "R_MA": 2, "R_NIU": 2}
MIDDLE = {"R_XIANG": 1, "B_MA": 2, "R_CHE": 2, "B_CHE": 2, "R_GOU": 1}
WEAK = {"R_XIANG": 1, "B_XIANG": 2, "B_GOU": 1, "R_NIU": 1, "B_NIU": 3}
HANDS = [STRONG, MIDDLE, WEAK]
PLAYS = range(25)


def examples() -> dict[str, Example]:
    """Return the examples by name."""
    two = ["RS2", "under BC + under BC", "under BN + under BN"]
    four = [*two, "BS2", "under BM + under RC", "under RX + under BX"]
    six = [
        *("RS2", "under BC + under BC", "under BX + under BX"),
        *("BS2", "under BM + under RC", "under BN + under BN"),
        *("RM2", "under BM + under RC", "under RX + under BN"),
    ]
    return {
        "pieces": _pieces(),
        "order": _order(),
        "round": _round(["RM", "RX", "under RN"], 0),
        "equal": _round(["RX", "under BN", "BS"], 1),
        "pair": _round(["RM2", "under RC + under BC", "BX2"], 0),
        "enough": _hand([*four, "buckle", "pass", "pass"]),
        "ceramic": _hand(six),
        "reveal": _hand([*two, "buckle", "reveal", *four[3:], "buckle", "pass", "pass"]),
    }


def _match(hands: list[dict[str, int]], first: int = 0) -> Match:
    return Match("xianqi", layout={"hands": hands, "first": first})


def _pieces() -> Example:
    groups: list[Group] = [
        {"pieces": [code] * int(COPIES[t]), "line": (f"card.{code}", {})} for t, code in enumerate(CARDS)
    ]
    return {"values": {"n": int(sum(COPIES))}, "rows": [{"groups": groups}]}


def _order() -> Example:
    """Return every play by size, the strongest first, with its power as the view tells it."""
    match = _match(HANDS)
    powers = match.view(0)["powers"]
    rows: list[Row] = []
    for size, key in ((1, "single"), (2, "pair"), (3, "triple")):
        plays = [a for a in PLAYS if sum(_cards(a).values()) == size]
        plays.sort(key=lambda a: -powers[a])
        groups: list[Group] = [{"pieces": _listed(_cards(a)), "note": str(powers[a])} for a in plays]
        rows.append({"line": (f"table.order.{key}", {}), "groups": groups})
    return {"values": {}, "rows": rows}


def _cards(action: int) -> dict[str, int]:
    from qipai.games.xianqi.view import _cards_of_play

    found: dict[str, int] = _cards_of_play(action)
    return found


def _listed(cards: dict[str, int]) -> list[str | None]:
    return [code for code, n in cards.items() for _ in range(n)]


def _round(moves: list[str], first: int) -> Example:
    """Return a round, and who covered first."""
    rows = _rows(_match(HANDS, first), moves)
    return {"values": {"coverer": _who(rows, "log.cover")}, "rows": rows}


def _who(rows: list[Row], key: str) -> Who:
    """Return whom the first line of this key is about."""
    found: Who = next(row["line"][1]["seat"] for row in rows if row["line"][0] == key)
    return found


def _rows(match: Match, moves: list[str]) -> list[Row]:
    rows: list[Row] = []
    for event in play(match, [[parse(part) for part in move.split(" + ")] for move in moves]):
        line = told(match, event)
        if line is None or event["event"] not in ("play", "cover", "buckle", "reveal", "pass", "round"):
            continue
        row: Row = {"line": line}
        if event["event"] == "play":
            row["groups"] = [{"pieces": _listed(event["cards"]), "note": str(event["power"])}]
        elif event["event"] == "cover":
            row["groups"] = [{"pieces": [None] * event["count"]}]
        rows.append(row)
    return rows


def _hand(moves: list[str]) -> Example:
    """Return a hand round by round, what was asked in between, and every payment."""
    match = _match(HANDS)
    rows: list[Row] = []
    laid: list[Group] = []
    for row in _rows(match, moves):
        laid += row.get("groups", [])
        if row["line"][0] in ("log.lead", "log.play", "log.cover"):
            continue
        rows.append({"line": row["line"], "groups": laid} if laid else {"line": row["line"]})
        laid = []
    if not match.over:
        raise ValueError("the hand of an example is not over")
    settled: dict[str, Any] = match.view(-1)["settlement"]
    rows += [{"line": (key, values)} for key, values in settled["lines"]]
    values: dict[str, int | Who] = {f"chips{k}": n for k, n in enumerate(settled["payoff"])}
    if "reveal" in moves:
        values["revealer"] = _who(rows, "log.reveal")
    return {"values": values, "rows": rows}
