"""Guests: a secret token in a cookie, a name, no sign-up.

A token is 16 random bytes and a code that only this server can compute, with a key from the database. So
a token that the server did not issue is recognised without a row for each one issued. The token is
never stored, only its hash; the guest's id comes from another hash of the first one. A guest who has not
done anything yet has no row. Tokens of earlier versions, without a code, are known by their row. A guest can
get a new token, without a code; a token whose guest's row holds another one has ended.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
import time
import unicodedata
from collections import OrderedDict
from dataclasses import dataclass, field

from sqlalchemy import Connection, delete, select, update

from ..refusals import BadMessage
from ..wire import NAME_LENGTH
from .ledger import GUEST, notify, upsert
from .rows import BLOCKS, GUESTS
from .store import Store

COOKIE = "qipai_guest"
HOST_COOKIE = f"__Host-{COOKIE}"  # with HTTPS: only this very host can set it
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
BLANK = dict.fromkeys((0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0))  # invisible characters
MARKS = 2  # combining marks on one letter, as many as Thai and Vietnamese need
HALF = 16  # bytes of a token that are random; as many are the code
DAY = 86_400.0
BLOCKED = 500  # guests that one guest may block
REMEMBERED = 10_000  # guests in memory


@dataclass
class Guest:
    """A person, recognised by their cookie."""

    id: str
    name: str
    token: str  # its hash
    kept: bool = False  # has a row
    seen: float = 0.0  # when the row was last marked as used
    blocked: set[str] = field(default_factory=set)  # guests whose chat is not shown to this one


class Guests:
    """All recent guests."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key = bytes.fromhex(store.key("tokens"))
        self._known: OrderedDict[str, Guest] = OrderedDict()  # by the hash of the token

    async def find(self, token: str | None) -> Guest | None:
        """Return the guest of a token; None if this server did not issue it, or it has ended."""
        if token is None or TOKEN.fullmatch(token) is None:
            return None
        hashed, guest_id = _hash("token", token), _hash("guest", token)[:16]
        if hashed not in self._known:
            found, taken = await self._store.read(lambda c: _read(c, hashed, guest_id))
            if found is None:
                if taken or not self._issued(token):
                    return None
                found = Guest(guest_id, f"Guest {int(guest_id[:6], 16) % 9000 + 1000}", hashed)
            self._known.setdefault(hashed, found)
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        self._known.move_to_end(hashed)
        return self._known[hashed]

    def new_token(self) -> str:
        """Return a secret for a cookie."""
        random = secrets.token_bytes(HALF)
        return _text(random + self._code(random))

    async def newcomer(self) -> Guest:
        """Return a new guest, whose token nobody knows."""
        found = await self.find(self.new_token())
        assert found is not None
        return found

    def _issued(self, token: str) -> bool:
        """Return whether the code of a token is right."""
        data = base64.urlsafe_b64decode(token + "=")
        return hmac.compare_digest(data[HALF:], self._code(data[:HALF])) and _text(data) == token

    def _code(self, random: bytes) -> bytes:
        return hmac.digest(self._key, b"qipai/issued/" + random, "sha256")[:HALF]

    async def keep(self, guest: Guest) -> None:
        """Store the guest as a row."""
        if guest.kept:
            return
        now = time.time()

        def add(connection: Connection) -> None:
            if connection.scalar(select(GUESTS.c.id).where(GUESTS.c.id == guest.id)) is None:
                row = {"id": guest.id, "token": guest.token, "name": guest.name, "created": now}
                connection.execute(GUESTS.insert().values(**row, seen=now))

        await self._store.write(add)
        guest.kept, guest.seen = True, now

    async def stay(self, guest: Guest) -> bool:
        """Mark a guest's row as used; return whether that was due, and the cookie should be renewed."""
        if not guest.kept or time.time() - guest.seen < DAY:
            return False
        guest.seen = time.time()
        used = update(GUESTS).where(GUESTS.c.id == guest.id).values(seen=guest.seen)
        await self._store.write(lambda c: c.execute(used).rowcount)
        return True

    async def rename(self, guest: Guest, name: str, worker: str) -> None:
        """Change a guest's name."""
        name = clean_name(name)
        await self.keep(guest)
        await self._change(guest, worker, name=name)
        guest.name = name

    async def renew(self, guest: Guest, worker: str) -> str:
        """Return a new token of the guest. The old one, and every copy of it, ends."""
        await self.keep(guest)
        token = _text(secrets.token_bytes(2 * HALF))  # without a code: known by the row alone
        hashed = _hash("token", token)
        await self._change(guest, worker, token=hashed)
        self.forget(guest)
        guest.token = hashed
        self._known[hashed] = guest
        return token

    async def end(self, guest: Guest, worker: str) -> None:
        """End the guest's token. What is stored about the guest stays until it is pruned."""
        if guest.kept:
            await self._change(guest, worker, token=secrets.token_hex(32))
        self.forget(guest)

    def forget(self, guest: Guest) -> None:
        """Read the guest again when the token is used next."""
        self._known.pop(guest.token, None)

    async def _change(self, guest: Guest, worker: str, **values: str) -> None:
        def write(connection: Connection) -> None:
            connection.execute(update(GUESTS).where(GUESTS.c.id == guest.id).values(**values))
            if self._store.shared:
                notify(connection, f"{GUEST}{guest.id}", worker)

        await self._store.write(write)

    def known(self, guest_id: str) -> list[Guest]:
        """Return the guests in memory with this id: one, or none."""
        return [guest for guest in self._known.values() if guest.id == guest_id]

    async def read_again(self, guest: Guest) -> bool:
        """Read a guest whom another worker changed; return whether the token still counts."""
        found, taken = await self._store.read(lambda c: _read(c, guest.token, guest.id))
        if found is None:
            if taken or guest.kept:
                self.forget(guest)
                return False
            return True
        guest.name, guest.blocked = found.name, found.blocked
        return True

    # --- whose chat a guest does not see ---------------------------------------------------

    async def block(self, guest: Guest, other: str, name: str, worker: str) -> None:
        """Do not show a guest the chat of another one any more, at any table."""
        if len(guest.blocked) >= BLOCKED:
            raise BadMessage("you have blocked too many people")
        await self.keep(guest)

        def write(connection: Connection) -> None:
            wish = upsert(connection, BLOCKS).values(guest=guest.id, blocked=other, name=name, at=time.time())
            connection.execute(wish.on_conflict_do_nothing())
            if self._store.shared:
                notify(connection, f"{GUEST}{guest.id}", worker)

        await self._store.write(write)
        guest.blocked.add(other)

    async def blocks(self, guest: Guest) -> list[tuple[int, str]]:
        """Return the number and name of everyone whom a guest has blocked, the last one first."""
        query = (
            select(BLOCKS.c.id, BLOCKS.c.name).where(BLOCKS.c.guest == guest.id).order_by(BLOCKS.c.id.desc())
        )
        return await self._store.read(lambda c: [(row.id, row.name) for row in c.execute(query)])

    async def unblock(self, guest: Guest, number: int, worker: str) -> None:
        """Show the chat of a blocked guest again."""
        own = (BLOCKS.c.guest == guest.id) & (BLOCKS.c.id == number)

        def write(connection: Connection) -> str | None:
            found: str | None = connection.scalar(select(BLOCKS.c.blocked).where(own))
            connection.execute(delete(BLOCKS).where(own))
            if self._store.shared:
                notify(connection, f"{GUEST}{guest.id}", worker)
            return found

        guest.blocked.discard(await self._store.write(write) or "")


