"""NANA: what a seat may see as JSON (`view`), and what happened (`narrate`).

A view is built from nothing: the viewer's hand, public facts, and what everyone has seen. Numbers
come from the viewer's hand, from `known` and from `removed`; only the first is not public.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from qipai.core import NOBODY, Event, State, copy_state

from . import rules
from .state import (
    CENTRE,
    CENTRE_ACTION,
    CENTRE_SLOT,
    GAME_OVER,
    HAND,
    NUMBERS,
    REASON_CONNECTED,
    REASON_NONE,
    REASON_SEVENS,
    REASON_THREE,
    SEVEN,
    Phase,
)

PHASE_NAMES = {
    Phase.WAITING: "waiting",
    Phase.FLIP_1: "flip-1",
    Phase.FLIP_2: "flip-2",
    Phase.FLIP_3: "flip-3",
    Phase.FAILED: "failed",
    Phase.SUCCESS: "success",
    Phase.GAME_OVER: "game-over",
}
PHASES = tuple(PHASE_NAMES[phase] for phase in Phase)
MODE_NAMES = ("nana", "simple", "spicy")
AFTER_NAMES = ("continue", "pass")
REASON_NAMES = (None, "sevens", "connected", "three-trios", "exhausted", "cap")
WIN_REASONS = (*REASON_NAMES[:4], None, None)
UNCONNECTED = 1 << 1 | 1 << 2 | 1 << 4  # three trios of which no two are connected
KEPT = 4096  # maximum collections whose winning numbers are cached

SLOT_NAMES = tuple(f"h{slot // HAND}.{slot % HAND}" for slot in range(CENTRE_SLOT)) + tuple(
    f"c{i}" for i in range(CENTRE)
)


def slot_name(slot: int) -> str:
    """Return `h1.0` or `c4`: where a card was dealt, never what it is."""
    return SLOT_NAMES[slot]


class Reading:
    """The table as plain numbers, read from the state once."""

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
        """Return every slot that was dealt a card: hands by seat, then the centre."""
        hands = [k * HAND + i for k in range(self.seats) for i in range(self.dealt[k])]
        return hands + [CENTRE_SLOT + i for i in range(self.centre)]

    def is_public(self, slot: int) -> bool:
        """Return whether everyone has seen this dealt slot's number."""
        if slot >= CENTRE_SLOT:
            return bool(self.shown >> (slot - CENTRE_SLOT) & 1)
        seat, i = divmod(slot, HAND)
        return not self.dark_low[seat] <= i < self.dark_high[seat]

    def is_in_play(self, slot: int) -> bool:
        """Return whether this dealt slot still holds its card."""
        if slot >= CENTRE_SLOT:
            return bool(self.lying >> (slot - CENTRE_SLOT) & 1)
        seat, i = divmod(slot, HAND)
        return self.low[seat] <= i < self.high[seat]

    def hand(self, seat: int) -> list[int]:
        """Return the slots of a hand that are in play."""
        return [seat * HAND + i for i in range(self.low[seat], self.high[seat])]

    def hand_names(self, seat: int) -> list[str]:
        """Return the names of these slots."""
        return list(SLOT_NAMES[seat * HAND + self.low[seat] : seat * HAND + self.high[seat]])

    def known(self) -> dict[str, int]:
        """Return the slots in play that everyone has seen (including face-up ones)."""
        found = {}
        for k in range(self.seats):
            base, low, high = k * HAND, self.dark_low[k], self.dark_high[k]
            for i in range(self.low[k], self.high[k]):
                if not low <= i < high:
                    found[SLOT_NAMES[base + i]] = self.card[base + i]
        return found | self._centre_cards(self.lying & self.shown)

    def removed(self) -> dict[str, int]:
        """Return the collected slots and their numbers."""
        found = {}
        for k in range(self.seats):
            base = k * HAND
            for i in (*range(self.low[k]), *range(self.high[k], self.dealt[k])):
                found[SLOT_NAMES[base + i]] = self.card[base + i]
        return found | self._centre_cards(~self.lying)

    def _centre_cards(self, wanted: int) -> dict[str, int]:
        """Return the numbers of a set of centre slots."""
        slots = (CENTRE_SLOT + i for i in range(self.centre) if wanted >> i & 1)
        return {SLOT_NAMES[slot]: self.card[slot] for slot in slots}

    def face_up(self) -> list[dict[str, Any]]:
        """Return the chain: slots and numbers in order."""
        return [{"slot": slot_name(slot), "number": self.card[slot]} for slot in self.chain]


