"""Replays: every position of a finished hand, and every event with everything that any seat knew of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from qipai.core import Player, get
from qipai.core.errors import BadRecord
from qipai.match import Match, check_record, parse_record
from qipai.server.replay import frames, read_match, record
from qipai.server.store import ledger
from qipai.server.store.store import Store
from tests.server.test_play import GAMES


def played(game: str, seed: int) -> Match:
    """Return a hand of bots."""
    options = {"max_turns": 40} if game == "nana" else {}
    match = Match(game, options, seed=seed.to_bytes(32, "big"))
    players = [Player(get(game), "random", seed, seat) for seat in range(match.seats)]
    while not match.over:
        match.act(match.seat, players[match.seat].move(match.state))
    return match


@pytest.mark.parametrize("game", GAMES)
def test_frames_can_be_read_in_any_pieces(game: str) -> None:
    match = played(game, 1)
    count = len(match.moves) + 1
    whole = frames(match, 0, count)
    assert [f.ply for f in whole] == list(range(count))
    assert [(f.seat, tuple(f.actions)) for f in whole[1:]] == match.moves
    assert whole[0].seat == -1 and whole[0].events == []
    half = count // 2
    assert frames(match, 0, half) + frames(match, half, count) == whole
    for seat in (*range(match.seats), -1):
        assert whole[-1].views[str(seat)] == match.view(seat)


def test_every_draw_is_open_in_a_replay() -> None:
    match = played("wuhan_mahjong", 3)
    events = [event for frame in frames(match, 0, len(match.moves) + 1) for event in frame.events]
    draws = [event for event in events if event["event"] == "draw"]
    assert draws and all(event["tile"] is not None for event in draws)
    assert all(event["tile"] is not None for event in events if event["event"] == "kong_concealed")


def test_a_watcher_of_the_live_hand_was_told_no_less_than_the_replay_begins_with() -> None:
    """Open events contain more; none is dropped or reordered."""
    for game in GAMES:
        match = played(game, 2)
        told = [event for step in match.steps() for event in step.events(-1)]
        shown = [event for frame in frames(match, 0, len(match.moves) + 1) for event in frame.events]
        assert len(told) == len(shown)
        for public, opened in zip(told, shown, strict=True):
            assert all(opened[key] == value for key, value in public.items() if value is not None)


def test_a_record_is_what_the_command_line_reads() -> None:
    lines = record(played("nana", 1)).decode().splitlines()
    assert '"format":"qipai/1"' in lines[0] and '"end":true' in lines[-1]


def test_a_stored_hand_is_checked_against_its_chain(tmp_path: Path) -> None:
    match = played("nana", 1)
    assert match.payoff is not None
    payoff = match.payoff
    setup = ledger.Setup("a", "nana", match.seats, match.options, 0, 0.0, False, False, 0.0)

    def write(connection: Connection) -> None:
        ledger.add_hand(connection, "a", 0, match.head(), ["x"] * match.seats)
        ledger.add_moves(connection, "a", 0, 0, 0, match.moves)
        ledger.end_hand(connection, setup, ledger.Ended(0, payoff, match.digest, match.chain), {}, [])

    store = Store(f"sqlite:///{tmp_path}/a.db")
    with store.engine.begin() as connection:
        write(connection)
    found = parse_record(record(store.read_now(lambda c: read_match(c, "a", 0)[0])))
    assert found.chained and check_record(found)[1] == []
    with store.engine.begin() as connection:
        connection.execute(text(f"UPDATE hands SET chain = '{'0' * 64}'"))
    with pytest.raises(BadRecord, match="hash chain"):
        store.read_now(lambda c: read_match(c, "a", 0))
    with store.engine.begin() as connection:  # as earlier versions stored it
        connection.execute(text("UPDATE hands SET chain = NULL"))
    assert store.read_now(lambda c: read_match(c, "a", 0)[0]).moves == match.moves
    store.close()
