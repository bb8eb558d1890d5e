"""With an empty compile cache a game can be played at once, on plain rules until its own are compiled."""

from __future__ import annotations

import time
import urllib.request
from pathlib import Path

import pytest

from qipai.match.record import parse_record
from qipai.match.verify import check_record

from .conftest import Server, Visit
from .driver import play_out, press_through, quick_game

pytestmark = pytest.mark.slow
GAME = "xianqi"  # the quickest to compile
PATIENCE = 280  # seconds for a machine with other work to do


def test_a_hand_begins_on_plain_rules_and_ends_on_compiled_ones(
    site: None, tmp_path: Path, visit: Visit
) -> None:
    cold = Server(tmp_path, cache=tmp_path / "cache")
    cold.start(compiled=False)
    try:
        page = visit(at=cold).go()
        quick_game(page, GAME)
        assert not cold.is_compiled(GAME)  # the first view came first
        press_through(page, 1)
        link = page.url
        for _ in range(PATIENCE * 10):
            if cold.is_compiled(GAME):
                break
            time.sleep(0.1)
        assert cold.is_compiled(GAME)
        assert page.query_selector(".stage[data-asked=yes]")  # still the same hand
        play_out(page)
        table = link.rsplit("/", 1)[1]
        with urllib.request.urlopen(f"{cold.url}/api/tables/{table}/record/0") as answer:
            _, wrong = check_record(parse_record(answer.read()))
        assert wrong == []
    finally:
        cold.stop()
