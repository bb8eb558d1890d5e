"""What everyone at a table is sent: a view for each viewer, built up from nothing and computed once.

Information about a hand leaves the server only through this module.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from qipai.core import State as GameState

from ..wire import ClockInfo, SeatInfo, SharesMessage, State, TableInfo, TableMessage
from .exchange import shares_info

if TYPE_CHECKING:
    from ..http.sockets import Socket
    from .hand import Hand
    from .table import Table


@dataclass(slots=True)
class Sent:
    """What one socket was sent last."""

    table: str = ""  # the `table` message
    shares: str = ""  # the `shares` message
    place: tuple[Any, ...] | None = None  # the position shown
    told: tuple[int, int, int] | None = None  # hand, viewer and version


class Showing:
    """Builds messages from the current position, and caches them until it changes."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._sent: dict[Socket, Sent] = {}
        self._state: GameState | None = None  # the true state, used by all views of a position
        self._views: dict[int, dict[str, Any]] = {}
        self._legal: dict[int, list[int]] | None = None  # of the seats that must decide
        # by viewer and version seen, with the clocks that the text has
        self._texts: dict[tuple[int, int], tuple[list[int], str]] = {}
        self._now = 0.0  # the moment that clocks are read at: one for all sockets
        self._known: tuple[int, int] | None = None  # what `_tables` were made from
        self._tables: dict[int, str] = {}  # `table` messages by viewer
        self._exchanged: tuple[int, int, bool] | None = None  # what `_shares` were made from
        self._shares: dict[int, str] = {}  # `shares` messages by viewer

    def join(self, socket: Socket, viewer: int, told: tuple[int, int] | None) -> None:
        """Add an opened socket. `told` is the hand and version that it claims to have seen."""
        sent = self._sent[socket] = Sent()
        hand, number = self._table.hand, self._table.seating.hand
        if told is not None and hand is not None:
            claimed, version = told
            if claimed == number and 0 <= version <= hand.telling.version(viewer):
                sent.told = (number, viewer, version)

    def part(self, socket: Socket) -> None:
        """Remove a socket."""
        self._sent.pop(socket, None)

    def forget(self) -> None:
        """Clear the cache after a change of position."""
        self._state = None
        self._views = {}
        self._legal = None
        self._texts = {}

    # --- sending ----------------------------------------------------------------------

    def publish(self) -> None:
        """Send every socket what is new to it."""
        table, presence = self._table, self._table.presence
        self._now = time.monotonic()
        presence.look_again()
        known = (table.seating.entries, presence.changes)
        if known != self._known:
            self._known, self._tables = known, {}
        for socket, viewer in list(presence.sockets.items()):
            self._show(socket, viewer)

    def _table_text(self, viewer: int) -> str:
        if viewer not in self._tables:
            self._tables[viewer] = TableMessage(table=self.info(), you=viewer).model_dump_json()
        return self._tables[viewer]

    def _shares_text(self, viewer: int) -> str:
        """Return the `shares` message of a viewer, "" if nobody was asked for a share."""
        exchange, hand = self._table.exchange, self._table.hand
        changes = -1 if exchange is None else exchange.changes
        known = (self._table.seating.hand, changes, hand is not None and hand.over)
        if known != self._exchanged:
            self._exchanged, self._shares = known, {}
        if viewer not in self._shares:
            self._shares[viewer] = self._make_shares(viewer)
        return self._shares[viewer]

    def _make_shares(self, viewer: int) -> str:
        exchange, hand = self._table.exchange, self._table.hand
        if exchange is not None:
            info, committing = exchange.info(viewer), exchange.phase == "commit"
            return SharesMessage(
                hand=exchange.hand, phase="commit" if committing else "reveal", shares=info
            ).model_dump_json()
        if hand is None or hand.match.shares is None:
            return ""
        info, number = shares_info(hand.match.shares, hand.over), self._table.seating.hand
        return SharesMessage(
            hand=number, phase="over" if hand.over else "dealt", shares=info
        ).model_dump_json()

    def _show(self, socket: Socket, viewer: int) -> None:
        table, sent = self._table, self._sent[socket]
        message = self._table_text(viewer)
        if message != sent.table:
            sent.table = message
            socket.send(message)
        message = self._shares_text(viewer)
        if message and message != sent.shares:
            sent.shares = message
            socket.send(message)
        if table.hand is not None:
            self._show_hand(socket, sent, viewer, table.hand)

    def _show_hand(self, socket: Socket, sent: Sent, viewer: int, hand: Hand) -> None:
        number, version, legal = self._table.seating.hand, hand.telling.version(viewer), self.legal(viewer)
        place = (number, viewer, version, tuple(legal), self._table.time_for(viewer) if legal else None)
        if sent.place == place:
            return
        told = sent.told
        since = told[2] if told is not None and told[:2] == (number, viewer) else 0
        socket.send(self.state_text(hand, viewer, since))
        sent.place = place
        sent.told = (number, viewer, version)

    def state_text(self, hand: Hand, viewer: int, since: int) -> str:
        """Return a `state` message; all sockets of a viewer at the same version share it."""
        clock = self.clock(viewer)
        shared = self._turn_clock(hand)
        clocks = [
            number for one in (clock, shared) for number in ([-1] if one is None else [one.left, one.total])
        ]
        known, text = self._texts.get((viewer, since), ([], ""))
        if known == clocks:
            return text
        match, over = hand.match, hand.over
        events = hand.telling.events(viewer, since)
        seed = match.revealed_seed if over else None
        message = State(
            hand=self._table.seating.hand,
            seat=viewer,
            version=hand.telling.version(viewer),
            events=events,
            lines=[match.game.words.line(event) for event in events],
            view=self.view(hand, viewer),
            legal=self.legal(viewer),
            turn=None if over or hand.window is not None else match.seat,
            clock=clock,
            turn_clock=shared,
            over=over,
            payoff=match.payoff if over else None,
            commitment=match.commitment,
            seed=None if seed is None else seed.hex(),
            opened={str(k): self.view(hand, k) for k in range(match.seats)} if over else None,
        )
        text = message.model_dump_json()
        self._texts[viewer, since] = clocks, text
        return text

    # --- what a viewer may know ---------------------------------------------------------

    def view(self, hand: Hand, viewer: int) -> dict[str, Any]:
        """Return what the viewer may see now."""
        if viewer not in self._views:
            self._views[viewer] = hand.match.game.rules.view(self._state_for(hand, viewer), viewer)
        return self._views[viewer]

    def legal(self, viewer: int) -> list[int]:
        """Return the legal actions of the viewer; none if it is not asked."""
        hand = self._table.hand
        if hand is None:
            return []
        if self._legal is None:
            game = hand.match.game
            self._legal = {k: game.legal_actions(self._state_for(hand, k)) for k in hand.waiting_for()}
        return self._legal.get(viewer, [])

    def _state_for(self, hand: Hand, viewer: int) -> GameState:
        """Return the state behind a view. Views never write to it, so all views of a position share it."""
        if hand.window is not None:
            return hand.state_for(viewer)
        if self._state is None:
            self._state = hand.state_for(viewer)
        return self._state

    def clock(self, viewer: int) -> ClockInfo | None:
        """Return the viewer's remaining time, if it is asked and has a time limit."""
        table = self._table
        if not self.legal(viewer):
            return None
        return self._left(table.time_for(viewer))

    def _turn_clock(self, hand: Hand) -> ClockInfo | None:
        """Return the time of the person whose turn it is; while a window is open that is secret."""
        if hand.over or hand.window is not None or not self._table.seating.seats[hand.match.seat].played:
            return None
        return self._left(self._table.time_for(hand.match.seat))

    def _left(self, total: float | None) -> ClockInfo | None:
        table = self._table
        if total is None:
            return None
        left = max(0.0, table.turn.since + total - self._now)
        return ClockInfo(left=int(1000 * left), total=int(1000 * total))

    def info(self) -> TableInfo:
        """Return the public information about the table."""
        table = self._table
        seating, setup, connected = table.seating, table.setup, table.presence.connected
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
            status="playing" if seating.status == "shuffling" else seating.status,
            hand=max(seating.hand, 0),
            chips=seating.chips,
            clock=setup.clock,
            claim=setup.claim,
            private=setup.private,
            watchers=table.watchers,
            aid=setup.aid,
            goal=setup.goal.kind,
            count=setup.goal.count,
            played=seating.progress.hands,
            finished=seating.finished,
            places=seating.progress.places(),
            created=setup.created,
        )
