"""Operations (§12): each one, its refusals, and what a refused list leaves behind."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.games.skill_gomoku import SkillGomokuError, apply_ops

from ..positions import state


def test_54_operations_and_their_refusals() -> None:
    doc = state(size=3)
    place = {"type": "place", "point": {"x": 0, "y": 0}, "player": 1}
    white = {"type": "place", "point": {"x": 1, "y": 0}, "player": 2}
    one = apply_ops(doc, [place, white, {"type": "freeze", "target": 2, "amount": 1}])
    assert one["board"]["cells"][0] == [1, 2, 0]
    assert one["status"]["skipNextTurns"]["2"] == 1
    two = apply_ops(one, [{"type": "swapAll"}])
    assert two["board"]["cells"][0] == [2, 1, 0]
    three = apply_ops(two, [{"type": "remove", "point": {"x": 0, "y": 0}}])
    assert three["board"]["cells"][0] == [0, 1, 0]
    assert doc["board"]["cells"] == [[0] * 3] * 3  # what was passed in stays intact
    refusals: list[tuple[Any, str]] = [
        (place, "CellOccupied"),
        ({"type": "remove", "point": {"x": 2, "y": 2}}, "CellEmpty"),
        ({"type": "remove", "point": {"x": 3, "y": 0}}, "OutOfBounds"),
        ({"type": "place", "point": {"x": 0, "y": -1}, "player": 1}, "OutOfBounds"),
        ({"type": "place", "point": None, "player": 1}, "InvalidTarget"),
        ({"type": "place", "point": {"x": 2, "y": 2}, "player": 3}, "InvalidTarget"),
        ({"type": "freeze", "target": 0, "amount": 1}, "InvalidTarget"),
        ({"type": "explode"}, "InvalidEvent"),
        (None, "InvalidEvent"),
    ]
    for op, wanted in refusals:
        with pytest.raises(SkillGomokuError) as refusal:
            apply_ops(one, [op])
        assert refusal.value.code == wanted
