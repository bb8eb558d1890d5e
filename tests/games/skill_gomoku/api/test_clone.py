"""Copies of JSON values: equal, in the same order, and independent."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from qipai.games.skill_gomoku import SkillGomokuMatch
from qipai.games.skill_gomoku.api.clone import clone


def containers(value: Any) -> Iterator[Any]:
    """Yield the lists and objects in a JSON value, itself included."""
    if isinstance(value, dict | list):
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from containers(inner)


def a_dump() -> Any:
    match = SkillGomokuMatch("demo", {"boardSize": 5})
    for _ in range(12):
        match.act(match.legal_actions()[-1])
    return match.dump()


@pytest.mark.parametrize(
    "value", [None, True, 0, -1.5, "text", [], {}, [[]], {"a": {}}, {"b": [1, {"a": 2}]}]
)
def test_a_copy_is_equal_and_of_the_same_types(value: Any) -> None:
    copied = clone(value)
    assert copied == value
    assert type(copied) is type(value)


def test_a_copy_writes_the_same_json_down_to_the_order_of_its_keys() -> None:
    doc = a_dump()
    assert json.dumps(clone(doc)) == json.dumps(doc)


def test_a_copy_shares_no_list_and_no_object_with_the_original() -> None:
    doc = a_dump()
    copied = clone(doc)
    assert not {id(c) for c in containers(doc)} & {id(c) for c in containers(copied)}


def test_emptying_every_container_of_a_copy_leaves_the_original_alone() -> None:
    doc = a_dump()
    before = json.dumps(doc)
    for inner in list(containers(clone(doc))):
        inner.clear()
    assert json.dumps(doc) == before
