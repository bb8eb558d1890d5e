"""The named API over the same rules: hands, boards, the supply, a game with single steps, the self test."""

from __future__ import annotations

from ..reference import SuitPlanner
from .board import Board, find_groups, remove_tiles, resolve, settle
from .game import PaipaiGame
from .hands import cpu_progress, solve14, solve_from_pool, try_win
from .selftest import run_selftest

__all__ = [
    "Board",
    "PaipaiGame",
    "SuitPlanner",
    "cpu_progress",
    "find_groups",
    "remove_tiles",
    "resolve",
    "run_selftest",
    "settle",
    "solve14",
    "solve_from_pool",
    "try_win",
]
