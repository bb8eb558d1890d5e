"""Xianqi's named API: the checks of `load_state` on the JSON document of §6.1.

`read` returns a normalised copy of a document (zero counts dropped, a missing
`decision` or `current_seat` derived, `decision` as the phase requires) or raises
InvalidState. It rejects what §6.3 lists, a document that lacks a key of §6.1 or has another type there, and
one that exceeds the limits below; a round with three plays or without a best combo, for example, is accepted.
`strict` adds the invariants of a position reached by play. `mapping.py` translates a document for
the rules.
"""

from __future__ import annotations

from math import isfinite
from typing import Any

from ..state import CARDS, COPIES, SEATS
from .combos import PLAY_OF, is_seat, is_within, powers, read_cards
from .refusals import EngineError, InvalidState
from .ruleset import Rules, differing, read_rules

Document = dict[str, Any]

MAX_NUMBER = (1 << 31) - 1  # versions and round indexes
MAX_POWER = 127  # maximum absolute value
MAX_ENTRIES = 16  # groups, relations, plays of a round
MAX_DEPTH = 24
MAX_NODES = 10_000

DECIDING = ("buckle_decision", "reveal_decision", "in_round", "buckle_flow")
PHASES = (*DECIDING[:3], "settlement", "finished")
CLOCKS = ("started_at_ms", "timeout_at_ms")
GROUP_KEYS = {"round_index", "winner_seat", "round_kind", "plays"}


def read(state: Any, base: Rules, strict: bool) -> tuple[Document, Rules]:
    """Return the document as an engine keeps it, and its rules."""
    doc = _own_copy(state)
    _need(isinstance(doc, dict), "state", "a state is an object")
    rules = _read_rules(doc, base)
    flow = rules["round_open"] == "buckle_first"
    phase = doc.get("phase")
    known = isinstance(phase, str) and (phase in PHASES or (flow and phase == "buckle_flow"))
    _need(known, "phase", "unknown phase")
    _number(doc, "version", "version")
    _read_players(doc)
    _read_turn(doc)
    _read_decision(doc)
    _read_groups(doc)
    _read_reveal(doc, rules)
    if strict:
        _check_strict(doc, rules)
    if doc["phase"] in DECIDING:
        doc["decision"]["context"] = doc["phase"]
    else:
        doc["decision"] = None
    return doc, rules


# --- the copy -------------------------------------------------------------------------


def _own_copy(value: Any) -> Any:
    """Return a deep copy of JSON data; raise for anything else, or for too much of it."""
    left = MAX_NODES

    def copied(item: Any, depth: int) -> Any:
        nonlocal left
        left -= 1
        _need(left >= 0 and depth <= MAX_DEPTH, "state", "the document is too large")
        if item is None or isinstance(item, str | bool):
            return item
        if isinstance(item, int):
            _need(-(1 << 63) <= item < 1 << 63, "state", "a number is too large")
            return item
        if isinstance(item, dict):
            _need(all(isinstance(key, str) for key in item), "state", "keys are text")
            return {key: copied(x, depth + 1) for key, x in item.items()}
        if isinstance(item, list):
            return [copied(x, depth + 1) for x in item]
        _need(isinstance(item, float) and isfinite(item), "state", "the document is not JSON")
        return item

    return copied(value, 0)


# --- the parts ------------------------------------------------------------------------


def _read_rules(doc: Document, base: Rules) -> Rules:
    """Return the rules of a document, or the engine's own if it has none."""
    given = doc.pop("rules", None)
    try:
        rules = base if given is None else read_rules(given)
    except EngineError as error:
        raise InvalidState(f"rules: {error.message}", {"path": "rules"}) from error
    if differing(rules):
        doc["rules"] = differing(rules)
    return rules


def _read_players(doc: Document) -> None:
    players = doc.get("players")
    _need(isinstance(players, list) and len(players) == SEATS, "players", "there are three players")
    for seat, player in enumerate(doc["players"]):
        where = f"players.{seat}"
        _need(isinstance(player, dict), where, "a player is an object")
        _need(is_within(player.get("seat"), seat, seat), where, "players stand in order of seat")
        player["hand"] = read_cards(player.get("hand"), f"{where}.hand")


def _read_turn(doc: Document) -> None:
    turn = doc.get("turn")
    if not isinstance(turn, dict):
        raise InvalidState("turn: not an object", {"path": "turn"})
    decision = doc.get("decision")
    if "current_seat" not in turn and isinstance(decision, dict):
        doc["turn"] = turn = {"current_seat": decision.get("seat"), **turn}
    _need(is_seat(turn.get("current_seat")), "turn.current_seat", "not a seat")
    _number(turn, "round_index", "turn.round_index")
    kind = turn.get("round_kind")
    _need(is_within(kind, 0, 3), "turn.round_kind", "0, 1, 2 or 3")
    _need("last_combo" in turn, "turn.last_combo", "missing")
    _read_plays(turn, "turn.plays")
    _read_last_combo(turn)


