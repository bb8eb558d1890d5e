"""Xianqi's named API: the JSON document of §6.1 next to the state of the rules.

`to_state` gives the rules what they need of a document; after they have changed the state,
`follow` writes into the document what it now says. `public` and `private` are the projections of
§7.1, built up from nothing.

A state made from a document begins its own history: rounds count from 0, and relations stay in
the document until the settlement, since play never looks back at them.
"""

from __future__ import annotations

from typing import Any

from qipai.core import State, copy_state

from .. import settle
from ..state import (
    BUCKLE_DECISION,
    CARDS,
    CERAMIC,
    LINKS,
    NONE,
    PART_CERAMIC,
    PART_ENOUGH,
    PART_REVEAL,
    REVEAL_DECISION,
    SEATS,
)
from ..view import PHASES as PHASE_NAMES
from .combos import CardCounts, blank
from .document import DECIDING, Document
from .ruleset import Rules, differing

NUMBER = {name: number for number, name in PHASE_NAMES.items()}
FLOW = "buckle_flow"
INT8 = 127


def fresh(hands: list[CardCounts], first: int, black: bool, rules: Rules) -> Document:
    """Return the document of a game just dealt (T1, T2)."""
    phase = "settlement" if black else phase_name(BUCKLE_DECISION, rules)
    turn: Document = {
        "current_seat": first,
        "round_index": 0,
        "round_kind": 0,
        "last_combo": None,
        "plays": [],
    }
    reveal: Document = {
        "buckler_seat": None,
        "active_revealer_seat": None,
        "pending_order": [],
        "relations": [],
    }
    if rules["enough_must_buckle"]:
        reveal["no_buckle_seats"] = []
    doc: Document = {
        "version": 1,
        "phase": phase,
        "players": [{"seat": seat, "hand": hand} for seat, hand in enumerate(hands)],
        "turn": turn,
        "decision": None if black else {"seat": first, "context": phase},
        "pillar_groups": [],
        "reveal": reveal,
    }
    if differing(rules):
        doc["rules"] = differing(rules)
    return doc


def phase_name(phase: int, rules: Rules) -> str:
    """Return the name of a phase; under buckle_first two of them share one."""
    merged = phase in (BUCKLE_DECISION, REVEAL_DECISION)
    return FLOW if merged and rules["round_open"] == "buckle_first" else PHASE_NAMES[phase]


# --- document to state ----------------------------------------------------------------


def to_state(doc: Document, rules: Rules) -> State:
    """Return the state of a checked document."""
    s = blank(rules)
    s["entry"] = NONE
    s["winners"] = NONE
    for seat, player in enumerate(doc["players"]):
        hand = player["hand"]
        s["hand"][seat] = [hand.get(code, 0) for code in CARDS]
        s["held"][seat] = min(sum(hand.values()), INT8)
    _place_turn(s, doc)
    _place_reveal(s, doc["reveal"], rules)
    _place_history(s, doc, rules)
    return s


def _place_turn(s: State, doc: Document) -> None:
    turn, phase = doc["turn"], doc["phase"]
    if phase == FLOW:
        phase = "reveal_decision" if doc["reveal"]["pending_order"] else "buckle_decision"
    s["phase"] = NUMBER[phase]
    s["seat"] = turn["current_seat"] if phase in DECIDING else NONE
    running = phase == "in_round" and turn["round_kind"] > 0
    s["kind"] = turn["round_kind"] if running else 0
    s["best"] = turn["last_combo"]["power"] if running else -1
    s["owner"] = turn["last_combo"]["owner_seat"] if running else NONE
    s["acted"] = len(turn["plays"]) if running else 0


def _place_reveal(s: State, reveal: Document, rules: Rules) -> None:
    s["buckler"] = _number(reveal["buckler_seat"])
    s["active"] = _number(reveal["active_revealer_seat"])
    pending = reveal["pending_order"]
    s["asked"] = len(pending)
    s["pending"] = [NONE] * (2 - len(pending)) + pending
    if rules["enough_must_buckle"]:  # without its option the key means nothing and was not checked
        s["unbuckled"] = sum(1 << seat for seat in reveal["no_buckle_seats"])


