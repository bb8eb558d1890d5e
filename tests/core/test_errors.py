"""Every error has its own code and a line of documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qipai.core import QipaiError
from qipai.core.errors import IllegalAction, all_errors
from qipai.testing import ConformanceError

DOCS = Path(__file__).parents[2] / "docs" / "errors.md"
ROW = re.compile(r"^\| `([^`]+)` \| `([^`]+)` \| (.+) \|$", re.MULTILINE)


def test_codes_are_unique_and_of_one_form() -> None:
    codes = [error.code for error in all_errors()]
    assert len(set(codes)) == len(codes)
    assert all(code == "qipai" or re.fullmatch(r"[a-z]+/[a-z]+", code) for code in codes)


def test_every_error_is_documented_and_nothing_else_is() -> None:
    rows = ROW.findall(DOCS.read_text("utf-8").partition("\n## Server\n")[0])
    assert [(code, name) for code, name, _ in rows] == [(e.code, e.__name__) for e in all_errors()]
    assert all(when.strip() for _, _, when in rows)


@pytest.mark.parametrize("error", all_errors(), ids=lambda e: e.code)
def test_an_error_leaves_the_process_in_one_shape(error: type[QipaiError]) -> None:
    raised = error("what was wrong")
    assert raised.to_json() == {"code": error.code, "message": "what was wrong"}
    assert isinstance(raised, QipaiError)
    assert error.__doc__


def test_the_shipped_codes_have_not_changed() -> None:
    """A code is never renamed or dropped; new ones are added here when they ship."""
    shipped = (
        "qipai game/unknown game/bad option/bad seat/bad seed/bad layout/bad text/bad action/turn "
        "action/illegal action/incomplete match/stale match/over record/bad vectors/bad agent/unknown "
        "agent/fault weights/bad weights/foreign extra/missing device/missing "
        "game/decisionless count/bad batch/bad match/running device/stream wording/bad "
        "name/bad folder/bad pickle/bad"
    )
    assert set(shipped.split()) <= {error.code for error in all_errors()}
    assert IllegalAction.code == "action/illegal"


def test_a_verdict_on_a_game_is_not_a_refusal() -> None:
    assert issubclass(ConformanceError, AssertionError)
    assert not issubclass(ConformanceError, QipaiError)
