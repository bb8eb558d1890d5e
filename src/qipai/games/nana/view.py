"""NANA: what a seat may see as JSON (`view`), and what happened (`narrate`).

A view is built from nothing: own hand, public facts, and what everyone has seen. The
numbers come from the own hand, from `known` and from `removed`, all public but the first.
"""

from __future__ import annotations

from typing import Any

from qipai.core import NOBODY, Event, State, copy_state

from . import rules
from .state import CENTRE, CENTRE_ACTION, CENTRE_SLOT, HAND, NUMBERS, Phase

PHASE_NAMES = {
    Phase.WAITING: "waiting",
    Phase.FLIP_1: "flip-1",
    Phase.FLIP_2: "flip-2",
    Phase.FLIP_3: "flip-3",
    Phase.FAILED: "failed",
    Phase.SUCCESS: "success",
    Phase.GAME_OVER: "game-over",
}
MODE_NAMES = ("nana", "simple", "spicy")
AFTER_NAMES = ("continue", "pass")
REASON_NAMES = (None, "sevens", "connected", "three-trios", "exhausted", "cap")
WIN_REASONS = (*REASON_NAMES[:4], None, None)


SLOT_NAMES = tuple(f"h{slot // HAND}.{slot % HAND}" for slot in range(CENTRE_SLOT)) + tuple(
    f"c{i}" for i in range(CENTRE)
)


def slot_name(slot: int) -> str:
    """`h1.0` or `c4`; says where a card was dealt, never what it is."""
    return SLOT_NAMES[slot]


class Reading:
    """The table as plain numbers, read from the record once."""

    def __init__(self, s: State) -> None:
        self.seats = int(s["seats"])
        self.card: list[int] = s["card"].tolist()
        self.dealt: list[int] = s["dealt"].tolist()[: self.seats]
        self.centre = int(s["centre"])
        self.low: list[int] = s["low"].tolist()
        self.high: list[int] = s["high"].tolist()
        self.dark_low: list[int] = s["dark_low"].tolist()
        self.dark_high: list[int] = s["dark_high"].tolist()
        self.lying = int(s["lying"])
        self.shown = int(s["shown"])
        self.chain: list[int] = s["chain"].tolist()[: s["links"]]

    def slots(self) -> list[int]:
        """Every slot that was dealt a card: hands by seat, then the centre."""
        hands = [k * HAND + i for k in range(self.seats) for i in range(self.dealt[k])]
        return hands + [CENTRE_SLOT + i for i in range(self.centre)]

    def is_public(self, slot: int) -> bool:
        """Whether everyone has seen this dealt slot's number."""
        if slot >= CENTRE_SLOT:
            return bool(self.shown >> (slot - CENTRE_SLOT) & 1)
        seat, i = divmod(slot, HAND)
        return not self.dark_low[seat] <= i < self.dark_high[seat]

    def is_in_play(self, slot: int) -> bool:
        """Whether this dealt slot still holds its card."""
        if slot >= CENTRE_SLOT:
            return bool(self.lying >> (slot - CENTRE_SLOT) & 1)
        seat, i = divmod(slot, HAND)
        return self.low[seat] <= i < self.high[seat]

    def hand(self, seat: int) -> list[int]:
        """The slots of a hand that are in play."""
        return [seat * HAND + i for i in range(self.low[seat], self.high[seat])]

    def known(self) -> dict[str, int]:
        """Slots in play that everyone has seen (those face up included)."""
        slots = [x for x in self.slots() if self.is_public(x) and self.is_in_play(x)]
        return {slot_name(slot): self.card[slot] for slot in slots}

    def removed(self) -> dict[str, int]:
        """Collected slots and their numbers."""
        return {slot_name(slot): self.card[slot] for slot in self.slots() if not self.is_in_play(slot)}

    def face_up(self) -> list[dict[str, Any]]:
        """The chain: slots and numbers in order."""
        return [{"slot": slot_name(slot), "number": self.card[slot]} for slot in self.chain]


