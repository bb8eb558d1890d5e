"""Paipai Rensa: what the seat may see as JSON (`view`), and what happened step by step (`narrate`).

A view is built from nothing: everything except the supply behind the NEXT pair is public, and an
unfinished allocation is only known to the seat.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.core import NOBODY, Event, State, copy_state

from . import rules
from .board import landings as fill_landings
from .board import reachable
from .layout import ready
from .planner import behind_next
from .shapes import best_groups, cpu_steps, keep_mask, meld_keys, split_hand, waits
from .state import (
    ALLOC,
    CELLS,
    COLS,
    DISCARD,
    HAND_MAX,
    HOLD,
    KEEP,
    LIST_MAX,
    MELDS,
    OVER,
    PLACE,
    PLACEMENTS,
    ROWS,
    SUPPLY,
    WIN_BASE,
    WIN_PER_RED,
    Phase,
)
from .tiles import CODE, code37, code_of, code_of_kind, codes, is_red, key_of, kind_of, sort_key, values

STATES = {
    Phase.TITLE: "title",
    Phase.SUPPLY: "play",
    Phase.PLACE: "play",
    Phase.CHAIN: "play",
    Phase.ALLOC: "alloc",
    Phase.EVALUATE: "hold",
    Phase.HOLD: "hold",
    Phase.OVER: "gameover",
}
WINNERS = (None, "player", "cpu", "draw")
POLICIES = ("used-only", "all")
SPAWN = {"x": 2, "y": 0, "r": 0}


def view(s: State, seat: int) -> dict[str, Any]:
    """Return what `seat` (or a watcher, -1) may see (§15.5)."""
    phase = Phase(int(s["phase"]))
    seen: dict[str, Any] = {
        "state": STATES[phase],
        "phase": phase.name.lower(),
        "cpu_clear_policy": POLICIES[int(s["cpu_clear_policy"])],
        "board": board_codes(s),
        "falling": falling(s),
        "landings": landings(s),
        "last": {"col": int(s["last"]) >> 2, "rot": int(s["last"]) & 3} if s["last"] >= 0 else None,
        "next": next_pair(s),
        "remaining": remaining(s),
        "total": int(s["total"]),
        "hand": codes(values(s["hand"])),
        "shape": shape(values(s["hand"])),
        "progress": progress(s),
        "discards": codes(values(s["discards"])),
        "lost": codes(values(s["lost"])),
        "consumed": int(s["consumed"]),
        "score": int(s["score"]),
        "cpuScore": int(s["cpu_score"]),
        "playerWins": int(s["player_wins"]),
        "cpuWins": int(s["cpu_wins"]),
        "holds": int(s["holds"]),
        "chain": int(s["chain"]),
        "longest": int(s["longest"]),
        "unseen": unseen(s),
        "alloc": allocation(s, seat),
        "hold": hold_result(s) if phase == Phase.HOLD else None,
        "result": result(s),
        "legal_actions": legal_ids(s) if seat >= 0 else [],
    }
    if phase == Phase.OVER:  # a finished match shows everything
        seen["deck"] = codes(values(s["deck"]))
    return seen


def board_codes(s: State) -> list[list[str | None]]:
    """Return the board as twelve rows of six codes, top first."""
    cells = [code_of(v - 1) if v else None for v in s["board"].tolist()]
    return [cells[COLS * r : COLS * r + COLS] for r in range(ROWS)]


def falling(s: State) -> dict[str, Any] | None:
    """Return the falling pair where it spawns."""
    if int(s["phase"]) != PLACE:
        return None
    axis, rotor = codes(values(s["pair"]))
    return {"axis": axis, "rotor": rotor, **SPAWN}


def landings(s: State) -> dict[str, Any]:
    """Return for each legal placement how deep the pair falls (y) and where axis and rotor come to rest.

    A pair may be at (x, r) and any height down to y. A blocked spawn (§5.6) has y = -1: it lands where it is.
    """
    if int(s["phase"]) != PLACE:
        return {}
    ready()
    depth = np.zeros(PLACEMENTS, np.int8)
    fill_landings(s, depth)
    rows, floor = depth.tolist(), [ROWS - 1 - h for h in s["height"].tolist()]
    found: dict[str, Any] = {}
    for action in legal_ids(s):
        x, r, y = action >> 2, action & 3, rows[action]
        if r in (1, 3):  # the half without support keeps falling
            cells = [[x, floor[x]], [x + 2 - r, floor[x + 2 - r]]]
        else:
            cells = [[x, max(y, 0) + 1], [x, max(y, 0) + r]]
        found[str(action)] = {"y": y, "cells": cells}
    return found


def next_pair(s: State) -> list[str]:
    """Return the visible NEXT pair, or both one after the other (§4)."""
    return codes(values(s["deck"][int(s["at"]) : min(behind_next(s), int(s["total"]))]))


def remaining(s: State) -> int:
    """Return how many tiles lie behind NEXT (§3.8, §4); in the title another pair is queued."""
    queued = 2 if int(s["phase"]) == Phase.TITLE else 0
    return max(0, int(s["total"]) - int(behind_next(s)) - queued)


def unseen(s: State) -> dict[str, int]:
    """Return how many of each code lie behind NEXT, never in which order."""
    counts = s["unseen"].tolist()  # behind the first NEXT pair
    for tile in s["deck"][int(s["at"]) + 2 : min(behind_next(s), int(s["total"]))]:
        counts[CODE[tile] - 1] -= 1
    return {code37(i): n for i, n in enumerate(counts) if n}


def shape(hand: list[int]) -> dict[str, Any]:
    """Return a hand sorted into melds, a pair and the rest, and the tiles that would complete it."""
    tiles = tuple(sorted(hand, key=sort_key))
    groups = best_groups(tiles)
    used = {i for group in groups for i in group}
    complete = len(tiles) == HAND_MAX and len(used) == HAND_MAX
    return {
        "melds": [codes(tiles[i] for i in group) for group in groups if len(group) == 3],
        "pair": next((codes(tiles[i] for i in group) for group in groups if len(group) == 2), None),
        "rest": codes(t for i, t in enumerate(tiles) if i not in used),
        "complete": complete,
        "waits": [] if complete else [code_of_kind(k) for k in waits(tiles)],
    }


def progress(s: State) -> dict[str, Any]:
    """Return the preview of the CPU's hand (§16)."""
    melds, pair = cpu_steps(values(s["board"]) + values(s["discards"]))
    return {
        "melds": [[code_of_kind(k) for k in meld] for meld in melds],
        "pair": None if pair is None else [code_of_kind(k) for k in pair],
        "complete": len(melds) == MELDS and pair is not None,
    }


