"""State documents (§14): what is read, what is filled in, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qipai.games.skill_gomoku import SkillGomokuError, SkillGomokuMatch, base_registry
from qipai.games.skill_gomoku.api.document import (
    LARGEST_PILE,
    generator_of,
    plain_target,
    read_document,
    read_target,
)
from qipai.games.skill_gomoku.reference import Mulberry32, Sfc32, core_generator, seed_state

from ..positions import PI, P, T, state

REGISTRY = base_registry()


def test_a_loaded_log_holds_what_json_holds() -> None:
    match = SkillGomokuMatch("demo")
    match.act(match.legal_actions()[0])
    doc = match.dump()
    doc["log"][0]["data"]["more"] = (1, [2, (3,)])
    loaded = SkillGomokuMatch.load(doc)
    assert loaded.dump()["log"][0]["data"]["more"] == [1, [2, [3]]]
    assert SkillGomokuMatch.load(json.loads(json.dumps(loaded.dump()))).dump() == loaded.dump()


@pytest.mark.parametrize("bad", [{1, 2}, object(), float("nan"), float("inf"), b"x"])
def test_a_log_of_something_else_is_refused(bad: Any) -> None:
    match = SkillGomokuMatch("demo")
    match.act(match.legal_actions()[0])
    doc = match.dump()
    doc["log"][0]["data"]["more"] = bad
    with pytest.raises(SkillGomokuError, match="data is JSON"):
        SkillGomokuMatch.load(doc)


def entry(seq: int, turn: int = 1, **changes: Any) -> dict[str, Any]:
    plain = {"seq": seq, "turn": turn, "player": 1, "at": 1, "tag": "skip", "message": "skip: consumed 1"}
    return {**plain, "data": {"reason": "frozen", "remaining": 0}, **changes}


def test_14_1_a_board_and_a_pile_are_enough() -> None:
    loaded = read_document({"board": {"cells": [[0, 1], [2, 0]]}, "deck": {"drawPile": [P]}}, REGISTRY, False)
    assert (loaded.settings.board_size, loaded.settings.seed, loaded.state) == (2, None, None)
    assert (loaded.log, loaded.lines, loaded.added) == ([], [], [])
    assert loaded.layout["logged"] == 0
    assert loaded.cards == 1


def test_cards_are_counted_in_both_piles_and_in_play() -> None:
    doc = state([P, T], discard=[PI])
    doc["turn"] = {"number": 1, "state": "choose", "drawn": [P, P]}
    assert read_document(doc, REGISTRY, False).cards == 5


def test_the_log_goes_on_after_the_last_number_of_the_document() -> None:
    doc = state([P, T])
    doc["turn"]["number"] = 4
    doc["log"] = [entry(7, 3), entry(8, 4)]
    assert read_document(doc, REGISTRY, False).layout["logged"] == 8
    assert [e["seq"] for e in SkillGomokuMatch.load(doc).log] == [7, 8, 9]


def test_reading_leaves_the_document_as_it_is() -> None:
    match = SkillGomokuMatch("demo", {"boardSize": 9})
    match.act(match.legal_actions()[0])
    doc = match.dump()
    before = json.dumps(doc)
    loaded = read_document(doc, REGISTRY, False)
    loaded.log[0]["data"]["cards"].clear()
    loaded.layout["turn"].clear()
    assert json.dumps(doc) == before


WORDS = [1, 2, 3, 4]
GENERATORS: list[tuple[dict[str, Any], list[int]]] = [
    ({"rng": {"algorithm": "sfc32", "state": WORDS}, "settings": {"seed": 5}}, WORDS),
    ({"rng": {"algorithm": "mulberry32", "state": 9}}, core_generator(9).words),
    ({"rng": None, "settings": {"seed": "demo"}}, core_generator(seed_state("demo")).words),
    ({"settings": {"seed": 0}}, core_generator(0).words),
    ({"settings": {"seed": None}}, core_generator(0).words),
    ({"settings": None}, core_generator(0).words),
    ({}, core_generator(0).words),
]


@pytest.mark.parametrize(("doc", "words"), GENERATORS)
def test_chance_comes_from_the_generator_or_else_from_the_seed(doc: Any, words: list[int]) -> None:
    generator = generator_of(doc)
    assert isinstance(generator, Sfc32)
    assert generator.words == words


def test_a_pinned_document_keeps_the_original_generator() -> None:
    generator = read_document(state([P, T], rng=9), REGISTRY, True).generator
    assert isinstance(generator, Mulberry32)
    assert generator.state == 9


NOT_A_STATE: list[tuple[Any, str]] = [
    (None, "a state is an object"),
    ([], "a state is an object"),
    ({**state([P]), "hand": []}, "a state has no field 'hand'"),
    ({**state([P]), "game": "gomoku"}, "not a state of skill_gomoku version 1"),
    ({**state([P]), "version": 2}, "not a state of skill_gomoku version 1"),
    ({**state([P]), "board": None}, "board is an object"),
    ({**state([P]), "board": {"cells": []}}, "a board has 1 to 25 rows"),
    ({**state([P]), "board": {"cells": [[0]] * 26}}, "a board has 1 to 25 rows"),
    ({**state([P]), "board": {"size": 14, "cells": [[0] * 15] * 15}}, "says size 14 and has 15 rows"),
    ({**state([P], size=1), "board": {"size": True, "cells": [[0]]}}, "says size True and has 1 rows"),
    ({**state([P]), "board": {"cells": ["0" * 15] * 15}}, "a row of the board must be a list"),
    ({**state([P]), "settings": {"boardSize": 9}}, "settings say 9 rows, the board has 15"),
    ({**state([P]), "settings": 5}, "settings is an object"),
    ({**state([P]), "deck": None}, "deck is an object"),
    ({**state([P]), "deck": {}}, "drawPile must be a list of card ids, not None"),
    ({**state([P]), "deck": {"drawPile": [], "discardPile": P}}, "discardPile must be a list of card ids"),
    ({**state([P]), "deck": {"drawPile": [P] * (LARGEST_PILE + 1)}}, "drawPile must be a list of card ids"),
    ({**state([P]), "turn": {"number": 0}}, "turn.number must be a whole number from 1"),
    ({**state([P]), "turn": {"number": True}}, "turn.number must be a whole number from 1"),
    ({**state([P]), "turn": {"drawn": "P"}}, "drawn must be a list of card ids"),
    ({**state([P]), "turn": {"added": {}}}, "added must be a list"),
    ({**state([P]), "winningLines": {}}, "winningLines must be a list"),
    (
        {**state([P]), "turn": {"state": "confirm"}, "winner": 1},
        "winner, reason and state endTurn",
    ),
    ({**state([P]), "rng": []}, "rng is an object"),
    ({**state([P]), "log": {}}, "log must be a list"),
    ({**state([P]), "log": [5]}, "a log entry is an object"),
    ({**state([P]), "log": [{"seq": 1}]}, "a log entry has the fields"),
    ({**state([P]), "log": [entry(0)]}, "a log entry's seq must be a whole number from 1"),
    ({**state([P]), "log": [entry(1), entry(3)]}, "seq must be a whole number from 2 to 2, not 3"),
    ({**state([P]), "log": [entry(1, 2)]}, "the log has a later turn than the current one"),
    ({**state([P]), "log": [entry(1, 2), entry(2, 1)]}, "turn must be a whole number from 2"),
    ({**state([P]), "log": [entry(1, at=0)]}, "a log entry's at must be a whole number from 1"),
    ({**state([P]), "log": [entry(1, player=3)]}, "player must be a whole number from 1 to 2, not 3"),
    ({**state([P]), "log": [entry(1, tag="sleep")]}, "unknown tag or no data"),
    ({**state([P]), "log": [entry(1, tag=["skip"])]}, "unknown tag or no data"),
    ({**state([P]), "log": [entry(1, data=None)]}, "unknown tag or no data"),
    ({**state([P]), "log": [entry(1, message="slept")]}, "message starts with its tag"),
    (
        {**state([P]), "log": [entry(1, tag="drawTwo", message="drawTwo: []")]},
        "drawTwo entry lists its cards",
    ),
]


@pytest.mark.parametrize(("doc", "why"), NOT_A_STATE, ids=[why for _, why in NOT_A_STATE])
def test_what_cannot_be_played_on_from_is_refused_by_name(doc: Any, why: str) -> None:
    with pytest.raises(SkillGomokuError, match=why) as refusal:
        read_document(doc, REGISTRY, False)
    assert refusal.value.code == "InvalidConfig"


def test_a_card_that_is_not_registered_is_refused_wherever_it_lies() -> None:
    docs = [state([P, "Two"]), state([P], discard=["Two"]), {**state([P]), "turn": {"drawn": ["Two"]}}]
    for doc in docs:
        with pytest.raises(SkillGomokuError) as refusal:
            read_document(doc, REGISTRY, False)
        assert refusal.value.code == "UnknownCard"


def test_a_target_keeps_its_known_fields_only() -> None:
    cell = {"kind": "cell", "point": {"x": 3, "y": 4}}
    player = {"kind": "player", "player": 2}
    assert plain_target({**cell, "note": "x", "point": {"x": 3, "y": 4, "z": 5}}) == cell
    assert plain_target({**player, "point": {"x": 3, "y": 4}}) == player
    assert read_target([{**cell, "note": "x"}, player]) == [cell, player]
    assert read_target([]) == []
    with pytest.raises(SkillGomokuError) as refusal:
        plain_target({"kind": "none"})
    assert refusal.value.code == "InvalidTarget"


NO_TARGETS: list[Any] = [
    None, "cell", {}, {"kind": "none"}, {"kind": "player", "player": 3}, {"kind": "player"}, {"kind": "cell"},
    {"kind": "player", "player": True}, {"kind": "player", "player": 2.0},
    {"kind": "cell", "point": [1, 2]}, {"kind": "cell", "point": {"x": 1}},
    {"kind": "cell", "point": {"x": 1, "y": 2.0}}, {"kind": "cell", "point": {"x": True, "y": 2}}, [None],
]  # fmt: skip


@pytest.mark.parametrize("target", NO_TARGETS)
def test_a_target_of_another_shape_is_refused(target: Any) -> None:
    with pytest.raises(SkillGomokuError, match="target") as refusal:
        read_target(target)
    assert refusal.value.code == "InvalidConfig"
