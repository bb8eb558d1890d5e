"""Xianqi's named API: one position of a game, and its public and private views (§7.1).

A position is immutable: an action makes a new one, which shares the unchanged parts. Every
result is a copy, built up from nothing, that belongs to the caller.
"""

from __future__ import annotations

from typing import Any

from ..state import BUCKLE, CARDS, PASS, PLAYS, REVEAL, REVEAL_DECISION, SEATS
from . import steps
from .combos import PLAY_CARDS, CardCounts, powers
from .document import Document
from .ruleset import Rules

Covered = tuple[CardCounts, CardCounts, CardCounts]  # by seat: its covers, summed by type

KEYS = ["version", "phase", "players", "turn", "decision", "pillar_groups", "reveal"]
TURN_KEYS = ["current_seat", "round_index", "round_kind", "last_combo", "plays"]
COMBO_KEYS = ["power", "cards", "owner_seat"]
PLAY_KEYS = ["seat", "power", "cards"]
GROUP_KEYS = ["round_index", "winner_seat", "round_kind", "plays"]
REVEAL_KEYS = ["buckler_seat", "active_revealer_seat", "pending_order", "relations"]
RELATION_KEYS = ["revealer_seat", "buckler_seat", "revealer_enough_at_time"]

WORDS = {BUCKLE: "BUCKLE", REVEAL: "REVEAL", PASS: "PASS_BUCKLE"}
PASS_REVEAL = "PASS_REVEAL"


class Position:
    """A document of §6.1 with its rules and what the rules report about it."""

    __slots__ = ("covered", "doc", "rules", "told", "usual")

    def __init__(self, doc: Document, rules: Rules, told: list[int], covered: Covered, usual: bool) -> None:
        self.doc = doc
        self.rules = rules
        self.told = told  # as `steps.tell` writes it
        self.covered = covered
        self.usual = usual  # the document has the keys of §6.1 and no others

    def listed(self) -> list[int]:
        """Return the native actions in the order of §6.2, with COVER as the only entry for covers."""
        told = self.told
        return told[steps.LIST : steps.LIST + told[steps.LISTED]]

    def legal(self) -> Document | None:
        """Return the seat that decides with its actions, or None if nobody does."""
        seat = self.told[steps.SEAT]
        return None if seat < 0 else {"seat": seat, "actions": self.actions()}

    def actions(self) -> list[Document]:
        """Return the legal actions as §6.2 writes them."""
        power = powers(self.rules)
        actions: list[Document] = []
        for a in self.listed():
            if a < PLAYS:
                actions.append({"type": "PLAY", "payload_cards": PLAY_CARDS[a].copy(), "power": power[a]})
            elif a == steps.COVER:
                actions.append({"type": "COVER", "required_count": self.told[steps.KIND]})
            elif a == PASS and self.told[steps.PHASE] == REVEAL_DECISION:
                actions.append({"type": PASS_REVEAL})
            else:
                actions.append({"type": WORDS[a]})
        return actions

    def state(self) -> Document:
        """Return the whole document."""
        return copied(self.doc) if self.usual else _copied_whatever(self.doc)

    def public(self) -> Document:
        """Return what everyone may see."""
        doc, rules = self.doc, self.rules
        turn, combo, decision, reveal = doc["turn"], doc["turn"]["last_combo"], doc["decision"], doc["reveal"]
        seen: Document = {
            "version": doc["version"],
            "phase": doc["phase"],
            "players": [{"seat": p["seat"], "hand_count": sum(p["hand"].values())} for p in doc["players"]],
            "turn": {
                "current_seat": turn["current_seat"],
                "round_index": turn["round_index"],
                "round_kind": turn["round_kind"],
                "last_combo": None if combo is None else _copied_combo(combo),
                "plays": _public_plays(turn["plays"]),
            },
            "decision": None
            if decision is None
            else {"seat": decision["seat"], "context": decision["context"]},
            "pillar_groups": [
                {
                    "round_index": group["round_index"],
                    "winner_seat": group["winner_seat"],
                    "round_kind": group["round_kind"],
                    "plays": _public_plays(group["plays"]),
                }
                for group in doc["pillar_groups"]
            ],
            "reveal": {
                "buckler_seat": reveal["buckler_seat"],
                "active_revealer_seat": reveal["active_revealer_seat"],
                "pending_order": reveal["pending_order"].copy(),
                "relations": _public_relations(reveal["relations"], rules),
            },
        }
        if rules["enough_must_buckle"]:
            seen["reveal"]["no_buckle_seats"] = reveal["no_buckle_seats"].copy()
        if "rules" in doc:
            seen["rules"] = doc["rules"].copy()
        return seen

    def private(self, seat: int) -> Document:
        """Return what only `seat` may see: its hand, and its covers summed by type."""
        return {"hand": self.doc["players"][seat]["hand"].copy(), "covered": self.covered[seat].copy()}


