"""The fuzzer of Xianqi's named API, at 1 % of the count that `make proof` runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from qipai.games.xianqi.api import CODES, EngineError, XianqiGameEngine, engine
from tests.fuzz.xianqi_api import replay, run


def test_every_input_gives_a_result_or_a_named_refusal_and_refusals_change_nothing() -> None:
    found = run(10_000, seed=20260216)
    assert found["inputs"] == sum(n for name, n in found.items() if name != "inputs") == 10_000
    assert found["accepted"] > 2000
    reached = {code for code in CODES if code != "ENGINE_INVALID_ACTION"}
    assert reached <= set(found) and "ENGINE_INVALID_ACTION" not in found


def test_the_fuzzer_is_replayed_by_its_seed() -> None:
    assert run(1500, seed=5) == run(1500, seed=5) != run(1500, seed=6)
    assert sum(replay(5, 1234).values()) == 235


def faulty(monkeypatch: pytest.MonkeyPatch, name: str, wrong: Callable[..., Any]) -> None:
    monkeypatch.setattr(XianqiGameEngine, name, wrong)


def test_the_fuzzer_sees_a_raw_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "is_within", lambda value, low, high: low <= value <= high)
    with pytest.raises(AssertionError, match=r"seed 1 input \d+: .* raised TypeError"):
        run(5000, seed=1)


def test_the_fuzzer_sees_a_change_before_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = XianqiGameEngine._read_cover

    def hasty(self: XianqiGameEngine, cover_list: Any, action: int) -> Any:
        self._position().doc["version"] += 1
        return checked(self, cover_list, action)

    faulty(monkeypatch, "_read_cover", hasty)
    with pytest.raises(AssertionError, match="changed the state"):
        run(5000, seed=1)


def test_the_fuzzer_sees_a_change_of_the_record_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def hasty(self: XianqiGameEngine, action: int) -> None:
        self._s["ply"] += 1
        raise EngineError("ENGINE_INVALID_PHASE")

    faulty(monkeypatch, "_check_pending", hasty)
    with pytest.raises(AssertionError, match="changed the state"):
        run(5000, seed=1)


def test_the_fuzzer_sees_an_unknown_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def renamed(self: XianqiGameEngine) -> Any:
        raise EngineError("ENGINE_SOMETHING")

    faulty(monkeypatch, "settle", renamed)
    with pytest.raises(AssertionError, match="unknown code"):
        run(5000, seed=1)
