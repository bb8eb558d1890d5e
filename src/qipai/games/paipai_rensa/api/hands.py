"""Hands: `solve14` of the player, `try_win` of the CPU, the pool solver, and the CPU's progress.

Tiles are ids (0-135) or codes ("m5", "s0", "zE"), and results have the form of the input.
Malformed input raises `BadText`, and arguments are never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from qipai.core.errors import BadText

from .. import win
from ..layout import blank
from ..shapes import Step, change, count_kinds, cpu_steps, is_feasible, meld_keys, places_of, split_hand
from ..state import ALL_COLUMNS, CELLS, HAND_MAX, MELDS, WIN_BASE, WIN_PER_RED
from ..tiles import KINDS, Box, code_of, is_red, key_of, kind_of, values

Show = Callable[[int], Any]


def read_tiles(*lists: Any) -> tuple[list[list[int]], Show]:
    """Return lists of tiles as ids, none twice, and how to show an id in the form of the input."""
    box = Box()
    found = [box.take_all(given, "tiles") for given in lists]
    ids = all(not isinstance(t, str) for given in lists if not isinstance(given, str) for t in given)
    plain = ids and not any(isinstance(given, str) for given in lists)
    return found, (int if plain else code_of)


def solve14(tiles: Any) -> dict[str, Any]:
    """Return whether exactly these 14 tiles are four melds and a pair, and which (§8)."""
    [hand], show = read_tiles(tiles)
    if len(hand) != HAND_MAX:
        return {"won": False, "reason": "not14"}
    s = blank()
    s["hand"][:] = [t + 1 for t in hand]
    s["n_hand"] = HAND_MAX
    if not win.player_wins(s):
        return {"won": False, "reason": "no14"}
    groups = split_hand(hand)
    assert groups is not None
    return _won(groups, show)


def solve_from_pool(tiles: Any) -> dict[str, Any]:
    """Return a hand of fourteen out of the pool: runs first, then triplets, then the pair (§9.3)."""
    [pool], show = read_tiles(tiles)
    if len(pool) < HAND_MAX:
        return {"won": False, "reason": "lack"}
    counts = count_kinds(pool)
    steps: list[Step] = []
    melds, pair = MELDS, True
    if not is_feasible(counts, melds, pair):
        return {"won": False, "reason": "notFound"}
    while melds or pair:
        for step in _pool_steps(counts, melds, pair):
            change(counts, step, -1)
            if is_feasible(counts, melds - (len(step) == 3), pair and len(step) == 3):
                break
            change(counts, step, 1)
        steps.append(step)
        melds, pair = melds - (len(step) == 3), pair and len(step) == 3
    return _won([[pool[i] for i in group] for group in places_of(steps, pool)], show)


def _pool_steps(counts: list[int], melds: int, pair: bool) -> list[Step]:
    """Return the steps in order of trial (§9.3)."""
    steps: list[Step] = []
    if melds:
        starts = [9 * suit + i for suit in range(3) for i in range(7)]
        steps += [(k, k + 1, k + 2) for k in starts if counts[k] and counts[k + 1] and counts[k + 2]]
        steps += [(k, k, k) for k in range(KINDS) if counts[k] >= 3]
    if pair:
        steps += [(k, k) for k in range(KINDS) if counts[k] >= 2]
    return steps


def _won(groups: Sequence[Sequence[int]], show: Show) -> dict[str, Any]:
    """Return the result for melds and, last, the pair."""
    hand = [t for group in groups for t in group]
    reds = sum(map(is_red, hand))
    *melds, pair = [[show(t) for t in group] for group in groups]
    return {
        "won": True,
        "melds": melds,
        "pair": pair,
        "hand": [show(t) for t in hand],
        "reds": reds,
        "score": WIN_BASE + WIN_PER_RED * reds,
    }


# --- the CPU --------------------------------------------------------------------------


def try_win(board_tiles: Any, discards: Any) -> dict[str, Any]:
    """Return the CPU's hand from the board (in reading order) and the discards, in the form of §9.4."""
    [board, thrown], show = read_tiles(board_tiles, discards)
    if len(board) > CELLS:
        raise BadText(f"a board has {CELLS} cells, not {len(board)}")
    if len(board) + len(thrown) < HAND_MAX:
        return {"won": False, "reason": "pool<14"}
    s = blank()
    s["board"][: len(board)] = [t + 1 for t in board]
    s["discards"][: len(thrown)] = [t + 1 for t in thrown]
    s["n_discards"] = len(thrown)
    s["loose"] = ALL_COLUMNS
    if win.cpu_wins(s):
        tiles = values(s["cpu_tiles"])
        groups = [tiles[:2], *(tiles[i : i + 3] for i in range(2, HAND_MAX, 3))]
    else:
        found = solve_from_pool(board + thrown)
        if not found["won"]:
            return {"won": False, "reason": "no-combo"}
        groups = [found["pair"], *found["melds"]]
    return _cpu_won(groups, set(board), show)


def _cpu_won(groups: list[list[int]], board: set[int], show: Show) -> dict[str, Any]:
    """Return the result of §9.4: pair first, then the melds."""
    hand = [t for g in groups for t in g]
    reds = sum(map(is_red, hand))
    pair, *melds = [[kind_of(t) for t in g] for g in groups]
    return {
        "won": True,
        "pair": [key_of(k) for k in pair],
        "melds": [meld_keys(kinds) for kinds in melds],
        "usedBoardTiles": [show(t) for t in hand if t in board],
        "usedDiscardTiles": [show(t) for t in hand if t not in board],
        "hand": [show(t) for t in hand],
        "reds": reds,
        "score": WIN_BASE + WIN_PER_RED * reds,
    }


def cpu_progress(board_tiles: Any, discards: Any) -> dict[str, Any]:
    """Return the preview of the CPU's hand (§16); it decides nothing."""
    [board, thrown], _ = read_tiles(board_tiles, discards)
    steps, pair = cpu_steps(board + thrown)
    return {
        "melds": [meld_keys(step) for step in steps],
        "pair": None if pair is None else [key_of(k) for k in pair],
        "complete": len(steps) == MELDS and pair is not None,
    }
