"""Nothing is lost when the line is: the server is killed in the middle of a game and started again."""

from __future__ import annotations

import pytest

from .conftest import Server, Visit
from .driver import log_lines, play_out, press_some, press_through, quick_game

pytestmark = pytest.mark.slow


def test_a_game_goes_on_after_the_server_was_killed(visit: Visit, server: Server) -> None:
    visitor = visit()
    page = visitor.go()
    quick_game(page, "xianqi")
    press_through(page, 3)
    before = log_lines(page)
    visitor.forgiving = True
    server.kill()
    page.wait_for_selector("header :text('Reconnecting')")
    server.start(compiled=False)
    page.wait_for_selector("header :text('Reconnecting')", state="detached")
    visitor.forgiving = False
    assert log_lines(page)[: len(before)] == before
    play_out(page)


def test_a_page_loaded_anew_finds_its_seat_and_the_whole_log(visit: Visit) -> None:
    page = visit().go()
    quick_game(page, "xianqi")
    press_some(page, 2)
    page.wait_for_selector(".stage[data-asked=yes], .after")
    before = log_lines(page)
    page.reload()
    page.wait_for_selector(".stage")
    page.wait_for_function("n => document.querySelectorAll('aside .log li').length >= n", arg=len(before))
    assert log_lines(page)[: len(before)] == before
