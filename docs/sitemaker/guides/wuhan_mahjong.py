"""Wuhan mahjong: special tiles, claims, winning hands with every payment, and the flow draw."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qipai.games.wuhan_mahjong.examples import ids, position
from qipai.games.wuhan_mahjong.tiles import CHOW, CODES, EXPOSED, KONG_LAZY, KONG_RED, KONG_SKIN, PONG, WIN
from qipai.match import Match

from .row import Example, Group, Row, Who, play

OPEN = {0: "chow 123m from 3, pong 111z from 2"}


def examples() -> dict[str, Example]:
    """Return the examples by name."""
    return {
        "specials": _specials(("5m", "9p", "4z", "5z")),
        "claims": _claims(),
        "kongs": _kongs(),
        "small": _won({0: "88m 456789p"}, OPEN),
        "soft": _won({0: "88m 45p 3s 789p"}, OPEN, laid={0: "5z"}),
        "discard": _won({0: "88m 45p"}, {0: "chow 123m, pong 111z from 2, pong 444z from 1"}, tile=("6p", 2)),
        "flush": _won({0: "11345678999m"}, {0: "chow 123m"}),
        "triplets": _won({0: "11144488p"}, {0: "pong 111m from 2, pong 777s from 1"}),
        "winds": _won({0: "12244667z"}, {0: "pong 111z from 2, pong 333z from 3"}),
        "jiang": _won({0: "25588m 258p"}, {0: "pong 222m from 1, pong 888s from 2"}),
        "melded": _won(
            {0: "5p"}, {0: "chow 123m, pong 111z from 2, pong 444z from 1, chow 789p"}, tile=("5p", 1)
        ),
        "golden": _won({0: "11144488p"}, {0: "pong 111m from 2, pong 777s from 1"}, laid={0: "5z 5z 2s 2s"}),
        "flow": _flow(),
    }


def _specials(indicators: tuple[str, ...]) -> Example:
    """Return the laizi and the skins that follow from an indicator."""
    rows: list[Row] = []
    for code in indicators:
        layout = position("PLAYER_DECISION", 0, {}, indicator=code, wall=82)
        specials: dict[str, str] = Match("wuhan_mahjong", layout=layout).view(0)["specials"]
        kinds: dict[str, list[str]] = {}
        for tile, special in specials.items():
            kinds.setdefault(special, []).append(tile)
        groups: list[Group] = [{"pieces": [code], "line": ("table.indicator", {})}]
        groups += [
            {"pieces": [f"{code}:{special}" for code in kinds[special]], "line": (f"special.{special}", {})}
            for special in ("laizi", "skin", "red")
        ]
        rows.append({"groups": groups})
    return {"values": {}, "rows": rows}


def _claims() -> Example:
    """Return what each claim takes from the hand: the tile of another seat is marked."""
    groups: list[Group] = []
    for hand, tile, source, action in (
        ("1359m 569s 1138p 47z", "4m", 3, CHOW + 1),
        ("2479m 569s 1188p 47z", "8p", 2, PONG),
        ("2479m 569s 1888p 47z", "8p", 2, EXPOSED),
    ):
        layout = position("WAITING_RESPONSE", 0, {0: hand}, last_discard=[ids(tile)[0], source], wall=60)
        match = Match("wuhan_mahjong", layout=layout)
        match.act(0, action)
        meld = match.view(0)["melds"][0][0]
        mark = [meld["tiles"].index(tile)]
        groups.append({"line": (f"meld.{meld['type']}", {}), "pieces": meld["tiles"], "mark": mark})
    return {"values": {}, "rows": [{"groups": groups}]}


def _kongs() -> Example:
    """Return what each special kong multiplies the fan by."""
    groups: list[Group] = []
    for action, key in ((KONG_RED, "red"), (KONG_SKIN, "skin"), (KONG_LAZY, "lazy")):
        layout = position("PLAYER_DECISION", 0, {0: "279m 23s 1138p 2467z 5z"}, indicator="2s", wall=60)
        match = Match("wuhan_mahjong", layout=layout)
        before = match.view(0)["fans"][0]
        play(match, [action])
        view = match.view(0)
        tile = _shown(view["laid"][0][0]["tile"], view["specials"])
        times = f"×{view['fans'][0] // before}"
        groups.append({"pieces": [tile], "line": (f"call.kong_{key}", {}), "note": times})
    return {"values": {}, "rows": [{"groups": groups}]}


def _won(
    hands: Mapping[int, str],
    melds: Mapping[int, str],
    laid: Mapping[int, str] | None = None,
    tile: tuple[str, int] | None = None,
) -> Example:
    """Return a winning hand with its patterns, and what everyone pays."""
    if tile is None:
        layout = position("PLAYER_DECISION", 0, hands, melds, laid=laid)
    else:
        layout = position(
            "WAITING_RESPONSE", 0, hands, melds, laid=laid, last_discard=[ids(tile[0])[0], tile[1]], wall=50
        )
    match = Match("wuhan_mahjong", layout=layout)
    play(match, [WIN])
    view = match.view(0)
    end = view["result"]
    concealed = [_shown(CODES[t], view["specials"]) for t in ids(hands[0])]
    groups: list[Group] = [{"pieces": meld["tiles"]} for meld in view["melds"][0]]
    groups.append({"pieces": [*concealed]})
    if tile is not None:
        groups.append({"pieces": [tile[0]], "mark": [0]})
    for kong in view["laid"][0]:
        tile_of = _shown(kong["tile"], view["specials"])
        groups.append({"pieces": [tile_of] * kong["count"], "note": f"×{kong['fan']}"})
    head = (end["headline"][0], end["headline"][1])
    rows: list[Row] = [{"line": head, "groups": groups}, *_payments(end)]
    if end["golden"] is not None:
        rows.append({"line": ("table.golden_raise", {"cap": view["options"]["cap"], "n": end["golden"]})})
    if end["contractor"] is not None:
        rows.append({"line": ("table.contract", {"who": {"seat": end["contractor"]}, "n": end["deltas"][0]})})
    values: dict[str, int | Who] = {"won": end["deltas"][0], "dealer": {"seat": view["dealer"]}}
    return {"values": values, "rows": rows}


def _payments(end: Mapping[str, Any]) -> list[Row]:
    rows: list[Row] = []
    for payment in end["payments"]:
        terms = [
            (
                f"table.factor.{one['of']}",
                {"n": one["n"], **({"who": {"seat": one["seat"]}} if "seat" in one else {})},
            )
            for one in payment["factors"]
        ]
        key = (
            "table.pays_to"
            if end["winner"] is None
            else "table.pays"
            if end["contractor"] is None
            else "table.share"
        )
        row: Row = {
            "line": (key, {"who": {"seat": payment["from"]}, "whom": {"seat": payment["to"]}}),
            "terms": terms,
            "total": payment["raw"],
        }
        if payment["paid"] != payment["raw"]:
            row["paid"] = payment["paid"]
        rows.append(row)
    return rows


def _shown(code: str, specials: Mapping[str, str]) -> str:
    """Return a tile with what it is in this hand, if it is special."""
    return f"{code}:{specials[code]}" if code in specials else code


def _flow() -> Example:
    """Return a hand that nobody won: who was ready, and what is paid."""
    hands = {0: "88m 45p 789p", 1: "1369m 147s 1258p 246z"}
    layout = position(
        "PLAYER_DECISION",
        1,
        hands,
        {0: "chow 123m from 3, pong 111z from 2"},
        wall=0,
    )
    match = Match("wuhan_mahjong", layout=layout)
    play(match, [match.legal(match.seat)[0]])
    end = match.view(0)["result"]
    head = (end["headline"][0], end["headline"][1])
    melds: list[Group] = [{"pieces": meld["tiles"]} for meld in match.view(0)["melds"][0]]
    hand: Group = {"pieces": [CODES[t] for t in ids(hands[0])]}
    return {
        "values": {"won": end["deltas"][0]},
        "rows": [{"line": head, "groups": [*melds, hand]}, *_payments(end)],
    }
