"""What everyone at a table is sent: a view for each pair of eyes, made from nothing, and never twice.

This is the one door by which anything of a hand leaves the server.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from qipai.core import WATCHER, copy_state
from qipai.core import State as Record

from ..wire import ClockInfo, Progress, SeatInfo, State, TableInfo, TableMessage

if TYPE_CHECKING:
    from ..http.sockets import Socket
    from .table import Table


class Showing:
    """Makes messages of the present position, and keeps them until it changes."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._views: dict[int, dict[str, Any]] = {}
        self._opened: dict[str, dict[str, Any]] | None = None
        self._texts: dict[tuple[int, int], str] = {}  # by viewer and version seen
        self._known: tuple[int, set[int], int] | None = None  # what `_tables` were made from
        self._tables: dict[int, str] = {}  # `table` messages by viewer

    def forget(self) -> None:
        """The position changed."""
        self._views = {}
        self._opened = None
        self._texts = {}

    def publish(self) -> None:
        """Send every socket what is new to it."""
        table = self._table
        known = (table.seating.entries, table.connected, table.watchers)
        if known != self._known:
            self._known, self._tables = known, {}
        for socket in list(table.sockets):
            self._show(socket, table.viewer(socket.guest))

    def _table_text(self, viewer: int) -> str:
        if viewer not in self._tables:
            self._tables[viewer] = TableMessage(table=self.info(), you=viewer).model_dump_json()
        return self._tables[viewer]

    def _show(self, socket: Socket, viewer: int) -> None:
        table = self._table
        message = self._table_text(viewer)
        if message != socket.table:
            socket.table = message
            socket.send(message)
        if table.telling is None:
            catalog, game = table.hall.catalog, table.setup.game
            if not catalog.ready(game):
                socket.send(Progress(progress=catalog.progress(game)).model_dump_json())
            return
        hand, version, legal = table.seating.hand, table.telling.version(viewer), self.legal(viewer)
        place = (hand, viewer, version, tuple(legal), table.time_for(viewer) if legal else None)
        if socket.place == place:
            return
        told = socket.told
        since = told[2] if told is not None and told[:2] == (hand, viewer) else 0
        socket.send(self.state_text(viewer, since, legal))
        socket.place = place
        socket.told = (hand, viewer, version)

    def state_text(self, viewer: int, since: int, legal: list[int]) -> str:
        """A `state` message; the same for everyone with the same eyes who has seen as much."""
        clock = self.clock(viewer)
        if clock is None and (viewer, since) in self._texts:
            return self._texts[viewer, since]
        table = self._table
        match, telling = table.match, table.telling
        assert match is not None and telling is not None
        over = match.over and table.window is None
        seed = match.revealed_seed if over else None
        message = State(
            hand=table.seating.hand,
            seat=viewer,
            version=telling.version(viewer),
            events=(events := telling.events(viewer, since)),
            lines=[match.game.words.line(event) for event in events],
            view=self.view(viewer),
            legal=legal,
            turn=None if over or table.window is not None else match.seat,
            clock=clock,
            over=over,
            payoff=match.payoff if over else None,
            commitment=match.commitment,
            seed=None if seed is None else seed.hex(),
            opened=self.opened() if over else None,
        )
        text = message.model_dump_json()
        if clock is None:
            self._texts[viewer, since] = text
        return text

    def view(self, viewer: int) -> dict[str, Any]:
        """What the viewer may see now."""
        if viewer not in self._views:
            match = self._table.match
            assert match is not None
            self._views[viewer] = match.game.rules.view(self.record(viewer), viewer)
        return self._views[viewer]

    def record(self, viewer: int) -> Record:
        """A copy of the record that the viewer's view is made from: the true one, or a window's."""
        match, window = self._table.match, self._table.window
        assert match is not None
        if window is None:
            return match.state
        shown = window.asked if viewer in self._table.waiting_for() else window.shown
        return copy_state(shown[viewer])

    def opened(self) -> dict[str, dict[str, Any]]:
        """Everyone's views, of a hand that is over."""
        if self._opened is None:
            self._opened = {str(k): self.view(k) for k in range(self._table.setup.seats)}
        return self._opened

    def legal(self, viewer: int) -> list[int]:
        """What the viewer may choose from now."""
        table = self._table
        if table.match is None or viewer == WATCHER or viewer not in table.waiting_for():
            return []
        return table.match.game.legal_actions(self.record(viewer))

    def clock(self, viewer: int) -> ClockInfo | None:
        """How long the viewer has, where it is asked and must hurry."""
        table = self._table
        if viewer == WATCHER or viewer not in table.waiting_for():
            return None
        total = table.time_for(viewer)
        if total is None:
            return None
        left = max(0.0, table.since + total - time.monotonic())
        return ClockInfo(left=int(1000 * left), total=int(1000 * total))

    def info(self) -> TableInfo:
        """The table as everyone may know it."""
        table = self._table
        seating, setup, connected = table.seating, table.setup, table.connected
        stand_in = table.hall.stand_in(setup)
        seats = [
            SeatInfo(
                seat=k,
                kind="empty" if s.empty else ("person" if s.person else "bot"),
                name=s.name,
                agent=s.agent or (stand_in if s.away else None),
                ready=s.ready or s.agent is not None,
                connected=k in connected or s.agent is not None,
                away=s.away,
                owner=k == seating.owner,
            )
            for k, s in enumerate(seating.seats)
        ]
        return TableInfo(
            id=table.id,
            game=setup.game,
            options=setup.options,
            seats=seats,
            status=seating.status,
            hand=max(seating.hand, 0),
            chips=seating.chips,
            clock=setup.clock,
            claim=setup.claim,
            private=setup.private,
            watchers=table.watchers,
            aid=setup.aid,
            created=setup.created,
        )