def _read_last_combo(turn: Document) -> None:
    combo = turn["last_combo"]
    if combo is None:
        return
    where = "turn.last_combo"
    _need(isinstance(combo, dict), where, "an object or null")
    _read_power(combo, where)
    _need(is_seat(combo.get("owner_seat")), f"{where}.owner_seat", "not a seat")
    combo["cards"] = read_cards(combo.get("cards"), f"{where}.cards")


def _read_plays(holder: Document, where: str) -> None:
    for i, play in enumerate(_short_list(holder, "plays", where)):
        at = f"{where}.{i}"
        _need(isinstance(play, dict), at, "a play is an object")
        _need(is_seat(play.get("seat")), f"{at}.seat", "not a seat")
        _read_power(play, at)
        play["cards"] = read_cards(play.get("cards"), f"{at}.cards")


def _read_power(holder: Document, where: str) -> None:
    power = holder.get("power")
    _need(is_within(power, -MAX_POWER, MAX_POWER), f"{where}.power", "not a power")


def _read_decision(doc: Document) -> None:
    """Check the decision of a deciding phase, or derive it; other phases ignore it."""
    decision = doc.setdefault("decision", None)
    if doc["phase"] not in DECIDING:
        return
    seat = doc["turn"]["current_seat"]
    if decision is None:
        decision = doc["decision"] = {"seat": seat}
    _need(isinstance(decision, dict), "decision", "an object or null")
    _need(is_within(decision.get("seat"), seat, seat), "decision.seat", "not the seat whose turn it is")
    decision.setdefault("context", doc["phase"])


def _read_groups(doc: Document) -> None:
    groups = _short_list(doc, "pillar_groups", "pillar_groups")
    for i, group in enumerate(groups):
        where = f"pillar_groups.{i}"
        _need(isinstance(group, dict), where, "a pillar group is an object")
        _need("pillars" not in group, where, "pillars are computed, never stored")
        _number(group, "round_index", f"{where}.round_index")
        _need(is_seat(group.get("winner_seat")), f"{where}.winner_seat", "not a seat")
        kind = group.get("round_kind")
        _need(is_within(kind, 0, 3), f"{where}.round_kind", "0, 1, 2 or 3")
        _read_plays(group, f"{where}.plays")


def _read_reveal(doc: Document, rules: Rules) -> None:
    reveal = doc.get("reveal")
    if not isinstance(reveal, dict):
        raise InvalidState("reveal: not an object", {"path": "reveal"})
    for key in ("buckler_seat", "active_revealer_seat"):
        _need(key in reveal, f"reveal.{key}", "missing")
        _need(reveal[key] is None or is_seat(reveal[key]), f"reveal.{key}", "a seat or null")
    _need(_is_seat_list(reveal.get("pending_order"), 2), "reveal.pending_order", "up to two different seats")
    relations = _short_list(reveal, "relations", "reveal.relations")
    for i, relation in enumerate(relations):
        where = f"reveal.relations.{i}"
        _need(isinstance(relation, dict), where, "a relation is an object")
        for key in ("revealer_seat", "buckler_seat"):
            _need(is_seat(relation.get(key)), f"{where}.{key}", "not a seat")
        flag = relation.get("revealer_enough_at_time")
        _need(isinstance(flag, bool), f"{where}.revealer_enough_at_time", "true or false")
        if rules["reveal_ceramic_liability"] and "round_index" in relation:
            _number(relation, "round_index", f"{where}.round_index")
    if rules["enough_must_buckle"]:
        seats = reveal.setdefault("no_buckle_seats", [])
        _need(_is_seat_list(seats, SEATS), "reveal.no_buckle_seats", "different seats")


def _short_list(holder: Document, key: str, where: str) -> list[Any]:
    value = holder.get(key)
    if not isinstance(value, list) or len(value) > MAX_ENTRIES:
        raise InvalidState(f"{where}: a list of at most {MAX_ENTRIES}", {"path": where})
    return value


def _number(holder: Document, key: str, where: str) -> None:
    value = holder.get(key)
    _need(is_within(value, 0, MAX_NUMBER), where, f"a whole number from 0 to {MAX_NUMBER}")


def _is_seat_list(value: Any, most: int) -> bool:
    if not isinstance(value, list) or len(value) > most or not all(map(is_seat, value)):
        return False
    return len(set(value)) == len(value)


