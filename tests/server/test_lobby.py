"""The lobby's board: a visitor who follows the changes knows the same lobby as one who comes later."""

from __future__ import annotations

import json
import random
import zlib
from pathlib import Path
from typing import Any

import pytest

from qipai.server.catalog import Catalog
from qipai.server.lobby import Board, Notice
from qipai.server.wire import SeatInfo, TableInfo
from tests.server.live import Visit, live

GAMES = Catalog(lambda: None).infos()


def table(number: int, watchers: int) -> TableInfo:
    seat = SeatInfo(seat=0, kind="empty", name="")
    fields: dict[str, Any] = {"options": {}, "chips": [0], "clock": 0, "claim": 3.0, "private": False}
    fields |= {"status": "waiting", "hand": 0, "created": float(number), "watchers": watchers}
    return TableInfo(id=f"t{number}", game="nana", seats=[seat], **fields)


def test_the_changes_lead_to_the_lobby() -> None:
    rng = random.Random(1)
    board = Board()
    board.change(GAMES, [], 0)
    known: dict[str, Any] = json.loads(board.whole.text)
    tables = {t["id"]: t for t in known["tables"]}
    games = {g["name"]: g for g in known["games"]}
    for _ in range(200):
        now = [table(n, rng.randrange(2)) for n in range(8) if rng.random() < 0.6]
        readied = [game.model_copy(update={"ready": rng.random() < 0.5}) for game in GAMES]
        notice = board.change(readied, now, rng.randrange(3))
        if notice is not None:
            change = json.loads(notice.text)
            games |= {g["name"]: g for g in change["games"]}
            tables |= {t["id"]: t for t in change["tables"]}
            for name in change["gone"]:
                del tables[name]
        whole = json.loads(board.whole.text)
        assert list(games.values()) == whole["games"]
        assert {t["id"]: t for t in whole["tables"]} == tables


def test_nothing_is_sent_when_nothing_changed() -> None:
    board = Board()
    assert board.change(GAMES, [table(1, 0)], 5) is not None
    assert board.change(GAMES, [table(1, 0)], 5) is None
    notice = board.change(GAMES, [table(1, 0)], 6)
    assert notice is not None and len(notice.text) < 100 and json.loads(notice.text)["online"] == 6


def test_a_notice_is_packed_once_and_only_if_it_is_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    packed: list[bytes] = []

    def compress(data: bytes) -> bytes:
        packed.append(data)
        return b"packed"

    monkeypatch.setattr("qipai.server.lobby.zlib.compress", compress)
    board = Board()
    board.change(GAMES, [table(n, 0) for n in range(100)], 0)
    assert {board.whole.packed for _ in range(5)} == {b"packed"} and len(packed) == 1
    small = board.change(GAMES, [table(n, 0) for n in range(100)], 1)
    assert small is not None and small.packed is None and len(packed) == 1
    monkeypatch.undo()
    whole = Notice(board.whole.text)
    assert whole.packed is not None and zlib.decompress(whole.packed).decode() == whole.text
    assert len(whole.packed) < len(whole.text) / 5


def test_a_page_that_asks_for_it_is_sent_the_lobby_packed(tmp_path: Path) -> None:
    with live(tmp_path) as server, Visit(server.port, None, "/ws/lobby") as plain, server.person() as ann:
        first = plain.read()
        for _ in range(4):
            ann.open("nana", seats=2)
        with Visit(server.port, None, "/ws/lobby?packed=true") as packed:
            got = packed.socket.recv(timeout=30)
            assert isinstance(got, bytes)
            whole = json.loads(zlib.decompress(got))
            assert whole["type"] == "lobby" and len(whole["games"]) == len(first["games"])
            assert len(got) < len(zlib.decompress(got)) / 3
            opened = ann.open("nana", seats=2)
            for _ in range(50):
                got = packed.socket.recv(timeout=30)
                change = json.loads(got if isinstance(got, str) else zlib.decompress(got))
                if opened in [one["id"] for one in change["tables"]]:
                    break
            assert change["type"] == "lobby_change"
            plain.wait(lambda m: opened in [one["id"] for one in m.get("tables", [])])
