"""Wuhan mahjong: what a seat may see, as JSON (`view`), and what just happened (`narrate`).

Both start from nothing and copy in, so that a new field of the state stays secret until
it is copied here. Tiles are written as text (`5m`); another seat's concealed kong
shows no tile. A window looks like its discard to everyone who is not asked (§8.2), and
answers are told to nobody before they are carried out. A finished hand shows everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from qipai.core import NOBODY, Event, State, copy_state
from qipai.core.errors import BadSeats
from qipai.core.message import Line, list_value, seat_value

from .facts import (
    F_DISCARDS,
    F_FANS,
    F_KONG_FANS,
    F_LACKS,
    F_LAID_FANS,
    F_MELD_FANS,
    F_PHASE,
    F_SEAT,
    F_UNSEEN,
    F_WAITS,
    FACTS,
    LACKS_OPEN,
    LACKS_RED,
    LACKS_SKIN,
    LAID,
    P_BASE,
    P_DEALER,
    P_FROM,
    P_FULL,
    P_HARD,
    P_PAID,
    P_RAW,
    P_TO,
    P_UNOPENED,
    P_WAY,
    PAYMENT,
    PAYMENTS,
    payment_facts,
    view_facts,
)
from .layout import hand_of, history_of, make_ready, melds_of, rivers_of
from .options import OPTIONS
from .rules import advance, is_automatic, legal, make
from .score import fan_log, golden
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
from .tiles import (
    ACTIONS,
    BIG_BITS,
    BY_DISCARD,
    CHOW,
    CODES,
    CONCEALED,
    COPIES,
    EXPOSED,
    KINDS,
    KONG_LAZY,
    KONG_RED,
    LAID_LAIZI,
    LAID_RED,
    LAID_SKIN0,
    MELDS,
    NONE,
    PONG,
    RED,
    ROB_KONG,
    SEATS,
    SUBSTITUTES,
    SUPPLEMENT,
    WIN,
    ActionType,
    WinWay,
    type_names,
)

WINDOWS = (WAITING_RESPONSE, WAIT_ROB_KONG)
TYPE_NAMES = tuple(t.name for t in ActionType)
KIND_NAMES = tuple(name.lower() for name in TYPE_NAMES)
PHASE_NAMES = tuple(p.name for p in Phase)
SPECIALS = ("red", "laizi", "skin", "skin")  # by column of `laid`


def view(s: State, seat: int) -> dict[str, Any]:
    """Return what `seat` (or a watcher, -1) may see."""
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
    special = [CODES[t] for t in (RED, int(s["laizi"]), int(s["skin0"]), int(s["skin1"]))]
    laid: list[list[int]] = s["laid"].tolist()
    seen: dict[str, Any] = {
        "phase": PHASE_NAMES[note[F_PHASE]],
        "viewer": int(seat),
        "seats": SEATS,
        "decider": _seat(decider),
        "dealer": int(s["dealer"]),
        "indicator": CODES[s["indicator"]],
        "laizi": special[LAID_LAIZI],
        "skins": special[LAID_SKIN0:],
        "specials": dict(zip(special, SPECIALS, strict=True)),
        "options": {o.name: o.show(int(s[o.name])) for o in OPTIONS},
        "wall_left": int(s["back"]) - int(s["front"]),
        "hand_counts": [int(n) for n in s["hand"].sum(1)],
        "melds": [_melds(s, k, seat, over, note) for k in range(SEATS)],
        "special_kongs": [[t for t, n in zip(special, row, strict=True) for _ in range(n)] for row in laid],
        "laid": [_laid(k, row, special, note) for k, row in enumerate(laid)],
        "rivers": [_codes(river) for river in rivers_of(s)],
        "fans": note[F_FANS : F_FANS + SEATS],
        "claimed": {"tile": CODES[s["tile"]], "seat": int(s["source"])} if window else None,
        "win_way": None if way == NONE else WinWay(way).name,
        "history": [_entry(entry, seat, over) for entry in history_of(s)],
    }
    if seat != NOBODY:
        seen |= _own(s, seat, special, note)
    if over:
        seen["hands"] = [_codes(hand_of(s, k)) for k in range(SEATS)]
        seen["wall"] = _codes(s["wall"][int(s["front"]) : int(s["back"])].tolist())
        ended = result(s)
        seen["result"] = {**ended, **settlement(s), "headline": _as_json(headline(ended))}
    return seen


def _own(s: State, seat: int, special: list[str], note: list[int]) -> dict[str, Any]:
    """Return what only the viewer sees; `view_facts` fills `note`."""
    drawn = int(s["drawn"])
    answer = int(s["answer"][seat])
    actions = _legal(s) if int(s["seat"]) == seat else []
    leaving = note[F_DISCARDS : F_DISCARDS + KINDS]
    wanted = note[F_WAITS]
    for bits in leaving:
        wanted |= bits
    return {
        "hand": _codes(hand_of(s, seat)),
        "drawn": CODES[drawn] if drawn != NONE and s["turn"] == seat else None,
        "answer": None if answer == NONE else answer,
        "legal": actions,
        "moves": [_move(s, action, special, note) for action in actions],
        "waits": _kinds(note[F_WAITS]),
        "ready_discards": {CODES[t]: _kinds(bits) for t, bits in enumerate(leaving) if bits},
        "unseen": {CODES[t]: note[F_UNSEEN + t] for t in range(KINDS) if wanted >> t & 1},
        "lacks": [] if wanted else _lacks(note[F_LACKS]),
    }


def _lacks(bits: int) -> list[str]:
    """Return what a seat that is not ready has to do first; `shape` if it lacks tiles."""
    found = []
    for bit, name in ((LACKS_OPEN, "open"), (LACKS_RED, "red"), (LACKS_SKIN, "skin")):
        if bits & bit:
            found.append(name)
    return found or ["shape"]


def _move(s: State, action: int, special: list[str], note: list[int]) -> dict[str, Any]:
    """Return a legal action as data: its kind, the tiles it combines, which of them is claimed."""
    kind, tiles, claimed, fan = ActionType.PASS, [], None, None
    if action < CHOW:
        kind, tiles = ActionType.DISCARD, [CODES[action]]
    elif action <= EXPOSED:
        kind, tiles, claimed = _claim(int(s["tile"]), action)
    elif action < CONCEALED:
        kind, tiles = ActionType.KONG_SUPPLEMENT, [CODES[action - SUPPLEMENT]] * COPIES
    elif action < KONG_RED:
        kind, tiles = ActionType.KONG_CONCEALED, [CODES[action - CONCEALED]] * COPIES
    elif action < WIN:
        kind, column = _special_kong(action)
        tiles, fan = [special[column]], note[F_KONG_FANS + column]
    elif action == WIN:
        kind, won = ActionType.WIN, _winning_tile(s)
        tiles = [] if won is None else [won]
    return {"action": action, "kind": KIND_NAMES[kind], "tiles": tiles, "claimed": claimed, "fan": fan}


def _claim(tile: int, action: int) -> tuple[ActionType, list[str], int]:
    """Return the type of a claim of `tile`, its tiles, and the index of the claimed one."""
    if action == PONG:
        return ActionType.PONG, [CODES[tile]] * 3, 0
    if action == EXPOSED:
        return ActionType.KONG_EXPOSED, [CODES[tile]] * COPIES, 0
    at = action - CHOW
    return ActionType.CHOW, _codes(list(range(tile - at, tile - at + 3))), at


def _winning_tile(s: State) -> str | None:
    """Return the tile that completes a winning hand: the claimed one, or the drawn one."""
    tile = int(s["drawn"]) if int(s["tile"]) == NONE else int(s["tile"])
    return None if tile == NONE else CODES[tile]


def _special_kong(action: int) -> tuple[ActionType, int]:
    """Return the type of a special kong, and its column of `laid`."""
    if action == KONG_RED:
        return ActionType.KONG_RED, LAID_RED
    if action == KONG_LAZY:
        return ActionType.KONG_LAZY, LAID_LAIZI
    return ActionType.KONG_SKIN, LAID_SKIN0 + action - KONG_LAZY - 1


def result(s: State) -> dict[str, Any]:
    """Return how a finished hand ended and was settled."""
    won = int(s["phase"]) == WON
    reading, ready = int(s["types"]), int(s["ready"])
    return {
        "winner": int(s["winner"]) if won else None,
        "win_way": WinWay(int(s["win_way"])).name if won else None,
        "from": int(s["source"]) if won and int(s["win_way"]) in (BY_DISCARD, ROB_KONG) else None,
        "types": type_names(reading) if won else [],
        "substitutes": reading >> SUBSTITUTES if won else None,
        "contractor": _seat(int(s["contractor"])),
        "ready": None if won else [bool(ready >> k & 1) for k in range(SEATS)],
        "fans": [1 << int(fan_log(s, k)) for k in range(SEATS)],
        "deltas": [int(p) for p in s["payoff"]],
    }


def headline(ended: Mapping[str, Any]) -> Line:
    """Return the line that says who won, how and with what; or that nobody did, and who was ready."""
    if ended["winner"] is None:
        ready = [seat_value(k) for k, is_ready in enumerate(ended["ready"]) if is_ready]
        return ("end.flow", {"ready": list_value(ready)}) if ready else ("end.flow_none", {})
    types = list_value([(f"type.{name}", {}) for name in ended["types"]])
    source = {} if ended.get("from") is None else {"from": seat_value(ended["from"])}
    way: Line = (f"way.{ended['win_way']}", source)
    return "end.won", {"winner": seat_value(ended["winner"]), "way": way, "types": types}


def settlement(s: State) -> dict[str, Any]:
    """Return the winning tile and every payment of a finished hand, factor by factor.

    Each loser pays its own share here, even if a contract makes one seat pay them all.
    """
    won = int(s["phase"]) == WON
    facts = np.zeros(PAYMENTS * PAYMENT, np.int64)
    count = int(payment_facts(copy_state(s), facts))
    rows = facts.reshape(PAYMENTS, PAYMENT)[:count].tolist()
    full = won and any(row[P_FULL] for row in rows)
    return {
        "tile": _winning_tile(s) if won else None,
        "payments": [_payment(s, row) for row in rows],
        "golden": int(golden(s)) if full else None,
    }


def _payment(s: State, row: list[int]) -> dict[str, Any]:
    raw, paid = row[P_RAW], row[P_PAID]
    return {
        "from": row[P_FROM],
        "to": row[P_TO],
        "factors": _factors(s, row),
        "raw": raw,
        "paid": paid,
        "limit": None if paid == raw else "golden" if row[P_FULL] else "capped",
    }


def _factors(s: State, row: list[int]) -> list[dict[str, Any]]:
    """Return the factors: the base of a win, both fans, and each factor that is not 1."""
    fans = [{"of": "fan", "seat": k, "n": 1 << int(fan_log(s, k))} for k in (row[P_TO], row[P_FROM])]
    base = []
    if int(s["phase"]) == WON:
        base.append({"of": "big" if int(s["types"]) & BIG_BITS else "small", "n": row[P_BASE] // 2})
    way = "discarder" if int(s["win_way"]) == BY_DISCARD else "self_draw"
    doubled = (("hard", P_HARD), (way, P_WAY), ("dealer", P_DEALER), ("unopened", P_UNOPENED))
    more = [{"of": name, "n": row[at] / 2 if row[at] % 2 else row[at] // 2} for name, at in doubled]
    return [*base, *fans, *(factor for factor in more if factor["n"] != 1)]


def narrate(before: State, action: int, seat: int) -> list[Event]:
    """Return what `action` causes from `before`, step by step, as `seat` may know it."""
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
    """Append what the log says beyond `told` entries; return how long it is now."""
    for entry in history_of(s)[told:]:
        kind, tile, who = entry
        event: Event = {"event": KIND_NAMES[kind], "seat": who}
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


def _as_json(value: Any) -> Any:
    """Return a line with lists instead of tuples."""
    if isinstance(value, dict):
        return {key: _as_json(item) for key, item in value.items()}
    return [_as_json(item) for item in value] if isinstance(value, list | tuple) else value


def _check_seat(seat: int) -> None:
    if not isinstance(seat, int | np.integer) or isinstance(seat, bool) or not NOBODY <= seat < SEATS:
        raise BadSeats(f"a mahjong table has seats 0 to {SEATS - 1}, and -1 for a watcher")


def _seat(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def _kinds(bits: int) -> list[str]:
    return [CODES[t] for t in range(KINDS) if bits >> t & 1]


def _codes(tiles: list[int]) -> list[str]:
    return [CODES[t] for t in tiles]


def _melds(s: State, owner: int, seat: int, over: bool, note: list[int]) -> list[dict[str, Any]]:
    found = []
    for i, meld in enumerate(melds_of(s, owner)):
        hidden = meld["type"] == "KONG_CONCEALED" and owner != seat and not over
        tiles = None if hidden else _codes(meld["tiles"])
        fan = note[F_MELD_FANS + MELDS * owner + i]
        found.append({"type": meld["type"], "tiles": tiles, "from": meld["from"], "fan": fan})
    return found


def _laid(seat: int, row: list[int], special: list[str], note: list[int]) -> list[dict[str, Any]]:
    """Return the special kongs of a seat by kind, with what they multiply its fan by."""
    first = F_LAID_FANS + LAID * seat
    return [
        {"tile": special[column], "special": SPECIALS[column], "count": count, "fan": note[first + column]}
        for column, count in enumerate(row)
        if count
    ]


def _entry(entry: list[int], seat: int, over: bool) -> dict[str, Any]:
    kind, tile, who = entry
    hidden = tile == HIDDEN or (kind == ActionType.KONG_CONCEALED and who != seat and not over)
    return {"type": TYPE_NAMES[kind], "tile": None if hidden else CODES[tile], "seat": who}


def _legal(s: State) -> list[int]:
    mask = np.zeros(ACTIONS, np.uint8)
    legal(s, mask)
    return [int(a) for a in mask.nonzero()[0]]
