"""The vectors file: it is the one made from the checks, and this implementation agrees with it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qipai.core.errors import BadVectors
from qipai.games.skill_gomoku.vectors import KINDS, run_vector
from qipai.vectors import check, read_file

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
