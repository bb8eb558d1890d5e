"""State documents (§14): what is read, what is filled in, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qipai.games.skill_gomoku import SkillGomokuError, SkillGomokuMatch


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
