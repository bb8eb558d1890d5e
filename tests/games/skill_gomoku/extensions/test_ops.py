"""Operations (§12): what each does, its refusals, and what a refused list leaves behind."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qipai.games.skill_gomoku import SkillGomokuError, apply_ops

from ..positions import state


def place(x: Any, y: Any, player: Any = 1) -> dict[str, Any]:
    return {"type": "place", "point": {"x": x, "y": y}, "player": player}


def remove(x: Any, y: Any) -> dict[str, Any]:
    return {"type": "remove", "point": {"x": x, "y": y}}


def freeze(target: Any, amount: Any) -> dict[str, Any]:
    return {"type": "freeze", "target": target, "amount": amount}


SWAP = {"type": "swapAll"}
LAST = {"x": 1, "y": 1, "player": 2}


def test_54_operations_are_applied_in_order_to_a_copy() -> None:
    doc = state(size=3)
    one = apply_ops(doc, [place(0, 0, 1), place(1, 0, 2), freeze(2, 1)])
    assert one["board"]["cells"][0] == [1, 2, 0]
    assert one["status"]["skipNextTurns"]["2"] == 1
    two = apply_ops(one, [SWAP])
    assert two["board"]["cells"][0] == [2, 1, 0]
    three = apply_ops(two, [remove(0, 0)])
    assert three["board"]["cells"][0] == [0, 1, 0]
    assert doc["board"]["cells"] == [[0] * 3] * 3  # what was passed in stays intact
    assert {key: three[key] for key in ("deck", "turn", "settings")} == {
        key: doc[key] for key in ("deck", "turn", "settings")
    }


REFUSALS: list[tuple[Any, str]] = [
    (place(0, 0), "CellOccupied"),
    (place(1, 0), "CellOccupied"),
    (place(0, -1), "OutOfBounds"),
    (place(3, 0), "OutOfBounds"),
    (place(10**30, 0), "OutOfBounds"),
    (place(2, 2, 3), "InvalidTarget"),
    (place(2, 2, True), "InvalidTarget"),
    (place(2, 2, 1.0), "InvalidTarget"),
    (place(True, 2), "InvalidTarget"),
    (place("2", 2), "InvalidTarget"),
    ({"type": "place", "point": None, "player": 1}, "InvalidTarget"),
    ({"type": "place", "point": [2, 2], "player": 1}, "InvalidTarget"),
    (remove(2, 2), "CellEmpty"),
    (remove(3, 0), "OutOfBounds"),
    (remove(None, 0), "InvalidTarget"),
    ({"type": "remove"}, "InvalidTarget"),
    (freeze(0, 1), "InvalidTarget"),
    (freeze("2", 1), "InvalidTarget"),
    (freeze(True, 1), "InvalidTarget"),
    (freeze(2, -1), "InvalidTarget"),
    (freeze(2, 0.5), "InvalidTarget"),
    (freeze(2, None), "InvalidTarget"),
    ({"type": "explode"}, "InvalidEvent"),
    ({"point": {"x": 2, "y": 2}}, "InvalidEvent"),
    ("swapAll", "InvalidEvent"),
    (None, "InvalidEvent"),
]


@pytest.mark.parametrize(("op", "wanted"), REFUSALS)
def test_54_an_impossible_operation_is_refused_and_so_is_its_whole_list(op: Any, wanted: str) -> None:
    doc = state(rows=["120", "000", "000"])
    before = json.dumps(doc)
    with pytest.raises(SkillGomokuError) as refusal:
        apply_ops(doc, [place(1, 1), freeze(1, 2), SWAP, SWAP, op])
    assert refusal.value.code == wanted
    assert json.dumps(doc) == before


LAST_MOVES: dict[str, tuple[list[dict[str, Any]], dict[str, Any] | None]] = {
    "nothing": ([], LAST),
    "a stone placed elsewhere": ([place(0, 2, 1)], {"x": 0, "y": 2, "player": 1}),
    "of two stones the second": ([place(0, 2, 1), place(2, 2, 2)], {"x": 2, "y": 2, "player": 2}),
    "that stone removed": ([remove(1, 1)], None),
    "another stone removed": ([remove(0, 0)], LAST),
    "a stone removed that was just placed": ([place(0, 2, 1), remove(0, 2)], None),
    "colours swapped": ([SWAP], {**LAST, "player": 1}),
    "removed, then colours swapped": ([remove(1, 1), SWAP], None),
    "a player frozen": ([freeze(1, 1)], LAST),
}


@pytest.mark.parametrize("name", LAST_MOVES)
def test_12_the_last_move_is_the_last_stone_that_still_lies(name: str) -> None:
    ops, wanted = LAST_MOVES[name]
    doc = state(rows=["100", "020", "000"], last=LAST)
    assert apply_ops(doc, ops)["lastMove"] == wanted
    assert doc["lastMove"] == LAST


def test_swapping_colours_twice_changes_nothing() -> None:
    doc = state(rows=["120", "012", "201"], last=LAST)
    once = apply_ops(doc, [SWAP])
    assert once["board"]["cells"] == [[2, 1, 0], [0, 2, 1], [1, 0, 2]]
    assert apply_ops(once, [SWAP]) == doc


def test_6_7_freezing_adds_to_the_counter_of_one_player() -> None:
    doc = state(size=3, skips=(1, 2))
    after = apply_ops(doc, [freeze(1, 3), freeze(2, 0), freeze(1, 1)])
    assert after["status"]["skipNextTurns"] == {"1": 5, "2": 2}
