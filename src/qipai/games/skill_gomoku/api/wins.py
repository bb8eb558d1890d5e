"""The win check on a bare board (§7), by the rules."""

from __future__ import annotations

from typing import Any

from .. import record
from ..extensions.wide import PLAIN, position
from ..view import outcome_of
from .lines import Cells


def scan_wins(cells: Cells, attacker: int, policy: str = "attacker") -> dict[str, Any]:
    """Return winner, reason and lines of a board on which `attacker` (1, 2) has just moved."""
    s = position(cells, attacker)
    s["five_policy"] = record.BOTH_DRAW if policy == "draw" else record.ATTACKER_WINS
    s["phase"], s["scan"] = record.RESOLVE, 1
    PLAIN.advance(s)
    found = outcome_of(s)
    return {"winner": found["winner"], "reason": found["reason"], "lines": found["winningLines"]}
