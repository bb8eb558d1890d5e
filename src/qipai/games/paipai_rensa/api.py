"""The named API: hands, the CPU's win, the board, over the same compiled rules.

Tiles are ids (0-135) or codes ("m5", "s0", "zE"); results speak the language of the
question. Boards are `Board` objects or board text (README §2.2). Everything refuses
malformed input by name (BadText) and changes nothing it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from qipai.core import State
from qipai.core.errors import BadText

from . import board as grid
from . import rules, win
from .board import CELLS, CLEAR_MIN, COLS, ROWS
from .calls import blank, ready
from .layout import read_board
from .reference import SuitPlanner
from .tiles import KINDS, TILES, Box, code_of, is_red, key_of, kind_of, suit_of, values
from .win import HAND_MAX, MELDS

__all__ = [
    "Board",
    "SuitPlanner",
    "cpu_progress",
    "find_groups",
    "remove_tiles",
    "resolve",
    "settle",
    "solve14",
    "solve_from_pool",
    "try_win",
]

Show = Callable[[int], Any]


def read_tiles(*lists: Any) -> tuple[list[list[int]], Show]:
    """Lists of tiles as ids, none twice, and how to show an id in the language of the input."""
    box = Box()
    found = [box.take_all(given, "tiles") for given in lists]
    ids = all(not isinstance(t, str) for given in lists if not isinstance(given, str) for t in given)
    plain = ids and not any(isinstance(given, str) for given in lists)
    return found, (int if plain else code_of)


# --- hands ----------------------------------------------------------------------------


def solve14(tiles: Any) -> dict[str, Any]:
    """§8 whether exactly these 14 tiles are four melds and a pair, and the canonical way they are."""
    [[*hand], show] = _one_list(tiles)
    if len(hand) != HAND_MAX:
        return {"won": False, "reason": "not14"}
    s = blank()
    s["hand"][:] = [t + 1 for t in hand]
    s["n_hand"] = HAND_MAX
    if not win.player_wins(s):
        return {"won": False, "reason": "no14"}
    counts = [0] * KINDS
    for t in hand:
        counts[kind_of(t)] += 1
    steps = _canonical(counts, MELDS, False)
    assert steps is not None
    return _rebuilt(steps, hand, show)


def solve_from_pool(tiles: Any) -> dict[str, Any]:
    """§9.3 fourteen of the pool that are four melds and a pair: runs first, then triplets, then the pair."""
    [[*pool], show] = _one_list(tiles)
    if len(pool) < HAND_MAX:
        return {"won": False, "reason": "lack"}
    ready()
    counts = [0] * KINDS
    for t in pool:
        counts[kind_of(t)] += 1
    steps: list[tuple[int, ...]] = []
    melds, pair = MELDS, True
    if not _feasible(counts, melds, pair):
        return {"won": False, "reason": "notFound"}
    while melds or pair:
        for step in _pool_steps(counts, melds, pair):
            _change(counts, step, -1)
            if _feasible(counts, melds - (len(step) == 3), pair and len(step) == 3):
                break
            _change(counts, step, 1)
        steps.append(step)
        melds, pair = melds - (len(step) == 3), pair and len(step) == 3
    return _rebuilt(steps, pool, show)


def _one_list(tiles: Any) -> tuple[list[int], Show]:
    lists, show = read_tiles(tiles)
    return lists[0], show


def _change(counts: list[int], step: Iterable[int], by: int) -> None:
    for kind in step:
        counts[kind] += by


def _canonical(counts: list[int], melds: int, paired: bool) -> list[tuple[int, ...]] | None:
    """§8 lowest kind first: triplet, then run, then pair; the first way that works."""
    k = next((i for i in range(KINDS) if counts[i]), KINDS)
    if k == KINDS:
        return []
    steps: list[tuple[int, ...]] = []
    if counts[k] >= 3 and melds:
        steps.append((k, k, k))
    if k < 27 and k % 9 < 7 and counts[k + 1] and counts[k + 2] and melds:
        steps.append((k, k + 1, k + 2))
    if counts[k] >= 2 and not paired:
        steps.append((k, k))
    for step in steps:
        _change(counts, step, -1)
        rest = _canonical(counts, melds - (len(step) == 3), paired or len(step) == 2)
        _change(counts, step, 1)
        if rest is not None:
            return [step, *rest]
    return None


def _pool_steps(counts: list[int], melds: int, pair: bool) -> list[tuple[int, ...]]:
    """§9.3 the steps in order of trial."""
    steps: list[tuple[int, ...]] = []
    if melds:
        starts = [9 * suit + i for suit in range(3) for i in range(7)]
        steps += [(k, k + 1, k + 2) for k in starts if counts[k] and counts[k + 1] and counts[k + 2]]
        steps += [(k, k, k) for k in range(KINDS) if counts[k] >= 3]
    if pair:
        steps += [(k, k) for k in range(KINDS) if counts[k] >= 2]
    return steps


def _feasible(counts: list[int], melds: int, pair: bool) -> bool:
    """Whether so many melds (and a pair) can still be had, exactly."""
    most = [_most_melds(counts, suit) for suit in range(4)]
    if sum(most) < melds:
        return False
    if not pair:
        return True
    for k in range(KINDS):
        if counts[k] >= 2:
            suit = min(k // 9, 3)
            counts[k] -= 2
            left = sum(most) - most[suit] + _most_melds(counts, suit)
            counts[k] += 2
            if left >= melds:
                return True
    return False


def _most_melds(counts: list[int], suit: int) -> int:
    if suit == 3:
        return sum(n >= 3 for n in counts[27:])
    return int(win.melds_in_suit(sum(n << 4 * i for i, n in enumerate(counts[9 * suit : 9 * suit + 9]))))


def _rebuilt(steps: Sequence[tuple[int, ...]], tiles: Sequence[int], show: Show) -> dict[str, Any]:
    """Actual tiles for the steps, a red five first among its kind; melds in order, then the pair."""
    left: dict[int, list[int]] = {}
    for t in sorted(tiles, key=lambda t: not is_red(t)):
        left.setdefault(kind_of(t), []).append(t)
    groups = [[left[k].pop(0) for k in step] for step in steps]
    melds = [g for g in groups if len(g) == 3]
    pair = next(g for g in groups if len(g) == 2)
    hand = [t for g in melds for t in g] + pair
    reds = sum(map(is_red, hand))
    return {
        "won": True,
        "melds": [[show(t) for t in m] for m in melds],
        "pair": [show(t) for t in pair],
        "hand": [show(t) for t in hand],
        "reds": reds,
        "score": int(win.WIN_BASE + win.WIN_PER_RED * reds),
    }


# --- the CPU --------------------------------------------------------------------------


def try_win(board_tiles: Any, discards: Any) -> dict[str, Any]:
    """§9 the CPU's hand from the board's tiles (in reading order) and the discards, in the shape of §9.4."""
    [board, thrown], show = read_tiles(board_tiles, discards)
    if len(board) > CELLS:
        raise BadText(f"a board has {CELLS} cells, not {len(board)}")
    if len(board) + len(thrown) < HAND_MAX:
        return {"won": False, "reason": "pool<14"}
    s = blank()
    s["board"][: len(board)] = [t + 1 for t in board]
    s["discards"][: len(thrown)] = [t + 1 for t in thrown]
    s["n_discards"] = len(thrown)
    s["loose"] = grid.ALL_COLUMNS
    if win.cpu_wins(s):
        tiles = values(s["cpu_tiles"])
        groups = [tiles[:2], *(tiles[i : i + 3] for i in range(2, HAND_MAX, 3))]
    else:
        found = solve_from_pool(board + thrown)
        if not found["won"]:
            return {"won": False, "reason": "no-combo"}
        groups = [found["pair"], *found["melds"]]
    return win_result(groups, set(board), show)


def win_result(groups: list[list[int]], board: set[int], show: Show) -> dict[str, Any]:
    """The result of §9.4: pair first, then the melds."""
    hand = [t for g in groups for t in g]
    reds = sum(map(is_red, hand))
    keys = [[key_of(kind_of(t)) for t in g] for g in groups]
    return {
        "won": True,
        "pair": keys[0],
        "melds": [{"type": "triplet" if k[0] == k[1] else "sequence", "keys": k} for k in keys[1:]],
        "usedBoardTiles": [show(t) for t in hand if t in board],
        "usedDiscardTiles": [show(t) for t in hand if t not in board],
        "hand": [show(t) for t in hand],
        "reds": reds,
        "score": int(win.WIN_BASE + win.WIN_PER_RED * reds),
    }


def cpu_progress(board_tiles: Any, discards: Any) -> dict[str, Any]:
    """§16 the preview of the CPU's hand: triplets by kind, runs, at most four melds, then a pair. No rule."""
    [board, thrown], _ = read_tiles(board_tiles, discards)
    counts = [0] * KINDS
    for t in board + thrown:
        counts[kind_of(t)] += 1
    steps: list[tuple[int, ...]] = []
    for wanted in (3, 1):
        for k in range(KINDS if wanted == 3 else 27):
            step = (k, k, k) if wanted == 3 else (k, k + 1, k + 2)
            if wanted == 1 and k % 9 > 6:
                continue
            while len(steps) < MELDS and all(counts[x] >= step.count(x) for x in step):
                _change(counts, step, -1)
                steps.append(step)
    pair = next(([key_of(k)] * 2 for k in range(KINDS) if counts[k] >= 2), None)
    melds = [
        {"type": "triplet" if a == b else "sequence", "keys": [key_of(x) for x in (a, b, c)]}
        for a, b, c in steps
    ]
    return {"melds": melds, "pair": pair, "complete": len(melds) == MELDS and pair is not None}


