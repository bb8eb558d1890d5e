"""§22 checks 80-84: replays, dumps, seeds, independence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qipai.games.skill_gomoku import SkillGomokuError, SkillGomokuMatch, TurnMachine
from tests.naive.skill_gomoku_machine import NaiveMachine

# seed, size, policy, actions, turns, winner, reason, generator, stones, piles, log, first actions
ROWS = [
    ("demo", 15, "lowest", 157, 104, 1, "five", 1389069467, (57, 54), (13, 16), 445, [0, 3, 0, 0, 4, 0]),
    ("demo", 15, "mixed", 239, 153, 1, "five", 2960624989, (67, 70), (7, 22), 666, [0, 60, 1, 29, 1, 142]),
    (1, 9, "mixed", 79, 53, 1, "simultaneousFive", 1876108908, (27, 25), (19, 10), 226, [1, 78, 1, 0, 1, 77]),
    ("demo", 5, "highest", 110, 70, 2, "five", 4264921947, (14, 11), (11, 18), 310, [0, 27, 1, 26, 1, 25]),
]  # fmt: skip


def pick(policy: str, legal: list[int], k: int) -> int:
    if policy == "mixed":
        return legal[(k * 7919 + 13) % len(legal)]
    return legal[0] if policy == "lowest" else legal[-1]


def play(match: Any, policy: str) -> list[int]:
    actions: list[int] = []
    while legal := match.legal_actions():
        actions.append(pick(policy, legal, len(actions)))
        assert match.act(actions[-1])["ok"]
    return actions


@pytest.mark.parametrize("row", ROWS)
def test_80_the_original_games_to_the_last_number(row: tuple[Any, ...]) -> None:
    seed, size, policy, count, turns, winner, reason, rng, stones, piles, logged, first = row
    match = TurnMachine(seed, {"boardSize": size}, pinned=True)
    actions = play(match, policy)
    doc = match.dump()
    flat = [c for line in doc["board"]["cells"] for c in line]
    assert (len(actions), actions[:6], doc["turn"]["number"]) == (count, first, turns)
    assert (doc["winner"], doc["reason"], doc["rng"]["state"]) == (winner, reason, rng)
    assert (flat.count(1), flat.count(2)) == stones
    assert (len(doc["deck"]["drawPile"]), len(doc["deck"]["discardPile"])) == piles
    assert len(doc["log"]) == logged


@pytest.mark.parametrize("row", ROWS)
def test_80_a_record_replays_to_the_same_state(row: tuple[Any, ...]) -> None:
    match = SkillGomokuMatch(row[0], {"boardSize": row[1]})
    actions = play(match, row[2])
    record = {"game": "skill_gomoku", "version": 1, "settings": {"seed": row[0], "boardSize": row[1]}}
    again = SkillGomokuMatch.replay({**record, "actions": actions})
    assert again.dump() == match.dump()
    twin = NaiveMachine(row[0], {"boardSize": row[1]})
    assert play(twin, row[2]) == actions
    assert twin.dump() == match.dump()


def test_80_records_may_hold_events_and_bad_ones_are_refused() -> None:
    record: dict[str, Any] = {"game": "skill_gomoku", "version": 1, "settings": {"seed": "demo"}}
    actions = [{"type": "CHOOSE_CARD", "index": 0}, 115]
    assert SkillGomokuMatch.replay({**record, "actions": actions}).dump()["board"]["cells"][7][7] == 1
    odd: list[Any] = [None, [], {}, {**record}, {**record, "actions": [1]}, {**record, "actions": "x"}]
    odd += [{**record, "actions": [], "settings": None}, {**record, "actions": [], "version": 2}]
    odd += [{**record, "actions": [], "settings": {}}]
    for doc in odd:
        with pytest.raises(SkillGomokuError):
            SkillGomokuMatch.replay(doc)


@pytest.mark.parametrize("row", ROWS)
def test_81_dumping_and_loading_on_the_way_changes_nothing(row: tuple[Any, ...]) -> None:
    settings = {"boardSize": row[1]}
    straight = SkillGomokuMatch(row[0], settings)
    actions = play(straight, row[2])
    match = SkillGomokuMatch(row[0], settings)
    for action in actions:
        match = SkillGomokuMatch.load(json.loads(json.dumps(match.dump())))
        assert match.act(action)["ok"]
    assert match.dump() == straight.dump()


def test_82_equal_seeds_modulo_two_to_the_32() -> None:
    def deck(seed: int | str) -> Any:
        return {k: v for k, v in SkillGomokuMatch(seed).dump().items() if k != "settings"}

    assert deck(0) == deck(4294967296)
    assert deck("1") != deck(1)


def test_83_a_dump_is_json_and_loads_to_itself() -> None:
    match = SkillGomokuMatch("demo", {"boardSize": 9, "maxTurns": 40})
    doc = match.dump()
    assert list(doc) == [
        "game", "version", "settings", "board", "currentPlayer", "deck", "status", "turn",
        "lastMove", "winner", "reason", "winningLines", "rng", "log",
    ]  # fmt: skip
    assert list(doc["turn"]) == ["number", "state", "drawn", "chosen", "chosenIndex", "target"]
    assert list(doc["settings"]) == [
        "boardSize", "firstPlayer", "seed", "simultaneousFivePolicy", "deckCounts", "ensurePlaceTop",
        "maxTurns", "drawnVisibility", "confirmEnd", "paced", "allowReselect",
    ]  # fmt: skip
    assert [list(doc[key]) for key in ("board", "deck", "status", "rng")] == [
        ["size", "cells"], ["drawPile", "discardPile"], ["skipNextTurns"], ["algorithm", "state"],
    ]  # fmt: skip
    assert list(doc["log"][0]) == ["seq", "turn", "player", "at", "tag", "message", "data"]
    while True:
        again = SkillGomokuMatch.load(json.loads(json.dumps(doc)))
        assert again.dump() == doc
        if not match.legal_actions():
            break
        match.act(match.legal_actions()[-1])
        doc = match.dump()


def test_84_two_matches_do_not_influence_each_other() -> None:
    def moves(n: int, between: Any) -> Any:
        match = SkillGomokuMatch("demo", {"boardSize": 9})
        for _ in range(n):
            between()
            match.act(match.legal_actions()[0])
        return match.dump()

    other = SkillGomokuMatch(5, {"boardSize": 15})
    assert moves(30, lambda: None) == moves(30, lambda: other.act(other.legal_actions()[-1]))
