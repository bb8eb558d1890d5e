"""Chat at a table: the last lines, who wrote them, and a limit shared by all watchers."""

from __future__ import annotations

import hashlib
from collections import deque
from typing import Any, NamedTuple

from ..http.limits import Bucket
from ..settings import Settings
from ..wire import Chat

Line = dict[str, Any]  # a row of `chats`


class Said(NamedTuple):
    """A line that is kept."""

    number: int  # of its row
    guest: str | None  # who wrote it
    text: str  # as a message


class Talk:
    """The lines that are kept."""

    def __init__(self, table: str, settings: Settings) -> None:
        self._table = table
        self._lines: deque[Said] = deque(maxlen=settings.chat)
        self._rail = Bucket(2 * settings.chat_rate, 2 * settings.chat_burst)

    @property
    def last(self) -> int:
        """The number of the last line, 0 before the first."""
        return self._lines[-1].number if self._lines else 0

    @property
    def lines(self) -> list[Said]:
        """The lines, oldest first."""
        return list(self._lines)

    def admit_watcher(self) -> bool:
        """Return whether the watchers, who share a limit, may send one more line now."""
        return self._rail.take()

    def add(self, number: int, line: Line) -> Said:
        """Keep a line, and return it."""
        fields = {name: line[name] for name in ("seat", "name", "text", "at")}
        chat = Chat(id=number, who=pseudonym(self._table, line["guest"]), **fields)
        said = Said(number, line["guest"], chat.model_dump_json())
        self._lines.append(said)
        return said


def pseudonym(table: str, guest: str | None) -> str:
    """Return what tells the writers of a table apart; it cannot be recognised at another table."""
    return "" if guest is None else hashlib.sha256(f"qipai/who/{table}/{guest}".encode()).hexdigest()[:12]
