"""One table: its seats, the hand in play, and what everyone at it is sent.

This module reads and writes its rows, stores moves before anyone is told, and follows other workers.
Requests of people are in requests.py; bots, clocks and closing windows in driver.py.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, TypeVar

from sqlalchemy import Connection

from qipai.match import Match, Shares, Telling, Window
from qipai.match.document import read_head
from qipai.match.series import Series, deal_passes

from ..refusals import Conflict
from ..store import ledger
from ..store.guests import Guest
from ..store.ledger import Entry, Setup
from ..wire import TableInfo
from .exchange import Exchange
from .hand import Hand, Plan
from .presence import Presence
from .seating import Seating
from .showing import Showing
from .talk import Line, Talk

if TYPE_CHECKING:
    from ..hall import Hall
    from ..http.sockets import Socket

P = ParamSpec("P")
T = TypeVar("T")
SNAPSHOT = 64  # entries between two snapshots of who sits where
CHUNK = 1000  # entries that are read at once
RECENT = 12 * 3600.0  # seconds after its last hand in which an endless table counts as unfinished
TRIES = 8  # attempts when other workers write at the same time
_running: set[asyncio.Future[Any]] = set()  # the event loop itself only holds weak references to tasks


class Answer(NamedTuple):
    """The answer of a seat in the window that opened at `ply`."""

    hand: int
    ply: int
    seat: int
    action: int


@dataclass
class Turn:
    """The current decision: since when it is open, and whether its window waits for the only person asked."""

    since: float = field(default_factory=time.monotonic)
    unhurried: bool = False
    moment: tuple[int, int, bool] = (-1, 0, False)  # hand, ply, whether a window is open


class Table:
    """Built from its rows by `load`, and kept up to date with them by `catch_up`.

    Only modules of `server/table/` write to a table; other code reads it and calls its methods.
    Its state has few parts, each with its own purpose:

    - `seating`: who sits where, folded from the rows of entries;
    - `hand`: the match in play, what everyone was told of it, its window and bots; None before the first;
    - `exchange`: what people contribute to the seed of the next hand; None unless it is about to be dealt;
    - `turn`: since when the current decision is open;
    - `presence`: who is connected, here and at other workers, and when a hand was last played to its end;
    - `talk`: the last lines of chat;
    - `showing`: what each socket was sent.

    `lock` is held while rows of moves and entries are written; `kick` wakes the driver; `asleep` ends it.
    """

    def __init__(self, hall: Hall, setup: Setup, seating: Seating | None = None) -> None:
        self.hall = hall
        self.setup = setup
        self.seating = seating or Seating.empty_table(setup.seats, setup.goal)
        self.hand: Hand | None = None
        self.exchange: Exchange | None = None
        self.turn = Turn()
        self.presence = Presence(self.seating)
        self.talk = Talk(setup.id, hall.settings)
        self.showing = Showing(self)
        self.lock = asyncio.Lock()
        self.kick = asyncio.Event()
        self.asleep = False

    @property
    def id(self) -> str:
        """The name in the table's address."""
        return self.setup.id

    @property
    def match(self) -> Match | None:
        """The match of the current hand, over or not."""
        return None if self.hand is None else self.hand.match

    @property
    def telling(self) -> Telling | None:
        """What everyone was told of the current hand."""
        return None if self.hand is None else self.hand.telling

    @property
    def window(self) -> Window | None:
        """The window that is open now."""
        return None if self.hand is None else self.hand.window

    # --- rows ------------------------------------------------------------------------

    @classmethod
    async def load(cls, hall: Hall, table: str) -> Table | None:
        """Return the table of this name, built from its rows."""
        read = await hall.store.read(lambda c: _read_past(c, table))
        if read is None:
            return None
        setup, seating, folded = read
        found = cls(hall, setup, seating)
        if seating.hand >= 0:
            await found._read_hand(seating.hand)
        await found.catch_up()
        if folded >= SNAPSHOT:  # a table of an earlier version
            number, body = seating.entries, seating.to_json()
            await hall.store.write(lambda c: ledger.keep_snapshot(c, table, number, body))
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
            if kind == "over":
                self.presence.played = time.time()
        await self._read_exchange()
        if self.hand is not None:
            await self._read_moves(self.hand)
        most = self.hall.settings.chat
        for number, line in await store.read(lambda c: ledger.read_chats(c, self.id, self.talk.last, most)):
            self.hear(number, line)
        self._moved()

    async def _read_hand(self, hand: int) -> None:
        """Start the hand in this row; the moves of the last one are no longer needed."""
        row = await self.hall.store.read(lambda c: ledger.read_hand(c, self.id, hand))
        self.hall.catalog.want(self.setup.game, self.setup.options)
        self.hand = Hand(await asyncio.to_thread(_match_of, row.head))
        self.presence.played = row.ended or self.presence.played
        self.showing.forget()

    async def _read_exchange(self) -> None:
        """Follow the exchange before the next hand, if there is one."""
        if self.seating.status != "shuffling":
            self.exchange = None
            return
        hand = self.seating.hand + 1
        rows = await self.hall.store.read(lambda c: ledger.read_shares(c, self.id, hand))
        if ledger.SERVER not in rows[ledger.REVEAL]:  # a later hand has begun; its rows are read next
            self.exchange = None
            return
        if self.exchange is None or self.exchange.hand != hand:
            self.exchange = Exchange(hand, rows[ledger.REVEAL][ledger.SERVER], self.seating.asked)
        self.exchange.add(rows)

    async def _read_moves(self, hand: Hand) -> None:
        number, ply, store = self.seating.hand, hand.match.ply, self.hall.store
        rows = await store.read(lambda c: ledger.read_actions(c, self.id, number, ply))
        answers, closed = await store.read(lambda c: ledger.read_windows(c, self.id, number))
        await self._compute(hand.read, ledger.as_moves(rows), closed, answers)
        self.showing.forget()

    async def write(self, work: Callable[[Connection], T], entries: Sequence[Entry] = ()) -> T:
        """Commit `work` and `entries` together, and fold in the entries only after that."""
        first, shared, worker = self.seating.entries, self.hall.store.shared, self.hall.worker
        last = first + len(entries)
        snapshot = self.seating.after(entries).to_json() if last // SNAPSHOT > first // SNAPSHOT else None

        def both(connection: Connection) -> T:
            value = work(connection)
            ledger.add_entries(connection, self.id, first, entries)
            if snapshot is not None:
                ledger.keep_snapshot(connection, self.id, last, snapshot)
            if shared:
                ledger.notify(connection, self.id, worker)
            return value

        value = await self.hall.store.write(both)
        for kind, body in entries:
            self.seating.fold(kind, body)
        return value

    async def enter(self, *entries: Entry) -> None:
        """Write entries, and send the change to everyone."""
        await self.write(lambda c: None, entries)
        self._moved()
        self.publish()
        self.hall.changed(self)

    async def keep(self, request: Callable[[], Awaitable[Answer | None]]) -> None:
        """Carry out a request under the lock, then seal the answer that it may return.

        If another worker wrote first, read its rows and try again.
        """

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

    # --- the hand (with the lock held, except for `seal`) -------------------------------

    async def begin_exchange(self) -> None:
        """Commit to the server's share of the next hand's seed, then ask everyone present for theirs."""
        asked = [k for k, seat in enumerate(self.seating.seats) if seat.played]
        exchange = Exchange(self.seating.hand + 1, secrets.token_bytes(32).hex(), asked)
        seed, commitment = exchange.seed.hex(), exchange.commitment
        entry: Entry = ("shuffle", {"hand": exchange.hand, "seats": asked})
        await self.write(lambda c: ledger.begin_shares(c, self.id, exchange.hand, seed, commitment), (entry,))
        self.exchange = exchange
        self._moved()
        self.publish()
        self.hall.changed(self)

    async def contribute(self, rows: Mapping[int, Mapping[int, str]]) -> None:
        """Write rows of the exchange: by step, then by seat. Raises `Conflict` if a seat has one already."""
        exchange = self.exchange
        assert exchange is not None

        def work(connection: Connection) -> None:
            for step, values in rows.items():
                ledger.add_shares(connection, self.id, exchange.hand, step, dict(values))

        await self.write(work)
        exchange.add(rows)
        self.publish()
        self.wake()

    def next_match(self, shares: Shares | None = None) -> Match:
        """Return the next hand of the series; it becomes the table's hand in `deal`. May take long."""
        setup, seating = self.setup, self.seating
        if self.match is None:
            return Series(setup.game, setup.options, setup.seats, shares=shares).match
        return Series.resume(setup.game, self.match, seating.hand, seating.chips).next(shares)

    async def deal(self, match: Match) -> None:
        """Start the next hand."""
        hand, names = self.seating.hand + 1, self.seating.names
        head, payoff = match.head(), match.payoff
        withheld = [] if match.shares is None else match.shares.withheld
        entries: list[Entry] = [("hand", {"hand": hand, "withheld": withheld})]
        entries += [("away", {"seat": seat}) for seat in withheld if self.seating.loses_seat(seat)]
        if payoff is not None:  # a deal without any decision
            entries.append(("over", _over(hand, match)))

        def work(connection: Connection) -> None:
            ledger.add_hand(connection, self.id, hand, head, names)
            if payoff is not None:
                self._end_hand(connection, hand, payoff, match)

        await self.write(work, entries)
        self.exchange = None
        self.hand = Hand(match)
        if payoff is not None:
            self.presence.played = time.time()
        self._moved()
        self.publish()
        self.hall.changed(self)
        self.hall.metrics.hands += 1

    async def move(self, seat: int, actions: Sequence[int], first: Sequence[Entry] = ()) -> None:
        """Make a whole move of `seat`, committed together with the entries `first`."""
        hand = self.hand
        assert hand is not None
        await self._carry_out(hand, await self._compute(hand.plan_move, seat, actions), first)

    async def close_window(self) -> None:
        """Close the current window and apply the answers; missing or late ones count as declined."""
        hand = self.hand
        assert hand is not None and hand.window is not None
        await self._carry_out(hand, await self._compute(hand.plan_close, hand.window))

    @property
    def compiled(self) -> bool:
        """Whether the rules of the hand are compiled; until then they run as plain Python."""
        return self.hand is not None and self.hand.match.game.compiled

    async def _compute(self, work: Callable[P, T], *args: P.args, **given: P.kwargs) -> T:
        """Return what `work` returns; plain rules take long enough to be run outside the event loop."""
        if self.compiled:
            return work(*args, **given)
        return await asyncio.to_thread(work, *args, **given)

    async def _carry_out(self, hand: Hand, plan: Plan, first: Sequence[Entry] = ()) -> None:
        """Commit a plan; only then does it become the hand and is told."""
        number, ply, move = self.seating.hand, hand.match.ply, len(hand.match.moves)
        entries = list(first)
        payoff = plan.payoff
        if payoff is not None:
            entries.append(("over", _over(number, plan.match)))

        def work(connection: Connection) -> None:
            ledger.add_moves(connection, self.id, number, ply, move, plan.moves)
            if plan.closes is not None:
                ledger.close_window(connection, self.id, number, plan.closes.ply, plan.missing)
            if payoff is not None:
                self._end_hand(connection, number, payoff, plan.match)

        await self.write(work, entries)
        hand.adopt(plan)
        self.hall.metrics.actions += len(plan.moves)
        self._moved()
        self.publish()
        if payoff is not None:
            self.presence.played = time.time()
            self.hall.changed(self)

    def _end_hand(self, connection: Connection, hand: int, payoff: list[int], match: Match) -> None:
        people = {k: s.guest for k, s in enumerate(self.seating.seats) if s.guest is not None}
        chain = match.chain
        signature = self.hall.signer.sign(chain)
        result = ledger.Ended(hand, payoff, match.digest, chain, signature.key, signature.value)
        ledger.end_hand(connection, self.setup, result, people, self.seating.names)

    def answer(self, seat: int, actions: list[int]) -> Answer:
        """Return a checked answer in the current window, not yet sealed."""
        window = self.window
        assert window is not None
        return Answer(self.seating.hand, window.ply, seat, window.check(seat, actions))

    async def seal(self, answer: Answer) -> None:
        """Store an answer durably; nobody is told before the window closes.

        Raises `Conflict` if the window closed first. This takes no lock: a person who had to wait for
        it would learn that another seat was asked.
        """
        await self.write(lambda c: ledger.add_answer(c, self.id, *answer))
        window = self.window
        if window is None or (self.seating.hand, window.ply) != answer[:2]:
            return
        window.seal(answer.seat, answer.action)
        self.showing.forget()
        self.publish()
        self.wake()

    def waiting_for(self) -> list[int]:
        """Return the seats that must decide now. Secret while a window is open."""
        return [] if self.hand is None else self.hand.waiting_for()

    def time_for(self, seat: int) -> float | None:
        """Return the seconds for the current decision of `seat`, or None if it has no limit."""
        if self.window is not None and not self.turn.unhurried:
            return self.setup.claim
        return float(self.setup.clock) or None

    def _moved(self) -> None:
        """Start the clock of a new position, and clear what was cached for the last one."""
        moment = (self.seating.hand, self.match.ply if self.match else 0, self.window is not None)
        if moment != self.turn.moment:
            self.turn = Turn(unhurried=self.alone, moment=moment)
        self.showing.forget()
        self.wake()

    # --- who is here ------------------------------------------------------------------

    def viewer(self, guest: Guest) -> int:
        """Return the viewer number of a guest."""
        return self.presence.viewer(guest)

    def unfinished_for(self, guest: Guest) -> bool:
        """Return whether a guest has something to come back to: an endless table, too, for `RECENT`."""
        if self.seating.unfinished_for(guest.id):
            return True
        endless = self.seating.goal.kind == "endless" and self.seating.seat_of(guest.id) is not None
        return endless and time.time() - self.presence.played < RECENT

    @property
    def watchers(self) -> int:
        """Number of watchers."""
        return self.presence.watchers

    @property
    def alone(self) -> bool:
        """Whether one person plays among bots and nobody watches, so that nobody can notice delays."""
        return len(self.seating.people) <= 1 and self.watchers == 0

    @property
    def deserted(self) -> bool:
        """Whether nobody is connected: the table then waits for its people, and no clock runs."""
        return not self.presence.connected and self.watchers == 0

    def publish(self) -> None:
        """Send every connection at this worker what is new to it."""
        if self.turn.unhurried and self.window is not None and not self.alone:
            # A newcomer would notice how long the window is open, so its time starts again.
            self.turn = Turn(moment=self.turn.moment)
            self.showing.forget()
            self.wake()
        self.showing.publish()

    def info(self) -> TableInfo:
        """Return the public information about the table."""
        return self.showing.info()

    def hear(self, number: int, line: Line) -> None:
        """Keep a line of chat, and send it to everyone here."""
        said = self.talk.add(number, line)
        for socket in list(self.presence.sockets):
            if said.guest not in socket.guest.blocked:
                socket.send(said.text)

    def join(self, socket: Socket, told: tuple[int, int] | None) -> None:
        """Add an opened socket. `told` is the hand and version that it claims to have seen."""
        if self.deserted:
            self.turn = Turn(unhurried=self.turn.unhurried, moment=self.turn.moment)
        viewer = self.presence.join(socket)
        self.showing.join(socket, viewer, told)
        for said in self.talk.lines:
            if said.guest not in socket.guest.blocked:
                socket.send(said.text)
        self.stir()
        self.hall.changed(self)

    def part(self, socket: Socket) -> None:
        """Remove a socket."""
        self.presence.part(socket)
        self.showing.part(socket)
        self.stir()
        self.hall.changed(self)

    def set_elsewhere(self, seats: set[int], watchers: int) -> None:
        """Store who is connected to other workers."""
        if self.presence.set_elsewhere(seats, watchers):
            self.stir()

    def stir(self) -> None:
        """Send what is new, and wake the driver."""
        self.publish()
        self.wake()

    def wake(self) -> None:
        """Wake the driver."""
        self.kick.set()

    def put_to_sleep(self) -> None:
        """Stop driving the table in this worker; its rows stay."""
        self.asleep = True