def _place_history(s: State, doc: Document, rules: Rules) -> None:
    """Set the pillars, and what a ceramic in a revealed round needs to know (§9.1)."""
    started_by = {}
    if rules["reveal_ceramic_liability"]:
        relations = doc["reveal"]["relations"]
        started_by = {x["round_index"]: x["revealer_seat"] for x in relations if "round_index" in x}
    pillars = [0] * SEATS
    liable = NONE
    for group in doc["pillar_groups"]:
        winner = group["winner_seat"]
        before = pillars[winner]
        pillars[winner] += group["round_kind"]
        challenger = started_by.get(group["round_index"], NONE)
        if before < CERAMIC <= pillars[winner] and challenger != winner:
            liable = challenger
    s["pillars"] = pillars
    s["liable"] = liable
    running = doc["phase"] == "in_round"
    s["challenger"] = started_by.get(doc["turn"]["round_index"], NONE) if running else NONE


def _number(seat: int | None) -> int:
    return NONE if seat is None else seat


# --- state to document ----------------------------------------------------------------


def lay_down(doc: Document, s: State, play: Document) -> None:
    """Write a play or a cover that `s` has taken in: the hand and the round (§4.4)."""
    turn, seat, cards = doc["turn"], play["seat"], play["cards"]
    doc["players"][seat]["hand"] = named(s["hand"][seat].tolist())
    turn["plays"].append(play)
    if play["power"] >= 0:
        turn["last_combo"] = {"power": play["power"], "cards": dict(cards), "owner_seat": seat}
        turn["round_kind"] = sum(cards.values())


def close(doc: Document, s: State) -> None:
    """Make a pillar group of the round that `s` has just closed."""
    turn, at = doc["turn"], int(s["closed"]) - 1
    group = {
        "round_index": turn["round_index"],
        "winner_seat": int(s["winners"][at]),
        "round_kind": int(s["kinds"][at]),
        "plays": turn["plays"],
    }
    doc["pillar_groups"].append(group)
    turn["round_index"] += 1
    clear_round(doc)


def clear_round(doc: Document) -> None:
    """Clear the fields of the round, as before a lead."""
    doc["turn"].update(round_kind=0, last_combo=None, plays=[])


def follow(doc: Document, s: State, rules: Rules, stays: int) -> None:
    """Write phase, decider and reveal fields as in `s`; `stays` is the seat kept when nobody decides."""
    seat = int(s["seat"])
    doc["version"] += 1
    doc["phase"] = phase_name(int(s["phase"]), rules)
    doc["turn"]["current_seat"] = stays if seat == NONE else seat
    doc["decision"] = None if seat == NONE else {"seat": seat, "context": doc["phase"]}
    reveal = doc["reveal"]
    reveal["buckler_seat"] = _seat(s["buckler"])
    reveal["active_revealer_seat"] = _seat(s["active"])
    reveal["pending_order"] = s["pending"].tolist()[2 - int(s["asked"]) :]
    if rules["enough_must_buckle"]:
        bits, known = int(s["unbuckled"]), reveal["no_buckle_seats"]
        known += [k for k in range(SEATS) if bits >> k & 1 and k not in known]


def relate(doc: Document, s: State, rules: Rules) -> None:
    """Write the relation that `s` has just taken in."""
    last = int(s["links"]) - 1
    relation: Document = {
        "revealer_seat": int(settle.link_revealer(s, last)),
        "buckler_seat": int(settle.link_buckler(s, last)),
        "revealer_enough_at_time": bool(settle.link_enough(s, last)),
    }
    if rules["reveal_ceramic_liability"]:
        relation["round_index"] = doc["turn"]["round_index"]
    doc["reveal"]["relations"].append(relation)