def view(s: State, seat: int) -> dict[str, Any]:
    """Return what `seat` (or a watcher, -1) may see (§9)."""
    table = Reading(s)
    mode, numbers = int(s["mode"]), int(s["numbers"])
    legal = legal_ids(s) if seat >= 0 and int(s["seat"]) == seat else []
    ends = hand_ends(s)
    return {
        "seat": seat if seat >= 0 else None,
        "players": table.seats,
        "mode": MODE_NAMES[mode],
        "after_success": AFTER_NAMES[s["after_success"]],
        "max_turns": int(s["max_turns"]),
        "number_range": {"min": 1, "max": int(s["top"])},
        "numbers": numbers_of(s),
        "phase": PHASES[s["phase"]],
        "current": int(s["current"]),
        "turn": int(s["turn"]),
        "my_hand": [
            {"slot": SLOT_NAMES[x], "number": table.card[x], "face_up": x in table.chain}
            for x in table.hand(seat)
        ]
        if seat >= 0
        else [],
        "hands": [{"seat": k, "slots": table.hand_names(k)} for k in range(table.seats)],
        "ends": ends,
        "dealt": {"hands": table.dealt, "centre": table.centre},
        "centre": [
            {"slot": SLOT_NAMES[x], "present": table.lying >> i & 1 == 1, "face_up": x in table.chain}
            for i, x in enumerate(range(CENTRE_SLOT, CENTRE_SLOT + table.centre))
        ],
        "face_up": table.face_up(),
        "last": last_attempt(s),
        "known": table.known(),
        "removed": table.removed(),
        "collections": collections(s),
        "ways": list(ways_to_win(mode, numbers)),
        "connected": [list(pair) for pair in connected_pairs(mode, numbers)],
        "wins_with": wins_with(s),
        "winner": winner(s),
        "win_reason": WIN_REASONS[s["reason"]],
        "winning": winning_trios(s),
        "end": REASON_NAMES[s["reason"]],
        "cards": open_cards(s, table),
        "legal": legal,
        "shows": slots_shown(legal, int(s["current"]), ends),
    }


def open_cards(s: State, table: Reading) -> dict[str, int] | None:
    """Return every card left on the table once the game is over; None before."""
    if s["phase"] != GAME_OVER:
        return None
    return {slot_name(x): table.card[x] for x in table.slots() if table.is_in_play(x)}


def numbers_of(s: State) -> list[int]:
    """Return the numbers dealt at this table."""
    return list(members(int(s["numbers"])))


@lru_cache(KEPT)
def members(numbers: int) -> tuple[int, ...]:
    """Return the numbers of a set, ascending."""
    return tuple(n for n in range(1, NUMBERS + 1) if numbers >> n & 1)


def last_attempt(s: State) -> dict[str, Any] | None:
    """Return the last settled attempt: whose it was and which slots it showed."""
    if s["last_by"] == NOBODY:
        return None
    return {"by": int(s["last_by"]), "slots": [slot_name(x) for x in s["last"].tolist() if x >= 0]}


def collections(s: State) -> list[list[int]]:
    """Return by seat the numbers in order of collection."""
    trios = int(s["trios"])
    pairs = list(zip(s["taker"].tolist()[:trios], s["taken"].tolist()[:trios], strict=True))
    return [[n for who, n in pairs if who == k] for k in range(int(s["seats"]))]


