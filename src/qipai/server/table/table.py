"""One table: its seats, the hand that is played, and what everyone at it is sent.

Here: its rows, moves made durable before anyone hears of them, and keeping up with other workers.
Not here: what people may ask (requests.py), bots, clocks and windows' ends (driver.py), rules.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from sqlalchemy import Connection

from qipai.core import WATCHER
from qipai.core.errors import IllegalAction, NotYourTurn
from qipai.match import Match
from qipai.match.document import read_head

from ..http.limits import Bucket
from ..refusals import Conflict
from ..store import ledger
from ..store.guests import Guest
from ..store.ledger import Entry, Move, Setup
from ..wire import Chat, TableInfo
from .bots import Crew
from .seating import Seating
from .showing import Showing
from .telling import Telling, Window

if TYPE_CHECKING:
    from ..hall import Hall
    from ..http.sockets import Socket

T = TypeVar("T")
TRIES = 8  # when other workers write at the same time
_running: set[asyncio.Future[Any]] = set()  # the loop itself holds tasks weakly


class Answer(NamedTuple):
    """What a seat answers in the window that opened at `ply`."""

    hand: int
    ply: int
    seat: int
    action: int


class Table:
    """Built from its rows by `load`, and kept up to date with them by `catch_up`."""

    def __init__(self, hall: Hall, setup: Setup) -> None:
        self.hall = hall
        self.setup = setup
        self.id = setup.id
        self.seating = Seating.empty_table(setup.seats)
        self.match: Match | None = None  # the present hand, over or not
        self.telling: Telling | None = None
        self.crew: Crew | None = None
        self.closed: set[int] = set()  # plies of windows that are over
        self.answers: dict[int, int] = {}  # sealed, in the present window
        self._sealed: set[int] = set()  # seats of them that have a row
        self.chats: deque[tuple[int, dict[str, Any]]] = deque(maxlen=hall.settings.chat)
        settings = hall.settings
        self.rail = Bucket(2 * settings.chat_rate, 2 * settings.chat_burst)  # what all watchers may say
        self.sockets: set[Socket] = set()
        self.elsewhere: set[int] = set()  # seats connected to other workers
        self.watching_elsewhere = 0
        self.lost: dict[int, float] = {}  # by seat: when the last socket of its person went
        self.since = time.monotonic()  # of the present decision
        self.quiet_since = time.monotonic()  # nobody is connected
        self.lock = asyncio.Lock()
        self.kick = asyncio.Event()  # something changed: the driver looks again
        self.asleep = False
        self.announced: tuple[list[int], int] | None = None  # presence, as other workers know it
        self.showing = Showing(self)
        self.unhurried = False  # the present window waits for the one person who is asked
        self._moment: tuple[int, int, bool] = (-1, 0, False)

    # --- rows ------------------------------------------------------------------------

    @classmethod
    async def load(cls, hall: Hall, table: str) -> Table | None:
        """The table of this name, from its rows."""
        setup = await hall.store.read(lambda c: ledger.find_setup(c, table))
        if setup is None:
            return None
        found = cls(hall, setup)
        await found.catch_up()
        return found

    async def catch_up(self) -> None:
        """Read what other workers (or an earlier process) wrote."""
        store = self.hall.store
        entries = await store.read(lambda c: ledger.read_entries(c, self.id, self.seating.entries))
        hands = [body["hand"] for kind, body in entries if kind == "hand"]
        if hands:
            await self._read_hand(hands[-1])
        for kind, body in entries:
            self.seating.fold(kind, body)
        if self.match is not None:
            await self._read_moves()
        last = self.chats[-1][0] if self.chats else 0
        lines = await store.read(lambda c: ledger.read_chats(c, self.id, last, self.hall.settings.chat))
        for number, line in lines:
            self.hear(number, line)
        self._moved()

    async def _read_hand(self, hand: int) -> None:
        """Begin the hand that its row tells of; the last one's moves are no longer needed."""
        row = await self.hall.store.read(lambda c: ledger.read_hand(c, self.id, hand))
        await self.hall.catalog.wait(self.setup.game)
        await self._begin(await asyncio.to_thread(_match_of, row.head))

    async def _begin(self, match: Match) -> None:
        self.match = match
        self.telling = Telling(match)
        self.crew = Crew(match.game)
        self.closed = set()
        self.answers = {}
        self._sealed = set()

    async def _read_moves(self) -> None:
        match, telling = self.match, self.telling
        assert match is not None and telling is not None
        hand, ply = self.seating.hand, match.ply
        store = self.hall.store
        rows = await store.read(lambda c: ledger.read_actions(c, self.id, hand, ply))
        answers, closed = await store.read(lambda c: ledger.read_windows(c, self.id, hand))
        for seat, actions in ledger.as_moves(rows):
            match.act(seat, actions)
        self.closed.update(closed)
        telling.catch_up(match, self.closed)
        window = telling.window
        self.answers = {s: a for p, s, a in answers if window is not None and p == window.ply}
        self._sealed = set(self.answers)

    async def write(self, work: Callable[[Connection], T], entries: list[Entry] | None = None) -> T:
        """Commit `work` and `entries` together; then, and only then, fold the entries in."""
        entries = entries or []
        first, shared, worker = self.seating.entries, self.hall.store.shared, self.hall.worker

        def both(connection: Connection) -> T:
            value = work(connection)
            ledger.add_entries(connection, self.id, first, entries)
            if shared:
                ledger.notify(connection, self.id, worker)
            return value

        value = await self.hall.store.write(both)
        for kind, body in entries:
            self.seating.fold(kind, body)
        return value

    async def enter(self, *entries: Entry) -> None:
        """Write entries, and tell everyone."""
        await self.write(lambda c: None, list(entries))
        self._moved()
        self.publish()
        self.hall.changed(self)

    async def keep(self, request: Callable[[], Awaitable[Answer | None]]) -> None:
        """Carry out a request alone, then seal the answer that it may give; where another worker was
        first, read its rows and look again."""

        async def tries() -> None:
            for _ in range(TRIES):
                try:
                    async with self.lock:
                        answer = await request()
                    if answer is not None:
                        await self.seal(answer)
                    return
                except Conflict:
                    async with self.lock:
                        await self.catch_up()
                        self.publish()
            raise Conflict("the table is too busy; try again")

        await finished(tries())

    # --- the hand (with the lock held, but for `seal`) ---------------------------------

    async def deal(self, match: Match) -> None:
        """Begin the next hand."""
        hand, names = self.seating.hand + 1, self.seating.names
        head, payoff = match.head(), match.payoff
        entries: list[Entry] = [("hand", {"hand": hand})]
        if payoff is not None:  # a deal that holds no decision
            entries.append(("over", {"hand": hand, "payoff": payoff}))

        def work(connection: Connection) -> None:
            ledger.add_hand(connection, self.id, hand, head, names)
            if payoff is not None:
                people = {k: s.guest for k, s in enumerate(self.seating.seats) if s.guest is not None}
                ledger.end_hand(connection, self.setup, hand, payoff, match.digest, people, names)

        await self.write(work, entries)
        await self._begin(match)
        self._moved()
        self.publish()
        self.hall.changed(self)
        self.hall.metrics.hands += 1

    async def move(
        self, moves: list[Move], closes: Window | None = None, first: list[Entry] | None = None
    ) -> None:
        """Apply moves on a copy, commit them with the entries `first`, then let the copy be the hand."""
        match, telling = self.match, self.telling
        assert match is not None and telling is not None
        twin = match.copy()
        for seat, actions in moves:
            twin.act(seat, actions)
        hand, ply, number = self.seating.hand, match.ply, len(match.moves)
        missing = self._missing(closes) if closes is not None else {}
        entries: list[Entry] = list(first or [])
        payoff = twin.payoff
        if payoff is not None and closes is None and telling.holds(twin):
            payoff = None  # that nobody could answer the last action is told when the window closes
        if payoff is not None:
            entries.append(("over", {"hand": hand, "payoff": payoff}))

        def work(connection: Connection) -> None:
            ledger.add_moves(connection, self.id, hand, ply, number, moves)
            if closes is not None:
                ledger.close_window(connection, self.id, hand, closes.ply, missing)
            if payoff is not None:
                people = {k: s.guest for k, s in enumerate(self.seating.seats) if s.guest is not None}
                names = self.seating.names
                ledger.end_hand(connection, self.setup, hand, payoff, twin.digest, people, names)

        await self.write(work, entries)
        self.match = twin
        if closes is not None:
            self.closed.add(closes.ply)
            self.answers = {}
            self._sealed = set()
        telling.catch_up(twin, self.closed)
        self.hall.metrics.actions += len(moves)
        self._moved()
        self.publish()
        if payoff is not None:
            self.hall.changed(self)

    def answer(self, seat: int, actions: list[int]) -> Answer:
        """An answer in the present window, checked and not yet sealed."""
        window = self.window
        assert window is not None
        if seat not in self.waiting_for():
            raise NotYourTurn(f"it is not for seat {seat} to decide now")
        legal = self.match.game.legal_actions(window.asked[seat]) if self.match else []
        if len(actions) != 1 or actions[0] not in legal:
            raise IllegalAction(f"seat {seat}: this answer is not legal here")
        return Answer(self.seating.hand, window.ply, seat, actions[0])

    async def seal(self, answer: Answer) -> None:
        """Make an answer durable; it is told to nobody before the window closes. Conflict when the
        window closed first. Without the lock: whoever had to wait for it would learn that
        somebody was asked."""
        await self.write(lambda c: ledger.add_answer(c, self.id, *answer))
        window = self.window
        if window is None or (self.seating.hand, window.ply) != answer[:2]:
            return
        self.answers[answer.seat] = answer.action
        self._sealed.add(answer.seat)
        self.showing.forget()
        self.publish()
        self.kick.set()

    async def close_window(self) -> None:
        """Feed the sealed answers to the rules in their order; what is missing or too late declines."""
        window, match = self.window, self.match
        assert window is not None and match is not None
        game, s = match.game, match.state
        moves: list[Move] = []
        trial = match.copy()
        while (decline := game.windows.sealed(s)) is not None:
            seat = trial.seat
            action = self.answers.get(seat, decline)
            if action not in game.legal_actions(s):
                action = decline
            trial.act(seat, action)
            moves.append((seat, (action,)))
            s = trial.state
        await self.move(moves, closes=window)

    def _missing(self, window: Window) -> dict[int, int]:
        """What is counted for those without a row. Its key refuses an answer that comes through
        another worker after this, and this where that answer was first."""
        asked = [seat for seat in window.asked if seat not in self._sealed]
        return {seat: self.answers.get(seat, window.decline[seat]) for seat in asked}

    @property
    def window(self) -> Window | None:
        """The window that is held now."""
        return self.telling.window if self.telling is not None else None

    def waiting_for(self) -> list[int]:
        """The seats that are to decide now. A secret while a window is held."""
        if self.match is None or self.match.over:
            return []
        window = self.window
        if window is not None:
            return [seat for seat in window.asked if seat not in self.answers]
        return [self.match.seat]

    def time_for(self, seat: int) -> float | None:
        """Seconds for the present decision of `seat`; None: as long as it likes."""
        if self.window is not None and not self.unhurried:
            return self.setup.claim
        return float(self.setup.clock) or None

    def _moved(self) -> None:
        """The position may have changed: start its clock, forget what was made from the last one."""
        moment = (self.seating.hand, self.match.ply if self.match else 0, self.window is not None)
        if moment != self._moment:
            self._moment = moment
            self.unhurried = self.alone
            self.since = time.monotonic()
        self.showing.forget()
        self.kick.set()

    # --- who is here ------------------------------------------------------------------

    def viewer(self, guest: Guest) -> int:
        """Whose eyes a guest has here."""
        seat = self.seating.seat_of(guest.id)
        return WATCHER if seat is None else seat

    @property
    def here(self) -> set[int]:
        """The seats whose persons have a socket at this worker."""
        return {self.viewer(s.guest) for s in self.sockets} - {WATCHER}

    @property
    def connected(self) -> set[int]:
        """The seats whose persons have a socket, here or at another worker."""
        return self.here | self.elsewhere

    @property
    def watchers_here(self) -> int:
        """Sockets at this worker without a seat."""
        return sum(1 for s in self.sockets if self.viewer(s.guest) == WATCHER)

    @property
    def watchers(self) -> int:
        """Who looks on without a seat."""
        return self.watchers_here + self.watching_elsewhere

    @property
    def alone(self) -> bool:
        """One person among bots, and nobody watches: there is nobody to notice how long they take."""
        return len(self.seating.people) <= 1 and self.watchers == 0

    def publish(self) -> None:
        """Send everyone connected here what is new to them."""
        if self.unhurried and self.window is not None and not self.alone:
            # Whoever came would notice how long the window is held: it begins anew, held like any other.
            self.unhurried = False
            self.since = time.monotonic()
            self.showing.forget()
            self.kick.set()
        self.showing.publish()

    def info(self) -> TableInfo:
        """The table as everyone may know it."""
        return self.showing.info()

    def hear(self, number: int, line: dict[str, Any]) -> None:
        """A line of chat, for everyone here."""
        self.chats.append((number, line))
        text = Chat(**line).model_dump_json()
        for socket in list(self.sockets):
            socket.send(text)

    def join(self, socket: Socket, told: tuple[int, int] | None) -> None:
        """A socket opens. `told`: the hand and version it says it has seen."""
        viewer = self.viewer(socket.guest)
        self.sockets.add(socket)
        self.lost.pop(viewer, None)
        if told is not None and self.telling is not None:
            hand, version = told
            if hand == self.seating.hand and 0 <= version <= self.telling.version(viewer):
                socket.told = (self.seating.hand, viewer, version)
        for _, line in self.chats:
            socket.send(Chat(**line).model_dump_json())
        self.publish()
        self.kick.set()
        self.hall.changed(self)

    def part(self, socket: Socket) -> None:
        """A socket is gone."""
        self.sockets.discard(socket)
        viewer = self.viewer(socket.guest)
        now = time.monotonic()
        if viewer != WATCHER and viewer not in self.connected:
            self.lost[viewer] = now
        if not self.sockets:
            self.quiet_since = now
        self.publish()
        self.kick.set()
        self.hall.changed(self)


async def finished(work: Coroutine[Any, Any, T]) -> T:
    """Let `work` come to its end also when whoever asked goes away meanwhile: what is written is told."""
    task = asyncio.ensure_future(work)
    _running.add(task)
    task.add_done_callback(_end)
    return await asyncio.shield(task)


def _end(task: asyncio.Future[Any]) -> None:
    _running.discard(task)
    if not task.cancelled():
        task.exception()  # a refusal nobody waits for any more


def _match_of(head: str) -> Match:
    return Match.begin(read_head(json.loads(head)))