def chips(s: State, relations: list[Document]) -> list[dict[str, int]]:
    """Return the settlement of a position by the rules (§8): one row per seat.

    A loaded document and the play after it may hold more relations than a state. Those
    that bar are handed over as bars, and the others, each of which is paid by itself, as
    many at a time as the state holds.
    """
    s = copy_state(s)
    barred = {x["revealer_seat"] for x in relations if x["revealer_enough_at_time"]}
    s["unbuckled"] |= sum(1 << seat for seat in barred)
    paid = [x["revealer_seat"] + 3 * x["buckler_seat"] for x in relations if not x["revealer_enough_at_time"]]
    reveal = [0] * SEATS
    for i in range(0, max(len(paid), 1), LINKS):
        part = paid[i : i + LINKS]
        s["links"] = len(part)
        s["link"][: len(part)] = part
        settle.settle(s)
        reveal = [a + b for a, b in zip(reveal, s["parts"][PART_REVEAL].tolist(), strict=True)]
    enough, ceramic = s["parts"][PART_ENOUGH].tolist(), s["parts"][PART_CERAMIC].tolist()
    return [
        {
            "seat": seat,
            "delta": enough[seat] + reveal[seat] + ceramic[seat],
            "delta_enough": enough[seat],
            "delta_reveal": reveal[seat],
            "delta_ceramic": ceramic[seat],
        }
        for seat in range(SEATS)
    ]


def named(counts: list[int]) -> CardCounts:
    """Return counts by type as a card set."""
    return {CARDS[t]: n for t, n in enumerate(counts) if n > 0}


def _seat(number: Any) -> int | None:
    return None if number == NONE else int(number)


# --- projections ----------------------------------------------------------------------


def public(doc: Document, rules: Rules) -> Document:
    """Return what everybody may see (§7.1)."""
    turn, combo, decision, reveal = doc["turn"], doc["turn"]["last_combo"], doc["decision"], doc["reveal"]
    relation_keys = ["revealer_seat", "buckler_seat", "revealer_enough_at_time"]
    if rules["reveal_ceramic_liability"]:
        relation_keys.append("round_index")
    seen: Document = {
        "version": doc["version"],
        "phase": doc["phase"],
        "players": [{"seat": p["seat"], "hand_count": sum(p["hand"].values())} for p in doc["players"]],
        "turn": {
            "current_seat": turn["current_seat"],
            "round_index": turn["round_index"],
            "round_kind": turn["round_kind"],
            "last_combo": None
            if combo is None
            else {"power": combo["power"], "cards": dict(combo["cards"]), "owner_seat": combo["owner_seat"]},
            "plays": [_public_play(play) for play in turn["plays"]],
        },
        "decision": None if decision is None else {"seat": decision["seat"], "context": decision["context"]},
        "pillar_groups": [
            {
                "round_index": group["round_index"],
                "winner_seat": group["winner_seat"],
                "round_kind": group["round_kind"],
                "plays": [_public_play(play) for play in group["plays"]],
            }
            for group in doc["pillar_groups"]
        ],
        "reveal": {
            "buckler_seat": reveal["buckler_seat"],
            "active_revealer_seat": reveal["active_revealer_seat"],
            "pending_order": list(reveal["pending_order"]),
            "relations": [{k: x[k] for k in relation_keys if k in x} for x in reveal["relations"]],
        },
    }
    if rules["enough_must_buckle"]:
        seen["reveal"]["no_buckle_seats"] = list(reveal["no_buckle_seats"])
    if "rules" in doc:
        seen["rules"] = dict(doc["rules"])
    return seen


def _public_play(play: Document) -> Document:
    if play["power"] < 0:
        return {"seat": play["seat"], "power": -1, "covered_count": sum(play["cards"].values())}
    return {"seat": play["seat"], "power": play["power"], "cards": dict(play["cards"])}


def private(doc: Document, seat: int) -> Document:
    """Return what only `seat` may see: its hand, and its covers summed by type."""
    covered = dict.fromkeys(CARDS, 0)
    for holder in (*doc["pillar_groups"], doc["turn"]):
        for play in holder["plays"]:
            if play["seat"] == seat and play["power"] < 0:
                for code, n in play["cards"].items():
                    covered[code] += n
    return {
        "hand": dict(doc["players"][seat]["hand"]),
        "covered": {code: n for code, n in covered.items() if n},
    }
