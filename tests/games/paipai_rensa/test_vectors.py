"""Paipai Rensa's own vectors file, and what its `run_vector` answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from qipai.core import QipaiError
from qipai.core.errors import BadOption, BadVectors
from qipai.games.paipai_rensa.vectors import KINDS, run_vector
from qipai.vectors import check, read_file

from .positions import bottom

FILE = Path(__file__).parents[2] / "vectors" / "paipai_rensa.json"
NAME, VECTORS = read_file(FILE)


def test_the_file_has_vectors_of_every_kind_under_different_ids() -> None:
    assert NAME == "paipai_rensa" and len(VECTORS) >= 40
    assert {vector.kind for vector in VECTORS} == set(KINDS)
    assert len({(vector.id, vector.kind) for vector in VECTORS}) == len(VECTORS)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v.kind}:{v.id}")
def test_a_vector_of_the_spec_agrees(vector: Any) -> None:
    assert check(run_vector, vector) == []


@pytest.mark.parametrize("kind", ["", "deal", None, [], "SETTLE"])
def test_an_unknown_kind_is_a_named_error(kind: Any) -> None:
    with pytest.raises(BadVectors, match="kind"):
        run_vector(kind, {})


@pytest.mark.parametrize("kind", KINDS)
def test_an_input_that_lacks_what_the_kind_needs_is_a_named_error(kind: str) -> None:
    inputs: list[Any] = [{}, None, [], {"board": 3, "hand": None, "deck": 5, "a": 1, "b": 2, "alloc": "x"}]
    for given in inputs:
        with pytest.raises(QipaiError):
            run_vector(kind, given)


def test_boards_of_codes_may_hold_more_of_a_kind_than_the_set() -> None:
    answer = run_vector("resolve", {"board": bottom("m1 m1 m1 m1 m1 m1")})
    assert answer["score"] == 600 and answer["collected_in_order"] == ["m1"] * 6


def test_kept_tiles_are_named_by_place_code_or_flag() -> None:
    base = {"hand": ["p1"], "gained": ["m1", "m2", "m3", "m4"], "discards": []}
    wanted = run_vector("allocation", {**base, "keep": [1, 3]})
    assert run_vector("allocation", {**base, "keep": ["m1", "m3"]}) == wanted
    assert run_vector("allocation", {**base, "keep": [False, True, False, True, False]}) == wanted


@pytest.mark.parametrize("keep", [[1, 1], [1, 3, 1], ["m1", 1], [True, 1], [5], [-1], ["zE"]])
def test_a_place_that_is_kept_twice_or_does_not_exist_is_refused(keep: list[Any]) -> None:
    base = {"hand": ["p1"], "gained": ["m1", "m2", "m3", "m4"], "discards": []}
    with pytest.raises(BadVectors, match="'keep' names"):
        run_vector("allocation", {**base, "keep": keep})


def test_a_code_may_be_kept_as_often_as_it_is_listed() -> None:
    base = {"hand": ["m1"], "gained": ["m1", "m2", "m3", "m4"], "discards": []}
    assert run_vector("allocation", {**base, "keep": ["m1", "m1"]})["hand"] == ["m1", "m1"]
    with pytest.raises(BadVectors, match="'keep' names"):
        run_vector("allocation", {**base, "keep": ["m1", "m1", "m1"]})


def test_rules_are_checked() -> None:
    with pytest.raises(BadOption):
        run_vector("settle", {"board": bottom()}, {"BIAS_WINDOW_PAIRS": 0})
