"""Xianqi's named API: translation between the JSON document of §6.1 and the state of the rules.

`to_state` gives the rules what they need from a document; after they have made an action, `after` makes
the next document from what they report.

A state made from a document begins its own history: rounds count from 0, and relations stay in
the document until the settlement, because play never needs them.
"""

from __future__ import annotations

import numpy as np

from qipai.core import State
from qipai.core.state import States

from ..state import (
    BUCKLE_DECISION,
    CARDS,
    CERAMIC,
    IN_ROUND,
    NONE,
    PART_CERAMIC,
    PART_ENOUGH,
    PART_REVEAL,
    REVEAL,
    REVEAL_DECISION,
    SEATS,
)
from ..view import PHASES as PHASE_NAMES
from . import steps
from .combos import CardCounts, blank, powers
from .document import DECIDING, Document
from .position import Covered, Position
from .ruleset import Rules, differing

NUMBER = {name: number for number, name in PHASE_NAMES.items()}
FLOW = "buckle_flow"
INT8 = 127
AT_A_TIME = 8  # relations passed to the rules at a time


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
    """Return the name of a phase; under buckle_first two of them have the same name."""
    merged = phase in (BUCKLE_DECISION, REVEAL_DECISION)
    return FLOW if merged and rules["round_open"] == "buckle_first" else PHASE_NAMES[phase]


# --- document to state ----------------------------------------------------------------


def to_state(doc: Document, rules: Rules) -> State:
    """Return the state of a checked document."""
    s = blank(rules)
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
    if phase == "in_round" and turn["round_kind"] > 0:
        combo, plays = turn["last_combo"], turn["plays"]
        s["kind"] = turn["round_kind"]
        s["acted"] = min(len(plays), SEATS - 1)  # one more closes the round, however many there are
        if combo is None:  # everything beats; the first seat wins a round of covers
            s["owner"] = plays[0]["seat"] if plays else turn["current_seat"]
        else:
            s["best"], s["owner"] = max(combo["power"], -1), combo["owner_seat"]


def _place_reveal(s: State, reveal: Document, rules: Rules) -> None:
    s["buckler"] = _number(reveal["buckler_seat"])
    s["active"] = _number(reveal["active_revealer_seat"])
    pending = reveal["pending_order"]
    s["asked"] = len(pending)
    s["pending"] = [NONE] * (2 - len(pending)) + pending
    if rules["enough_must_buckle"]:  # without its option the key is ignored and was not checked
        s["unbuckled"] = sum(1 << seat for seat in reveal["no_buckle_seats"])


def _place_history(s: State, doc: Document, rules: Rules) -> None:
    """Set the pillars, and the history that a ceramic in a revealed round needs (§9.1)."""
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


def after(at: Position, action: int, cards: CardCounts, told: list[int]) -> Position:
    """Return the position after an action that the rules have made; `cards` are those laid down."""
    was, rules, seat = at.told, at.rules, at.told[steps.SEAT]
    doc, turn, covered = at.doc.copy(), at.doc["turn"].copy(), at.covered
    if was[steps.KIND] == 0 and told[steps.PHASE] == IN_ROUND:  # T3, T5, T8: a round begins
        turn["round_kind"], turn["last_combo"], turn["plays"] = 0, None, []
    if cards:
        doc["players"] = _with_hand_less(doc["players"], seat, cards)
        power = -1 if action == steps.COVER else powers(rules)[action]
        turn["plays"] = [*turn["plays"], {"seat": seat, "power": power, "cards": cards}]
        if power >= 0:
            turn["last_combo"] = {"power": power, "cards": cards.copy(), "owner_seat": seat}
            turn["round_kind"] = sum(cards.values())
        else:
            covered = _with_cover(covered, seat, cards)
    stays = seat
    if told[steps.CLOSED] > was[steps.CLOSED]:
        stays = told[steps.WINNER]
        doc["pillar_groups"] = [*doc["pillar_groups"], _closed(turn, told)]
    if action == REVEAL:
        doc["reveal"] = _related(doc, told, rules)
    doc["turn"] = turn
    follow(doc, told, rules, stays)
    return Position(doc, rules, told, covered, at.usual)


def settled(at: Position, told: list[int]) -> Position:
    """Return the position after the settlement (T11)."""
    doc = at.doc.copy()
    doc["turn"] = doc["turn"].copy()
    follow(doc, told, at.rules, doc["turn"]["current_seat"])
    return Position(doc, at.rules, told, at.covered, at.usual)


