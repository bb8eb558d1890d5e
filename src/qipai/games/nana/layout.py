"""NANA: custom deals and whole positions, checked (`lay_out`), and a state as JSON.

A deal is `{"hands": [[...], ...], "centre": [...]}`; a position is the state of README
§10 with `removed` (collected slots and their numbers). An error leaves the
state unchanged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from qipai.core import NOBODY, State, copy_state
from qipai.core.errors import BadLayout

from . import rules
from .state import (
    CENTRE,
    CENTRE_SLOT,
    COPIES,
    HAND,
    NUMBERS,
    REASON_CAP,
    REASON_EXHAUSTED,
    REASON_NONE,
    SEATS,
    TOP,
    Phase,
)
from .view import (
    AFTER_NAMES,
    MODE_NAMES,
    PHASE_NAMES,
    WIN_REASONS,
    Reading,
    collections,
    last_attempt,
    slot_name,
    winner,
)

DEAL_KEYS = {"hands", "centre", "custom"}
POSITION_KEYS = {
    "game", "players", "mode", "after_success", "first", "max_turns", "number_range", "numbers", "custom",
    "hands", "centre", "dealt", "collections", "current", "phase", "turn", "face_up", "last", "known",
    "removed", "winner", "win_reason",
}  # fmt: skip
PHASES = {name: phase for phase, name in PHASE_NAMES.items()}
CHAIN_SIZES = {
    "flip-1": (0,),
    "flip-2": (1,),
    "flip-3": (2,),
    "failed": (2, 3),
    "success": (3,),
    "game-over": (0,),
}


def state_json(s: State) -> dict[str, Any]:
    """Return the whole state, including hidden numbers: for saving, puzzles and bug reports."""
    table = Reading(s)

    def card(slot: int) -> dict[str, Any]:
        return {"slot": slot_name(slot), "number": table.card[slot], "face_up": slot in table.chain}

    centre = range(CENTRE_SLOT, CENTRE_SLOT + table.centre)
    return {
        "game": "nana",
        "players": table.seats,
        "mode": MODE_NAMES[s["mode"]],
        "after_success": AFTER_NAMES[s["after_success"]],
        "first": int(s["first"]),
        "max_turns": int(s["max_turns"]),
        "number_range": {"min": 1, "max": int(s["top"])},
        "hands": [[card(x) for x in table.hand(k)] for k in range(table.seats)],
        "centre": [card(x) if table.is_in_play(x) else None for x in centre],
        "dealt": {"hands": table.dealt, "centre": table.centre},
        "collections": collections(s),
        "current": int(s["current"]),
        "phase": PHASE_NAMES[Phase(int(s["phase"]))],
        "turn": int(s["turn"]),
        "face_up": table.face_up(),
        "last": last_attempt(s),
        "known": table.known(),
        "removed": table.removed(),
        "winner": winner(s),
        "win_reason": WIN_REASONS[s["reason"]],
    }


def lay_out(s: State, layout: Mapping[str, Any]) -> None:
    """Set up a deal or a position; raise `BadLayout`, and change nothing, if it is invalid."""
    fresh = copy_state(s)
    if "phase" in layout:
        _lay_position(fresh, layout)
    else:
        _lay_deal(fresh, layout)
    for name in s.dtype.names or ():
        s[name] = fresh[name]


def pieces(s: State) -> Any:
    """Return what is conserved from the deal on: the cards, those out of play being the collected ones."""
    table = Reading(s)
    taken = sorted(COPIES * s["taken"].tolist()[: s["trios"]])
    return sorted(table.card[x] for x in table.slots()), sorted(table.removed().values()) == taken


# --- deals ----------------------------------------------------------------------------


def _lay_deal(s: State, layout: Mapping[str, Any]) -> None:
    _known_keys(layout, DEAL_KEYS)
    hands = [_numbers(h, f"hand {k}") for k, h in enumerate(_hands(s, layout))]
    centre = _numbers(layout.get("centre", []), "the centre")
    for k, hand in enumerate(hands):
        if hand != sorted(hand):
            raise BadLayout(f"hand {k} is not sorted")
    _put(s, hands, centre)
    rules.clear(s)


def _put(s: State, hands: Sequence[Sequence[int]], centre: Sequence[int]) -> None:
    """Write a deal's cards and sizes; every number that occurs must occur three times."""
    for k, hand in enumerate(hands):
        if len(hand) > HAND:
            raise BadLayout(f"hand {k} has more than {HAND} cards")
    if len(centre) > CENTRE:
        raise BadLayout(f"the centre has more than {CENTRE} cards")
    count = Counter([n for hand in hands for n in hand] + list(centre))
    if not count:
        raise BadLayout("a deal has at least three cards")
    for n in sorted(count):
        if count[n] != COPIES:
            raise BadLayout(f"number {n} occurs {count[n]} times, not {COPIES}")
    s["card"] = 0
    s["dealt"] = 0
    s["deck"] = 0
    for k, hand in enumerate(hands):
        s["dealt"][k] = len(hand)
        s["card"][k * HAND : k * HAND + len(hand)] = hand
    s["centre"] = len(centre)
    s["card"][CENTRE_SLOT : CENTRE_SLOT + len(centre)] = centre
    s["numbers"] = sum(1 << n for n in count)
    s["top"] = max(int(TOP[s["seats"]]), max(count))


