"""Finished hands: their records, and every position with the views of all seats."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, select, tuple_

from qipai.core import WATCHER, Event
from qipai.core.errors import BadRecord
from qipai.match import Match, Signature, Step
from qipai.match.chain import links
from qipai.match.record import End, end_line, head_line, move_line

from .refusals import BadMessage, UnknownHand
from .store import ledger
from .store.rows import RESULTS, TOTALS
from .table.exchange import shares_info
from .wire import Frame, History, Replay, Result

MOST_FRAMES = 200  # per response
MOST_RESULTS = 200  # hands per response
PAGE = 50


def read_match(
    connection: Connection, table: str, hand: int, ours: Callable[[str], bool] = lambda key: True
) -> tuple[Match, Any]:
    """Return a finished hand, replayed and checked, with its row. Raise `UnknownHand` for any other.

    `ours` says whether a public key is one of this server's.
    """
    row = ledger.read_hand(connection, table, hand) if 0 <= hand < 1 << 31 else None
    if row is None or row.ended is None:
        raise UnknownHand("this table has not finished such a hand")
    moves = ledger.as_moves(ledger.read_actions(connection, table, hand))
    dump = [[seat, list(actions)] for seat, actions in moves]
    doc = {"chain": row.chain, "key": row.key, "signature": row.signature}
    checks = {name: value for name, value in doc.items() if value is not None}  # earlier versions have none
    if row.key is not None and not ours(row.key):
        raise BadRecord("the hand is signed by a key that is not this server's")
    return Match.load({**json.loads(row.head), "moves": dump, "digest": row.digest, **checks}), row


def record(match: Match, row: Any) -> bytes:
    """Return the hand as a file for `qipai replay` and `qipai verify`."""
    assert match.payoff is not None and match.revealed_seed is not None
    chain = list(links(match.head(), match.moves))
    lines = [head_line(match.head(), match.commitment)]
    lines += [move_line(number, move, chain[number]) for number, move in enumerate(match.moves, 1)]
    signature = None if row.signature is None else Signature(row.key, row.signature)
    lines.append(end_line(End(tuple(match.payoff), match.revealed_seed, match.digest, chain[-1], signature)))
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
        shares=None if match.shares is None else shares_info(match.shares, True),
        key=row.key,
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


def history(connection: Connection, guest: str, before: str = "", count: int = PAGE) -> History:
    """Return some of a guest's hands, newest first, from where `before` says; and totals by game."""
    key = (RESULTS.c.at, RESULTS.c.table_id, RESULTS.c.hand, RESULTS.c.seat)
    query = select(RESULTS).where(RESULTS.c.guest == guest)
    if before:
        place = _place(before)
        query = query.where((RESULTS.c.at <= place[0]) & (tuple_(*key) < tuple_(*place)))
    query = query.order_by(*(column.desc() for column in key)).limit(count + 1)
    rows = connection.execute(query).all()
    results = [
        Result(
            table=row.table_id,
            hand=row.hand,
            game=row.game,
            seat=row.seat,
            names=json.loads(row.names),
            payoff=json.loads(row.payoff),
            at=row.at,
        )
        for row in rows[:count]
    ]
    last = rows[count - 1] if len(rows) > count else None
    more = None if last is None else f"{last.at!r}.{last.table_id}.{last.hand}.{last.seat}"
    return History(results=results, totals=totals(connection, guest), more=more)


def totals(connection: Connection, guest: str) -> dict[str, dict[str, int]]:
    """Return the totals of a guest by game, over all hands, also those no longer kept."""
    found = connection.execute(select(TOTALS).where(TOTALS.c.guest == guest).order_by(TOTALS.c.game))
    names = ("hands", "won", "lost", "drawn", "payoff")
    return {row.game: {name: int(getattr(row, name)) for name in names} for row in found}


def _place(before: str) -> tuple[float, str, int, int]:
    """Return the key of a hand from `History.more`."""
    try:
        at, table, hand, seat = before.rsplit(".", 3)
        place = float(at), table, int(hand), int(seat)
    except ValueError as error:
        raise BadMessage("before: not a place in the history") from error
    if not 0 <= place[0] < 1e12 or not table.isalnum() or not max(map(abs, place[2:])) < 1 << 31:
        raise BadMessage("before: not a place in the history")  # databases reject some numbers and strings
    return place
