"""Operations: how a card of a third party describes its effect (`place`, `remove`, `swapAll`, `freeze`).

The compiled rules have no such language: they change the state directly. Operations are applied to a board
in document form, so that an invalid list changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..api.clone import clone
from ..api.codes import Code, SkillGomokuError, short
from ..api.lines import Cells

Op = dict[str, Any]


def apply_ops(state: Mapping[str, Any], ops: Sequence[Op]) -> dict[str, Any]:
    """Return the state after `ops`, in order (§12); `state` itself stays unchanged.

    Reads and replaces `board`, `status` and `lastMove`; raises SkillGomokuError for an impossible operation.
    """
    out = dict(state)
    for key in ("board", "status", "lastMove"):
        out[key] = clone(state.get(key))
    for op in ops:
        _apply_op(out, op)
    return out


def _apply_op(state: dict[str, Any], op: Op) -> None:
    kind = op.get("type") if isinstance(op, Mapping) else None
    cells: Cells = state["board"]["cells"]
    if kind == "place":
        x, y = _point(cells, op)
        player = op.get("player")
        if type(player) is not int or player not in (1, 2):
            raise SkillGomokuError(Code.InvalidTarget, f"no player {short(player)}")
        if cells[y][x] != 0:
            raise SkillGomokuError(Code.CellOccupied)
        cells[y][x] = player
        state["lastMove"] = {"x": x, "y": y, "player": player}
    elif kind == "remove":
        x, y = _point(cells, op)
        if cells[y][x] == 0:
            raise SkillGomokuError(Code.CellEmpty)
        cells[y][x] = 0
        last = state["lastMove"]
        if last is not None and (last["x"], last["y"]) == (x, y):
            state["lastMove"] = None
    elif kind == "swapAll":
        state["board"]["cells"] = [[(0, 2, 1)[c] for c in row] for row in cells]
        if state["lastMove"] is not None:
            state["lastMove"]["player"] = 3 - state["lastMove"]["player"]
    elif kind == "freeze":
        target, amount = op.get("target"), op.get("amount")
        if type(target) is not int or target not in (1, 2) or type(amount) is not int or amount < 0:
            raise SkillGomokuError(Code.InvalidTarget, f"cannot freeze {short(target)} by {short(amount)}")
        state["status"]["skipNextTurns"][str(target)] += amount
    else:
        raise SkillGomokuError(Code.InvalidEvent, f"unknown operation {short(op)}")


def _point(cells: Cells, op: Mapping[str, Any]) -> tuple[int, int]:
    point = op.get("point")
    x, y = (point.get("x"), point.get("y")) if isinstance(point, Mapping) else (None, None)
    if type(x) is not int or type(y) is not int:
        raise SkillGomokuError(Code.InvalidTarget, f"not a point: {short(point)}")
    if not (0 <= y < len(cells) and 0 <= x < len(cells)):
        raise SkillGomokuError(Code.OutOfBounds)
    return x, y
