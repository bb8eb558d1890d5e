"""What is read for a table is what was written, and two writers of one number are a conflict."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError

from qipai.server.store import ledger
from qipai.server.store.ledger import Entry, Setup
from qipai.server.store.store import Store

SETUP = Setup("t", "nana", 2, {"mode": "simple"}, 30, 3.0, False, True, 5.0)


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/a.db")
    entries: list[Entry] = [("bot", {"seat": 1, "agent": "random"}), ("ready", {"seat": 0, "ready": True})]
    moves = [(0, (3,)), (1, (4, 5)), (1, (6,))]
    with store.engine.begin() as c:
        ledger.add_table(c, SETUP, entries)
        ledger.add_moves(c, "t", 0, 0, 0, moves)
        ledger.add_answer(c, "t", 0, 1, 1, 7)
        ledger.close_window(c, "t", 0, 1, {0: 8})
    with store.engine.connect() as c:
        assert ledger.find_setup(c, "t") == SETUP and ledger.find_setup(c, "u") is None
        assert ledger.read_entries(c, "t", 0) == entries and ledger.read_entries(c, "t", 1) == entries[1:]
        assert ledger.as_moves(ledger.read_actions(c, "t", 0)) == moves
        assert ledger.as_moves(ledger.read_actions(c, "t", 0, 3)) == moves[2:]
        answers, closed = ledger.read_windows(c, "t", 0)
        assert sorted(answers) == [(1, 0, 8), (1, 1, 7)] and closed == [1]
    store.close()


def test_a_ply_is_written_once(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/a.db")
    with store.engine.begin() as c:
        ledger.add_moves(c, "t", 0, 0, 0, [(0, (3,))])
    with pytest.raises(IntegrityError), store.engine.begin() as c:
        ledger.add_moves(c, "t", 0, 0, 0, [(1, (4,))])
    store.close()
