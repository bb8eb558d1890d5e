"""A slow, obvious twin of Paipai Rensa's rules, written from the spec alone.

Boards are 12 lists of 6 tile ids or None, searches are plain recursion, nothing is packed
or cached but failed branches. Shares no code with the game.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

ROWS, COLS = 12, 6
Grid = list[list[int | None]]
Counts = dict[int, int]


def suit(tile: int) -> int:
    return 3 if tile >= 108 else tile // 36


def kind(tile: int) -> int:
    return tile // 4


def empty() -> Grid:
    return [[None] * COLS for _ in range(ROWS)]


# --- board ----------------------------------------------------------------------------


def fall(grid: Grid) -> Grid:
    """Return the board after all tiles have fallen."""
    made = empty()
    for c in range(COLS):
        tiles = [grid[r][c] for r in range(ROWS) if grid[r][c] is not None]
        for i, t in enumerate(reversed(tiles)):
            made[ROWS - 1 - i][c] = t
    return made


def remove_groups(grid: Grid) -> list[int]:
    """Spec 6.2, in place; the removed tiles in order."""
    seen: set[tuple[int, int]] = set()
    out: list[int] = []
    groups: list[list[tuple[int, int]]] = []
    for r in range(ROWS):
        for c in range(COLS):
            if grid[r][c] is None or (r, c) in seen:
                continue
            first = grid[r][c]
            assert first is not None
            stack, group = [(r, c)], []
            seen.add((r, c))
            while stack:
                y, x = stack.pop()
                group.append((y, x))
                for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                    ny, nx = y + dy, x + dx
                    if not (0 <= ny < ROWS and 0 <= nx < COLS) or (ny, nx) in seen:
                        continue
                    there = grid[ny][nx]
                    if there is not None and suit(there) == suit(first):
                        seen.add((ny, nx))
                        stack.append((ny, nx))
            groups.append(group)
    for group in groups:
        if len(group) >= 4:
            for y, x in group:
                tile = grid[y][x]
                assert tile is not None
                out.append(tile)
                grid[y][x] = None
    return out


def cells(x: int, y: int, r: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """Axis and rotor as (column, row)."""
    return (x, y + 1), [(x, y), (x + 1, y + 1), (x, y + 2), (x - 1, y + 1)][r]


def free(grid: Grid, x: int, y: int, r: int) -> bool:
    return all(0 <= c < COLS and row < ROWS and grid[row][c] is None for c, row in cells(x, y, r))


def placements(grid: Grid) -> list[int]:
    """Breadth first from the spawn, with gravity steps allowed on the way too."""
    start = (2, 0, 0)
    seen = {start}
    todo = deque([start])
    while todo:
        x, y, r = todo.popleft()
        for to in ((x - 1, y, r), (x + 1, y, r), (x, y, (r + 1) % 4), (x, y, (r - 1) % 4), (x, y + 1, r)):
            if to not in seen and free(grid, *to):
                seen.add(to)
                todo.append(to)
    return sorted({4 * x + r for x, _, r in seen})


# --- hands ----------------------------------------------------------------------------


def splits(counts: list[int], melds: int, pair: bool) -> bool:
    """Return whether exactly these counts are `melds` melds and, if asked, a pair."""
    k = next((i for i in range(34) if counts[i]), None)
    if k is None:
        return melds == 0 and not pair
    options = [([k, k, k], True), ([k, k], False)]
    if k < 27 and k % 9 < 7:
        options.append(([k, k + 1, k + 2], True))
    for step, is_meld in options:
        if (is_meld and not melds) or (not is_meld and not pair):
            continue
        left = list(counts)
        for t in step:
            left[t] -= 1
        if min(left) >= 0 and splits(left, melds - is_meld, pair and is_meld):
            return True
    return False


def wins14(tiles: Sequence[int]) -> bool:
    counts = [0] * 34
    for t in tiles:
        counts[kind(t)] += 1
    return len(tiles) == 14 and splits(counts, 4, True)


def reds(tiles: Sequence[int]) -> int:
    return sum(t in (16, 52, 88) for t in tiles)


def try_win(board: Sequence[int], discards: Sequence[int]) -> list[int] | None:
    """Spec 9.2 word for word: the 14 tiles, pair first, or None."""
    pool = [*board, *discards]
    if len(pool) < 14:
        return None
    order: list[int] = []
    counts: Counts = {}
    for t in pool:
        if kind(t) not in counts:
            order.append(kind(t))
        counts[kind(t)] = counts.get(kind(t), 0) + 1
    failed: set[tuple[Any, ...]] = set()

    def search(left: Counts, depth: int) -> list[tuple[int, int, int]] | None:
        if depth == 4:
            return []
        key = (depth, *sorted(left.items()))
        if key in failed:
            return None
        melds = [(k, k, k) for k in order if left[k] >= 3]
        for s in range(3):
            for n in range(7):
                run = (9 * s + n, 9 * s + n + 1, 9 * s + n + 2)
                if all(left.get(k, 0) for k in run):
                    melds.append(run)
        for meld in melds:
            less = dict(left)
            for k in meld:
                less[k] -= 1
            rest = search(less, depth + 1)
            if rest is not None:
                return [meld, *rest]
        failed.add(key)
        return None

    for k in order:
        if counts[k] >= 2:
            found = search({**counts, k: counts[k] - 2}, 0)
            if found is not None:
                return realise([k, k, *(x for m in found for x in m)], board, discards)
    return None


def realise(kinds: Sequence[int], board: Sequence[int], discards: Sequence[int]) -> list[int]:
    sources = [list(discards), list(board)]
    used = []
    for k in kinds:
        for source in sources:
            places = [i for i, t in enumerate(source) if kind(t) == k]
            if places:
                used.append(source.pop(places[-1]))
                break
    return used


# --- the game -------------------------------------------------------------------------


class NaiveGame:
    """The native level: placements and KEEP/DISCARD answers, on a given supply."""

    def __init__(self, deck: Sequence[int], whole_board: bool = False) -> None:
        self.deck = list(deck)
        self.whole_board = whole_board
        self.grid = empty()
        self.hand: list[int] = []
        self.discards: list[int] = []
        self.lost: list[int] = []
        self.list: list[int] = []
        self.answers: list[bool] = []
        self.score = self.cpu = self.cpu_wins = self.player_wins = self.holds = self.chain = 0
        self.consumed = 0
        self.pair: list[int] = []
        self.over = False
        self.winner = ""
        self.request()

    def legal(self) -> list[int]:
        if self.over:
            return []
        if self.list:
            return [24, 25] if sum(self.answers) < 14 else [25]
        return placements(self.grid)

    def act(self, action: int) -> None:
        if self.list:
            self.answers.append(action == 24)
            if len(self.answers) == len(self.list):
                self.confirm()
            return
        x, y, r = action // 4, 0, action % 4
        while free(self.grid, x, y + 1, r):
            y += 1
        for (c, row), tile in zip(cells(x, y, r), self.pair, strict=True):
            there = self.grid[row][c]
            if there is not None:
                self.lost.append(there)
            self.grid[row][c] = tile
        self.pair = []
        self.resolve()

    def resolve(self) -> None:
        self.chain = 0
        collected: list[int] = []
        while True:
            self.grid = fall(self.grid)
            removed = remove_groups(self.grid)
            if not removed:
                break
            self.chain += 1
            self.score += 100 * len(removed) * self.chain
            collected += removed
        if collected:
            self.list = self.hand + collected
            self.answers = []
        else:
            self.chain = 0
            self.request()

    def confirm(self) -> None:
        self.hand = [t for t, keep in zip(self.list, self.answers, strict=True) if keep]
        self.discards += [t for t, keep in zip(self.list, self.answers, strict=True) if not keep]
        self.list, self.answers = [], []
        self.holds += 1
        won, used = wins14(self.hand), try_win(self.tiles(), self.discards)
        if won:
            self.score += 2000 + 1000 * reds(self.hand)
            self.player_wins += 1
            self.consumed += 14
            self.hand = []
        if used:
            self.cpu += 2000 + 1000 * reds(used)
            self.cpu_wins += 1
            if self.whole_board:
                self.consumed += len(self.tiles())
                self.grid = empty()
            else:
                self.consumed += 14
                self.grid = [[None if t in used else t for t in row] for row in self.grid]
                self.discards = [t for t in self.discards if t not in used]
        self.resolve()

    def tiles(self) -> list[int]:
        return [t for row in self.grid for t in row if t is not None]

    def request(self) -> None:
        if len(self.deck) >= 2:
            self.pair, self.deck = self.deck[:2], self.deck[2:]
            return
        if wins14(self.hand):
            self.score += 2000 + 1000 * reds(self.hand)
            self.player_wins += 1
        used = try_win(self.tiles(), self.discards)
        if used:
            self.cpu += 2000 + 1000 * reds(used)
            self.cpu_wins += 1
        self.over = True
        self.winner = "player" if self.score > self.cpu else "cpu" if self.score < self.cpu else "draw"

    def conserved(self) -> int:
        held = self.list if self.list else self.hand
        zones = (self.deck, self.pair, self.tiles(), held, self.discards, self.lost)
        return sum(map(len, zones)) + self.consumed
