"""Finished hands: their records, and every position with the views of all seats."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Connection, desc, select

from qipai.core import WATCHER, Event
from qipai.match import Match, Step
from qipai.match.chain import links
from qipai.match.record import End, end_line, head_line, move_line

from .refusals import UnknownHand
from .store import ledger
from .store.rows import RESULTS
from .wire import Frame, History, Replay, Result

MOST_FRAMES = 200  # per response
MOST_RESULTS = 200
COUNTED = 20_000  # hands of one guest in the totals


def read_match(connection: Connection, table: str, hand: int) -> tuple[Match, Any]:
    """Return a finished hand, replayed and checked, with its row. Raise `UnknownHand` for any other."""
    row = ledger.read_hand(connection, table, hand) if 0 <= hand < 1 << 31 else None
    if row is None or row.ended is None:
        raise UnknownHand("this table has not finished such a hand")
    moves = ledger.as_moves(ledger.read_actions(connection, table, hand))
    dump = [[seat, list(actions)] for seat, actions in moves]
    chain = {} if row.chain is None else {"chain": row.chain}  # hands of earlier versions have none
    return Match.load({**json.loads(row.head), "moves": dump, "digest": row.digest, **chain}), row


def record(match: Match) -> bytes:
    """Return the hand as a file for `qipai replay` and `qipai verify`."""
    assert match.payoff is not None and match.revealed_seed is not None
    chain = list(links(match.head(), match.moves))
    lines = [head_line(match.head(), match.commitment)]
    lines += [move_line(number, move, chain[number]) for number, move in enumerate(match.moves, 1)]
    lines.append(end_line(End(tuple(match.payoff), match.revealed_seed, match.digest, chain[-1])))
    return b"".join(lines)


def seat_of(connection: Connection, table: str, hand: int, guest: str) -> int:
    """Return where a guest sat in a finished hand; WATCHER for anyone else."""
    of_hand = (RESULTS.c.table_id == table) & (RESULTS.c.hand == hand)
    found = connection.scalar(select(RESULTS.c.seat).where(of_hand & (RESULTS.c.guest == guest)))
    return WATCHER if found is None else int(found)


def replay(match: Match, row: Any, table: str, seat: int, start: int, count: int) -> Replay:
    """Return frames `start` to `start + count - 1`; frame 0 is the deal, then one per move."""
    assert match.payoff is not None and match.revealed_seed is not None
    end = min(start + min(count, MOST_FRAMES), len(match.moves) + 1)
    return Replay(
        table=table,
        game=match.game.name,
        hand=row.hand,
        options=match.options,
        names=json.loads(row.names),
        seat=seat,
        plies=len(match.moves),
        payoff=match.payoff,
        commitment=match.commitment,
        seed=match.revealed_seed.hex(),
        digest=match.digest,
        frames=frames(match, start, end),
    )


def frames(match: Match, start: int, end: int) -> list[Frame]:
    """Return the positions after `start` to `end - 1` moves."""
    found = []
    steps = match.steps()
    state = match.at(0)
    for number in range(end):
        seat, actions, events = WATCHER, [], []
        if number > 0:
            seat, made = match.moves[number - 1]
            actions = list(made)
            for _ in actions:
                step = next(steps)
                if number >= start:
                    events += open_events(step, match.seats)
                state = step.after
        if number >= start:
            views = {str(v): match.game.rules.view(state, v) for v in (*range(match.seats), WATCHER)}
            lines = [match.game.words.line(event) for event in events]
            frame = Frame(ply=number, seat=seat, actions=actions, events=events, lines=lines, views=views)
            found.append(frame)
    return found


def open_events(step: Step, seats: int) -> list[Event]:
    """Return the watchers' events, each with everything that any seat was told about it."""
    known = [event for seat in range(seats) for event in step.events(seat)]
    return [
        max((e for e in known if _tells(e, public)), key=_told, default=public)
        for public in step.events(WATCHER)
    ]


def _tells(event: Event, public: Event) -> bool:
    """Return whether `event` contains everything that `public` contains."""
    return all(key in event and (value is None or event[key] == value) for key, value in public.items())


def _told(event: Event) -> int:
    return sum(value is not None for value in event.values())


def history(connection: Connection, guest: str) -> History:
    """Return a guest's hands, newest first, and totals by game."""
    rows = connection.execute(
        select(RESULTS).where(RESULTS.c.guest == guest).order_by(desc(RESULTS.c.at)).limit(COUNTED)
    )
    results: list[Result] = []
    totals: dict[str, dict[str, int]] = {}
    for row in rows:
        payoff = json.loads(row.payoff)
        own = payoff[row.seat]
        total = totals.setdefault(row.game, {"hands": 0, "won": 0, "lost": 0, "drawn": 0, "payoff": 0})
        total["hands"] += 1
        total["won" if own > 0 else "lost" if own < 0 else "drawn"] += 1
        total["payoff"] += own
        if len(results) < MOST_RESULTS:
            results.append(
                Result(
                    table=row.table_id,
                    hand=row.hand,
                    game=row.game,
                    seat=row.seat,
                    names=json.loads(row.names),
                    payoff=payoff,
                    at=row.at,
                )
            )
    return History(results=results, totals=totals)