def loaded(doc: Document, rules: Rules, told: list[int]) -> Position:
    """Return the position of a checked document."""
    return Position(doc, rules, told, find_covered(doc), is_usual(doc, rules))


def is_usual(doc: Document, rules: Rules) -> bool:
    """Return whether a checked document has the keys of §6.1, in that order, and no others."""
    turn, combo, decision, reveal = doc["turn"], doc["turn"]["last_combo"], doc["decision"], doc["reveal"]
    plays = [play for holder in (turn, *doc["pillar_groups"]) for play in holder["plays"]]
    relation_keys = [*RELATION_KEYS, "round_index"] if rules["reveal_ceramic_liability"] else RELATION_KEYS
    reveal_keys = [*REVEAL_KEYS, "no_buckle_seats"] if rules["enough_must_buckle"] else REVEAL_KEYS
    return (
        list(doc) == (KEYS if "rules" not in doc else [*KEYS, "rules"])
        and all(list(player) == ["seat", "hand"] for player in doc["players"])
        and list(turn) == TURN_KEYS
        and (combo is None or list(combo) == COMBO_KEYS)
        and (decision is None or list(decision) == ["seat", "context"])
        and all(list(group) == GROUP_KEYS for group in doc["pillar_groups"])
        and all(list(play) == PLAY_KEYS for play in plays)
        and list(reveal) == reveal_keys
        and all(list(relation) == relation_keys for relation in reveal["relations"])
    )


def find_covered(doc: Document) -> Covered:
    """Return the covers of each seat, summed by type."""
    found = [dict.fromkeys(CARDS, 0) for _ in range(SEATS)]
    for holder in (*doc["pillar_groups"], doc["turn"]):
        for play in holder["plays"]:
            if play["power"] < 0:
                for code, n in play["cards"].items():
                    found[play["seat"]][code] += n
    one, two, three = ({code: n for code, n in counts.items() if n} for counts in found)
    return one, two, three


# --- copies ---------------------------------------------------------------------------


def copied(doc: Document) -> Document:
    """Return a copy of a document that `is_usual`."""
    turn, combo, decision, reveal = doc["turn"], doc["turn"]["last_combo"], doc["decision"], doc["reveal"]
    copy: Document = {
        "version": doc["version"],
        "phase": doc["phase"],
        "players": [{"seat": p["seat"], "hand": p["hand"].copy()} for p in doc["players"]],
        "turn": {
            "current_seat": turn["current_seat"],
            "round_index": turn["round_index"],
            "round_kind": turn["round_kind"],
            "last_combo": None if combo is None else _copied_combo(combo),
            "plays": _copied_plays(turn["plays"]),
        },
        "decision": None if decision is None else decision.copy(),
        "pillar_groups": [
            {
                "round_index": group["round_index"],
                "winner_seat": group["winner_seat"],
                "round_kind": group["round_kind"],
                "plays": _copied_plays(group["plays"]),
            }
            for group in doc["pillar_groups"]
        ],
        "reveal": {
            "buckler_seat": reveal["buckler_seat"],
            "active_revealer_seat": reveal["active_revealer_seat"],
            "pending_order": reveal["pending_order"].copy(),
            "relations": [relation.copy() for relation in reveal["relations"]],
        },
    }
    if "no_buckle_seats" in reveal:
        copy["reveal"]["no_buckle_seats"] = reveal["no_buckle_seats"].copy()
    if "rules" in doc:
        copy["rules"] = doc["rules"].copy()
    return copy


def _copied_combo(combo: Document) -> Document:
    return {"power": combo["power"], "cards": combo["cards"].copy(), "owner_seat": combo["owner_seat"]}


def _copied_plays(plays: list[Document]) -> list[Document]:
    return [{"seat": x["seat"], "power": x["power"], "cards": x["cards"].copy()} for x in plays]


def _public_plays(plays: list[Document]) -> list[Document]:
    return [
        {"seat": x["seat"], "power": x["power"], "cards": x["cards"].copy()}
        if x["power"] >= 0
        else {"seat": x["seat"], "power": -1, "covered_count": sum(x["cards"].values())}
        for x in plays
    ]


def _public_relations(relations: list[Document], rules: Rules) -> list[Document]:
    keys = [*RELATION_KEYS, "round_index"] if rules["reveal_ceramic_liability"] else RELATION_KEYS
    return [{key: x[key] for key in keys if key in x} for x in relations]


def _copied_whatever(value: Any) -> Any:
    """Return a deep copy of a JSON object or list."""
    if isinstance(value, dict):
        return {key: _copied_whatever(x) if isinstance(x, dict | list) else x for key, x in value.items()}
    return [_copied_whatever(x) if isinstance(x, dict | list) else x for x in value]
