"""The vectors file: it is the one made from the checks, and this implementation agrees with it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qipai.core.errors import BadVectors
from qipai.games.skill_gomoku.vectors import KINDS, run_vector
from qipai.vectors import Vector, check, read_file

from .make_vectors import FILE, document

_, VECTORS = read_file(FILE)


def test_the_file_is_the_one_made_from_the_checks() -> None:
    assert json.loads(FILE.read_text("utf-8")) == json.loads(json.dumps(document()))
    assert {v.kind for v in VECTORS} == set(KINDS)
    assert len({(v.kind, v.id) for v in VECTORS}) == len(VECTORS)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v.id)
def test_this_implementation_agrees(vector: Any) -> None:
    assert check(run_vector, vector) == []


def test_a_wrong_expectation_is_noticed() -> None:
    vector = next(v for v in VECTORS if v.id == "13-win")
    wrong = json.loads(json.dumps(vector.expect).replace('"winner": 1', '"winner": 2'))
    assert check(run_vector, type(vector)(vector.id, vector.kind, None, vector.input, wrong))


PILES = {"drawPile": ["Place"], "discardPile": ["Take", "SpontaneousGeneration"]}


def drawing(n: int, **expect: Any) -> list[str]:
    return check(run_vector, Vector("id", "draw", None, {**PILES, "n": n}, expect))


def test_cards_drawn_after_a_reshuffle_may_come_in_any_order() -> None:
    whole = {"drawPile": [], "discardPile": [], "reshuffled": True}
    for drawn in (["Place", "Take", "SpontaneousGeneration"], ["Place", "SpontaneousGeneration", "Take"]):
        assert drawing(3, drawn=drawn, **whole) == []
    for one, other in (("Take", "SpontaneousGeneration"), ("SpontaneousGeneration", "Take")):
        assert drawing(2, drawn=["Place", one], drawPile=[other], discardPile=[], reshuffled=True) == []


@pytest.mark.parametrize(
    "drawn",
    [
        ["Take", "Place", "SpontaneousGeneration"],
        ["Place", "Take", "Take"],
        ["Place", "Take"],
        ["Place", "Take", "Place"],
    ],
)
def test_a_reshuffle_leaves_open_the_order_and_nothing_else(drawn: list[str]) -> None:
    assert drawing(3, drawn=drawn)
    assert drawing(1, drawn=["Take"]) and not drawing(1, drawn=["Place"])


MALFORMED: list[tuple[Any, Any, Any]] = [
    ("nothing", {}, None), (None, {}, None), ("can_play", [], None), ("can_play", {}, None),
    ("can_play", {"rows": ["0"], "player": 3, "card": "Place"}, None), ("can_play", {}, []),
    ("can_play", {"rows": ["9"], "player": 1, "card": "Place"}, None), ("turn_trace", {}, None),
    ("apply_ops", {"rows": ["0"], "ops": 5}, None),
    ("apply_ops", {"rows": ["0"], "ops": [], "skipNextTurns": "x"}, None),
    ("apply_ops", {"rows": ["0"], "ops": [], "skipNextTurns": {"1": None}}, None),
    ("apply_ops", {"rows": ["0"], "ops": [], "lastMove": {"x": 0}}, None), ("draw", {"drawPile": 5}, None),
    ("validate_target", {"rows": ["0"], "player": 1, "spec": 5}, None),
    ("turn_trace", {"state": {"board": {"cells": [[0]]}, "deck": {"drawPile": []}}, "events": 5}, None),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "given", "rules"), MALFORMED)
def test_malformed_vectors_are_refused_by_name(kind: Any, given: Any, rules: Any) -> None:
    with pytest.raises(BadVectors):
        run_vector(kind, given, rules)


def test_a_refusal_is_an_answer() -> None:
    asked = {"rows": ["0"], "player": 1, "card": "Nope"}
    assert run_vector("can_play", asked) == {"ok": False, "code": "UnknownCard"}
    assert run_vector("turn_trace", {"state": {}, "events": []})["code"] == "InvalidConfig"