def _text(data: bytes) -> str:
    """Return 32 bytes as the 43 characters of a token."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def clean_name(name: str) -> str:
    """Return a name, trimmed; raise `BadMessage` if nothing is left."""
    return " ".join(clean_text(name).split())[:NAME_LENGTH]


def clean_text(text: str) -> str:
    """Return text without control characters and invisible characters."""
    text = unicodedata.normalize("NFC", text)
    text = text.translate(BLANK)
    text = "".join(c for c in text if unicodedata.category(c)[0] not in "CZ" or c == " ").strip()
    text = _without_towers(text)
    if all(unicodedata.category(c)[0] in "MZ" for c in text):  # only combining marks without a base
        raise BadMessage("it contains no visible character")
    return text


def likeness(name: str) -> str:
    """Return a form in which names that look alike are equal: width, case and spaces do not count."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def _without_towers(text: str) -> str:
    """Return text with at most `MARKS` combining marks in a row; more would cover the lines around it."""
    found, marks = [], 0
    for c in text:
        marks = marks + 1 if unicodedata.category(c) in ("Mn", "Me") else 0
        if marks <= MARKS:
            found.append(c)
    return "".join(found)


def _read(connection: Connection, token: str, guest: str) -> tuple[Guest | None, bool]:
    """Return the guest with this token, and whether a row has the id that the token would make."""
    row = connection.execute(select(GUESTS).where(GUESTS.c.token == token)).one_or_none()
    if row is None:
        return None, connection.scalar(select(GUESTS.c.id).where(GUESTS.c.id == guest)) is not None
    blocked = connection.scalars(select(BLOCKS.c.blocked).where(BLOCKS.c.guest == row.id))
    return Guest(row.id, row.name, token, True, row.seen, set(blocked)), True


def _hash(what: str, token: str) -> str:
    return hashlib.sha256(f"qipai/{what}/{token}".encode()).hexdigest()
