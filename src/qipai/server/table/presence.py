"""Who is connected to a table: the sockets of this worker, and what other workers say of theirs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from qipai.core import WATCHER

from ..store.guests import Guest
from .seating import Seating

if TYPE_CHECKING:
    from ..http.sockets import Socket


class Presence:
    """Sockets by viewer. `changes` counts whatever others may notice of it."""

    def __init__(self, seating: Seating) -> None:
        self.sockets: dict[Socket, int] = {}  # with the viewer of each
        self.quiet_since = time.monotonic()  # when the last socket went
        self.changes = 0
        self._seating = seating
        self._elsewhere: tuple[set[int], int] = (set(), 0)  # seats and watchers at other workers
        self._lost: dict[int, float] = {}  # by seat: when the last socket of its person went
        self._announced: tuple[list[int], int] | None = None  # as other workers know it
        self._entries = -1  # of the seating, when the viewers were found
        self._here: set[int] = set()
        self._watching = 0

    # --- reading ----------------------------------------------------------------------

    def viewer(self, guest: Guest) -> int:
        """Return whose eyes a guest has here: the seat, or a watcher's."""
        seat = self._seating.seat_of(guest.id)
        return WATCHER if seat is None else seat

    @property
    def here(self) -> set[int]:
        """The seats whose persons have a socket at this worker."""
        self.look_again()
        return self._here

    @property
    def watching_here(self) -> int:
        """How many sockets at this worker have no seat."""
        self.look_again()
        return self._watching

    @property
    def connected(self) -> set[int]:
        """The seats whose persons have a socket, here or at another worker."""
        elsewhere = self._elsewhere[0]
        return self.here | elsewhere if elsewhere else self.here

    @property
    def watchers(self) -> int:
        """How many look on without a seat, here and at other workers."""
        return self.watching_here + self._elsewhere[1]

    def look_again(self) -> None:
        """Find the viewer of every socket, where somebody sat down or stood up since."""
        if self._entries != self._seating.entries:
            self._entries = self._seating.entries
            for socket in self.sockets:
                self.sockets[socket] = self.viewer(socket.guest)
            self._count()

    def gone_since(self, seat: int, now: float) -> float | None:
        """Return when the person of a seat lost the last socket, None where there is one."""
        if seat in self.connected:
            self._lost.pop(seat, None)
            return None
        return self._lost.setdefault(seat, now)

    # --- changing ---------------------------------------------------------------------

    def join(self, socket: Socket) -> int:
        """Take in a socket that opens, and return its viewer."""
        viewer = self.viewer(socket.guest)
        self.sockets[socket] = viewer
        self._lost.pop(viewer, None)
        self._count()
        return viewer

    def part(self, socket: Socket) -> None:
        """Let a socket go."""
        self.sockets.pop(socket, None)
        self._count()
        viewer, now = self.viewer(socket.guest), time.monotonic()
        if viewer != WATCHER and viewer not in self.connected:
            self._lost[viewer] = now
        if not self.sockets:
            self.quiet_since = now

    def stay(self) -> None:
        """Note that the table is not left alone."""
        self.quiet_since = time.monotonic()

    def set_elsewhere(self, seats: set[int], watchers: int) -> bool:
        """Take in who is connected to other workers; return whether that is news."""
        if self._elsewhere == (seats, watchers):
            return False
        self._elsewhere = (seats, watchers)
        self.changes += 1
        return True

    def announce(self) -> tuple[list[int], int, bool]:
        """Return the seats and watchers here, and whether other workers do not know it yet."""
        found = (sorted(self.here), self.watching_here)
        news = found != self._announced
        self._announced = found
        return *found, news

    def _count(self) -> None:
        viewers = list(self.sockets.values())
        self._here = set(viewers) - {WATCHER}
        self._watching = viewers.count(WATCHER)
        self.changes += 1
