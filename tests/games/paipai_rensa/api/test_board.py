"""The named calls on boards: removal by identity (AC-46), and nothing given is changed."""

from __future__ import annotations

from qipai.games.paipai_rensa.api import Board, find_groups, remove_tiles, resolve

from ..positions import EMPTY, bottom
from ..test_board import CASES


def test_ac46_bug_2025_02_removal_is_by_identity_and_leaves_gaps() -> None:
    board = Board(bottom("m1 .. .. .. .. ..", "m2 .. .. .. .. ..", "m1 .. .. .. .. .."))
    upper, lower = board.at(0, 9), board.at(0, 11)
    assert upper is not None and lower is not None and upper != lower
    after = remove_tiles(board, [lower])
    assert (after.at(0, 9), after.at(0, 10) is not None, after.at(0, 11)) == (upper, True, None)
    assert board.at(0, 11) == lower


def test_a_board_given_to_the_api_is_not_changed() -> None:
    board = Board(CASES[0][1])
    before = board.text()
    resolve(board)
    find_groups(board)
    assert board.text() == before and EMPTY in before