# --- positions ------------------------------------------------------------------------


@dataclass
class _Table:
    """The contents of each slot in a position."""

    number: dict[str, int] = field(default_factory=dict)
    in_play: set[str] = field(default_factory=set)
    chain: list[str] = field(default_factory=list)
    known: set[str] = field(default_factory=set)


def _lay_position(s: State, layout: Mapping[str, Any]) -> None:
    _known_keys(layout, POSITION_KEYS)
    seats = int(s["seats"])
    table = _Table()
    for k, hand in enumerate(_hands(s, layout)):
        for entry in _list(hand, f"hand {k}"):
            _enter(table, entry, f"h{k}.")
    for entry in _list(layout.get("centre", []), "the centre"):
        if entry is not None:
            _enter(table, entry, "c")
    for slot, number in _mapping(layout.get("removed", {}), "removed").items():
        _new_slot(table, slot, number)
    sizes = [_size(table, f"h{k}.") for k in range(seats)]
    centre = _size(table, "c")
    _check_dealt(layout, sizes, centre)
    hands = [[table.number[f"h{k}.{i}"] for i in range(sizes[k])] for k in range(seats)]
    for k, hand in enumerate(hands):
        if hand != sorted(hand):
            raise BadLayout(f"hand {k} is not sorted")
    _put(s, hands, [table.number[f"c{i}"] for i in range(centre)])
    rules.clear(s)
    _read_knowledge(layout, table)
    for k in range(seats):
        _lay_hand(s, table, k, sizes[k])
    for i in range(centre):
        slot = f"c{i}"
        s["lying"] = _with_bit(int(s["lying"]), i, slot in table.in_play)
        s["turned"] = _with_bit(int(s["turned"]), i, slot in table.chain)
        s["shown"] = _with_bit(int(s["shown"]), i, slot in table.known or slot not in table.in_play)
    _lay_collections(s, layout, table)
    _lay_turn(s, layout, table)


def _enter(table: _Table, entry: Any, prefix: str) -> None:
    card = _mapping(entry, "a card")
    slot = card.get("slot")
    _new_slot(table, slot, card.get("number"))
    if not str(slot).startswith(prefix):
        raise BadLayout("a card is in the wrong place")
    table.in_play.add(str(slot))


def _new_slot(table: _Table, slot: Any, number: Any) -> None:
    name = _slot(slot)
    if name in table.number:
        raise BadLayout(f"slot {name} occurs twice")
    table.number[name] = _number(number, f"slot {name}")


def _size(table: _Table, prefix: str) -> int:
    """Return the number of dealt slots with this prefix; they are numbered without gaps."""
    indices = sorted(int(x[len(prefix) :]) for x in table.number if x.startswith(prefix))
    if indices != list(range(len(indices))):
        raise BadLayout(f"the slots {prefix}.. have gaps; `removed` names those that were collected")
    return len(indices)


