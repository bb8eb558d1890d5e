"""The exchange before a deal, over the wire: commit, reveal, deal; and what can go wrong with it."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import qipai.server.hall as hall_module
from qipai.match import Match, Trust, check_record, parse_record, signature_of
from qipai.match.series import Series
from qipai.match.shares import share_commitment
from qipai.server.store import ledger
from qipai.server.store.guests import Guest
from qipai.server.table import requests
from qipai.server.table.seating import Seating
from qipai.server.table.table import Table
from tests.server.contributing import Contributor, wrong
from tests.server.live import Live, Person, Visit, live, until
from tests.server.room import Idle, hall, seated

HEX = "0" * 64


@contextmanager
def served(folder: Path, **given: Any) -> Iterator[Live]:
    with live(folder, **{"share_time": 30.0, **given}) as server:
        server.hall.catalog.want("nana")
        until(lambda: server.hall.catalog.ready("nana"), 300)
        yield server


@contextmanager
def friends(server: Live) -> Iterator[tuple[str, Visit, Visit, tuple[Person, Person]]]:
    """Yield a table of NANA with two people who are connected and not ready."""
    with server.person("Ann") as ann, server.person("Bo") as bo:
        table = ann.open("nana", seats=2, options={"max_turns": 4, "first": 0})
        with ann.at(table) as one, bo.at(table) as other:
            other.read()
            assert other.ask(type="sit", seat=1)["type"] == "done"
            one.drain(0.2)
            yield table, one, other, (ann, bo)


def shares(visit: Visit, phase: str) -> dict[str, Any]:
    """Return the next `shares` message of this phase."""
    return visit.wait(lambda m: m["type"] == "shares" and m["phase"] == phase)


def run_out(server: Live, table: str, answers: int) -> None:
    """When so many answers are in, let the time of this step be over."""
    inside = server.hall.tables[table]
    exchange = until(lambda: inside.exchange)
    until(lambda: exchange.changes == answers)
    exchange.since -= 60
    server.hall.loop.call_soon_threadsafe(inside.wake)


def commits(server: str, seat: int, secret: bytes) -> dict[str, Any]:
    return {"type": "commit", "commitment": share_commitment(server, seat, secret)}


def play(*visits: Visit) -> dict[str, Any]:
    """Play a hand of several people to its end; return the last `shares` message."""
    last: dict[str, Any] = {}
    while not last or last["phase"] != "over":
        for visit in visits:
            for message in visit.drain(0.02):
                if message["type"] == "shares":
                    last = message
            state = visit.state
            if state and state["legal"]:
                visit.send(
                    type="act", hand=state["hand"], version=state["version"], actions=[state["legal"][0]]
                )
                visit.state = {**state, "legal": []}
    for visit in visits:
        visit.drain(0.05)
    return last


def downloaded(person: Person, table: str, hand: int = 0) -> tuple[Match, Any]:
    """Return the record of a hand, verified in every respect."""
    record = parse_record(person.http.get(f"/api/tables/{table}/record/{hand}").content)
    match, problems = check_record(record)
    assert problems == [] and signature_of(record) is Trust.SIGNED
    return match, record


def test_two_people_contribute_and_can_check_everything(tmp_path: Path) -> None:
    with served(tmp_path) as server, friends(server) as (table, one, other, (ann, _)):
        for visit in (one, other):
            visit.send(type="ready", ready=True)
        first = shares(one, "commit")
        assert [s["seat"] for s in first["shares"]["seats"]] == [0, 1] and first["shares"]["seed"] is None
        last = play(one, other)
        assert last["shares"]["commitment"] == first["shares"]["commitment"]
        assert wrong(last, one.state["seed"], 2) == []
        for seat, visit in enumerate((one, other)):
            assert visit.contributor is not None
            [secret] = visit.contributor.secrets.values()
            assert last["shares"]["seats"][seat]["reveal"] == secret.hex()
        match, record = downloaded(ann, table)
        assert match.shares is not None and match.shares.withheld == []
        assert record.head.shares.seed.hex() == last["shares"]["seed"]
        key = ann.http.get("/.well-known/qipai-key.json").json()
        assert record.end.signature.key == key["key"] == key["keys"][-1]["key"]
        replay = ann.http.get(f"/api/tables/{table}/replay/0").json()
        assert replay["shares"] == last["shares"] and replay["key"] == key["key"]


def test_nothing_of_a_share_is_told_before_every_commitment_is_in(tmp_path: Path) -> None:
    with served(tmp_path) as server, friends(server) as (table, one, other, _):
        eve = server.person().at(table)
        with eve:
            one.contributor = other.contributor = None
            for visit in (one, other):
                visit.send(type="ready", ready=True)
            asked = shares(one, "commit")
            secret, server_commitment = secrets.token_bytes(32), asked["shares"]["commitment"]
            wish = commits(server_commitment, 0, secret)
            assert one.ask(hand=0, **wish)["type"] == "done"
            assert one.ask(hand=0, **wish)["type"] == "done", "the same again changes nothing"
            assert one.ask(hand=0, type="reveal", reveal=secret.hex())["code"] == "share/none"
            for visit in (other, eve):
                visit.drain()
                assert wish["commitment"] not in "".join(visit.texts)
            bo = secrets.token_bytes(32)
            assert other.ask(hand=0, **commits(server_commitment, 1, bo))["type"] == "done"
            seen = shares(eve, "reveal")["shares"]["seats"]
            assert seen[0]["commitment"] == wish["commitment"]
            assert one.ask(hand=0, type="reveal", reveal=secret.hex())["type"] == "done"
            eve.drain()
            assert secret.hex() not in "".join(eve.texts)
            assert other.ask(hand=0, type="reveal", reveal=bo.hex())["type"] == "done"
            dealt = shares(eve, "dealt")["shares"]
            assert [s["reveal"] for s in dealt["seats"]] == [secret.hex(), bo.hex()]
            inside = server.hall.tables[table].match
            assert inside is not None and inside.shares is not None
            eve.drain()
            assert inside.shares.seed.hex() not in "".join(eve.texts + one.texts + other.texts)


def test_bad_shares_are_refused_and_change_nothing(tmp_path: Path) -> None:
    with served(tmp_path) as server, friends(server) as (table, one, other, _):
        one.contributor = other.contributor = None
        assert one.ask(type="commit", hand=0, commitment=HEX)["code"] == "share/none", "nothing is asked yet"
        for visit in (one, other):
            visit.send(type="ready", ready=True)
        commitment = shares(one, "commit")["shares"]["commitment"]
        exchange = server.hall.tables[table].exchange
        assert exchange is not None
        for bad in ("", "0" * 63, "0" * 65, "g" * 64, "A" * 64, f"{HEX[:-1]}\n", 1, None, [HEX], "é" * 64):
            assert one.ask(type="commit", hand=0, commitment=bad)["code"] == "message/bad"
            assert one.ask(type="reveal", hand=0, reveal=bad)["code"] == "message/bad"
        for hand in (-1, 1, 1 << 40):
            assert one.ask(type="commit", hand=hand, commitment=HEX)["code"] == "share/none"
        with server.person() as eve, eve.at(table) as watcher:
            assert watcher.ask(type="commit", hand=0, commitment=HEX)["code"] == "seat/none"
            assert watcher.ask(type="reveal", hand=0, reveal=HEX)["code"] == "seat/none"
        for request in ({"type": "ready", "ready": False}, {"type": "bot", "seat": 1, "agent": None}):
            assert one.ask(**request)["code"] == "table/playing"
        assert exchange.changes == 0
        ann, bo = secrets.token_bytes(32), secrets.token_bytes(32)
        assert one.ask(hand=0, **commits(commitment, 0, ann))["type"] == "done"
        assert one.ask(hand=0, **commits(commitment, 0, bo))["code"] == "share/taken"
        copied = share_commitment(commitment, 0, ann)  # of another seat: it can never be revealed
        assert other.ask(type="commit", hand=0, commitment=copied)["type"] == "done"
        assert other.ask(type="reveal", hand=0, reveal=ann.hex())["code"] == "share/bad"
        assert one.ask(type="reveal", hand=0, reveal=bo.hex())["code"] == "share/bad"
        assert exchange.changes == 2
        for _ in range(2):
            assert one.ask(type="reveal", hand=0, reveal=ann.hex())["type"] == "done"
        run_out(server, table, answers=3)  # Bo cannot reveal what he has copied
        assert shares(one, "dealt")["shares"]["seats"][1]["reveal"] is None
        assert one.ask(type="reveal", hand=0, reveal=ann.hex())["code"] == "share/none", "after the deal"
        assert one.ask(type="commit", hand=1, commitment=HEX)["code"] == "share/none"
        assert server.hall.metrics.errors == 0


def test_who_withholds_is_named_and_loses_the_seat_the_second_time(tmp_path: Path) -> None:
    with served(tmp_path) as server, friends(server) as (table, one, other, (ann, _)):
        other.contributor = None
        for hand in range(2):
            for visit in (one, other):
                visit.send(type="ready", ready=True)
            shares(one, "commit")
            run_out(server, table, answers=1)
            last = play(one, other)
            assert last["hand"] == hand and wrong(last, one.state["seed"], 2) == []
            match, _ = downloaded(ann, table, hand)
            assert match.shares is not None and match.shares.withheld == [1]
            seen = [m for m in map(json.loads, one.texts) if m["type"] == "table"]
            away = any(m["table"]["seats"][1]["away"] for m in seen)
            assert away is (hand == 1), "the second time a bot takes over"
        assert set(server.hall.tables[table].seating.withheld.values()) == {2}
        other.contributor = Contributor()
        assert other.ask(type="ready", ready=True)["type"] == "done"  # who comes back is asked again
        assert one.ask(type="ready", ready=True)["type"] == "done"
        play(one, other)
        assert downloaded(ann, table, 2)[0].shares.withheld == []  # type: ignore[union-attr]
        assert not server.hall.tables[table].seating.seats[1].away


async def hand(table: Table, withholds: set[int]) -> None:
    """Play one exchange and its deal, and end the hand; these seats commit to a share and never reveal it."""
    async with table.lock:
        await table.begin_exchange()
        exchange = table.exchange
        assert exchange is not None
        secret = {seat: secrets.token_bytes(32) for seat in exchange.asked}
        commitments = {seat: share_commitment(exchange.commitment, seat, secret[seat]) for seat in secret}
        await table.contribute({ledger.COMMIT: commitments})
        reveals = {seat: value.hex() for seat, value in secret.items() if seat not in withholds}
        await table.contribute({ledger.REVEAL: reveals})
        if exchange.phase != "complete":
            await table.contribute(exchange.closing())
        await table.deal(Series("nana", seats=table.setup.seats, shares=exchange.shares()).match)
        number = table.seating.hand
        await table.enter(("over", {"hand": number, "payoff": [0] * table.setup.seats}))


def test_withholding_every_other_hand_costs_the_seat_as_well_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a good hand, nor standing up, nor another process makes a table forget who withheld."""
    monkeypatch.setattr(hall_module, "Driver", Idle)

    async def first() -> tuple[str, Guest]:
        async with hall(tmp_path) as here:
            table, notes = await seated(here, "nana", [0, 1], seats=2)
            bo = notes[1].guest
            await hand(table, {1})
            assert not table.seating.seats[1].away
            await hand(table, set())
            await requests.stand(table, bo)
            await requests.sit(table, bo, 1)
            return table.id, bo

    async def again(name: str, withholds: set[int]) -> Seating:
        async with hall(tmp_path) as here:  # as a server that was restarted, or another worker
            table = await here.find(name)
            await hand(table, withholds)
            return table.seating

    name, bo = asyncio.run(first())
    seating = asyncio.run(again(name, set()))
    assert seating.withheld == {bo.id: 1} and not seating.seats[1].away
    seating = asyncio.run(again(name, {0, 1}))
    assert [seat.away for seat in seating.seats] == [False, True], "the first time of seat 0, the second of 1"