def view(s: State, seat: int) -> dict[str, Any]:
    """What `seat` (or a watcher, -1) may see. §9"""
    table = Reading(s)
    return {
        "seat": seat if seat >= 0 else None,
        "players": table.seats,
        "mode": MODE_NAMES[s["mode"]],
        "after_success": AFTER_NAMES[s["after_success"]],
        "max_turns": int(s["max_turns"]),
        "number_range": {"min": 1, "max": int(s["top"])},
        "numbers": numbers_of(s),
        "phase": PHASE_NAMES[Phase(int(s["phase"]))],
        "current": int(s["current"]),
        "turn": int(s["turn"]),
        "my_hand": [
            {"slot": slot_name(x), "number": table.card[x], "face_up": x in table.chain}
            for x in table.hand(seat)
        ]
        if seat >= 0
        else [],
        "hands": [{"seat": k, "slots": list(map(slot_name, table.hand(k)))} for k in range(table.seats)],
        "dealt": {"hands": table.dealt, "centre": table.centre},
        "centre": [
            {"slot": slot_name(x), "present": table.is_in_play(x), "face_up": x in table.chain}
            for x in range(CENTRE_SLOT, CENTRE_SLOT + table.centre)
        ],
        "face_up": table.face_up(),
        "last": last_attempt(s),
        "known": table.known(),
        "removed": table.removed(),
        "collections": collections(s),
        "winner": winner(s),
        "win_reason": WIN_REASONS[s["reason"]],
        "end": REASON_NAMES[s["reason"]],
        "cards": open_cards(s, table),
        "legal": legal_ids(s) if seat >= 0 and int(s["seat"]) == seat else [],
    }


def open_cards(s: State, table: Reading) -> dict[str, int] | None:
    """Every card left on the table once the game is over; None before."""
    if s["phase"] != Phase.GAME_OVER:
        return None
    return {slot_name(x): table.card[x] for x in table.slots() if table.is_in_play(x)}


def numbers_of(s: State) -> list[int]:
    """The numbers dealt at this table."""
    numbers = int(s["numbers"])
    return [n for n in range(1, NUMBERS + 1) if numbers >> n & 1]


def last_attempt(s: State) -> dict[str, Any] | None:
    """The last settled attempt: whose it was and which slots it showed."""
    if s["last_by"] == NOBODY:
        return None
    return {"by": int(s["last_by"]), "slots": [slot_name(x) for x in s["last"].tolist() if x >= 0]}


def collections(s: State) -> list[list[int]]:
    """By seat: numbers in order of collection."""
    trios = int(s["trios"])
    pairs = list(zip(s["taker"].tolist()[:trios], s["taken"].tolist()[:trios], strict=True))
    return [[n for who, n in pairs if who == k] for k in range(int(s["seats"]))]


def winner(s: State) -> int | None:
    """The winning seat, or None."""
    return int(s["winner"]) if s["winner"] != NOBODY else None


def legal_ids(s: State) -> list[int]:
    """The legal actions of the seat to decide, ascending; none between decisions."""
    if s["seat"] == NOBODY:
        return []
    seats, current = int(s["seats"]), int(s["current"])
    head, tail = s["head"].tolist(), s["tail"].tolist()
    down = int(s["lying"]) & ~int(s["turned"])
    found = []
    for r in range(seats):
        seat = (current + r) % seats
        if head[seat] < tail[seat]:
            found += [2 * r, 2 * r + 1]
    return found + [CENTRE_ACTION + i for i in range(CENTRE) if down >> i & 1]


# --- narrate --------------------------------------------------------------------------


def narrate(before: State, action: int, seat: int) -> list[Event]:
    """What everyone sees when `action` is made in `before`; the same for every seat."""
    s = copy_state(before)
    by = int(s["current"])
    rules.make(s, action)
    slot = int(s["chain"][s["links"] - 1])
    events: list[Event] = [
        {"type": "reveal", "by": by, "slot": slot_name(slot), "number": int(s["card"][slot])}
    ]
    if s["phase"] == Phase.FAILED:
        events.append({"type": "fail", "by": by})
    elif s["phase"] == Phase.SUCCESS:
        slots = [slot_name(int(x)) for x in s["chain"]]
        events.append({"type": "collect", "by": by, "number": int(s["card"][slot]), "slots": slots})
    else:
        return events
    rules.advance(s)
    if s["winner"] != NOBODY:
        events.append({"type": "win", "player": int(s["winner"]), "reason": REASON_NAMES[s["reason"]]})
    elif s["phase"] == Phase.GAME_OVER:
        events.append({"type": "end", "reason": REASON_NAMES[s["reason"]]})
    elif int(s["current"]) != by:
        events.append({"type": "turn", "player": int(s["current"])})
    return events
