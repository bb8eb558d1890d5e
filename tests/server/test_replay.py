"""Replays: every position of a finished hand, and every event with everything that any seat knew of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy import Connection, text

from qipai.core import Player, get
from qipai.core.errors import BadRecord
from qipai.match import Match, Trust, check_record, parse_record, signature_of
from qipai.server.refusals import BadMessage
from qipai.server.replay import frames, history, read_match, record, totals
from qipai.server.signing import Signer
from qipai.server.store import ledger, rows
from qipai.server.store.steps import STEPS
from qipai.server.store.store import Store, open_engine
from tests.server.postgres import KINDS, WHY, binaries, databases
from tests.server.test_play import GAMES


@pytest.fixture(scope="module", params=KINDS)
def fresh(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[], str]]:
    """Yield a function that returns the URL of another empty database, of each kind."""
    if request.param == "postgresql" and binaries() is None:
        pytest.skip(WHY)
    with databases(request.param, tmp_path_factory.mktemp("databases")) as make:
        yield make


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
    row = SimpleNamespace(key=None, signature=None)  # of a hand that an earlier version stored
    lines = record(played("nana", 1), row).decode().splitlines()
    assert '"format":"qipai/1"' in lines[0] and '"end":true' in lines[-1]


def test_a_stored_hand_is_checked_against_its_chain_and_signature(tmp_path: Path) -> None:
    match = played("nana", 1)
    assert match.payoff is not None
    payoff = match.payoff
    setup = ledger.Setup("a", "nana", match.seats, match.options, 0, 0.0, False, False, 0.0)

    store = Store(f"sqlite:///{tmp_path}/a.db")
    signer = Signer(store)
    signature = signer.sign(match.chain)
    ended = ledger.Ended(0, payoff, match.digest, match.chain, signature.key, signature.value)

    def write(connection: Connection) -> None:
        ledger.add_hand(connection, "a", 0, match.head(), ["x"] * match.seats)
        ledger.add_moves(connection, "a", 0, 0, 0, match.moves)
        ledger.end_hand(connection, setup, ended, {}, [])

    with store.engine.begin() as connection:
        write(connection)
    found = parse_record(record(*store.read_now(lambda c: read_match(c, "a", 0, signer.knows))))
    assert found.chained and check_record(found)[1] == [] and signature_of(found) is Trust.SIGNED
    with pytest.raises(BadRecord, match="not this server's"):
        store.read_now(lambda c: read_match(c, "a", 0, lambda key: False))
    with store.engine.begin() as connection:
        connection.execute(text(f"UPDATE hands SET signature = '{'0' * 128}'"))
    with pytest.raises(BadRecord, match="signature does not match"):
        store.read_now(lambda c: read_match(c, "a", 0))
    with store.engine.begin() as connection:
        connection.execute(text(f"UPDATE hands SET chain = '{'0' * 64}'"))
    with pytest.raises(BadRecord, match="hash chain"):
        store.read_now(lambda c: read_match(c, "a", 0))
    with store.engine.begin() as connection:  # as earlier versions stored it
        connection.execute(text("UPDATE hands SET chain = NULL, key = NULL, signature = NULL"))
    old, row = store.read_now(lambda c: read_match(c, "a", 0))
    assert old.moves == match.moves and signature_of(parse_record(record(old, row))) is Trust.NONE
    store.close()


def old_history(url: str, count: int, monkeypatch: pytest.MonkeyPatch) -> Store:
    """Return a store that was upgraded from version 2, where a guest had played this many hands."""
    engine = open_engine(url)
    with monkeypatch.context() as patch, engine.begin() as connection:
        patch.setattr(rows, "STEPS", STEPS[:2])
        rows.migrate(connection)
        insert = text(
            "INSERT INTO results (table_id, hand, seat, guest, game, names, payoff, at) "
            "VALUES (:t, :hand, :seat, 'ann', :game, '[]', :payoff, :at)"
        )
        payoffs = ("[3,-3]", "[-1,1]", "[0,0]")
        games = ("nana", "xianqi")
        connection.execute(
            insert,
            [
                {
                    "t": f"t{n % 7}",
                    "hand": n,
                    "seat": n % 2,
                    "game": games[n % 2],
                    "payoff": payoffs[n % 3],
                    "at": n // 5,
                }
                for n in range(count)
            ],
        )
    engine.dispose()
    return Store(url)


def test_totals_do_not_end_at_any_number_of_hands(
    fresh: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They stopped at 20,000 without a word."""
    store = old_history(fresh(), 24_000, monkeypatch)
    found = store.read_now(lambda c: history(c, "ann")).totals
    assert found["nana"] == {"hands": 12_000, "won": 4000, "lost": 4000, "drawn": 4000, "payoff": 8000}
    assert found["xianqi"] == {"hands": 12_000, "won": 4000, "lost": 4000, "drawn": 4000, "payoff": -8000}
    setup = ledger.Setup("a", "nana", 2, {}, 0, 0.0, False, False, 0.0)
    with store.engine.begin() as connection:
        ended = ledger.Ended(0, [-5, 5], "", "")
        ledger.end_hand(connection, setup, ended, {0: "ann", 1: "bo"}, ["Ann", "Bo"])
        assert totals(connection, "ann")["nana"]["payoff"] == 7995
        assert totals(connection, "bo") == {
            "nana": {"hands": 1, "won": 1, "lost": 0, "drawn": 0, "payoff": 5}
        }
    store.close()


def test_the_pages_of_the_history_are_all_of_it_newest_first(
    fresh: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where several hands ended at the same moment."""
    store = old_history(fresh(), 503, monkeypatch)
    found, more, pages = [], "", 0
    while True:
        page = store.read_now(lambda c, more=more: history(c, "ann", more, 50))  # type: ignore[misc]
        found += [(r.at, r.table, r.hand, r.seat) for r in page.results]
        pages += 1
        if page.more is None:
            break
        more = page.more
    assert pages == 11 and len(found) == len(set(found)) == 503
    assert found == sorted(found, reverse=True)
    for bad in ("x", "1.a.0", "nan.abc.0.0", "1.abc.99999999999.0", "1.a'b.0.0", "-1.abc.0.0"):
        with pytest.raises(BadMessage):
            store.read_now(lambda c, bad=bad: history(c, "ann", bad))  # type: ignore[misc]
    store.close()
