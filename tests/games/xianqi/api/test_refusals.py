"""The one exception of Xianqi's named API, and its codes (§6.4)."""

from __future__ import annotations

import pickle

import pytest

from qipai.core import QipaiError
from qipai.games.xianqi.api import CODES, EngineError, InvalidState


def test_an_engine_error_is_its_code_with_a_message_and_a_place() -> None:
    error = EngineError("ENGINE_INVALID_PHASE", "too late", {"phase": "finished"})
    assert str(error) == error.code == "ENGINE_INVALID_PHASE"
    assert (error.message, error.detail) == ("too late", {"phase": "finished"})
    assert isinstance(error, ValueError) and isinstance(error, QipaiError)
    assert not isinstance(error, AssertionError)
    assert error.to_json() == {"code": "ENGINE_INVALID_PHASE", "message": "too late"}


@pytest.mark.parametrize("error", [EngineError(CODES[0], "why", {"a": 1}), InvalidState("why", {"b": 2})])
def test_an_engine_error_survives_a_process_boundary(error: EngineError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and str(again) == str(error)
    assert (again.code, again.message, again.detail) == (error.code, error.message, error.detail)


def test_codes_differ_and_a_refused_document_has_its_own() -> None:
    assert len(set(CODES)) == len(CODES) == 8
    assert InvalidState("why").code == "ENGINE_INVALID_STATE" and isinstance(InvalidState(), AssertionError)