# --- the board ------------------------------------------------------------------------


class Board:
    """72 cells, each a tile id or None; row 0 on top. Nothing in it moves by itself."""

    def __init__(self, cells: Any = None) -> None:
        self._cells: list[int] = list(cells._cells) if isinstance(cells, Board) else read_board(cells, Box())

    @classmethod
    def of(cls, s: State) -> Board:
        """The board of a state."""
        made = cls()
        made._cells = [int(v) for v in s["board"].tolist()]
        return made

    @property
    def cells(self) -> list[int | None]:
        """The cells row by row."""
        return [v - 1 if v else None for v in self._cells]

    @property
    def tiles(self) -> list[int]:
        """The tiles in reading order (the CPU's pool)."""
        return [v - 1 for v in self._cells if v]

    def at(self, col: int, row: int) -> int | None:
        """The tile in a cell."""
        return self.cells[COLS * row + col]

    def text(self) -> str:
        """Board text (§2.2)."""
        cells = [code_of(v - 1) if v else ".." for v in self._cells]
        return "\n".join(" ".join(cells[COLS * r : COLS * r + COLS]) for r in range(ROWS))

    def state(self) -> State:
        """A table with this board, resolving."""
        s = blank()
        s["board"][:] = self._cells
        s["loose"] = grid.ALL_COLUMNS
        s["stable"] = 0
        s["phase"] = rules.CHAIN
        return s

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and self._cells == other._cells

    def __hash__(self) -> int:
        return hash(tuple(self._cells))

    def __repr__(self) -> str:
        return f"Board({self.text()!r})"


