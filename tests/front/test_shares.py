"""The exchange before a deal, in the browser: every page contributes, and who does not is named."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from qipai.cli import main

from .conftest import Visit
from .driver import play_out, quick_game

pytestmark = pytest.mark.slow


def open_check(page: Any) -> None:
    page.click(".after button:has-text('Check this deal')")
    page.click("[data-check-deal]")


def test_the_page_contributes_and_shows_how_to_check_the_record(visit: Visit) -> None:
    page = visit().go()
    quick_game(page, "xianqi")
    play_out(page)
    open_check(page)
    page.wait_for_selector("[data-deal=true]")
    page.wait_for_selector("[data-share='0'][data-given=true]")
    assert page.locator("[data-share]").count() == 2, "the server and one person; bots contribute nothing"
    page.wait_for_selector("[data-command]:has-text('--key')")
    command = page.inner_text("[data-command]").split()
    with page.expect_download() as download:
        page.click("a[download]")
    assert command[:3] == ["qipai", "verify", "--key"] and command[4] == download.value.suggested_filename
    assert main([*command[1:4], str(download.value.path())]) == 0
    page.reload()  # and a page that is loaded again still knows its share
    page.wait_for_selector(".after [data-ready]")
    open_check(page)
    page.wait_for_selector("[data-deal=true]")


@pytest.mark.parametrize("silent", ["commit", "reveal"])
def test_a_page_that_withholds_is_left_out_and_named(visit: Visit, silent: str) -> None:
    visitor = visit()
    page = visitor.page

    def gag(line: Any) -> None:
        server = line.connect_to_server()
        line.on_message(lambda text: None if json.loads(text)["type"] == silent else server.send(text))

    page.route_web_socket(re.compile("/ws/table/"), gag)
    visitor.go()
    quick_game(page, "skill_gomoku")  # a second hand would be played by a bot
    page.wait_for_selector("text=did not contribute to the deal in time")
    play_out(page)
    open_check(page)
    page.wait_for_selector("[data-deal=true]")
    page.wait_for_selector("[data-share='0'][data-given=false]:has-text('did not contribute')")


def test_a_share_that_the_server_drops_after_confirming_it_is_found_out(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page

    def cheat(line: Any) -> None:
        server = line.connect_to_server()

        def pass_on(text: str) -> None:
            message = json.loads(text)
            if message["type"] == "shares" and message["phase"] in ("dealt", "over"):
                message["shares"]["seats"][0]["reveal"] = None
            line.send(json.dumps(message))

        server.on_message(pass_on)

    page.route_web_socket(re.compile("/ws/table/"), cheat)
    visitor.go()
    quick_game(page, "xianqi")
    play_out(page)
    open_check(page)
    page.wait_for_selector("[data-deal=false]:has-text('left out or changed')")
