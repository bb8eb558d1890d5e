"""Values that JSON can hold: what is refused, and that copies share nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.match.jsonable import DEPTH, NotJson, copied, is_int, json_copy


def test_a_copy_shares_nothing() -> None:
    value: dict[str, Any] = {"a": [1, {"b": None}], "c": (1.5, "x", True)}
    for copy in (json_copy, copied):
        found = copy(value)
        assert found == {"a": [1, {"b": None}], "c": [1.5, "x", True]}
        found["a"][1]["b"] = 3
        assert value["a"][1] == {"b": None}


@pytest.mark.parametrize(
    "value",
    [{1: 2}, {"a": {1}}, b"x", float("nan"), float("inf"), 1 << 63, -(1 << 63) - 1, np.int8(3), object()],
)
def test_what_json_cannot_hold_is_refused(value: Any) -> None:
    with pytest.raises(NotJson):
        json_copy([value])


def test_deep_and_endless_values_are_refused() -> None:
    deep: list[Any] = []
    for _ in range(DEPTH):
        deep = [deep]
    with pytest.raises(NotJson, match="deep"):
        json_copy(deep)
    round_about: list[Any] = []
    round_about += [round_about] * 10
    with pytest.raises(NotJson):
        json_copy(round_about)


def test_a_truth_value_is_no_number() -> None:
    assert is_int(3) and is_int(np.int8(3))
    assert not is_int(True) and not is_int(3.0) and not is_int("3") and not is_int(None)