def settle(board: Any) -> Board:
    """§6.1 the board after a full settle."""
    s = Board(board).state()
    grid.settle(s)
    return Board.of(s)


def find_groups(board: Any) -> list[list[tuple[int, int]]]:
    """§6.2 the groups that would clear now, without gravity: cells (column, row) in removal order."""
    given = Board(board)
    s = given.state()
    n = int(grid.clear(s, 0))
    where = {t: (i % COLS, i // COLS) for i, t in enumerate(given.cells) if t is not None}
    removed = [where[t] for t in values(s["tiles"][:n])]
    groups: list[list[tuple[int, int]]] = []
    for cell in removed:
        tile = given.at(*cell)
        assert tile is not None
        joined = (
            groups and suit_of(tile) == suit_of(_tile(given, groups[-1][0])) and _touches(cell, groups[-1])
        )
        if joined:
            groups[-1].append(cell)
        else:
            groups.append([cell])
    assert all(len(g) >= CLEAR_MIN for g in groups)
    return groups


def _tile(board: Board, cell: tuple[int, int]) -> int:
    tile = board.at(*cell)
    assert tile is not None
    return tile


def _touches(cell: tuple[int, int], group: list[tuple[int, int]]) -> bool:
    return any(abs(cell[0] - x) + abs(cell[1] - y) == 1 for x, y in group)


def resolve(board: Any) -> dict[str, Any]:
    """§6.3 chain ticks until nothing clears."""
    return resolve_state(Board(board).state())


def resolve_state(s: State) -> dict[str, Any]:
    """Run the ticks of a resolving state up to the allocation or the next pair."""
    before = int(s["score"])
    steps: list[int] = []
    while int(s["phase"]) == rules.CHAIN:
        n = int(s["n_tiles"])
        chain = int(s["chain"])
        collected = values(s["tiles"])
        rules.advance(s)
        if int(s["phase"]) == rules.CHAIN:
            steps.append(int(s["n_tiles"]) - n)
            chain, collected = int(s["chain"]), values(s["tiles"])
    return {
        "board": Board.of(s),
        "chain": chain,
        "step_counts": steps,
        "score": int(s["score"]) - before,
        "collected": collected,
    }


def remove_tiles(board: Any, tiles: Iterable[int]) -> Board:
    """The board without exactly these tiles (ids); gaps stay, nothing falls (BUG-2025-02)."""
    made = Board(board)
    gone = set()
    for t in tiles:
        if not isinstance(t, int | np.integer) or isinstance(t, bool) or not 0 <= t < TILES:
            raise BadText("tiles are removed by id")
        gone.add(int(t) + 1)
    made._cells = [0 if v in gone else v for v in made._cells]
    return made
