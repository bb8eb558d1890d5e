"""The lobby as visitors see it: all of it when they come, then only what changed."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from functools import cached_property

from .wire import GameInfo, Lobby, LobbyChange, TableInfo

SMALL = 500  # characters of a message that is not worth packing


@dataclass
class Notice:
    """A message for all visitors. It is packed once, when the first visitor who wants it so is sent it."""

    text: str

    @cached_property
    def packed(self) -> bytes | None:
        """The message in the zlib format (RFC 1950); None if it is small."""
        return zlib.compress(self.text.encode()) if len(self.text) >= SMALL else None


class Board:
    """What every visitor has been sent so far. A change is computed once and is the same for everyone."""

    def __init__(self) -> None:
        self._games: dict[str, GameInfo] = {}
        self._tables: dict[str, TableInfo] = {}
        self._online = 0
        self._whole: Notice | None = None  # until it changes

    @property
    def whole(self) -> Notice:
        """The whole lobby as a message, for a visitor who comes now."""
        if self._whole is None:
            games, tables = list(self._games.values()), list(self._tables.values())
            whole = Lobby(games=games, tables=tables, online=self._online)
            self._whole = Notice(whole.model_dump_json())
        return self._whole

    def change(self, games: list[GameInfo], tables: list[TableInfo], online: int) -> Notice | None:
        """Adopt the lobby as it is now; return what changed as a message, or None if nothing did."""
        now = {table.id: table for table in tables}
        change = LobbyChange(
            games=[game for game in games if self._games.get(game.name) != game],
            tables=[table for table in tables if self._tables.get(table.id) != table],
            gone=[name for name in self._tables if name not in now],
            online=online,
        )
        if not change.games and not change.tables and not change.gone and online == self._online:
            return None
        self._games = {game.name: game for game in games}
        self._tables, self._online, self._whole = now, online, None
        return Notice(change.model_dump_json())
