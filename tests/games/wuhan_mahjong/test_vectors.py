"""The conformance vectors of this game: the shipped file agrees, refusals are results."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.core.errors import BadVectors
from qipai.games.wuhan_mahjong.vectors import KINDS, run_vector
from qipai.vectors import read_file, run_file

from .tables import MASKS, partial, whole

FILE = Path(__file__).parents[2] / "vectors" / "wuhan_mahjong.json"
ROWS = {row["id"]: row for row in MASKS}


def test_our_vectors_agree() -> None:
    outcomes = list(run_file(FILE))
    assert len(outcomes) > 80
    assert [(o.vector.id, o.differences) for o in outcomes if o.differences] == []


def test_every_kind_has_a_vector() -> None:
    assert {v.kind for v in read_file(FILE)[1]} == set(KINDS)


def test_an_unknown_kind_and_a_missing_input_are_named() -> None:
    with pytest.raises(BadVectors):
        run_vector("score", {})
    with pytest.raises(BadVectors, match="indicator"):
        run_vector("special_tiles", {})


def test_a_refusal_is_a_result() -> None:
    assert run_vector("special_tiles", {"indicator": 34})["code"] == "layout/bad"
    state = partial(ROWS["M1"])
    assert run_vector("mask", {"state": {**state, "phase": "GONG"}, "seat": 0})["ok"] is False


def test_a_step_that_should_raise_and_does_not_is_told() -> None:
    steps = [{"seat": 0, "action": [0, 1], "raises": True}]
    found = run_vector("sequence", {"state": whole(ROWS["M1"]), "steps": steps})
    assert found["ok"] is False


def test_rules_are_options() -> None:
    state = partial(ROWS["M7"])
    assert 276 not in run_vector("mask", {"state": state, "seat": 0})["set_bits"]
    assert 276 in run_vector("mask", {"state": state, "seat": 0}, {"min_win": 8})["set_bits"]
