"""Xianqi: what a seat may see, as JSON (`view`), and what just happened (`narrate`).

Both are built up from nothing, so that a new field of the state stays secret until it is copied
here. The settlement is told payment by payment; the sums of the rules (`parts`) are
authoritative, and a test compares the two.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from qipai.core import NOBODY, Event, State, copy_state
from qipai.core.errors import BadSeats
from qipai.core.rule import plain_function

from .lines import line
from .options import OPTIONS
from .rules import advance, apply, dog_power, legal
from .settle import chips_due
from .state import (
    ACTIONS,
    ALL_PILLARS,
    B_GOU,
    BUCKLE,
    BUCKLE_DECISION,
    CARDS,
    CERAMIC,
    COVER,
    DOG_PAIR,
    END_NONE,
    ENOUGH,
    FINISHED,
    NONE,
    PASS,
    PLAY_POWER,
    PLAY_SIZE,
    PLAY_TYPE,
    PLAYS,
    R_GOU,
    REVEAL,
    REVEAL_DECISION,
    SEATS,
    SETTLEMENT,
    TYPES,
    Phase,
)

PHASES = {int(p): p.name.lower() for p in Phase}
ENDS = (None, "ceramic", "two_enough", "exhausted", "buckled", "black")

Fields = dict[str, Any]


def _cards_of_play(play: int) -> dict[str, int]:
    if play == DOG_PAIR:
        return {CARDS[R_GOU]: 1, CARDS[B_GOU]: 1}
    return {CARDS[int(PLAY_TYPE[play])]: int(PLAY_SIZE[play])}


_PLAYED = tuple(tuple(_cards_of_play(p).items()) for p in range(PLAYS))
_DOG_POWERS = [plain_function(dog_power)(SimpleNamespace(dog_pair=option)) for option in (0, 1)]
_POWERS = tuple(  # by the option dog_pair
    tuple(dog if p == DOG_PAIR else int(PLAY_POWER[p]) for p in range(PLAYS)) for dog in _DOG_POWERS
)
_GOALS = {"enough": ENOUGH, "ceramic": CERAMIC}


def _due_by_pillars(eight: int, limits: int) -> tuple[int, ...]:
    options = SimpleNamespace(eight_pillars=eight, first_game_limits=limits)
    return tuple(plain_function(chips_due)(options, pillars) for pillars in range(ALL_PILLARS + 1))


_DUE = tuple(tuple(_due_by_pillars(eight, limits) for limits in (0, 1)) for eight in (0, 1))
_SHOW = tuple((o.name, {n: o.show(n) for n in range(-1, 4)}) for o in OPTIONS)


def view(s: State, seat: int) -> dict[str, Any]:
    """Return what `seat` (or a watcher, -1) may see (§7). A finished hand opens everything."""
    _check_seat(seat)
    f = _fields(s)
    over = f["phase"] == FINISHED
    decider = f["seat"]
    seen: dict[str, Any] = {
        "phase": PHASES[f["phase"]],
        "viewer": seat,
        "seats": SEATS,
        "decider": _seat(decider),
        "first": f["first"],
        "options": {name: shown[f[name]] for name, shown in _SHOW},
        "hand_counts": f["held"].tolist(),
        "pillars": f["pillars"].tolist(),
        "goals": dict(_GOALS),
        # each seat below enough, to this seat
        "pays": {goal: _due(f, pillars) for goal, pillars in _GOALS.items()},
        "powers": list(_POWERS[f["dog_pair"]]),  # of every play, by number
        "kind": f["kind"],
        "best": None if f["owner"] == NONE else {"seat": f["owner"], "power": f["best"]},
        "rounds": _closed_rounds(f, seat, over),
        "round": _running_round(f, seat),
        "buckler": _seat(f["buckler"]),
        "pending": f["pending"].tolist()[2 - f["asked"] :] if f["asked"] else [],
        "active_revealer": _seat(f["active"]),
        "challenger": _seat(f["challenger"]),
        "relations": _relations(f),
        "unbuckled": [k for k in range(SEATS) if f["unbuckled"] >> k & 1],
        "barred": [k for k in range(SEATS) if _bar(f, k)],
        "stakes": _stakes(s) if f["phase"] in (BUCKLE_DECISION, REVEAL_DECISION) else None,
        "end": ENDS[f["end"]],
    }
    if seat != NOBODY:
        seen["hand"] = _named(f["hand"][seat].tolist())
        seen["covered"] = _covered(f, seat)
        seen["picked"] = _unpacked(f["under"].tolist()[f["closed"]][seat]) if _covering(f, seat) else []
        seen["legal"] = _legal(s) if seat == decider else []
    if over:
        seen["hands"] = [_named(hand) for hand in f["hand"].tolist()]
        seen["covers"] = [_covered(f, k) for k in range(SEATS)]
        enough, reveal, ceramic = f["parts"].tolist()
        seen["settlement"] = {
            "enough": enough,
            "reveal": reveal,
            "ceramic": ceramic,
            "payoff": f["payoff"].tolist(),
            "reasons": _reasons(f),
            "lines": [list(found) for event in ending(s) if (found := line(event))],
        }
    return seen


def narrate(before: State, action: int, seat: int) -> list[Event]:
    """Return what `action` causes from `before`, as `seat` (or a watcher) may know it.

    A covered piece gives no event, not even to its owner, before the cover is complete.
    """
    _check_seat(seat)
    after = copy_state(before)
    apply(after, action)
    f, g = _fields(before), _fields(after)
    actor = f["seat"]
    events: list[Event] = []
    if action < PLAYS:
        events.append(_play_event(f, actor, action))
    elif action == BUCKLE:
        events.append({"event": "buckle", "seat": actor, "asked": g["pending"].tolist()})
    elif action == REVEAL:
        link = _relations(g)[-1]
        events.append(
            {"event": "reveal", "seat": actor, "buckler": link["buckler"], "was_enough": link["was_enough"]}
        )
    elif action == PASS:
        events.append({"event": "pass", "seat": actor, "asked": f["phase"] == REVEAL_DECISION})
    elif g["entry"][f["closed"], actor] == COVER:
        event = {"event": "cover", "seat": actor, "count": f["kind"]}
        if seat == actor:
            event["cards"] = _counted(_unpacked(int(g["under"][f["closed"], actor])))
        events.append(event)
    if g["closed"] > f["closed"]:
        kind, winner = int(g["kinds"][f["closed"]]), int(g["winners"][f["closed"]])
        pillars = g["pillars"].tolist()
        events.append(
            {"event": "round", "round": f["closed"], "winner": winner, "kind": kind, "pillars": pillars}
        )
    if g["end"] != END_NONE:
        events += ending(after)
    return events


def ending(s: State) -> list[Event]:
    """Return why a finished hand ended and how it is settled, payment by payment (§8)."""
    f = _fields(s)
    events: list[Event] = [{"event": "end", "reason": ENDS[f["end"]], "pillars": f["pillars"].tolist()}]
    events += _reasons(f)
    enough, reveal, ceramic = f["parts"].tolist()
    payoff = f["payoff"].tolist()
    parts = {"enough": enough, "reveal": reveal, "ceramic": ceramic}
    return [*events, {"event": "settlement", **parts, "payoff": payoff}]


def _check_seat(seat: int) -> None:
    if not isinstance(seat, int | np.integer) or isinstance(seat, bool) or not NOBODY <= seat < SEATS:
        raise BadSeats(f"a xianqi table has seats 0 to {SEATS - 1}, and -1 for a watcher")


def _fields(s: State) -> Fields:
    """Return the state's fields; scalars as Python numbers, arrays as they are."""
    return dict(zip(s.dtype.names or (), s.item(), strict=True))


