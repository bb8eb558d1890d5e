"""Chat at a table: the last lines, and a limit shared by all watchers."""

from __future__ import annotations

from collections import deque
from typing import Any

from ..http.limits import Bucket
from ..settings import Settings
from ..wire import Chat

Line = dict[str, Any]  # the fields of a `Chat`


class Talk:
    """The lines that are kept, each with the number of its row."""

    def __init__(self, settings: Settings) -> None:
        self._lines: deque[tuple[int, str]] = deque(maxlen=settings.chat)
        self._rail = Bucket(2 * settings.chat_rate, 2 * settings.chat_burst)

    @property
    def last(self) -> int:
        """The number of the last line, 0 before the first."""
        return self._lines[-1][0] if self._lines else 0

    @property
    def texts(self) -> list[str]:
        """The lines as messages, oldest first."""
        return [text for _, text in self._lines]

    def admit_watcher(self) -> bool:
        """Return whether the watchers, who share a limit, may send one more line now."""
        return self._rail.take()

    def add(self, number: int, line: Line) -> str:
        """Keep a line, and return it as a message."""
        text = Chat(**line).model_dump_json()
        self._lines.append((number, text))
        return text