def _check_dealt(layout: Mapping[str, Any], sizes: list[int], centre: int) -> None:
    dealt = layout.get("dealt")
    if dealt is not None and dealt != {"hands": sizes, "centre": centre}:
        raise BadLayout("`dealt` does not fit the slots in play and removed")


def _read_knowledge(layout: Mapping[str, Any], table: _Table) -> None:
    for slot, number in _mapping(layout.get("known", {}), "known").items():
        if _slot(slot) not in table.in_play or table.number[slot] != number:
            raise BadLayout(f"known: slot {str(slot)[:8]} is not in play with that number")
        table.known.add(slot)
    for entry in _list(layout.get("face_up", []), "face_up"):
        card = _mapping(entry, "a card face up")
        slot = _slot(card.get("slot"))
        if slot not in table.in_play or table.number[slot] != card.get("number") or slot in table.chain:
            raise BadLayout(f"face_up: slot {slot} is not in play with that number")
        table.chain.append(slot)
    table.known.update(table.chain)


def _lay_hand(s: State, table: _Table, k: int, size: int) -> None:
    """Fill in the nested runs of one hand (in play, not face up, never shown)."""
    slots = [f"h{k}.{i}" for i in range(size)]
    s["low"][k], s["high"][k] = _run([x in table.in_play for x in slots], f"hand {k}: the cards in play", 0)
    low, high = int(s["low"][k]), int(s["high"][k])
    down = [x in table.in_play and x not in table.chain for x in slots]
    # If every card is face up the run is empty, and its place does not matter.
    s["head"][k], s["tail"][k] = _run(down, f"hand {k}: the cards not face up", high if low < high else low)
    dark = [x in table.in_play and x not in table.known for x in slots]
    s["dark_low"][k], s["dark_high"][k] = _run(dark, f"hand {k}: the cards never shown", size)


def _run(marks: list[bool], what: str, empty: int) -> tuple[int, int]:
    """Return where the only run of set marks begins and ends."""
    if not any(marks):
        return empty, empty
    low = marks.index(True)
    high = len(marks) - marks[::-1].index(True)
    if not all(marks[low:high]):
        raise BadLayout(f"{what} are not one run")
    return low, high


def _lay_collections(s: State, layout: Mapping[str, Any], table: _Table) -> None:
    gone = {n for slot, n in table.number.items() if slot not in table.in_play}
    if any(table.number[slot] in gone for slot in table.in_play):
        raise BadLayout("a number is only partly collected")
    given = _list(layout.get("collections", [[]] * int(s["seats"])), "collections")
    if len(given) != int(s["seats"]):
        raise BadLayout("collections must have one list per seat")
    for k, numbers in enumerate(given):
        for n in _numbers(numbers, f"collection {k}"):
            if n not in gone:
                raise BadLayout(f"number {n} is collected twice, or its slots are not in `removed`")
            gone.remove(n)
            s["taken"][s["trios"]] = n
            s["taker"][s["trios"]] = k
            s["trios"] += 1
            s["won"][k] |= 1 << n
    if gone:
        raise BadLayout(f"number {min(gone)} is removed and in no collection")


def _lay_turn(s: State, layout: Mapping[str, Any], table: _Table) -> None:
    name = layout["phase"]
    if not isinstance(name, str) or name not in CHAIN_SIZES:
        raise BadLayout(f"phase must be one of {', '.join(CHAIN_SIZES)}")
    chain = [table.number[x] for x in table.chain]
    if len(chain) not in CHAIN_SIZES[name] or len(set(chain[:-1])) > 1:
        raise BadLayout(f"{len(chain)} cards face up do not make the phase {name}")
    if len(chain) > 1 and (chain[-1] != chain[0]) != (name == "failed"):
        raise BadLayout(f"the cards face up do not make the phase {name}")
    s["current"] = _whole(layout.get("current"), "current", 0, int(s["seats"]) - 1)
    s["turn"] = _whole(layout.get("turn", 0), "turn", 0, int(s["max_turns"]))
    for i, slot in enumerate(table.chain):
        s["chain"][i] = _index(slot)
    s["links"] = len(chain)
    _lay_last(s, layout.get("last"))
    s["phase"] = int(PHASES[name])
    s["seat"] = s["current"] if name.startswith("flip") else NOBODY
    if name == "game-over":
        _lay_end(s, layout)
        return
    if s["turn"] >= s["max_turns"] or rules.is_bare(s):
        raise BadLayout("the game would be over: the cap is reached or no card is left")
    for k in range(int(s["seats"])):
        if rules.win_reason(int(s["mode"]), int(s["won"][k])) != REASON_NONE:
            raise BadLayout(f"seat {k} has already won")


