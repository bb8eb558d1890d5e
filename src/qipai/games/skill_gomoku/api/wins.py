"""The win check on a bare board (§7), by the rules."""

from __future__ import annotations

from typing import Any

from ..extensions.wide import PLAIN, position
from ..state import ATTACKER_WINS, BOTH_DRAW, RESOLVE
from ..view import outcome_of
from .lines import Cells


def scan_wins(cells: Cells, attacker: int, policy: str = "attacker") -> dict[str, Any]:
    """Return winner, reason and lines of a board on which `attacker` (1, 2) has just moved."""
    s = position(cells, attacker)
    s["five_policy"] = BOTH_DRAW if policy == "draw" else ATTACKER_WINS
    s["phase"], s["scan"] = RESOLVE, 1
    PLAIN.advance(s)
    found = outcome_of(s)
    return {"winner": found["winner"], "reason": found["reason"], "lines": found["winningLines"]}
