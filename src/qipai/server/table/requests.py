"""The requests that people can make at a table: each is checked and stored before anyone is told."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from qipai.bots.levels import playing
from qipai.core import WATCHER, get

from ..logs import log
from ..refusals import NoHand, NoSeat, NoShare, NotOwner, Playing, Removed, SeatTaken, TooFast, UnknownLine
from ..store import ledger
from ..store.guests import Guest, clean_text
from ..store.ledger import Entry
from ..wire import Act, Commit, Describe, Described, Reveal
from . import described

if TYPE_CHECKING:
    from .exchange import Exchange
    from .hand import Hand
    from .table import Answer, Table


async def sit(table: Table, guest: Guest, seat: int) -> None:
    """Take an empty seat, while no hand is being played."""

    async def request() -> None:
        _check_idle(table)
        if not 0 <= seat < table.setup.seats or not table.seating.seats[seat].empty:
            raise SeatTaken("this seat is not free")
        if guest.id in table.seating.removed:
            raise Removed("the owner has removed you from this table")
        if table.seating.seat_of(guest.id) is not None:
            raise SeatTaken("you already have a seat at this table")
        await table.enter(("sit", {"seat": seat, "guest": guest.id, "name": guest.name}))

    await table.hall.guests.keep(guest)
    await table.keep(request)


async def rename(table: Table, guest: Guest) -> None:
    """Apply a guest's new name."""

    async def request() -> None:
        seat = table.seating.seat_of(guest.id)
        if seat is not None and table.seating.seats[seat].name != guest.name:
            await table.enter(("name", {"seat": seat, "name": guest.name}))

    await table.keep(request)


async def stand(table: Table, guest: Guest) -> None:
    """Leave the seat; while a hand is being played, a bot continues."""

    async def request() -> None:
        seat = _own(table, guest)
        if not table.seating.seats[seat].left:
            await table.enter(("stand", {"seat": seat}))

    await table.keep(request)


async def take_back(table: Table, guest: Guest) -> None:
    """Take over one's own seat from the bot."""

    async def request() -> None:
        seat = _own(table, guest)
        if table.seating.seats[seat].away:
            await table.enter(("back", {"seat": seat}))

    await table.keep(request)


async def ready(table: Table, guest: Guest, ready: bool) -> None:
    """Mark the guest as ready for the next hand; the driver deals it when everyone is."""

    async def request() -> None:
        _check_idle(table)
        seat = _own(table, guest)
        entries: list[Entry] = [("back", {"seat": seat})] if table.seating.seats[seat].away else []
        if table.seating.seats[seat].ready != ready:
            entries.append(("ready", {"seat": seat, "ready": ready}))
        if entries:
            await table.enter(*entries)

    await table.keep(request)


async def set_bot(table: Table, guest: Guest, seat: int, agent: str | None) -> None:
    """Put a bot on an empty seat, or remove it; only the owner may."""

    async def request() -> None:
        _check_idle(table)
        if _own(table, guest) != table.seating.owner:
            raise NotOwner("only the owner of the table may do this")
        if not 0 <= seat < table.setup.seats or table.seating.seats[seat].person:
            raise SeatTaken("this seat is not free")
        if agent is not None:
            table.hall.catalog.check_agent(table.setup.game, agent)
        bot = agent and playing(get(table.setup.game, table.setup.options), agent)
        await table.enter(("bot", {"seat": seat, "agent": bot}))

    await table.keep(request)


async def remove(table: Table, guest: Guest, seat: int) -> None:
    """Remove a person from a seat, for good; only the owner may. A bot plays the current hand to its end."""

    async def request() -> None:
        if _own(table, guest) != table.seating.owner:
            raise NotOwner("only the owner of the table may do this")
        if not 0 <= seat < table.setup.seats or not table.seating.seats[seat].person:
            raise NoSeat("nobody sits there")
        if seat == table.seating.owner:
            raise SeatTaken("this is your own seat")
        agent = table.hall.stand_in(table.setup)
        await table.enter(("remove", {"seat": seat, "agent": agent}))

    await table.keep(request)