def _lay_last(s: State, last: Any) -> None:
    if last is None:
        return
    slots = [_slot(x) for x in _list(_mapping(last, "last").get("slots"), "the slots of last")]
    if not 2 <= len(slots) <= COPIES or len(set(slots)) != len(slots):
        raise BadLayout("the last attempt showed two or three cards")
    s["last_by"] = _whole(last.get("by"), "by", 0, int(s["seats"]) - 1)
    for i, slot in enumerate(slots):
        if s["card"][_index(slot)] == 0 or not Reading(s).is_public(_index(slot)):
            raise BadLayout("the last attempt showed cards that are known or removed")
        s["last"][i] = _index(slot)


def _lay_end(s: State, layout: Mapping[str, Any]) -> None:
    given = layout.get("winner")
    if given is None:
        s["cut"] = s["turn"] >= s["max_turns"]
        s["reason"] = REASON_CAP if s["cut"] else REASON_EXHAUSTED
        if not s["cut"] and not rules.is_bare(s):
            raise BadLayout("a game without a winner ends at the cap or without cards")
        return
    k = _whole(given, "winner", 0, int(s["seats"]) - 1)
    s["winner"] = k
    s["reason"] = rules.win_reason(int(s["mode"]), int(s["won"][k]))
    if s["reason"] == REASON_NONE:
        raise BadLayout(f"the collection of seat {k} does not win")
    s["payoff"][: s["seats"]] = -1
    s["payoff"][k] = int(s["seats"]) - 1


# --- small checks ---------------------------------------------------------------------


def _known_keys(layout: Mapping[str, Any], keys: set[str]) -> None:
    for key in layout:
        if key not in keys:
            raise BadLayout(f"a layout has no key {str(key)[:40]!r}")


def _hands(s: State, layout: Mapping[str, Any]) -> list[Any]:
    seats = int(s["seats"])
    if layout.get("players", seats) != seats:
        raise BadLayout(f"this table has {seats} seats")
    hands = _list(layout.get("hands"), "hands")
    if len(hands) != seats:
        raise BadLayout(f"hands holds {len(hands)} hands for {seats} seats")
    return hands


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise BadLayout(f"{what} must be a list")
    return list(value)


def _mapping(value: Any, what: str) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping):
        raise BadLayout(f"{what} is a mapping")
    return value


def _numbers(value: Any, what: str) -> list[int]:
    return [_number(n, what) for n in _list(value, what)]


def _number(value: Any, what: str) -> int:
    return _whole(value, f"{what}: a number", 1, NUMBERS)


def _whole(value: Any, what: str, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise BadLayout(f"{what} must be a whole number from {low} to {high}")
    return value


def _slot(value: Any) -> str:
    """Return a slot's name in its canonical spelling."""
    if isinstance(value, str) and len(value) <= 6 and value.isascii():
        body = value[1:]
        if value[:1] == "c" and body.isdigit() and f"c{int(body)}" == value and int(body) < CENTRE:
            return value
        seat, dot, i = body.partition(".")
        if value[:1] == "h" and dot and seat.isdigit() and i.isdigit() and f"h{int(seat)}.{int(i)}" == value:
            if int(seat) < SEATS and int(i) < HAND:
                return value
    raise BadLayout("a slot is called h0.0 .. h5.11 or c0 .. c9")


def _index(slot: str) -> int:
    """Return the slot's number in the state."""
    if slot[0] == "c":
        return CENTRE_SLOT + int(slot[1:])
    seat, _, i = slot[1:].partition(".")
    return int(seat) * HAND + int(i)


def _with_bit(bits: int, i: int, on: bool) -> int:
    return bits | 1 << i if on else bits & ~(1 << i)
