"""Writes tests/vectors/nana.json: the examples of the spec's §14 to §16, with the spec's own answers.

`python -m tests.games.nana.make_vectors`; the expected values below are the spec's, not the code's.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.games.nana.bots.test_facts import W2, W4, WORKED
from tests.games.nana.test_rules import WINS

A = {
    "hands": [[1, 2, 2, 4, 5, 6, 7, 8, 9, 10], [1, 1, 3, 3, 4, 6, 7, 8, 9, 10]],
    "centre": [5, 2, 10, 9, 3, 8, 4, 6, 5, 7],
}
CONFIG = {"players": 2, "mode": "nana", "after_success": "continue", "first": 0}
SEVENS = {"hands": [[1, 2, 7], [1, 2, 7]], "centre": [1, 2, 7]}


def head(seat: int) -> dict[str, Any]:
    return {"seat": seat, "end": "head"}


def tail(seat: int) -> dict[str, Any]:
    return {"seat": seat, "end": "tail"}


def play(actions: list[Any], auto: bool, deal: dict[str, Any] = A, **config: Any) -> dict[str, Any]:
    return {"config": {**CONFIG, **config}, "deal": deal, "actions": actions, "auto_settle": auto}


def memory() -> dict[str, Any]:
    """Return fixture F."""
    others = {
        who: {"player_id": who, "cards": [{"card_id": f"{letter}{i}", "number": None} for i in range(7)]}
        for who, letter in (("me", "m"), ("bot-2", "b"))
    }
    return {
        "bot_id": "bot-1",
        "my_hand": [{"card_id": c, "number": n} for c, n in (("2-a", 2), ("5-b", 5), ("8-c", 8))],
        "other_players_hands": others,
        "public_cards": [{"card_id": f"p{i}", "number": None} for i in range(8)],
        "collected_sets": {},
        "number_range": {"min": 1, "max": 12},
    }


def shown(card: str, number: int) -> dict[str, Any]:
    player = {"m": "me", "b": "bot-2"}.get(card[0])
    source = {"type": "player", "player_id": player} if player else {"type": "public"}
    return {"type": "reveal", "card_id": card, "number": number, "source": source}


def ask(fn: str, *args: Any) -> dict[str, Any]:
    return {"fn": fn, "args": list(args)}


def at(player: str, position: str) -> dict[str, str]:
    return {"type": "player", "player_id": player, "position": position}


MEMORY: list[tuple[str, list[Any], list[Any], list[Any]]] = [
    ("9", [], [ask("get_known_head_value", "bot-1"), ask("get_known_tail_value", "bot-1")], [2, 8]),
    ("10", [], [ask("get_known_head_value", "me"), ask("get_known_tail_value", "me")], [None, None]),
    ("11", [shown("m0", 3)], [ask("get_known_head_value", "me")], [3]),
    ("12", [], [ask("get_hand_size", "bot-1"), ask("get_hand_size", "me")], [3, 7]),
    ("13", [{"type": "collect", "by": "me", "number": 5}], [ask("get_hand_size", "bot-1")], [2]),
    ("14", [], [ask("get_global_remaining_count", 2), ask("get_global_remaining_count", 3)], [2, 3]),
    ("15", [{"type": "collect", "by": "me", "number": 5}], [ask("get_global_remaining_count", 5)], [0]),
    ("16", [shown("m0", 5)], [ask("get_excluded_numbers", "me")], [[1, 2, 3, 4]]),
    ("17", [shown("m6", 9)], [ask("get_excluded_numbers", "me")], [[10, 11, 12]]),
    ("18", [shown("m0", 3)], [ask("calculate_probability", 3, at("me", "head"))], [1.0]),
    ("19", [shown("m0", 3)], [ask("calculate_probability", 5, at("me", "head"))], [0.0]),
    ("20", [shown("p0", 7)], [ask("calculate_probability", 7, {"type": "public"})], ["1/7"]),
    (
        "21",
        [{"type": "collect", "by": "me", "number": 5}],
        [ask("calculate_probability", 5, at("me", "head"))],
        [0],
    ),
    ("22", [shown("m0", 5)], [ask("calculate_probability", 3, at("me", "tail"))], [0]),
    (
        "36",
        [shown("m0", 3), {"type": "collect", "by": "someone", "number": 3}],
        [ask("get_known_head_value", "me")],
        [None],
    ),
]


def vectors() -> list[dict[str, Any]]:
    found: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = [
        (
            "deal/seed-7",
            "deal",
            {"players": 2, "seed": 7},
            {
                "hands": [[1, 2, 3, 3, 4, 5, 6, 8, 10, 10], [3, 5, 6, 7, 8, 8, 9, 9, 9, 10]],
                "centre": [7, 4, 2, 6, 1, 1, 7, 5, 2, 4],
            },
        ),
        ("deal/seven-players", "deal", {"players": 7, "seed": 1}, {"error_code": "seat/bad"}),
        (
            "play/collect",
            "play",
            play([head(0), head(1), head(1)], True),
            {
                "phase": "flip-1", "current": 0, "turn": 0, "chain": [], "hand_sizes": [9, 8],
                "collections": [[1], []], "known": {}, "legal": [0, 1, 2, 3, *range(12, 22)],
                "illegal_at": None,
            },
        ),
        (
            "play/failed",
            "play",
            play([head(0), tail(0)], False),
            {
                "phase": "failed", "chain": [1, 10], "face_up": ["h0.0", "h0.9"], "legal": [],
                "known": {"h0.0": 1, "h0.9": 10},
            },
        ),
        (
            "play/settled",
            "play",
            play([head(0), tail(0), "settle"], False),
            {"phase": "flip-1", "current": 1, "turn": 1, "chain": [], "known": {"h0.0": 1, "h0.9": 10}},
        ),
        (
            "play/goes-on",
            "play",
            play([tail(0), tail(1), {"centre": 2}, tail(0)], True),
            {
                "phase": "flip-2", "current": 0, "chain": [9], "face_up": ["h0.8"], "collections": [[10], []],
                "centre": [True, True, False] + [True] * 7, "legal": [0, 1, 2, 3, 12, 13, *range(15, 22)],
            },
        ),
        ("play/no-settle-in-flip", "play", play([head(0), "settle"], False), {"illegal_at": 1, "chain": [1]}),
        ("play/no-reveal-in-failed", "play", play([head(0), tail(0), head(0)], False), {"illegal_at": 2}),
        (
            "play/sevens-win",
            "play",
            play([tail(0), tail(1), {"centre": 2}], True, SEVENS, custom=True),
            {"phase": "game-over", "winner": 0, "win_reason": "sevens", "legal": []},
        ),
        (
            "play/pass",
            "play",
            play([head(0), head(1), {"centre": 0}], True, SEVENS, custom=True, after_success="pass"),
            {"phase": "flip-1", "current": 1, "turn": 1, "collections": [[1], []]},
        ),
        (
            "play/bad-deal",
            "play",
            play([], True, {"hands": [[1], [1]], "centre": []}),
            {"error_code": "layout/bad"},
        ),
        (
            "view/other-hand-hidden",
            "view",
            {**play([head(1), head(0)], False), "seat": 0},
            {
                "seat": 0, "phase": "flip-3", "known": {"h0.0": 1, "h1.0": 1},
                "face_up": [{"slot": "h1.0", "number": 1}, {"slot": "h0.0", "number": 1}], "winner": None,
            },
        ),
        (
            "action/tail", "action_id", {"players": 4, "actor": 2, "action": tail(1)}, {"id": 7},
        ),
        ("action/centre", "action_id", {"players": 4, "actor": 2, "action": {"centre": 3}}, {"id": 15}),
        (
            "turn_value/W6",
            "turn_value",
            {"facts": W2, "chain": []},
            {"value": "165/646", "best": [head(1)]},
        ),
        (
            "decide/certain",
            "decide",
            {
                "facts": {
                    **W4,
                    "hands": [W4["hands"][0], [-3, *[None] * 8, 10]],  # type: ignore[index]
                    "centre": [-3, None, None, None, 10, *[None] * 5],
                    "face_up": ["h0.9", "c4"],
                },
                "chain": [10, 10],
                "policy": "any",
            },
            {"accept": [tail(1)]},
        ),
        (
            "decide/opening",
            "decide",
            {"facts": W2, "chain": [], "policy": "exact", "mode": "nana", "collections": [[], []]},
            {"accept": [head(1)]},
        ),
    ]  # fmt: skip
    for i, (mode, held, why) in enumerate(WINS):
        answer = {"won": why is not None, "reason": why}
        found.append((f"winner/{i}", "winner", {"mode": mode, "collection": held}, answer))
    for i, (name, facts, slot, number, p) in enumerate(WORKED):
        query = [{"slot": slot, "number": number}]
        found.append((f"posterior/{name}-{i}", "posterior", {"facts": facts, "query": query}, {"p": p}))
    for name, events, queries, results in MEMORY:
        given = {"memory": memory(), "events": events, "queries": queries}
        found.append((f"memory/check-{name}", "memory", given, {"results": results}))
    return [{"id": i, "kind": kind, "input": given, "expect": answer} for i, kind, given, answer in found]


def text() -> str:
    """Return the file, one vector per line."""
    lines = ",\n".join(json.dumps(v, separators=(", ", ": ")) for v in vectors())
    return f'{{"game": "nana", "vectors": [\n{lines}\n]}}\n'


if __name__ == "__main__":
    Path("tests/vectors/nana.json").write_text(text())