def winner(s: State) -> int | None:
    """Return the winning seat, or None."""
    return int(s["winner"]) if s["winner"] != NOBODY else None


# --- what may be shown ----------------------------------------------------------------


def legal_ids(s: State) -> list[int]:
    """Return the legal actions of the seat to move, ascending; none between decisions."""
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


def hand_ends(s: State) -> list[list[str]]:
    """Return by seat the slots of head and tail; empty if no card is face down."""
    head, tail = s["head"].tolist(), s["tail"].tolist()
    return [
        [slot_name(k * HAND + head[k]), slot_name(k * HAND + tail[k] - 1)] if head[k] < tail[k] else []
        for k in range(int(s["seats"]))
    ]


def slots_shown(legal: list[int], current: int, ends: list[list[str]]) -> dict[str, list[int]]:
    """Return by slot the legal actions that turn it up."""
    found: dict[str, list[int]] = {}
    for action in legal:
        if action >= CENTRE_ACTION:
            slot = slot_name(CENTRE_SLOT + action - CENTRE_ACTION)
        else:
            slot = ends[(current + (action >> 1)) % len(ends)][action & 1]
        found.setdefault(slot, []).append(action)
    return found


# --- winning --------------------------------------------------------------------------


def wins_with(s: State) -> list[list[int]]:
    """Return by seat the numbers in play whose trio would win immediately."""
    mode, left = int(s["mode"]), int(s["numbers"])
    won = s["won"].tolist()[: int(s["seats"])]
    for held in won:
        left &= ~held
    return [list(winning_numbers(mode, held, left)) for held in won]


@lru_cache(KEPT)
def winning_numbers(mode: int, won: int, left: int) -> tuple[int, ...]:
    """Return the numbers of the set `left` that win for a collection, also a set of numbers (§7)."""
    found = (n for n in range(1, NUMBERS + 1) if left >> n & 1)
    return tuple(n for n in found if rules.win_reason(mode, won | 1 << n) != REASON_NONE)


@lru_cache(KEPT)
def connected_pairs(mode: int, numbers: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs of a set of numbers that win as connected in this mode (§7)."""
    held = [n for n in range(1, NUMBERS + 1) if numbers >> n & 1]
    pairs = ((a, b) for i, a in enumerate(held) for b in held[i + 1 :])
    return tuple(p for p in pairs if rules.win_reason(mode, 1 << p[0] | 1 << p[1]) == REASON_CONNECTED)


@lru_cache(KEPT)
def ways_to_win(mode: int, numbers: int) -> tuple[str, ...]:
    """Return the reasons for which a table with these numbers can be won (§7)."""
    found = [REASON_SEVENS] if numbers & SEVEN else []
    if connected_pairs(mode, numbers):
        found.append(REASON_CONNECTED)
    if rules.win_reason(mode, UNCONNECTED) == REASON_THREE:
        found.append(REASON_THREE)
    return tuple(str(REASON_NAMES[reason]) for reason in found)


def winning_trios(s: State) -> dict[str, Any] | None:
    """Return the trios that won, and for connected ones whether their sum or their difference is 7."""
    who = winner(s)
    if who is None:
        return None
    held, reason, link = collections(s)[who], int(s["reason"]), None
    if reason == REASON_SEVENS:
        held = [n for n in held if 1 << n == SEVEN]
    elif reason == REASON_CONNECTED:
        pairs = connected_pairs(int(s["mode"]), int(s["won"][who]))
        a, b = next(pair for pair in pairs if held[-1] in pair)
        held, link = [a, b], "sum" if 1 << (a + b) == SEVEN else "difference"
    return {"numbers": held, "link": link}


# --- narrate --------------------------------------------------------------------------


def narrate(before: State, action: int, seat: int) -> list[Event]:
    """Return what everyone sees when `action` is made in `before`; the same for every seat."""
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
