"""An asker with a hundred jobs delays others by one job, not by a hundred."""

from __future__ import annotations

import asyncio

import pytest

from qipai.server.refusals import TooFast
from qipai.server.store.turns import Turns


def test_askers_take_turns() -> None:
    async def ask() -> list[str]:
        turns, done = Turns(100, 100), []

        async def job(who: str) -> None:
            async with turns.turn(who):
                await asyncio.sleep(0)
                done.append(who)

        await asyncio.gather(*(job(who) for who in "aaaaaabbc"))
        assert turns.count == 0
        await job("d")
        return done

    assert "".join(asyncio.run(ask())) == "aabcabaaad"


def test_queues_are_bounded_together_and_each() -> None:
    async def ask() -> None:
        turns, gate = Turns(5, 2), asyncio.Event()

        async def job(who: str) -> None:
            async with turns.turn(who):
                await gate.wait()

        jobs = [asyncio.create_task(job(who)) for who in "aaaabb"]
        await asyncio.sleep(0)
        gate.set()
        found = await asyncio.gather(*jobs, return_exceptions=True)
        assert [type(one) for one in found] == [type(None)] * 3 + [TooFast] + [type(None)] * 2
        with pytest.raises(TooFast):
            turns.count = 5
            await job("c")

    asyncio.run(ask())


def test_who_goes_away_takes_no_turn() -> None:
    async def ask() -> None:
        turns, gate = Turns(10, 10), asyncio.Event()

        async def job(who: str) -> None:
            async with turns.turn(who):
                await gate.wait()

        jobs = [asyncio.create_task(job(who)) for who in "abc"]
        await asyncio.sleep(0)
        jobs[1].cancel()
        gate.set()
        await asyncio.gather(*jobs, return_exceptions=True)
        assert turns.count == 0 and not turns._waiting and not turns._busy
        jobs = [asyncio.create_task(job(who)) for who in "ab"]
        await asyncio.gather(*jobs)

    asyncio.run(ask())
