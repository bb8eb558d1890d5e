"""A slow, obvious twin of the Xianqi rules: dictionaries, lists and the words of the spec.

Written from the spec alone; it shares nothing with qipai. A state is the JSON document
of §6.1. Nothing is checked here: the caller passes listed actions and cards that are held.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

Json = dict[str, Any]

COPIES = {
    "R_SHI": 2, "B_SHI": 2, "R_XIANG": 2, "B_XIANG": 2, "R_MA": 2, "B_MA": 2,
    "R_CHE": 2, "B_CHE": 2, "R_GOU": 1, "B_GOU": 1, "R_NIU": 3, "B_NIU": 3,
}  # fmt: skip
SINGLE = {
    "R_SHI": 9, "B_SHI": 8, "R_XIANG": 7, "B_XIANG": 6, "R_MA": 5, "B_MA": 4,
    "R_CHE": 3, "B_CHE": 2, "R_GOU": 3, "B_GOU": 2, "R_NIU": 1, "B_NIU": 0,
}  # fmt: skip
DEFAULTS: Json = {
    "dog_pair": "above_red_shi",
    "black_chess": "settle",
    "round_open": "play_or_buckle",
    "after_settle": "finished",
    "reveal_ceramic_liability": False,
    "first_game_limits": False,
    "enough_must_buckle": False,
    "eight_pillars": False,
}


def combos(hand: Json, kind: int | None, rules: Json) -> list[Json]:
    """§5.1, §5.2"""
    found: list[Json] = []
    for card, count in hand.items():
        if count >= 1:
            found.append({"cards": {card: 1}, "power": SINGLE[card]})
        if count >= 2:
            found.append({"cards": {card: 2}, "power": SINGLE[card]})
        if count >= 3 and card.endswith("NIU"):
            found.append({"cards": {card: 3}, "power": 11 if card == "R_NIU" else 10})
    if hand.get("R_GOU", 0) and hand.get("B_GOU", 0):
        power = 10 if rules["dog_pair"] == "above_red_shi" else 9
        found.append({"cards": {"R_GOU": 1, "B_GOU": 1}, "power": power})
    found = [c for c in found if kind in (None, size(c["cards"]))]
    return sorted(found, key=lambda c: (size(c["cards"]), -c["power"], sorted(c["cards"].items())))


def size(cards: Json) -> int:
    return sum(cards.values())


def is_black(hands: list[Json]) -> bool:
    """§3.4"""
    return any(not set(hand) & {"R_SHI", "B_SHI", "R_XIANG", "B_XIANG"} for hand in hands)


def first_state(hands: list[Json], first: int, rules: Json) -> Json:
    """T1, T2"""
    phase = "settlement" if is_black(hands) else opening(rules)
    state: Json = {
        "version": 1,
        "phase": phase,
        "players": [{"seat": i, "hand": dict(hand)} for i, hand in enumerate(hands)],
        "turn": {"current_seat": first, "round_index": 0, "round_kind": 0, "last_combo": None, "plays": []},
        "decision": None,
        "pillar_groups": [],
        "reveal": {
            "buckler_seat": None, "active_revealer_seat": None, "pending_order": [], "relations": []
        },
    }  # fmt: skip
    if rules["enough_must_buckle"]:
        state["reveal"]["no_buckle_seats"] = []
    changed = {k: v for k, v in rules.items() if v != DEFAULTS[k]}
    if changed:
        state["rules"] = changed
    decide(state)
    return state


def opening(rules: Json) -> str:
    return "buckle_flow" if rules["round_open"] == "buckle_first" else "buckle_decision"


def asking(rules: Json) -> str:
    return "buckle_flow" if rules["round_open"] == "buckle_first" else "reveal_decision"


def decide(state: Json) -> None:
    nobody = state["phase"] in ("settlement", "finished")
    seat = state["turn"]["current_seat"]
    state["decision"] = None if nobody else {"seat": seat, "context": state["phase"]}


def pillars(state: Json) -> list[int]:
    """§4.4.3"""
    return [
        sum(g["round_kind"] for g in state["pillar_groups"] if g["winner_seat"] == seat) for seat in range(3)
    ]


def legal(state: Json, rules: Json) -> list[Json]:
    """§4.1, §6.2: the list of the deciding seat."""
    phase, turn = state["phase"], state["turn"]
    if phase in ("settlement", "finished"):
        return []
    seat = turn["current_seat"]
    hand = state["players"][seat]["hand"]
    if phase == "reveal_decision" or (phase == "buckle_flow" and state["reveal"]["pending_order"]):
        return [{"type": "REVEAL"}, {"type": "PASS_REVEAL"}]
    may_buckle = not rules["first_game_limits"] or pillars(state)[seat] >= 3
    buckle = [{"type": "BUCKLE"}] if may_buckle else []
    if phase == "buckle_flow":
        return [*buckle, {"type": "PASS_BUCKLE"}]
    if phase == "buckle_decision":
        return [*(play(c) for c in combos(hand, None, rules)), *buckle]
    if turn["round_kind"] == 0:
        return [play(c) for c in combos(hand, None, rules)]
    last = turn["last_combo"]["power"] if turn["last_combo"] else -1
    beating = [play(c) for c in combos(hand, turn["round_kind"], rules) if c["power"] > last]
    return beating or [{"type": "COVER", "required_count": turn["round_kind"]}]


def play(combo: Json) -> Json:
    return {"type": "PLAY", "payload_cards": combo["cards"], "power": combo["power"]}


def apply(state: Json, action: Json, cover: Json | None, rules: Json) -> Json:
    """§4.2: the state after `action` of the deciding seat."""
    state = deepcopy(state)
    turn, reveal, seat = state["turn"], state["reveal"], state["turn"]["current_seat"]
    state["version"] += 1
    kind = action["type"]
    if kind in ("PLAY", "COVER"):
        lay_down(state, action, cover, rules)
    elif kind == "BUCKLE":
        if reveal["active_revealer_seat"] == seat:
            reveal["active_revealer_seat"] = None
        reveal["buckler_seat"] = seat
        order = [(seat + 1) % 3, (seat + 2) % 3]
        if reveal["active_revealer_seat"] in order:
            order.sort(key=lambda other: other != reveal["active_revealer_seat"])
        reveal["pending_order"] = order
        turn["current_seat"] = order[0]
        state["phase"] = asking(rules)
    elif kind == "REVEAL":
        relation = {
            "revealer_seat": seat,
            "buckler_seat": reveal["buckler_seat"],
            "revealer_enough_at_time": pillars(state)[seat] >= 3,
        }
        if rules["reveal_ceramic_liability"]:
            relation["round_index"] = turn["round_index"]
        reveal["relations"].append(relation)
        reveal["active_revealer_seat"] = seat
        turn.update(current_seat=reveal["buckler_seat"], round_kind=0, last_combo=None, plays=[])
        reveal.update(pending_order=[], buckler_seat=None)
        state["phase"] = "in_round"
    elif kind == "PASS_REVEAL":
        if reveal["active_revealer_seat"] == seat:
            reveal["active_revealer_seat"] = None
        reveal["pending_order"] = reveal["pending_order"][1:]
        if reveal["pending_order"]:
            turn["current_seat"] = reveal["pending_order"][0]
        else:
            reveal["buckler_seat"] = None
            state["phase"] = "settlement"
    else:
        assert kind == "PASS_BUCKLE"
        played_on(state, seat, rules)
        turn.update(round_kind=0, last_combo=None, plays=[])
        state["phase"] = "in_round"
    decide(state)
    return state


def played_on(state: Json, seat: int, rules: Json) -> None:
    """§9.5"""
    if rules["enough_must_buckle"] and pillars(state)[seat] >= 3:
        seats = state["reveal"]["no_buckle_seats"]
        if seat not in seats:
            seats.append(seat)


def lay_down(state: Json, action: Json, cover: Json | None, rules: Json) -> None:
    """T3, T8, T9, T10"""
    turn, seat = state["turn"], state["turn"]["current_seat"]
    hand = state["players"][seat]["hand"]
    cards = dict(action["payload_cards"]) if action["type"] == "PLAY" else dict(cover or {})
    for card, n in cards.items():
        hand[card] -= n
        if hand[card] == 0:
            del hand[card]
    if state["phase"] == "buckle_decision":
        played_on(state, seat, rules)
    if state["phase"] == "buckle_decision" or turn["round_kind"] == 0:
        turn.update(round_kind=size(cards), plays=[])
    if action["type"] == "PLAY":
        turn["plays"].append({"seat": seat, "power": action["power"], "cards": cards})
        turn["last_combo"] = {"power": action["power"], "cards": dict(cards), "owner_seat": seat}
    else:
        turn["plays"].append({"seat": seat, "power": -1, "cards": cards})
    state["phase"] = "in_round"
    turn["current_seat"] = (seat + 1) % 3
    if len(turn["plays"]) >= 3:
        close(state, rules)


def close(state: Json, rules: Json) -> None:
    """§4.4"""
    turn, reveal = state["turn"], state["reveal"]
    winner = turn["last_combo"]["owner_seat"] if turn["last_combo"] else turn["plays"][0]["seat"]
    active = reveal["active_revealer_seat"]
    before = pillars(state)
    state["pillar_groups"].append(
        {
            "round_index": turn["round_index"],
            "winner_seat": winner,
            "round_kind": turn["round_kind"],
            "plays": turn["plays"],
        }
    )
    now = pillars(state)
    if active is not None and before[active] < 3 <= now[active]:
        reveal["active_revealer_seat"] = None
    reveal.update(buckler_seat=None, pending_order=[])
    turn.update(
        round_index=turn["round_index"] + 1, round_kind=0, plays=[], last_combo=None, current_seat=winner
    )
    suspended = rules["eight_pillars"] and max(now) == sum(now) < 8
    ceramic = max(now) >= 6 and not suspended
    ends = ceramic or sum(p >= 3 for p in now) >= 2 or sum(now) >= 8
    state["phase"] = "settlement" if ends else opening(rules)


def settle(state: Json, rules: Json) -> list[Json]:
    """§8, §9: the rows of the settlement."""
    p = pillars(state)
    relations = state["reveal"]["relations"]
    table = {part: [0, 0, 0] for part in ("enough", "reveal", "ceramic")}

    def pay(part: str, payer: int, receiver: int, chips: int) -> None:
        table[part][payer] -= chips
        table[part][receiver] += chips

    barred = {x["revealer_seat"] for x in relations if x["revealer_enough_at_time"]}
    barred |= set(state["reveal"].get("no_buckle_seats", []))
    for winner in range(3):
        for loser in range(3):
            if p[loser] >= 3:
                continue
            if 3 <= p[winner] <= 5 and winner not in barred:
                pay("enough", loser, winner, 1)
            if p[winner] >= 6:
                unit = 1 if rules["first_game_limits"] else 3
                if rules["eight_pillars"] and p[winner] >= 8:
                    unit = 8
                pay("ceramic", liable_for(state, winner, rules, loser), winner, unit)
    for x in relations:
        if not x["revealer_enough_at_time"] and p[x["revealer_seat"]] < 3:
            pay("reveal", x["revealer_seat"], x["buckler_seat"], 1)
    return [
        {
            "seat": seat,
            "delta": sum(column[seat] for column in table.values()),
            "delta_enough": table["enough"][seat],
            "delta_reveal": table["reveal"][seat],
            "delta_ceramic": table["ceramic"][seat],
        }
        for seat in range(3)
    ]


def liable_for(state: Json, winner: int, rules: Json, loser: int) -> int:
    """§9.1: who pays `loser`'s ceramic chips to `winner`."""
    if not rules["reveal_ceramic_liability"]:
        return loser
    total = 0
    for group in state["pillar_groups"]:
        if group["winner_seat"] == winner:
            total += group["round_kind"]
            if total >= 6:
                for x in state["reveal"]["relations"]:
                    if x["round_index"] == group["round_index"] and x["revealer_seat"] != winner:
                        return int(x["revealer_seat"])
                return loser
    raise AssertionError("not ceramic")


def settled(state: Json, rules: Json) -> Json:
    """T11: the state after settle()."""
    state = deepcopy(state)
    if rules["after_settle"] == "finished":
        state["version"] += 1
        state["phase"] = "finished"
    return state


def public(state: Json) -> Json:
    """§7.1"""
    seen = deepcopy(state)
    for player in seen["players"]:
        player["hand_count"] = size(player.pop("hand"))
    for holder in [seen["turn"], *seen["pillar_groups"]]:
        for entry in holder["plays"]:
            if entry["power"] == -1:
                entry["covered_count"] = size(entry.pop("cards"))
    return seen


def private(state: Json, seat: int) -> Json:
    """§7.1"""
    covered: Json = {}
    for holder in [state["turn"], *state["pillar_groups"]]:
        for entry in holder["plays"]:
            if entry["seat"] == seat and entry["power"] == -1:
                for card, n in entry["cards"].items():
                    covered[card] = covered.get(card, 0) + n
    return {"hand": dict(state["players"][seat]["hand"]), "covered": covered}
