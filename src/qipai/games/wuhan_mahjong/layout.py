"""Wuhan mahjong: custom deals and positions (§11), read with checks and written back.

A layout is `{"deck": [136 kinds], "dealer": seat}` or a position as `dump` writes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qipai.core import NOBODY, State, compile_rules

from .claims import find_claims, find_robbers, flip, is_special, responder
from .errors import BadPosition
from .facts import payment_facts, view_facts
from .observe import shown_phase, shown_seat
from .rules import advance, announce, clear, is_automatic, legal, make, put_down, start
from .score import (
    can_read,
    fan_log,
    golden,
    least_raw,
    raw_payment,
    read_hand,
    seat_waits,
    settle_flow,
    settle_win,
    wall_left,
)
from .state import LOG, MELD_DECISION, PLAYER_DECISION, POOL, WAIT_ROB_KONG, WAITING_RESPONSE, Phase
from .state import State as STATE
from .tiles import (
    BY_DISCARD,
    COPIES,
    DEALT,
    HONOURS,
    KINDS,
    KONG_SELF_DRAW,
    LAID_LAIZI,
    LAID_RED,
    LAID_SKIN0,
    LAID_SKIN1,
    MELDS,
    NONE,
    PASS,
    PONG,
    RED,
    ROB_KONG,
    SEATS,
    SELF_DRAW,
    TILES,
    WALL,
    ActionType,
    WinWay,
)

Layout = Mapping[str, Any]
AGENT_PHASES = ("PLAYER_DECISION", "MELD_DECISION", "WAITING_RESPONSE", "WAIT_ROB_KONG")
MELD_NAMES = {t.name: t for t in list(ActionType)[1:6]}
KEYS = {
    *("dealer", "indicator", "phase", "current", "hands", "melds", "special_kongs", "rivers", "wall"),
    *("win_way", "last_discard", "rob_tile", "options", "partial", "history", "drawn", "answers"),
}


_ready = False


def make_ready() -> None:
    """Compile the rules that Python code calls one by one (nothing happens the second time)."""
    global _ready
    if not _ready:
        used = [clear, flip, is_special, find_claims, find_robbers, responder, wall_left, start, legal, make]
        used += [shown_phase, shown_seat, view_facts, payment_facts, advance, is_automatic]
        used += [put_down, announce]
        used += [can_read, read_hand, seat_waits, least_raw, raw_payment, settle_win, settle_flow, fan_log]
        used += [golden]
        compile_rules(used, STATE, "wuhan_mahjong/api")
        _ready = True


# --- checked reading ------------------------------------------------------------------


def whole(value: Any, low: int, high: int, what: str) -> int:
    """Return a whole number from low to high; raise `BadPosition` otherwise."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise BadPosition(f"{what} must be a whole number from {low} to {high}, not {short(value)}")
    return int(value)


