"""The requests that people can make at a table: each is checked and stored before anyone is told."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from qipai.core import WATCHER, get

from ..refusals import NoHand, NoSeat, NotOwner, Playing, SeatTaken, TooFast
from ..store import ledger
from ..store.guests import Guest, clean_text
from ..store.ledger import Entry
from ..wire import Act, Describe, Described
from . import described
from .bots import playing

if TYPE_CHECKING:
    from .hand import Hand
    from .table import Answer, Table


async def sit(table: Table, guest: Guest, seat: int) -> None:
    """Take an empty seat, while no hand is being played."""

    async def request() -> None:
        _check_idle(table)
        if not 0 <= seat < table.setup.seats or not table.seating.seats[seat].empty:
            raise SeatTaken("this seat is not free")
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


async def say(table: Table, guest: Guest, line: str) -> None:
    """Send a chat message, from a seat or as a watcher."""
    line = clean_text(line)

    async def request() -> None:
        seat = table.seating.seat_of(guest.id)
        if seat is None and not table.talk.admit_watcher():
            raise TooFast("the watchers are sending messages too quickly")
        chat = {"seat": WATCHER if seat is None else seat, "name": guest.name, "text": line}
        chat["at"] = time.time()
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


def _own(table: Table, guest: Guest) -> int:
    seat = table.seating.seat_of(guest.id)
    if seat is None:
        raise NoSeat("you have no seat at this table")
    return seat


def _check_idle(table: Table) -> None:
    if table.seating.status == "playing":
        raise Playing("a hand is being played")
