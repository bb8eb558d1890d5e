"""The fuzzer of Skill Gomoku's named API, at a small part of the count that `make proof` runs."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.games.skill_gomoku import Code, TurnMachine
from qipai.games.skill_gomoku.api.interface import MachineInterface
from tests.fuzz.skill_gomoku_api import replay, run


def test_every_input_is_accepted_or_refused_by_name_and_refusals_change_nothing() -> None:
    found = run(1500, seed=4)
    assert found["inputs"] == sum(n for name, n in found.items() if name != "inputs") == 1500
    assert found["accepted"] > 100
    assert found["loaded"] > 20
    wanted = {"InvalidEvent", "NotYourTurn", "WrongState", "CardNotDrawn", "InvalidTarget", "InvalidConfig"}
    assert wanted <= set(found)


def test_the_fuzzer_is_replayed_by_its_seed() -> None:
    assert run(400, seed=5) == run(400, seed=5)
    assert sum(replay(5, 260).values()) == 11


def test_the_fuzzer_sees_a_raw_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    def hasty(self: Any, event: Any) -> Any:
        return event["index"] + 1

    monkeypatch.setattr(MachineInterface, "read_choice", hasty)
    with pytest.raises(AssertionError, match=r"seed 1 input \d+: raised"):
        run(800, seed=1)


def test_the_fuzzer_sees_a_change_before_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(self: Any, event: Any) -> Any:
        self.log.append({"seq": 0})
        return Code.WrongState

    monkeypatch.setattr(TurnMachine, "_accept", careless)
    with pytest.raises(AssertionError, match="changed the match"):
        run(800, seed=1)