async def finished(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` to its end even if the caller is cancelled, so that everything written is also told."""
    task = asyncio.ensure_future(work)
    _running.add(task)
    task.add_done_callback(_end)
    return await asyncio.shield(task)


def _end(task: asyncio.Future[Any]) -> None:
    _running.discard(task)
    if not task.cancelled():
        task.exception()  # an error that nobody waits for any more


def _over(hand: int, match: Match) -> dict[str, Any]:
    """Return the entry of a hand that is over: its result, and whether another seat starts the next one."""
    return {"hand": hand, "payoff": match.payoff, "passed": deal_passes(match)}


def _match_of(head: str) -> Match:
    return Match.begin(read_head(json.loads(head)))


def _read_past(connection: Connection, table: str) -> tuple[Setup, Seating, int] | None:
    """Return a table's setup, who sits there, and how many entries were read for it.

    It is called in a thread: a table without a snapshot may have a long past.
    """
    setup = ledger.find_setup(connection, table)
    if setup is None:
        return None
    body = ledger.read_snapshot(connection, table)
    seating = Seating.empty_table(setup.seats, setup.goal) if body is None else Seating.from_json(body)
    first = seating.entries
    while entries := ledger.read_entries(connection, table, seating.entries, CHUNK):
        for kind, entry in entries:
            seating.fold(kind, entry)
    return setup, seating, seating.entries - first