def short(value: Any) -> str:
    """Return a value for a message, shortened."""
    try:
        text = repr(value)
    except Exception:
        text = f"a {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def listed(value: Any, most: int, what: str) -> list[Any]:
    """Return a list (or tuple, or flat array) of at most `most` entries."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, list | tuple) or len(value) > most:
        raise BadPosition(f"{what} must be a list of at most {most}, not {short(value)}")
    return list(value)


def tiles(value: Any, most: int, what: str) -> list[int]:
    """Return a list of tile ids."""
    return [whole(t, 0, KINDS - 1, f"a tile of {what}") for t in listed(value, most, what)]


def by_seat(value: Any, what: str) -> list[Any]:
    """Return a list of four."""
    found = listed(value, SEATS, what)
    if len(found) != SEATS:
        raise BadPosition(f"{what} must be a list of {SEATS}, one per seat")
    return found


def read_meld(value: Any, owner: int) -> tuple[int, int, int]:
    """Return a meld as (type, lowest tile, source)."""
    if not isinstance(value, Mapping):
        raise BadPosition(f"a meld is a mapping with type, tiles and from, not {short(value)}")
    name = value.get("type")
    if not isinstance(name, str) or name.upper() not in MELD_NAMES:
        raise BadPosition(f"a meld's type must be one of {', '.join(MELD_NAMES)}, not {short(name)}")
    kind = MELD_NAMES[name.upper()]
    found = sorted(tiles(value.get("tiles"), COPIES, "a meld"))
    low = found[0] if found else 0
    size = 3 if kind in (ActionType.CHOW, ActionType.PONG) else COPIES
    run = list(range(low, low + 3)) if low < HONOURS and low % 9 < 7 else []
    if found != (run if kind == ActionType.CHOW else [low] * size):
        raise BadPosition(f"{found} is not a {kind.name}")
    source = value.get("from")
    if source is None or kind == ActionType.KONG_CONCEALED:
        source = owner
    return int(kind), low, whole(source, 0, SEATS - 1, "a meld's source")


def read_deck(value: Any) -> list[int]:
    """Return 136 tile ids, four of each kind."""
    deck = tiles(value, TILES, "the deck")
    if len(deck) != TILES or any(deck.count(t) != COPIES for t in range(KINDS)):
        raise BadPosition(f"a deck holds {TILES} tiles, {COPIES} of each kind")
    return deck


# --- laying out -----------------------------------------------------------------------


def lay_out(s: State, layout: Layout) -> None:
    """Fill `s` (with options and generator set) with a deal or a complete position."""
    make_ready()
    if "deck" in layout:
        _lay_deck(s, layout)
    else:
        if layout.get("partial"):
            raise BadPosition("a partial position can only be queried, not played")
        if layout.get("options"):
            raise BadPosition("options belong to the match, not to its position")
        fill(s, layout)
        _check_complete(s)
        _check_window(s, layout)


def _lay_deck(s: State, layout: Layout) -> None:
    extra = set(layout) - {"deck", "dealer"}
    if extra:
        raise BadPosition(f"a deal has a deck and a dealer, but no {short(sorted(map(str, extra))[0])}")
    deck = read_deck(layout["deck"])
    dealer = layout.get("dealer")
    if dealer is None:
        dealer = max(int(s["first_dealer"]), 0)
    s["dealer"] = whole(dealer, 0, SEATS - 1, "the dealer")
    s["wall"] = deck
    clear(s)


def fill(s: State, layout: Layout, partial: bool = False) -> None:
    """Copy a position into `s`; every value is checked, completeness is not."""
    if not isinstance(layout, Mapping):
        raise BadPosition(f"a position is a mapping, not {short(layout)}")
    for key in layout:
        if key not in KEYS:
            raise BadPosition(f"a position has no {short(key)}")
    s["wall"] = NONE
    s["dealer"] = whole(layout.get("dealer", 0 if partial else None), 0, SEATS - 1, "the dealer")
    clear(s)
    flip(s, whole(layout.get("indicator"), 0, KINDS - 1, "the indicator"))
    empty: list[list[int]] = [[] for _ in range(SEATS)]
    for seat, hand in enumerate(by_seat(layout.get("hands", empty if partial else None), "hands")):
        for t in tiles([] if hand is None and partial else hand, 14, "a hand"):
            s["hand"][seat, t] += 1
    for seat, melds in enumerate(by_seat(layout.get("melds", empty), "melds")):
        lay_melds(s, seat, listed(melds, MELDS, "the melds of a seat"))
    for seat, laid in enumerate(by_seat(layout.get("special_kongs", empty), "special_kongs")):
        lay_specials(s, seat, tiles(laid, 16, "special_kongs"))
    _fill_wall(s, layout.get("wall", [] if partial else None), partial)
    _fill_rivers(s, layout, empty)
    _fill_moment(s, layout, partial)
    _fill_history(s, layout.get("history"))


def lay_melds(s: State, seat: int, melds: Sequence[Any]) -> None:
    """Lay the melds of a seat, in claim order."""
    for i, meld in enumerate(melds):
        kind, low, source = read_meld(meld, seat)
        s["meld_type"][seat, i] = kind
        s["meld_tile"][seat, i] = low
        s["meld_from"][seat, i] = source
        s["opens"][seat] += kind != ActionType.KONG_CONCEALED
    s["melds"][seat] = len(melds)


def lay_specials(s: State, seat: int, laid: Sequence[int]) -> None:
    """Lay the special kongs of a seat."""
    columns = {RED: LAID_RED}
    columns[int(s["laizi"])] = LAID_LAIZI
    columns[int(s["skin0"])] = LAID_SKIN0
    columns[int(s["skin1"])] = LAID_SKIN1
    for t in laid:
        if t not in columns:
            raise BadPosition(f"tile {t} is not a special tile with this indicator")
        s["laid"][seat, columns[t]] += 1
        if int(s["laid"][:, columns[t]].sum()) > COPIES:
            raise BadPosition(f"tile {t} lies more than {COPIES} times")


def _fill_wall(s: State, value: Any, partial: bool) -> None:
    if partial and not isinstance(value, list | tuple | np.ndarray):
        s["front"] = TILES - whole(value, 0, TILES, "wall")
        s["back"] = TILES
        return
    wall = tiles(value, WALL, "the wall")
    s["front"] = TILES - len(wall)
    s["back"] = TILES
    s["wall"][TILES - len(wall) :] = wall


def _fill_rivers(s: State, layout: Layout, empty: list[list[int]]) -> None:
    """Fill the rivers; the river of the last discard comes last, so that its tile is the last of the pool."""
    rivers = by_seat(layout.get("rivers", empty), "rivers")
    last = layout.get("last_discard")
    order = list(range(SEATS))
    if last is not None:
        _, seat = pair(last, "last_discard")
        order.remove(seat)
        order.append(seat)
    for seat in order:
        for t in tiles(rivers[seat], POOL, "a river"):
            if s["pooled"] >= POOL:
                raise BadPosition(f"the rivers hold at most {POOL} tiles")
            s["pool"][s["pooled"]] = t + 64 * seat
            s["pooled"] += 1
            s["river"][seat, t] += 1


def pair(value: Any, what: str) -> tuple[int, int]:
    """Return [tile, seat]."""
    found = listed(value, 2, what)
    if len(found) != 2:
        raise BadPosition(f"{what} is [tile, seat]")
    return whole(found[0], 0, KINDS - 1, what), whole(found[1], 0, SEATS - 1, what)


def _fill_moment(s: State, layout: Layout, partial: bool) -> None:
    name = layout.get("phase")
    if name not in AGENT_PHASES:
        raise BadPosition(f"phase must be one of {', '.join(AGENT_PHASES)}, not {short(name)}")
    phase = int(Phase[name])
    current = whole(layout.get("current"), 0, SEATS - 1, "current")
    s["phase"] = phase
    s["seat"] = current
    s["turn"] = current
    if phase == PLAYER_DECISION:
        s["win_way"] = read_way(layout.get("win_way") or "SELF_DRAW", (SELF_DRAW, KONG_SELF_DRAW))
        drawn = layout.get("drawn")
        if drawn is not None:
            s["drawn"] = whole(drawn, 0, KINDS - 1, "drawn")
            if s["hand"][current, s["drawn"]] == 0:
                raise BadPosition("the drawn tile is not in the hand")
    elif phase != MELD_DECISION:
        key = "last_discard" if phase == WAITING_RESPONSE else "rob_tile"
        tile, source = pair(layout.get(key), key)
        if source == current:
            raise BadPosition(f"seat {current} is not asked about its own tile")
        s["tile"], s["source"], s["turn"], s["asked"] = tile, source, source, 0
        s["win_way"] = ROB_KONG if phase == WAIT_ROB_KONG else BY_DISCARD
        if not partial:
            _check_claimed_tile(s, phase, tile, source)


def read_way(value: Any, allowed: Sequence[int] = (SELF_DRAW, ROB_KONG, KONG_SELF_DRAW, BY_DISCARD)) -> int:
    """Return a win way by its name."""
    names = [WinWay(w).name for w in allowed]
    if isinstance(value, WinWay):
        value = value.name
    if not isinstance(value, str) or value not in names:
        raise BadPosition(f"a win way here must be one of {', '.join(names)}, not {short(value)}")
    return int(WinWay[value])


def _check_claimed_tile(s: State, phase: int, tile: int, source: int) -> None:
    if phase == WAITING_RESPONSE:
        if s["pooled"] == 0 or int(s["pool"][s["pooled"] - 1]) != tile + 64 * source:
            raise BadPosition("the last discard lies at the end of its seat's river")
        return
    pongs = [
        i
        for i in range(int(s["melds"][source]))
        if s["meld_type"][source, i] == ActionType.PONG and s["meld_tile"][source, i] == tile
    ]
    if not pongs or s["hand"][source, tile] == 0:
        raise BadPosition("the kong seat has a PONG of the announced tile and holds it")


def _fill_history(s: State, value: Any) -> None:
    if value is None:
        return
    for i, entry in enumerate(listed(value, LOG, "history")):
        found = listed(entry, 3, "an entry of the history")
        if len(found) != 3:
            raise BadPosition("an entry of the history is [type, tile, seat]")
        kind = whole(found[0], 0, ActionType.KONG_LAZY, "an action type of the history")
        tile = whole(found[1], 0, KINDS - 1, "a tile of the history")
        seat = whole(found[2], 0, SEATS - 1, "a seat of the history")
        s["log"][i] = kind + 16 * tile + 1024 * seat
        s["logged"] = i + 1


def pieces(s: State) -> list[int]:
    """Return how many of each kind are anywhere on the table."""
    counts = s["hand"].sum(0, dtype=np.int64) + s["river"].sum(0, dtype=np.int64)
    for t in s["wall"][int(s["front"]) : int(s["back"])]:
        counts[t] += 1
    laid = s["laid"].sum(0, dtype=np.int64)
    for column, t in (
        (LAID_RED, RED),
        (LAID_LAIZI, s["laizi"]),
        (LAID_SKIN0, s["skin0"]),
        (LAID_SKIN1, s["skin1"]),
    ):
        counts[t] += laid[column]
    counts[s["indicator"]] += 1
    for seat in range(SEATS):
        for meld in melds_of(s, seat):
            for t in meld["tiles"]:
                counts[t] += 1
    return [int(n) for n in counts]


def _check_complete(s: State) -> None:
    """Raise unless there are four of each kind, hands of the right size, and melds of ordinary tiles."""
    bad = [t for t, n in enumerate(pieces(s)) if n != COPIES]
    if bad:
        raise BadPosition(f"a complete position holds {COPIES} of each kind; not so for {bad[:8]}")
    extra = int(s["source"]) if s["phase"] == WAIT_ROB_KONG else int(s["seat"])
    if s["phase"] == WAITING_RESPONSE:
        extra = NOBODY
    for seat in range(SEATS):
        size = DEALT - 3 * int(s["melds"][seat]) + (seat == extra)
        if int(s["hand"][seat].sum()) != size:
            raise BadPosition(f"seat {seat} holds {int(s['hand'][seat].sum())} tiles, not {size}")
        for meld in melds_of(s, seat):
            if any(is_special(s, t) for t in meld["tiles"]):
                raise BadPosition("special tiles are in no meld")


def _check_window(s: State, layout: Layout) -> None:
    """Raise unless the seat asked is the first with a choice, or the next after those that answered."""
    phase = int(s["phase"])
    given = layout.get("answers") or []
    if phase not in (WAITING_RESPONSE, WAIT_ROB_KONG):
        if given:
            raise BadPosition("answers are given in a window only")
        return
    if phase == WAITING_RESPONSE:
        find_claims(s)
        if wall_left(s) <= 0:
            raise BadPosition("with an empty wall nobody is asked")
    else:
        find_robbers(s)
    answers = {}
    for entry in listed(given, SEATS, "answers"):
        found = listed(entry, 2, "an answer")
        if len(found) != 2:
            raise BadPosition("an answer is [seat, action]")
        answers[whole(found[0], 0, SEATS - 1, "a seat")] = whole(found[1], HONOURS, PASS, "an answer")
    order = [int(responder(s, place, phase)) for place in range(SEATS - 1)]
    everyone = phase == WAITING_RESPONSE and not s["auto_pass"]
    asked = [seat for seat in order if everyone or s["claims"][seat]]
    current = int(s["seat"])
    if current not in asked or set(answers) != set(asked[: asked.index(current)]):
        raise BadPosition(f"current is not the seat to be asked: seat {current}")
    for seat, action in answers.items():
        if not _may_answer(int(s["claims"][seat]), action, phase):
            raise BadPosition("an answer was not possible")
        s["answer"][seat] = action
    s["asked"] = order.index(current)


def _may_answer(claims: int, action: int, phase: int) -> bool:
    if action == PASS:
        return True
    bit = action - KINDS  # chows are bits 0-2, pong 3, exposed kong 4, as in `claims`
    return phase == WAITING_RESPONSE and 0 <= bit <= PONG + 1 - KINDS and bool(claims >> bit & 1)


# --- writing --------------------------------------------------------------------------


def melds_of(s: State, seat: int) -> list[dict[str, Any]]:
    """Return the melds of a seat as §11 writes them."""
    found = []
    for i in range(int(s["melds"][seat])):
        kind, low = ActionType(int(s["meld_type"][seat, i])), int(s["meld_tile"][seat, i])
        if kind == ActionType.CHOW:
            held = [low, low + 1, low + 2]
        else:
            held = [low] * (3 if kind == ActionType.PONG else COPIES)
        found.append({"type": kind.name, "tiles": held, "from": int(s["meld_from"][seat, i])})
    return found


def specials_of(s: State, seat: int) -> list[int]:
    """Return the special kongs of a seat as tile ids."""
    red, laizi, skin0, skin1 = (int(n) for n in s["laid"][seat])
    return [RED] * red + [int(s["laizi"])] * laizi + [int(s["skin0"])] * skin0 + [int(s["skin1"])] * skin1


def hand_of(s: State, seat: int) -> list[int]:
    """Return the concealed tiles of a seat, ascending."""
    return [t for t, n in enumerate(s["hand"][seat].tolist()) for _ in range(n)]


def rivers_of(s: State) -> list[list[int]]:
    """Return the rivers in order of play."""
    rivers: list[list[int]] = [[] for _ in range(SEATS)]
    for packed in s["pool"][: int(s["pooled"])].tolist():
        rivers[packed >> 6].append(packed & 63)
    return rivers


def history_of(s: State) -> list[list[int]]:
    """Return the public actions as [type, tile, seat]."""
    return [[e & 15, e >> 4 & 63, e >> 10] for e in s["log"][: int(s["logged"])].tolist()]


def dump(s: State) -> dict[str, Any]:
    """Return the whole position as `lay_out` reads it (after the end: with the phase it ended in)."""
    phase = int(s["phase"])
    window = phase in (WAITING_RESPONSE, WAIT_ROB_KONG)
    claimed = [int(s["tile"]), int(s["source"])] if window else None
    drawn = int(s["drawn"])
    return {
        "dealer": int(s["dealer"]),
        "indicator": int(s["indicator"]),
        "phase": Phase(phase).name,
        "current": None if s["seat"] == NOBODY else int(s["seat"]),
        "hands": [hand_of(s, seat) for seat in range(SEATS)],
        "melds": [melds_of(s, seat) for seat in range(SEATS)],
        "special_kongs": [specials_of(s, seat) for seat in range(SEATS)],
        "rivers": rivers_of(s),
        "wall": s["wall"][int(s["front"]) : int(s["back"])].tolist(),
        "win_way": WinWay(int(s["win_way"])).name if phase == PLAYER_DECISION else None,
        "last_discard": claimed if phase == WAITING_RESPONSE else None,
        "rob_tile": claimed if phase == WAIT_ROB_KONG else None,
        "options": {},
        "history": history_of(s),
        "drawn": None if drawn == NONE else drawn,
        "answers": [[seat, int(a)] for seat, a in enumerate(s["answer"].tolist()) if a != NONE],
    }


def successor(s: State) -> dict[str, Any]:
    """Return the next dealer: the winner, or after a flow draw the same dealer (§2)."""
    winner = int(s["winner"])
    return {"first_dealer": int(s["dealer"]) if winner == NONE else winner}