def test_bots_contribute_nothing(tmp_path: Path) -> None:
    with served(tmp_path, drive_unwatched=True) as server, server.person() as ann:
        table = ann.open("nana", bots=["random", "random"], options={"max_turns": 4})
        with ann.at(table) as visit:
            visit.read()
            visit.play(server)
        match, _ = downloaded(ann, table)
        assert match.shares is not None and [s.seat for s in match.shares.seats] == [0]
        alone = ann.open("nana", seats=2, bots=["random", "random"], options={"max_turns": 4})
        until(lambda: server.hall.tables[alone].seating.hand > 0)
        assert downloaded(ann, alone)[0].shares is None


def test_a_page_that_reconnects_goes_on_where_it_was(tmp_path: Path) -> None:
    with served(tmp_path) as server, friends(server) as (table, one, other, (ann, _)):
        keeps, one.contributor = one.contributor, None
        for visit in (one, other):
            visit.send(type="ready", ready=True)
        assert keeps is not None
        wish = keeps.answer(shares(one, "commit"), 0)
        assert wish is not None and one.ask(**wish)["type"] == "done"
        one.close()  # after `done`: the commitment counts
        with ann.at(table) as again:
            again.contributor = keeps
            last = play(again, other)
            assert wrong(last, again.state["seed"], 2) == []
        assert downloaded(ann, table)[0].shares.withheld == []  # type: ignore[union-attr]


