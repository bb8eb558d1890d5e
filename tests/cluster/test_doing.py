"""What a worker says it is doing, as its pool reads it."""

from __future__ import annotations

import sys
from multiprocessing import get_context

import pytest

from qipai.cluster.doing import SIZE, doing, is_worker, new_board, read_board, use_board

MODULE = sys.modules[doing.__module__]  # `qipai.cluster.doing` is the function


def test_outside_a_worker_nothing_is_said() -> None:
    assert not is_worker()
    doing("something", 1.0)
    assert not is_worker()


def test_a_pool_reads_the_latest_text_and_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "_board", None)  # and back to None at the end
    board = new_board(get_context("spawn"))
    assert read_board(board) == (0, 0.0, "")
    use_board(board)
    assert is_worker()
    doing("agent 雀, deal 3", 2.5)
    first = read_board(board)
    doing("agent b")
    second = read_board(board)
    assert first[1:] == (2.5, "agent 雀, deal 3") and second[1:] == (0.0, "agent b")
    assert first[0] % 2 == second[0] % 2 == 0 and second[0] > first[0]  # odd while it is being written


def test_a_long_text_is_cut_to_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MODULE, "_board", None)
    board = new_board(get_context("spawn"))
    use_board(board)
    doing("x" * 5000)
    said = read_board(board)[2]
    assert set(said) == {"x"} and 900 < len(said) < SIZE