def _seat(seat: int) -> int | None:
    return None if seat == NOBODY else seat


def _named(counts: list[int]) -> dict[str, int]:
    return {CARDS[t]: n for t, n in enumerate(counts) if n > 0}


def _unpacked(packed: int) -> list[str]:
    """Return the cards of a cover in the order of their types, unpacked as §10.2 says."""
    cards = []
    while packed > 0:
        cards.append(CARDS[(packed & 15) - 1])
        packed >>= 4
    return cards


def _counted(cards: list[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for card in cards:
        counts[card] = counts.get(card, 0) + 1
    return counts


def _covering(f: Fields, seat: int) -> bool:
    return bool(f["picked"] > 0 and f["seat"] == seat)


def _covered(f: Fields, seat: int) -> dict[str, int]:
    """Return the cards of `seat` in complete covers, summed by type."""
    counts = [0] * TYPES
    for entry, packed in zip(f["entry"][:, seat].tolist(), f["under"][:, seat].tolist(), strict=True):
        if entry == COVER:
            while packed > 0:
                counts[(packed & 15) - 1] += 1
                packed >>= 4
    return _named(counts)


def _closed_rounds(f: Fields, seat: int, over: bool) -> list[dict[str, Any]]:
    rounds = []
    lead = f["first"]
    kinds, winners = f["kinds"].tolist(), f["winners"].tolist()
    for r in range(f["closed"]):
        entries = _entries(f, r, lead, kinds[r], seat, over)
        rounds.append({"lead": lead, "kind": kinds[r], "winner": winners[r], "entries": entries})
        lead = winners[r]
    return rounds


def _running_round(f: Fields, seat: int) -> dict[str, Any] | None:
    if f["seat"] == NOBODY:
        return None
    lead = f["buckler"] if f["buckler"] != NONE else (f["seat"] - f["acted"]) % SEATS
    entries = _entries(f, f["closed"], lead, f["kind"], seat, False) if f["acted"] else []
    return {"lead": lead, "kind": f["kind"], "winner": None, "entries": entries}


def _entries(f: Fields, r: int, lead: int, kind: int, seat: int, over: bool) -> list[dict[str, Any]]:
    """Return what each seat laid down in round `r`, in order of play."""
    powers = _POWERS[f["dog_pair"]]
    row, under = f["entry"][r].tolist(), f["under"][r].tolist()
    entries: list[dict[str, Any]] = []
    for k in range(SEATS):
        who = (lead + k) % SEATS
        if row[who] == COVER:
            entry: dict[str, Any] = {"seat": who, "power": -1, "covered_count": kind}
            if over or who == seat:
                entry["cards"] = _counted(_unpacked(under[who]))
            entries.append(entry)
        elif row[who] != NONE:
            play = row[who]
            entries.append({"seat": who, "power": powers[play], "cards": dict(_PLAYED[play])})
    return entries


def _relations(f: Fields) -> list[dict[str, Any]]:
    """Return who revealed against whom (§6.1), in order, unpacked as `settle.link_revealer` does."""
    return [
        {"revealer": x % 3, "buckler": x // 3 % 3, "was_enough": x // 9 % 2 == 1, "round": x // 18}
        for x in f["link"].tolist()[: f["links"]]
    ]


def _stakes(s: State) -> list[int]:
    """Return the chips by seat if the hand ended now, as the rules settle it."""
    end = copy_state(s)
    end["phase"] = SETTLEMENT
    advance(end)
    found: list[int] = end["payoff"].tolist()
    return found


def _legal(s: State) -> list[int]:
    mask = np.zeros(ACTIONS, np.uint8)
    legal(s, mask)
    return [int(a) for a in mask.nonzero()[0]]


def _play_event(f: Fields, actor: int, play: int) -> Event:
    return {
        "event": "play",
        "seat": actor,
        "action": play,
        "cards": dict(_PLAYED[play]),
        "power": _POWERS[f["dog_pair"]][play],
        "lead": f["kind"] == 0,
    }


# --- settlement in words --------------------------------------------------------------


def _reasons(f: Fields) -> list[Event]:
    """Return every payment of the settlement, and every one that is not due, with its reason."""
    pillars = f["pillars"].tolist()
    losers = [k for k in range(SEATS) if pillars[k] < ENOUGH]
    events: list[Event] = []
    for winner in range(SEATS):
        if pillars[winner] >= CERAMIC:
            events += _ceramic_reasons(f, winner, losers)
        elif pillars[winner] >= ENOUGH:
            bar = _bar(f, winner)
            if bar is not None:
                events.append({"event": "barred", "seat": winner, "why": bar})
                continue
            for loser in losers:
                events.append(_payment(loser, winner, _due(f, pillars[winner]), "enough"))
    for link in _relations(f):
        revealer, buckler = link["revealer"], link["buckler"]
        if link["was_enough"]:
            continue
        if pillars[revealer] < ENOUGH:
            events.append(_payment(revealer, buckler, 1, "reveal"))
        else:
            events.append({"event": "spared", "seat": revealer, "buckler": buckler})
    return events


def _ceramic_reasons(f: Fields, winner: int, losers: list[int]) -> list[Event]:
    unit = _due(f, int(f["pillars"][winner]))
    why = "eight" if f["eight_pillars"] and f["pillars"][winner] >= ALL_PILLARS else "ceramic"
    liable = f["liable"]
    if liable == NONE:
        return [_payment(loser, winner, unit, why) for loser in losers]
    return [{**_payment(liable, winner, unit * len(losers), why), "liable": True}]


def _due(f: Fields, pillars: int) -> int:
    """Return what each seat below enough pays a seat with this many pillars, by the rules."""
    return _DUE[f["eight_pillars"]][f["first_game_limits"]][pillars]


def _bar(f: Fields, seat: int) -> str | None:
    """Return why an enough seat collects nothing (§8.1), or None."""
    if any(link["revealer"] == seat and link["was_enough"] for link in _relations(f)):
        return "revealed"
    return "unbuckled" if f["unbuckled"] >> seat & 1 else None


def _payment(payer: int, receiver: int, chips: int, why: str) -> Event:
    return {"event": "pay", "seat": payer, "to": receiver, "chips": chips, "why": why}
