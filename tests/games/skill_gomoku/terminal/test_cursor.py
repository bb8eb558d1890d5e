"""The cursor: it stays on the board, and keys are read one by one."""

from __future__ import annotations

from qipai.games.skill_gomoku.terminal.cursor import Keys, follow


def test_the_cursor_moves_within_the_board_and_plays_where_enter_is_pressed() -> None:
    keys = iter(["\x1b[C", "\x1b[B", "\x1b[B", "\x1b[D", "x", "\x1bOA", "\r"])
    seen: list[str] = []
    found = follow(
        3, (0, 0), lambda x, y: ("", f"{x},{y}"), lambda: next(keys), lambda part, note: seen.append(note)
    )
    assert found == (0, 1)
    assert seen == ["0,0", "1,0", "1,1", "1,2", "0,2", "0,2", "0,1"]
    assert (
        follow(3, (2, 2), lambda x, y: ("", ""), iter(["d", "s", "q"]).__next__, lambda part, note: None)
        is None
    )


def test_keys_that_come_at_once_are_read_one_by_one() -> None:
    chunks = iter([b"\x1b[A\x1b[A\x1bOD", b"\x1b", b"sq", b""])
    keys = Keys(lambda: next(chunks))
    assert [keys.next() for _ in range(7)] == ["\x1b[A", "\x1b[A", "\x1bOD", "\x1b", "s", "q", ""]
