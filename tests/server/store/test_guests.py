"""Guests: recognised by a token that is never stored, with visible names."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select

from qipai.server.refusals import BadMessage
from qipai.server.store.guests import Guests, clean_name, clean_text, new_token
from qipai.server.store.rows import GUESTS
from qipai.server.store.store import Store


def test_a_token_finds_its_guest_again_and_is_not_in_the_database(tmp_path: Path) -> None:
    async def visit() -> None:
        store = Store(f"sqlite:///{tmp_path}/a.db")
        token = new_token()
        guest = await Guests(store).find(token)
        await Guests(store).rename(guest, "Ann", "worker")
        again = await Guests(store).find(token)
        assert (again.id, again.name, again.kept) == (guest.id, "Ann", True)
        rows = await store.read(lambda c: [tuple(row) for row in c.execute(select(GUESTS))])
        assert len(rows) == 1 and token not in str(rows)
        store.close()

    asyncio.run(visit())


def test_an_unrecognised_token_gets_a_new_guest(tmp_path: Path) -> None:
    async def visit() -> None:
        store = Store(f"sqlite:///{tmp_path}/a.db")
        guests = Guests(store)
        found = {(await guests.find(token)).id for token in (None, "", "short", "x" * 44, "é" * 43)}
        assert len(found) == 5
        store.close()

    asyncio.run(visit())


def test_a_name_shows_as_what_it_is() -> None:
    assert clean_name("  Ann \t\u200b Lee ") == "Ann Lee"
    assert clean_text("a\u0007b") == "ab" and len(clean_name("x" * 50)) == 20
    for bad in ("", "   ", "\u200b", "\u3164", "\u0301"):
        with pytest.raises(BadMessage):
            clean_text(bad)