def allocation(s: State, seat: int) -> dict[str, Any] | None:
    """Return the list; only the seat sees its answers before the move is complete."""
    if int(s["phase"]) != ALLOC:
        return None
    own = seat >= 0
    cursor = int(s["cursor"]) if own else 0
    tiles = tuple(values(s["tiles"]))
    keep = keep_mask(tiles)
    kept = tuple(sorted((t for t, wanted in zip(tiles, keep, strict=True) if wanted), key=sort_key))
    return {
        "tiles": codes(tiles),
        "groups": [list(group) for group in best_groups(tiles)],  # melds, then the pair, by place in the list
        "suggest": list(keep),
        "waits": [code_of_kind(k) for k in waits(kept)],  # of the suggested hand
        "assign": ["hand" if is_kept_at(s, i) else "discard" for i in range(cursor)],
        "cursor": cursor,
        "kept": int(s["kept"]) if own else 0,
    }


def is_kept_at(s: State, i: int) -> bool:
    """Return whether tile `i` of the list was kept; agrees with `rules.is_kept`."""
    half = LIST_MAX // 2
    return bool(int(s["kept_bits"][i // half]) >> (i % half) & 1)


def result(s: State) -> dict[str, Any] | None:
    """Return the totals and the winner, once the game is over (§11)."""
    if int(s["phase"]) != OVER:
        return None
    return {
        "playerTotal": int(s["score"]),
        "cpuTotal": int(s["cpu_score"]),
        "winner": WINNERS[int(s["winner"])],
    }


def legal_ids(s: State) -> list[int]:
    """Return the legal actions, ascending; none between decisions."""
    if s["seat"] == NOBODY:
        return []
    if int(s["phase"]) == ALLOC:
        return [KEEP, DISCARD] if s["kept"] < HAND_MAX else [DISCARD]
    if int(s["phase"]) != PLACE:
        return []
    ready()
    bits = int(reachable(s))
    return [i for i in range(PLACEMENTS) if bits >> i & 1]


def hold_result(s: State) -> dict[str, Any]:
    """Return both sides at an evaluated HOLD, or at the final judgement (§10)."""
    return {"player": _player_result(s), "cpu": _cpu_result(s)}


def _player_result(s: State) -> dict[str, Any]:
    hand = values(s["hand"])
    groups = split_hand(hand)
    if groups is None:
        return {"won": False, "reason": "not14" if len(hand) != HAND_MAX else "no14"}
    *melds, pair = map(codes, groups)
    return {"won": True, "melds": melds, "pair": pair, **_shown(groups)}


def _cpu_result(s: State) -> dict[str, Any]:
    if not s["cpu_points"]:
        pool = len(values(s["board"])) + int(s["n_discards"])
        return {"won": False, "reason": "pool<14" if pool < HAND_MAX else "no-combo"}
    tiles = values(s["cpu_tiles"])
    board = set(values(s["board"]))
    melds = [tiles[i : i + 3] for i in range(2, HAND_MAX, 3)]
    return {
        "won": True,
        "pair": [key_of(kind_of(t)) for t in tiles[:2]],
        "melds": [meld_keys([kind_of(t) for t in meld]) for meld in melds],
        "tiles": codes(tiles),
        "board": sum(t in board for t in tiles),
        "discards": sum(t not in board for t in tiles),
        **_shown([*melds, tiles[:2]]),
    }


def _shown(groups: list[list[int]]) -> dict[str, Any]:
    """Return a complete hand as it is shown: its groups, and the parts of its points (§8)."""
    reds = sum(is_red(t) for group in groups for t in group)
    return {
        "groups": [codes(group) for group in groups],
        "reds": reds,
        "base": WIN_BASE,
        "redPoints": WIN_PER_RED * reds,
        "score": WIN_BASE + WIN_PER_RED * reds,
    }


# --- narrate --------------------------------------------------------------------------


def narrate(before: State, action: int, seat: int) -> list[Event]:
    """Return what happens when `action` is made in `before`, tick by tick; the same for everyone."""
    ready()
    s = copy_state(before)
    events: list[Event] = []
    if int(s["phase"]) == PLACE:
        _tell_landing(s, action, events)
    else:
        answers = [is_kept_at(s, i) for i in range(int(s["cursor"]))] + [action == KEEP]
        if len(answers) < int(s["n_tiles"]):
            return []
        tiles = codes(values(s["tiles"]))
        rules.answer(s, action)
        discarded = [t for t, kept in zip(tiles, answers, strict=True) if not kept]
        hand = sorted(values(s["hand"]))
        events.append({"type": "allocate", "hand": codes(hand), "shape": shape(hand), "discards": discarded})
    while int(s["phase"]) not in (PLACE, ALLOC, OVER):
        _tell_step(s, events)
    return events


def _tell_landing(s: State, action: int, events: list[Event]) -> None:
    axis, rotor = codes(values(s["pair"]))
    lost = int(s["n_lost"])
    board = s["board"].copy()
    rules.place(s, action >> 2, action & 3)
    cells = [i for i in range(CELLS) if s["board"][i] != board[i]]
    events.append(
        {
            "type": "land",
            "col": action >> 2,
            "rot": action & 3,
            "axis": axis,
            "rotor": rotor,
            "cells": [[i % COLS, i // COLS] for i in cells],
            "lost": codes(values(s["lost"][lost:])),
            "board": board_codes(s),
        }
    )


def _tell_step(s: State, events: list[Event]) -> None:
    """Take one automatic step and add what it shows."""
    phase = int(s["phase"])
    if phase == HOLD:
        events.append({"type": "hold", **hold_result(s)})
        rules.advance(s)
        events.append(
            {
                "type": "close",
                "score": int(s["score"]),
                "cpuScore": int(s["cpu_score"]),
                "board": board_codes(s),
                "discards": codes(values(s["discards"])),
            }
        )
        return
    score, n = int(s["score"]), int(s["n_tiles"])
    rules.advance(s)
    if phase == SUPPLY:
        events.append(_supply_event(s))
    elif int(s["score"]) != score:
        tiles = values(s["tiles"])[n:]
        events.append(
            {
                "type": "clear",
                "chain": int(s["chain"]),
                "tiles": codes(tiles),
                "points": int(s["score"]) - score,
                "board": board_codes(s),
            }
        )
    elif int(s["phase"]) == ALLOC:
        events.append({"type": "alloc", "tiles": codes(values(s["tiles"])), "board": board_codes(s)})


def _supply_event(s: State) -> Event:
    if int(s["phase"]) == OVER:
        return {"type": "over", **hold_result(s), **(result(s) or {})}
    axis, rotor = codes(values(s["pair"]))
    return {"type": "spawn", "axis": axis, "rotor": rotor, "next": next_pair(s), "remaining": remaining(s)}
