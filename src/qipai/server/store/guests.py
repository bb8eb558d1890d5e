"""Guests: a secret token in a cookie, a name, no sign-up.

A token is 16 random bytes and a code that only this server can compute, with a key from the database. So
a token that the server did not issue is recognised without a row for each one issued. The token is
never stored, only its hash; the guest's id comes from another hash of it. A guest who has not done anything
yet has no row. Tokens of earlier versions, without a code, are known by their row.
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
from dataclasses import dataclass

from sqlalchemy import Connection, select, update

from ..refusals import BadMessage
from ..wire import NAME_LENGTH
from .ledger import GUEST, notify
from .rows import GUESTS
from .store import Store

COOKIE = "qipai_guest"
HOST_COOKIE = f"__Host-{COOKIE}"  # with HTTPS: only this very host can set it
TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")
BLANK = dict.fromkeys((0x115F, 0x1160, 0x2800, 0x3164, 0xFFA0))  # invisible characters
MARKS = 2  # combining marks on one letter, as many as Thai and Vietnamese need
HALF = 16  # bytes of a token that are random; as many are the code
REMEMBERED = 10_000  # guests in memory


@dataclass
class Guest:
    """A person, recognised by their cookie."""

    id: str
    name: str
    token: str  # its hash
    kept: bool = False  # has a row


class Guests:
    """All recent guests."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key = bytes.fromhex(store.key("tokens"))
        self._known: OrderedDict[str, Guest] = OrderedDict()

    async def find(self, token: str | None) -> Guest | None:
        """Return the guest of a token; None if this server did not issue it."""
        if token is None or TOKEN.fullmatch(token) is None:
            return None
        hashed, guest_id = _hash("token", token), _hash("guest", token)[:16]
        if guest_id not in self._known:
            name = await self._store.read(lambda c: _name(c, guest_id, hashed))
            if name is None and not self._issued(token):
                return None
            usual = f"Guest {int(guest_id[:6], 16) % 9000 + 1000}"
            self._known[guest_id] = Guest(guest_id, name or usual, hashed, name is not None)
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        self._known.move_to_end(guest_id)
        return self._known[guest_id]

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

        def add(connection: Connection) -> None:
            if _name(connection, guest.id, guest.token) is None:
                row = {"id": guest.id, "token": guest.token, "name": guest.name, "created": time.time()}
                connection.execute(GUESTS.insert().values(**row))

        await self._store.write(add)
        guest.kept = True

    async def rename(self, guest: Guest, name: str, worker: str) -> None:
        """Change a guest's name."""
        name = clean_name(name)
        await self.keep(guest)

        def write(connection: Connection) -> None:
            connection.execute(update(GUESTS).where(GUESTS.c.id == guest.id).values(name=name))
            if self._store.shared:
                notify(connection, f"{GUEST}{guest.id}", worker)

        await self._store.write(write)
        guest.name = name

    async def read_again(self, guest_id: str) -> Guest | None:
        """Read a guest renamed by another worker; return None if the guest is not known here."""
        guest = self._known.get(guest_id)
        if guest is not None:
            name = await self._store.read(lambda c: _name(c, guest_id, guest.token))
            guest.name = name or guest.name
        return guest


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


def _name(connection: Connection, guest: str, token: str) -> str | None:
    where = (GUESTS.c.id == guest) & (GUESTS.c.token == token)
    return connection.execute(select(GUESTS.c.name).where(where)).scalar()


def _hash(what: str, token: str) -> str:
    return hashlib.sha256(f"qipai/{what}/{token}".encode()).hexdigest()
