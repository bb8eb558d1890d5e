"""Xianqi's own vectors file, and what its `run_vector` answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from qipai.core.errors import BadVectors
from qipai.games.xianqi.vectors import KINDS, run_vector
from qipai.vectors import check, read_file
from tests.games.xianqi.api.states import GOOD, state

FILE = Path(__file__).parents[2] / "vectors" / "xianqi.json"
NAME, VECTORS = read_file(FILE)


def test_the_file_has_vectors_of_every_kind_under_different_ids() -> None:
    assert NAME == "xianqi" and len(VECTORS) >= 80
    assert {vector.kind for vector in VECTORS} == set(KINDS)
    assert len({(vector.id, vector.kind) for vector in VECTORS}) == len(VECTORS)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: f"{v.kind}:{v.id}")
def test_a_vector_of_the_spec_agrees(vector: Any) -> None:
    assert check(run_vector, vector) == []


@pytest.mark.parametrize("kind", ["", "deal", None, [], "ENUMERATE_COMBOS"])
def test_an_unknown_kind_is_a_named_error(kind: Any) -> None:
    with pytest.raises(BadVectors, match="kind"):
        run_vector(kind, {})


@pytest.mark.parametrize("kind", KINDS)
def test_an_input_that_lacks_what_the_kind_needs_is_a_named_error(kind: str) -> None:
    inputs: list[Any] = [{}, {"state": GOOD, "calls": 3, "action": 0}, None, []]
    for given in inputs:
        if kind in ("settle", "public_state", "private_state", "load_state") and given and "state" in given:
            continue
        with pytest.raises(BadVectors):
            run_vector(kind, given)


@pytest.mark.parametrize("call", [[], [0, None, 1, 2], {"cover_list": {}}])
def test_a_malformed_call_is_a_named_error(call: Any) -> None:
    with pytest.raises(BadVectors):
        run_vector("apply_sequence", {"state": GOOD, "calls": [call]})


def test_a_call_may_be_written_in_three_ways() -> None:
    document = state("buckle_decision", 0, ["R_SHI", "B_SHI", "R_MA"])
    answers = [
        run_vector("apply_sequence", {"state": document, "calls": [call]})
        for call in (1, [1], [1, None, 1], {"action_idx": 1}, {"action_idx": 1, "client_version": 1})
    ]
    assert all(answer == answers[0] for answer in answers) and answers[0]["results"] == ["ok"]


def test_a_refusal_is_a_result_and_says_that_nothing_changed() -> None:
    given = {"state": GOOD, "action_idx": 9}
    before = json.dumps(given)
    assert run_vector("apply_action", given) == {
        "error_code": "ENGINE_INVALID_ACTION_INDEX",
        "unchanged": True,
    }
    assert json.dumps(given) == before
    assert run_vector("apply_action", {"state": {}, "action_idx": 0}) == {
        "error_code": "ENGINE_INVALID_STATE"
    }
    assert run_vector("settle", {"state": GOOD}, "earlier") == {"error_code": "ENGINE_INVALID_CONFIG"}


def test_a_full_game_says_at_which_action_it_was_refused() -> None:
    given = {"config": {"player_count": 3}, "rng_seed": 0, "actions": [0, 99]}
    answer = run_vector("full_game", given)
    assert answer["at"] == 1 and answer["error_code"] == "ENGINE_INVALID_ACTION_INDEX"
    given["actions"] = [0]
    assert run_vector("full_game", given)["error_code"] == "ENGINE_INVALID_PHASE"
