"""Guests: recognised by a token that is never stored, with visible names."""

from __future__ import annotations

import asyncio
import secrets
import unicodedata
from pathlib import Path

import pytest
from sqlalchemy import select

from qipai.server.refusals import BadMessage
from qipai.server.store.guests import DAY, Guests, _hash, clean_name, clean_text, likeness
from qipai.server.store.rows import GUESTS
from qipai.server.store.store import Store


def test_a_token_finds_its_guest_again_and_is_not_in_the_database(tmp_path: Path) -> None:
    async def visit() -> None:
        store = Store(f"sqlite:///{tmp_path}/a.db")
        token = Guests(store).new_token()
        guest = await Guests(store).find(token)
        assert guest is not None and not guest.kept
        await Guests(store).rename(guest, "Ann", "worker")
        again = await Guests(store).find(token)
        assert again is not None and (again.id, again.name, again.kept) == (guest.id, "Ann", True)
        rows = await store.read(lambda c: [tuple(row) for row in c.execute(select(GUESTS))])
        assert len(rows) == 1 and token not in str(rows)
        store.close()

    asyncio.run(visit())


def test_a_token_that_the_server_did_not_issue_is_nobodys(tmp_path: Path) -> None:
    """A changed character, a token of another server, and any text of the right length."""

    async def visit() -> None:
        store, other = Store(f"sqlite:///{tmp_path}/a.db"), Store(f"sqlite:///{tmp_path}/b.db")
        guests = Guests(store)
        token = guests.new_token()
        assert await guests.find(token) is not None
        bad = [None, "", "short", "x" * 44, "é" * 43, "x" * 43, Guests(other).new_token()]
        for where, letter in enumerate(token):
            bad += [token[:where] + ("A" if letter != "A" else "B") + token[where + 1 :]]
        assert {await guests.find(one) for one in bad} == {None}
        store.close()
        other.close()

    asyncio.run(visit())


def test_a_token_of_an_earlier_version_is_known_by_its_row(tmp_path: Path) -> None:
    async def visit() -> None:
        store = Store(f"sqlite:///{tmp_path}/a.db")
        old = secrets.token_urlsafe(32)
        row = {"id": _hash("guest", old)[:16], "token": _hash("token", old), "name": "Bo", "created": 1.0}
        await store.write(lambda c: c.execute(GUESTS.insert().values(**row)))
        found = await Guests(store).find(old)
        assert found is not None and (found.id, found.name) == (row["id"], "Bo")
        store.close()

    asyncio.run(visit())


def test_a_name_does_not_cover_the_lines_around_it() -> None:
    tower = "Z" + "\u0335\u0301\u0302\u0303\u0304" * 10
    assert len(clean_text(tower)) <= 3
    for name in ("Nguyễn Thị Ngọc", "ก็ที่นั่น", "हिन्दी", "がぎぐ"):
        assert clean_text(name) == unicodedata.normalize("NFC", name)


def test_names_that_look_alike_are_equal() -> None:
    assert (
        likeness("Ｈeuristic ") == likeness("HEURISTIC") == likeness("heu ristic") != likeness("heuristics")
    )


def test_a_name_shows_as_what_it_is() -> None:
    assert clean_name("  Ann \t\u200b Lee ") == "Ann Lee"
    assert clean_text("a\u0007b") == "ab" and len(clean_name("x" * 50)) == 20
    for bad in ("", "   ", "\u200b", "\u3164", "\u0301"):
        with pytest.raises(BadMessage):
            clean_text(bad)


def test_a_renewed_token_is_the_same_guest_and_the_old_one_is_nobodys(tmp_path: Path) -> None:
    async def visit() -> None:
        store = Store(f"sqlite:///{tmp_path}/a.db")
        guests, elsewhere = Guests(store), Guests(store)  # as two workers
        token = guests.new_token()
        guest, twin = await guests.find(token), await elsewhere.find(token)
        assert guest is not None and twin is not None
        await guests.rename(guest, "Ann", "w")
        assert await elsewhere.read_again(twin) and twin.name == "Ann"
        renewed = await guests.renew(guest, "w")
        again = await guests.find(renewed)
        assert again is guest and await guests.find(token) is None
        assert not await elsewhere.read_again(twin) and await elsewhere.find(token) is None
        after = await Guests(store).find(renewed)
        assert after is not None and (after.id, after.name, after.kept) == (guest.id, "Ann", True)
        await guests.end(guest, "w")
        for one in (token, renewed):
            assert await guests.find(one) is None and await Guests(store).find(one) is None
        store.close()

    asyncio.run(visit())


def test_a_visit_is_noted_once_a_day(tmp_path: Path) -> None:
    async def visit() -> None:
        store = Store(f"sqlite:///{tmp_path}/a.db")
        guests = Guests(store)
        guest = await guests.newcomer()
        assert not await guests.stay(guest)  # has no row
        await guests.keep(guest)
        assert not await guests.stay(guest)
        guest.seen -= 2 * DAY
        assert await guests.stay(guest) and not await guests.stay(guest)
        (seen,) = await store.read(lambda c: list(c.scalars(select(GUESTS.c.seen))))
        assert seen == guest.seen
        store.close()

    asyncio.run(visit())
