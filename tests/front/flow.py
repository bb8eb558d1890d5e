"""`python -m tests.front.flow`: play 50 pairs of Paipai Rensa, and write what the page may ask about.

The player puts tiles next to tiles of their suit, as in `rensa.js`, and keeps what the view suggests.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from qipai.core import get
from qipai.games.paipai_rensa.state import COLS, DISCARD, KEEP, ROWS
from qipai.match import Match

FILE = Path(__file__).parent / "fifty_pairs.json"
PAIRS, PLAYS = 50, 6
HIGH, LEVEL, BURIED = 8, 0.4, 20.0  # rows that are dangerous, what a row costs, and what danger does
SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
TURNS = (0, 1, 0, -1)  # columns from the axis to the rotor

Asked = dict[str, Any]


def plays() -> list[list[Asked]]:
    """Return for each play its allocations, with who won the HOLD that followed."""
    return [play(seed) for seed in range(PLAYS)]


def play(seed: int) -> list[Asked]:
    """Place 50 pairs; return the allocations that came."""
    match = Match(get("paipai_rensa"), seed=bytes([seed] * 32))
    found: list[Asked] = []
    placed = 0
    while placed < PAIRS:
        view = match.view(0)
        if view["phase"] == "place":
            match.act(0, best(view))
            placed += 1
        else:
            alloc = view["alloc"]
            before = len(match.events(0))
            match.act(0, [KEEP if keep else DISCARD for keep in alloc["suggest"]])
            hold = next(e for e in match.events(0)[before:] if e["type"] == "hold")
            won = {side: hold[side]["won"] for side in ("player", "cpu")}
            found.append({**{k: alloc[k] for k in ("tiles", "groups", "suggest")}, "won": won})
    return found


def best(view: dict[str, Any]) -> int:
    """Return the placement with the most neighbours of a suit, low ones first."""
    suits = {
        (x, ROWS - 1 - y): code[0]
        for y, row in enumerate(view["board"])
        for x, code in enumerate(row)
        if code
    }
    height = [max((y + 1 for x, y in suits if x == column), default=0) for column in range(COLS)]
    pair = view["falling"]["axis"][0], view["falling"]["rotor"][0]

    def value(action: int) -> float:
        x, r = action >> 2, action & 3
        other = x + TURNS[r]
        cells = (x, height[x] + (r == 2)), (other, height[other] + (r == 0))
        after = {**suits, **dict(zip(cells, pair, strict=True))}
        top = max(y for _, y in cells)
        found = -LEVEL * top - (BURIED if top > HIGH else 0.0)
        for (x, y), suit in zip(cells, pair, strict=True):
            found += sum(after.get((x + dx, y + dy)) == suit for dx, dy in SIDES)
        return found

    return int(max(view["legal_actions"], key=value))


def write(found: list[list[Asked]]) -> str:
    """Return plays as JSON, one allocation per line."""
    parts = [",\n".join("    " + json.dumps(asked) for asked in one) for one in found]
    return "[\n" + ",\n".join(f"  [\n{part}\n  ]" for part in parts) + "\n]\n"


if __name__ == "__main__":
    FILE.write_text(write(plays()), "utf-8")