def follow(doc: Document, told: list[int], rules: Rules, stays: int) -> None:
    """Write version, phase, decider and reveal fields; `stays` is the seat to keep if nobody decides."""
    seat = told[steps.SEAT]
    phase = phase_name(told[steps.PHASE], rules)
    doc["version"] += 1
    doc["phase"] = phase
    doc["turn"]["current_seat"] = stays if seat == NONE else seat
    doc["decision"] = None if seat == NONE else {"seat": seat, "context": phase}
    reveal = doc["reveal"].copy()
    buckler, active = told[steps.BUCKLER], told[steps.ACTIVE]
    reveal["buckler_seat"] = None if buckler == NONE else buckler
    reveal["active_revealer_seat"] = None if active == NONE else active
    reveal["pending_order"] = told[steps.PENDING + 2 - told[steps.ASKED] : steps.PENDING + 2]
    if rules["enough_must_buckle"]:
        bits, known = told[steps.UNBUCKLED], reveal["no_buckle_seats"]
        reveal["no_buckle_seats"] = known + [k for k in range(SEATS) if bits >> k & 1 and k not in known]
    doc["reveal"] = reveal


def _with_hand_less(players: list[Document], seat: int, cards: CardCounts) -> list[Document]:
    """Return the players after `seat` has laid down `cards`."""
    players = players.copy()
    player = players[seat] = players[seat].copy()
    hand = player["hand"] = player["hand"].copy()
    for code, n in cards.items():
        if hand[code] == n:
            del hand[code]
        else:
            hand[code] -= n
    return players


def _with_cover(covered: Covered, seat: int, cards: CardCounts) -> Covered:
    """Return the covers with `cards` added to those of `seat`, in order of type."""
    mine = covered[seat]
    sums = {code: mine.get(code, 0) + cards.get(code, 0) for code in CARDS if code in mine or code in cards}
    one, two, three = (sums if k == seat else covered[k] for k in range(SEATS))
    return one, two, three


def _closed(turn: Document, told: list[int]) -> Document:
    """Return the pillar group of the round just closed, and clear the turn for the next (§4.4)."""
    group = {
        "round_index": turn["round_index"],
        "winner_seat": told[steps.WINNER],
        "round_kind": told[steps.WON],
        "plays": turn["plays"],
    }
    turn["round_index"] += 1
    turn["round_kind"], turn["last_combo"], turn["plays"] = 0, None, []
    return group


def _related(doc: Document, told: list[int], rules: Rules) -> Document:
    """Return the reveal fields with the relation just made."""
    relation: Document = {
        "revealer_seat": told[steps.LINK],
        "buckler_seat": told[steps.LINK + 1],
        "revealer_enough_at_time": told[steps.LINK + 2] == 1,
    }
    if rules["reveal_ceramic_liability"]:
        relation["round_index"] = doc["turn"]["round_index"]
    return {**doc["reveal"], "relations": [*doc["reveal"]["relations"], relation]}


# --- settlement -----------------------------------------------------------------------


def chips(states: States, relations: list[Document]) -> list[dict[str, int]]:
    """Return the settlement of a position by the rules (§8): one row per seat.

    A loaded document and the play after it may have more relations than a state can hold. Those
    that bar a seat are passed as bars; the others, each of which is paid separately, a few
    at a time.
    """
    barred = {x["revealer_seat"] for x in relations if x["revealer_enough_at_time"]}
    bars = sum(1 << seat for seat in barred)
    paid = [x["revealer_seat"] + 3 * x["buckler_seat"] for x in relations if not x["revealer_enough_at_time"]]
    out = np.zeros(steps.PARTS, np.int8)
    reveal = [0] * SEATS
    for i in range(0, max(len(paid), 1), AT_A_TIME):
        part = paid[i : i + AT_A_TIME]
        steps.calls().reckon(states, bars, sum(x << (4 * k) for k, x in enumerate(part)), len(part), out)
        parts = out.tolist()
        reveal = [a + b for a, b in zip(reveal, _part(parts, PART_REVEAL), strict=True)]
    enough, ceramic = _part(parts, PART_ENOUGH), _part(parts, PART_CERAMIC)
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


def _part(parts: list[int], part: int) -> list[int]:
    return parts[SEATS * part : SEATS * (part + 1)]
