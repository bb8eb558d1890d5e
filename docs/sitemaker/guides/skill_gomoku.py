"""Skill gomoku: the deck, what each card does to a board, and who wins."""

from __future__ import annotations

from typing import Any

from qipai.games.skill_gomoku.state import CELL
from qipai.match import Match

from .row import Board, Example, Group, Row, play, told

SIZE = 15
MARGIN = 4  # a part of the board is shown: without so many lines at each side
SHOWN = SIZE - 2 * MARGIN
SEED = bytes(range(32))
STONES = (None, "black", "white")
LEFT, RIGHT, OPPONENT = 0, 1, 2

QUIET = ("0000000", "0000000", "0012000", "0021000", "0001000", "0000000", "0000000")
FOUR = ("0000000", "0000000", "0020200", "0111100", "0002000", "0000000", "0000000")
OTHER_FOUR = ("0000000", "0000000", "0010100", "0222200", "0001000", "0000000", "0000000")
LUCKY = bytes([0] * 31 + [134])  # grows a white stone at an end of the four


def examples() -> dict[str, Example]:
    """Return the examples by name."""
    return {
        "deck": _deck(),
        "place": _card("Place", FOUR, [LEFT, _cell(5, 3)]),
        "take": _card("Take", FOUR, [LEFT, _cell(2, 3)], mover=2),
        "inversion": _card("PolarityInversion", QUIET, [LEFT]),
        "freeze": _card("TimeFreeze", QUIET, [LEFT, OPPONENT]),
        "generation": _card("SpontaneousGeneration", QUIET, [LEFT], whole=True),
        "grown": _card("SpontaneousGeneration", OTHER_FOUR, [LEFT], whole=True, seed=LUCKY),
    }


def _cell(x: int, y: int) -> int:
    return CELL + (y + MARGIN) * SIZE + x + MARGIN


def _board(rows: tuple[str, ...]) -> list[str]:
    side = "0" * MARGIN
    empty = ["0" * SIZE] * MARGIN
    return [*empty, *(side + row + side for row in rows), *empty]


def _deck() -> Example:
    """Return the cards and how many of each there are."""
    counts: dict[str, int] = Match("skill_gomoku", seed=SEED).view(0)["settings"]["deckCounts"]
    groups: list[Group] = [
        {"pieces": [card], "note": f"×{n}", "line": (f"card.{card}.about", {})} for card, n in counts.items()
    ]
    return {"values": {"n": sum(counts.values())}, "rows": [{"groups": groups}]}


def _card(
    card: str,
    rows: tuple[str, ...],
    moves: list[int],
    mover: int = 1,
    other: str = "Take",
    whole: bool = False,
    seed: bytes = SEED,
) -> Example:
    """Return a board before and after a card, with what the log says."""
    layout: dict[str, Any] = {
        "board": _board(rows),
        "currentPlayer": mover,
        "turn": {"state": "choose", "drawn": [card, other if other != card else "Place"], "number": 9},
        "deck": {"drawPile": ["Place", "Take", "Place", "Take", "Place", "Take"], "discardPile": []},
    }
    match = Match("skill_gomoku", layout=layout, seed=seed)
    before = match.view(-1)["board"]["cells"]
    events = play(match, list(moves))
    after = match.view(-1)["board"]["cells"]
    lines = [line for event in events if (line := told(match, event)) is not None]
    changed = [[x, y] for y in range(SIZE) for x in range(SIZE) if before[y][x] != after[y][x]]
    first: Row = {"line": lines[0], "boards": [_shown(before, [], whole), _shown(after, changed, whole)]}
    rest: list[Row] = [{"line": line} for line in lines[1:] if line[0] != "log.shuffle"]
    return {"values": {}, "rows": [first, *rest]}


def _shown(cells: list[list[int]], changed: list[list[int]], whole: bool) -> Board:
    low, high = (0, SIZE) if whole else (MARGIN, MARGIN + SHOWN)
    inside = [[x - low, y - low] for x, y in changed if low <= x < high and low <= y < high]
    return {"cells": [[STONES[n] for n in row[low:high]] for row in cells[low:high]], "mark": inside}
