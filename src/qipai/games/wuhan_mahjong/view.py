"""Wuhan mahjong: what a seat may see, as JSON (`view`), and what just happened (`narrate`).

Both are built from nothing by copying in, so that a new field of the state stays secret
until someone copies it here. Tiles are written as text (`5m`); another seat's concealed
kong shows no tile. A window looks like its discard to everyone who is not asked (§8.2),
and answers are told to no one before they are carried out. A finished hand opens all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.core import NOBODY, Event, State, copy_state
from qipai.core.errors import BadSeats

from .facts import F_DISCARDS, F_FANS, F_PHASE, F_SEAT, F_WAITS, FACTS, view_facts
from .layout import hand_of, history_of, make_ready, melds_of, rivers_of, specials_of
from .options import OPTIONS
from .rules import advance, is_automatic, legal, make
from .score import fan_log
from .state import (
    DRAWING,
    DRAWING_AFTER_GONG,
    FLOW_DRAW,
    HIDDEN,
    PLAYER_DECISION,
    WAIT_ROB_KONG,
    WAITING_RESPONSE,
    WON,
    Phase,
)
from .tiles import ACTIONS, CODES, KINDS, NONE, SEATS, SUBSTITUTES, ActionType, WinWay, type_names

WINDOWS = (WAITING_RESPONSE, WAIT_ROB_KONG)
TYPE_NAMES = tuple(t.name for t in ActionType)
PHASE_NAMES = tuple(p.name for p in Phase)


def view(s: State, seat: int) -> dict[str, Any]:
    """What `seat` (or a watcher, -1) may see."""
    _check_seat(seat)
    make_ready()
    facts = np.zeros(FACTS, np.int64)
    view_facts(copy_state(s), seat, facts)
    note: list[int] = facts.tolist()
    phase = int(s["phase"])
    over = phase in (WON, FLOW_DRAW)
    decider = note[F_SEAT]
    window = phase in WINDOWS
    way = int(s["win_way"])
    seen: dict[str, Any] = {
        "phase": PHASE_NAMES[note[F_PHASE]],
        "viewer": int(seat),
        "seats": SEATS,
        "decider": _seat(decider),
        "dealer": int(s["dealer"]),
        "indicator": CODES[s["indicator"]],
        "laizi": CODES[s["laizi"]],
        "skins": [CODES[s["skin0"]], CODES[s["skin1"]]],
        "options": {o.name: o.show(int(s[o.name])) for o in OPTIONS},
        "wall_left": int(s["back"]) - int(s["front"]),
        "hand_counts": [int(n) for n in s["hand"].sum(1)],
        "melds": [_melds(s, k, seat, over) for k in range(SEATS)],
        "special_kongs": [_codes(specials_of(s, k)) for k in range(SEATS)],
        "rivers": [_codes(river) for river in rivers_of(s)],
        "fans": note[F_FANS : F_FANS + SEATS],
        "claimed": {"tile": CODES[s["tile"]], "seat": int(s["source"])} if window else None,
        "win_way": None if way == NONE else WinWay(way).name,
        "history": [_entry(entry, seat, over) for entry in history_of(s)],
    }
    if seat != NOBODY:
        seen |= _own(s, seat, note)
    if over:
        seen["hands"] = [_codes(hand_of(s, k)) for k in range(SEATS)]
        seen["wall"] = _codes(s["wall"][int(s["front"]) : int(s["back"])].tolist())
        seen["result"] = result(s)
    return seen


def _own(s: State, seat: int, note: list[int]) -> dict[str, Any]:
    """What only the viewer sees; `note` as `view_facts` fills it."""
    drawn = int(s["drawn"])
    answer = int(s["answer"][seat])
    leaving = note[F_DISCARDS : F_DISCARDS + KINDS]
    return {
        "hand": _codes(hand_of(s, seat)),
        "drawn": CODES[drawn] if drawn != NONE and s["turn"] == seat else None,
        "answer": None if answer == NONE else answer,
        "legal": _legal(s) if int(s["seat"]) == seat else [],
        "waits": _kinds(note[F_WAITS]),
        "ready_discards": {CODES[t]: _kinds(bits) for t, bits in enumerate(leaving) if bits},
    }


def result(s: State) -> dict[str, Any]:
    """How a finished hand ended and was settled."""
    won = int(s["phase"]) == WON
    reading, ready = int(s["types"]), int(s["ready"])
    return {
        "winner": int(s["winner"]) if won else None,
        "win_way": WinWay(int(s["win_way"])).name if won else None,
        "types": type_names(reading) if won else [],
        "substitutes": reading >> SUBSTITUTES if won else None,
        "contractor": _seat(int(s["contractor"])),
        "ready": None if won else [bool(ready >> k & 1) for k in range(SEATS)],
        "fans": [1 << int(fan_log(s, k)) for k in range(SEATS)],
        "deltas": [int(p) for p in s["payoff"]],
    }


def narrate(before: State, action: int, seat: int) -> list[Event]:
    """What `action` brings about from `before`, step by step, as `seat` may know it."""
    _check_seat(seat)
    make_ready()
    s = copy_state(before)
    logged = int(s["logged"])
    make(s, action)
    events: list[Event] = []
    logged = _tell_log(s, logged, seat, events)
    while is_automatic(s):
        phase = int(s["phase"])
        advance(s)
        logged = _tell_log(s, logged, seat, events)
        if phase in (DRAWING, DRAWING_AFTER_GONG) and int(s["phase"]) == PLAYER_DECISION:
            events.append(_draw_event(s, phase, seat))
    if int(s["seat"]) == NOBODY:
        events.append({"event": "end", **result(s), "hands": [_codes(hand_of(s, k)) for k in range(SEATS)]})
    elif int(s["phase"]) in WINDOWS and int(s["seat"]) == seat:
        rob = int(s["phase"]) == WAIT_ROB_KONG
        events.append({"event": "ask", "seat": int(seat), "tile": CODES[s["tile"]], "rob": rob})
    return events


def _tell_log(s: State, told: int, seat: int, events: list[Event]) -> int:
    """Append what the log says beyond `told` entries; how long it is now."""
    for entry in history_of(s)[told:]:
        kind, tile, who = entry
        event: Event = {"event": TYPE_NAMES[kind].lower(), "seat": who}
        shown = kind != ActionType.KONG_CONCEALED or who == seat
        event["tile"] = CODES[tile] if tile != HIDDEN and shown else None
        if kind in (ActionType.CHOW, ActionType.PONG, ActionType.KONG_EXPOSED):
            last = int(s["melds"][who]) - 1
            event["from"] = int(s["meld_from"][who, last])
            event["tiles"] = _codes(melds_of(s, who)[last]["tiles"])
        events.append(event)
    return int(s["logged"])


def _draw_event(s: State, phase: int, seat: int) -> Event:
    who = int(s["seat"])
    event: Event = {"event": "draw", "seat": who, "tail": phase == DRAWING_AFTER_GONG}
    event["tile"] = CODES[s["drawn"]] if who == seat else None
    event["wall_left"] = int(s["back"]) - int(s["front"])
    return event


# --- helpers --------------------------------------------------------------------------


def _check_seat(seat: int) -> None:
    if not isinstance(seat, int | np.integer) or isinstance(seat, bool) or not NOBODY <= seat < SEATS:
        raise BadSeats(f"a mahjong table has seats 0 to {SEATS - 1}, and -1 for a watcher")


def _seat(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def _kinds(bits: int) -> list[str]:
    return [CODES[t] for t in range(KINDS) if bits >> t & 1]


def _codes(tiles: list[int]) -> list[str]:
    return [CODES[t] for t in tiles]


def _melds(s: State, owner: int, seat: int, over: bool) -> list[dict[str, Any]]:
    found = []
    for meld in melds_of(s, owner):
        hidden = meld["type"] == "KONG_CONCEALED" and owner != seat and not over
        tiles = None if hidden else _codes(meld["tiles"])
        found.append({"type": meld["type"], "tiles": tiles, "from": meld["from"]})
    return found


def _entry(entry: list[int], seat: int, over: bool) -> dict[str, Any]:
    kind, tile, who = entry
    hidden = tile == HIDDEN or (kind == ActionType.KONG_CONCEALED and who != seat and not over)
    return {"type": TYPE_NAMES[kind], "tile": None if hidden else CODES[tile], "seat": who}


def _legal(s: State) -> list[int]:
    mask = np.zeros(ACTIONS, np.uint8)
    legal(s, mask)
    return [int(a) for a in mask.nonzero()[0]]
