"""Skill Gomoku's board, plainly: operations and the whole-board win check, for any size.

These are the definitions; the compiled rules look only around changed cells and must
agree. `cells[y][x]` is 0 empty, 1 black, 2 white.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .clone import clone
from .codes import Code, SkillGomokuError, short

Cells = list[list[int]]
Op = dict[str, Any]
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
FIVE = 5


def empty_cells(cells: Cells) -> list[tuple[int, int]]:
    """The empty cells (x, y), row by row."""
    return [(x, y) for y, row in enumerate(cells) for x, c in enumerate(row) if c == 0]


def count(cells: Cells, value: int) -> int:
    """How many cells hold `value`."""
    return sum(row.count(value) for row in cells)


def cells_from_rows(rows: Sequence[str]) -> Cells:
    """Cells from one string a row."""
    return [[int(c) for c in row] for row in rows]


def rows_from_cells(cells: Cells) -> list[str]:
    """One string a row."""
    return ["".join(str(c) for c in row) for row in cells]


def apply_ops(state: Mapping[str, Any], ops: Sequence[Op]) -> dict[str, Any]:
    """§12 the state after `ops`, in order; `state` itself stays as it is.

    Of `state` it reads and renews `board`, `status` and `lastMove`. SkillGomokuError
    when one of the ops cannot be done.
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


def runs(cells: Cells) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """§7 all maximal runs (player, cells), by start cell row by row, then by direction."""
    size = len(cells)
    for y in range(size):
        for x in range(size):
            if cells[y][x] == 0:
                continue
            for dx, dy in DIRECTIONS:
                if _at(cells, x - dx, y - dy) == cells[y][x]:
                    continue  # not the start of the run
                line = [(x, y)]
                while _at(cells, line[-1][0] + dx, line[-1][1] + dy) == cells[y][x]:
                    line.append((line[-1][0] + dx, line[-1][1] + dy))
                yield cells[y][x], line


def _at(cells: Cells, x: int, y: int) -> int:
    return cells[y][x] if 0 <= y < len(cells) and 0 <= x < len(cells) else -1


def winning_lines(cells: Cells) -> list[dict[str, Any]]:
    """All maximal runs of five or more, as §7 reports them."""
    return [
        {"player": player, "length": len(line), "line": [{"x": x, "y": y} for x, y in line]}
        for player, line in runs(cells)
        if len(line) >= FIVE
    ]


def scan_wins(cells: Cells, attacker: int, policy: str = "attacker") -> dict[str, Any]:
    """§7 winner, reason and lines of a board on which `attacker` has just moved."""
    lines = winning_lines(cells)
    owners = {line["player"] for line in lines}
    winner: int | str | None = None
    reason = None
    if len(owners) == 1:
        winner, reason = next(iter(owners)), "five"
    elif len(owners) == 2:
        winner, reason = ("draw" if policy == "draw" else attacker), "simultaneousFive"
    return {"winner": winner, "reason": reason, "lines": lines}