def _need(holds: bool, where: str, what: str) -> None:
    if not holds:
        raise InvalidState(f"{where}: {what}", {"path": where})


# --- the invariants of §6.1 -----------------------------------------------------------


def _check_strict(doc: Document, rules: Rules) -> None:
    _need(doc["version"] >= 1, "version", "counts from 1")
    _check_strict_phase(doc, rules)
    _check_strict_deck(doc)
    _check_strict_round(doc, rules)
    for i, group in enumerate(doc["pillar_groups"]):
        where = f"pillar_groups.{i}"
        _need(set(group) == GROUP_KEYS, where, "exactly four keys")
        plays = group["plays"]
        _need({p["seat"] for p in plays} == set(range(SEATS)), where, "three plays, one a seat")
        _check_strict_plays(plays, group["round_kind"], where, rules)
        best = max(plays, key=_power)
        _need(best["power"] >= 0 and best["seat"] == group["winner_seat"], where, "won by the best play")
    option = rules["enough_must_buckle"]
    _need(("no_buckle_seats" in doc["reveal"]) == option, "reveal.no_buckle_seats", "only with its option")
    for i, relation in enumerate(doc["reveal"]["relations"]):
        where = f"reveal.relations.{i}"
        stored = "round_index" in relation
        _need(stored == rules["reveal_ceramic_liability"], where, "round_index only with its option")
        _need(relation["revealer_seat"] != relation["buckler_seat"], where, "two different seats")


def _check_strict_phase(doc: Document, rules: Rules) -> None:
    phase, decision, reveal = doc["phase"], doc["decision"], doc["reveal"]
    flow = rules["round_open"] == "buckle_first"
    merged = phase in ("buckle_decision", "reveal_decision")
    _need(not (flow and merged), "phase", "buckle_flow under buckle_first")
    deciding = phase in DECIDING
    _need((decision is not None) == deciding, "decision", "exactly while someone decides")
    if decision is not None:
        _need(decision["context"] == phase, "decision.context", "the phase")
        _need(all(decision.get(c) is None for c in CLOCKS), "decision", "carries no clock")
    pending, buckler = reveal["pending_order"], reveal["buckler_seat"]
    asking = phase == "reveal_decision" or (phase == "buckle_flow" and bool(pending))
    _need(bool(pending) == asking, "reveal.pending_order", "exactly while seats are asked")
    _need((buckler is not None) == asking, "reveal.buckler_seat", "exactly while seats are asked")
    if asking:
        _need(pending[0] == doc["turn"]["current_seat"], "reveal.pending_order", "its head decides")
        _need(buckler not in pending, "reveal.pending_order", "the buckler is not asked")


def _check_strict_deck(doc: Document) -> None:
    count = dict.fromkeys(CARDS, 0)
    plays = [play for holder in (doc["turn"], *doc["pillar_groups"]) for play in holder["plays"]]
    for cards in [p["hand"] for p in doc["players"]] + [p["cards"] for p in plays]:
        for code, n in cards.items():
            count[code] += n
    _need(list(count.values()) == COPIES.tolist(), "players", "hands and plays make one deck")


def _check_strict_round(doc: Document, rules: Rules) -> None:
    turn = doc["turn"]
    kind, plays, best = turn["round_kind"], turn["plays"], turn["last_combo"]
    _need((kind == 0) == (not plays) == (best is None), "turn", "led, or not led")
    _need(doc["phase"] == "in_round" or kind == 0, "turn.round_kind", "0 outside a round")
    acted = [p["seat"] for p in plays]
    _need(
        len(set(acted)) == len(acted) < SEATS,
        "turn.plays",
        "a seat acts once, and the third closes the round",
    )
    sizes = {sum(p["hand"].values()) - (0 if p["seat"] in acted else kind) for p in doc["players"]}
    _need(len(sizes) == 1, "players", "hands of equal size")
    _check_strict_plays(plays, kind, "turn.plays", rules)
    if plays:
        top = max(plays, key=_power)
        same = {"power": best["power"], "cards": best["cards"], "seat": best["owner_seat"]}
        found = {key: top[key] for key in same}
        _need(found == same and top["power"] >= 0, "turn.last_combo", "the best play of the round")


def _check_strict_plays(plays: list[Document], kind: int, where: str, rules: Rules) -> None:
    for play in plays:
        _need(sum(play["cards"].values()) == kind, where, "as many cards as the round's kind")
        combo = PLAY_OF.get(frozenset(play["cards"].items()))
        power = -1 if combo is None else powers(rules)[combo]
        _need(play["power"] in (-1, power), where, "the power of its cards")


def _power(play: Document) -> int:
    power: int = play["power"]
    return power