async def block(table: Table, guest: Guest, number: int) -> None:
    """Show the guest no more chat of the writer of a line."""
    line = await _line(table, guest, number)
    await table.hall.guests.block(guest, line.guest, line.name, table.hall.worker)


async def report(table: Table, guest: Guest, number: int, reason: str) -> None:
    """Store a line of chat for the operator, with who reports it and why."""
    line = await _line(table, guest, number)
    await table.hall.guests.keep(guest)
    await table.hall.store.write(lambda c: ledger.add_report(c, line, guest.id, reason))
    log("chat/reported", table=table.id, line=number, reason=reason)


async def _line(table: Table, guest: Guest, number: int) -> Any:
    """Return the row of a line that someone else wrote here."""
    row = None
    if 0 < number < 1 << 31:
        row = await table.hall.store.read(lambda c: ledger.read_chat(c, table.id, number))
    if row is None or row.guest is None or row.guest == guest.id:
        raise UnknownLine("there is no such line of someone else")
    return row


async def say(table: Table, guest: Guest, line: str) -> None:
    """Send a chat message, from a seat or as a watcher."""
    line = clean_text(line)

    async def request() -> None:
        seat = table.seating.seat_of(guest.id)
        if seat is None and not table.talk.admit_watcher():
            raise TooFast("the watchers are sending messages too quickly")
        chat = {"seat": WATCHER if seat is None else seat, "name": guest.name, "text": line}
        chat |= {"at": time.time(), "guest": guest.id}
        number = await table.write(lambda c: ledger.add_chat(c, table.id, chat))
        table.hear(number, chat)

    await table.keep(request)


async def act(table: Table, guest: Guest, message: Act) -> None:
    """Make one whole move, or seal an answer, based on a version. Durable when this returns."""

    async def request() -> Answer | None:
        seat = _own(table, guest)
        hand = _hand_at(table, seat, message.hand, message.version)
        if hand.window is not None:  # the return of an absent person would reveal that they were asked
            return table.answer(seat, message.actions)
        back: list[Entry] = [] if table.seating.seats[seat].played else [("back", {"seat": seat})]
        await table.move(seat, message.actions, first=back)
        return None

    await table.keep(request)


async def commit(table: Table, guest: Guest, message: Commit) -> None:
    """Commit to a share of the next hand's seed. Repeating the same commitment changes nothing."""

    async def request() -> None:
        seat, exchange = _own(table, guest), _exchange(table, message.hand)
        if exchange.check_commit(seat, message.commitment):
            await table.contribute({ledger.COMMIT: {seat: message.commitment}})

    await table.keep(request)


async def reveal(table: Table, guest: Guest, message: Reveal) -> None:
    """Reveal the share that was committed to. Repeating it changes nothing."""

    async def request() -> None:
        seat, exchange = _own(table, guest), _exchange(table, message.hand)
        if exchange.check_reveal(seat, message.reveal):
            await table.contribute({ledger.REVEAL: {seat: message.reveal}})

    await table.keep(request)


def describe(table: Table, guest: Guest, message: Describe) -> Described:
    """Return the position in words, for the asker only. Changes nothing and waits for nobody."""
    viewer = table.viewer(guest)
    hand = _hand_at(table, viewer, message.hand, message.version)
    return described.describe(table, hand, viewer, message)


def _hand_at(table: Table, viewer: int, number: int, version: int) -> Hand:
    """Return the hand in play; raise if the request refers to another position."""
    if table.hand is None or number != table.seating.hand:
        raise NoHand("this hand is not being played")
    table.hand.telling.check_version(viewer, version)
    return table.hand


def _exchange(table: Table, hand: int) -> Exchange:
    if table.exchange is None or table.exchange.hand != hand:
        raise NoShare("this hand is not about to be dealt")
    return table.exchange


def _own(table: Table, guest: Guest) -> int:
    seat = table.seating.seat_of(guest.id)
    if seat is None:
        raise NoSeat("you have no seat at this table")
    return seat


def _check_idle(table: Table) -> None:
    if not table.seating.idle:
        raise Playing("a hand is being played")