@pytest.mark.parametrize("step", ["commit", "reveal"])
def test_a_restart_in_the_middle_continues_the_same_exchange(tmp_path: Path, step: str) -> None:
    """What was acknowledged is still there, and the server's share is the one it committed to."""
    keeps = Contributor()
    with served(tmp_path) as server, friends(server) as (table, one, other, (ann, bo)):
        one.contributor = keeps
        other.contributor = None
        for visit in (one, other):
            visit.send(type="ready", ready=True)
        first = shares(one, "commit")
        bo_secret = secrets.token_bytes(32)
        if step == "reveal":
            wish = commits(first["shares"]["commitment"], 1, bo_secret)
            assert other.ask(hand=0, **wish)["type"] == "done"
            shares(one, "reveal")
        until(lambda: server.hall.tables[table].exchange.changes == (1 if step == "commit" else 3))  # type: ignore[union-attr]
        cookies = [dict(person.http.cookies) for person in (ann, bo)]
    with served(tmp_path) as server:
        ann, bo = server.person(), server.person()
        for person, cookie in zip((ann, bo), cookies, strict=True):
            person.http.cookies.clear()
            person.http.cookies.update(cookie)
        with ann.at(table) as one, bo.at(table) as other:
            one.contributor = keeps
            other.contributor = Contributor()
            if step == "reveal":
                other.contributor.secrets[first["shares"]["commitment"]] = bo_secret
            last = play(one, other)
            assert last["shares"]["commitment"] == first["shares"]["commitment"]
            assert wrong(last, one.state["seed"], 2) == []
        assert downloaded(ann, table)[0].shares.withheld == []  # type: ignore[union-attr]


def test_who_stands_up_in_the_middle_does_not_stop_the_deal(tmp_path: Path) -> None:
    with served(tmp_path) as server, friends(server) as (table, one, other, (ann, _)):
        other.contributor = None
        for visit in (one, other):
            visit.send(type="ready", ready=True)
        shares(other, "commit")
        assert other.ask(type="stand")["type"] == "done"
        shares(one, "commit")
        run_out(server, table, answers=1)
        assert shares(one, "dealt")["shares"]["seats"][1]["commitment"] is None
        play(one)
        assert downloaded(ann, table)[0].shares.withheld == [1]  # type: ignore[union-attr]


def test_the_message_is_as_the_wire_says(tmp_path: Path) -> None:
    from qipai.server.wire import SharesMessage

    with served(tmp_path) as server, server.person() as ann:
        table = ann.open("nana", bots=["random"], options={"max_turns": 4})
        with ann.at(table) as visit:
            visit.read()
            visit.play(server)
            found = [m for m in map(json.loads, visit.texts) if m["type"] == "shares"]
    assert found[0]["phase"] == "commit" and found[-1]["phase"] == "over"
    for message in found:
        SharesMessage.model_validate_json(json.dumps(message))
