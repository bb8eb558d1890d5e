"""Who is connected to a table: the sockets of this worker, and those that other workers report."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from qipai.core import WATCHER

from ..store.guests import Guest
from .seating import Seating

if TYPE_CHECKING:
    from ..http.sockets import Socket


class Presence:
    """Sockets by viewer. `changes` counts everything that others may notice."""

    def __init__(self, seating: Seating) -> None:
        self.sockets: dict[Socket, int] = {}  # with the viewer of each
        self.quiet_since = time.monotonic()  # when the last socket was closed
        self.changes = 0
        self._seating = seating
        self.played = 0.0  # when the last hand ended, in seconds since 1970
        self._elsewhere: tuple[set[int], int] = (set(), 0)  # seats and watchers at other workers
        self._lost: dict[int, float] = {}  # by seat: when the last socket of its person was closed
        self._announced: tuple[list[int], int] | None = None  # as other workers know it
        self._entries = -1  # number of seating entries when the viewers were determined
        self._here: set[int] = set()
        self._watching = 0

    # --- reading ----------------------------------------------------------------------

    def viewer(self, guest: Guest) -> int:
        """Return the viewer number of a guest: their seat, or a watcher."""
        seat = self._seating.seat_of(guest.id)
        return WATCHER if seat is None else seat

    @property
    def here(self) -> set[int]:
        """The seats of people who have a socket at this worker."""
        self.look_again()
        return self._here

    @property
    def watching_here(self) -> int:
        """Number of sockets at this worker that have no seat."""
        self.look_again()
        return self._watching

    @property
    def connected(self) -> set[int]:
        """The seats of people who have a socket, here or at another worker."""
        elsewhere = self._elsewhere[0]
        return self.here | elsewhere if elsewhere else self.here

    @property
    def watchers(self) -> int:
        """Number of watchers, here and at other workers."""
        return self.watching_here + self._elsewhere[1]

    @property
    def only_elsewhere(self) -> bool:
        """Whether all who are connected are connected to other workers."""
        return not self.sockets and self._elsewhere != (set(), 0)

    def look_again(self) -> None:
        """Determine the viewer of every socket again if somebody sat down or stood up."""
        if self._entries != self._seating.entries:
            self._entries = self._seating.entries
            for socket in self.sockets:
                self.sockets[socket] = self.viewer(socket.guest)
            self._count()

    def gone_since(self, seat: int, now: float) -> float | None:
        """Return when the person of a seat lost their last socket, or None if one is open."""
        if seat in self.connected:
            self._lost.pop(seat, None)
            return None
        return self._lost.setdefault(seat, now)

    # --- changing ---------------------------------------------------------------------

    def join(self, socket: Socket) -> int:
        """Add an opened socket and return its viewer."""
        viewer = self.viewer(socket.guest)
        self.sockets[socket] = viewer
        self._lost.pop(viewer, None)
        self._count()
        return viewer

    def part(self, socket: Socket) -> None:
        """Remove a socket."""
        self.sockets.pop(socket, None)
        self._count()
        viewer, now = self.viewer(socket.guest), time.monotonic()
        if viewer != WATCHER and viewer not in self.connected:
            self._lost[viewer] = now
        if not self.sockets:
            self.quiet_since = now

    def stay(self) -> None:
        """Note that the table is not abandoned."""
        self.quiet_since = time.monotonic()

    def set_elsewhere(self, seats: set[int], watchers: int) -> bool:
        """Store who is connected to other workers; return whether that changed anything."""
        if self._elsewhere == (seats, watchers):
            return False
        self._elsewhere = (seats, watchers)
        self.changes += 1
        return True

    def announce(self) -> tuple[list[int], int, bool]:
        """Return the seats and watchers here, and whether other workers need to be told."""
        found = (sorted(self.here), self.watching_here)
        news = found != self._announced
        self._announced = found
        return *found, news

    def unannounce(self) -> None:
        """Note that other workers could not be told."""
        self._announced = None

    def _count(self) -> None:
        viewers = list(self.sockets.values())
        self._here = set(viewers) - {WATCHER}
        self._watching = viewers.count(WATCHER)
        self.changes += 1
