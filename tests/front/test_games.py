"""Whole games of all five, played in the browser by a person who presses what glows, against bots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from qipai.cli import main

from .conftest import Visit
from .driver import GAMES, log_lines, next_hand, play_out, press_some, quick_game

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", GAMES)
def test_a_stranger_plays_a_whole_game_checks_it_and_replays_it(game: str, visit: Visit, shots: Path) -> None:
    page = visit().go()
    quick_game(page, game)
    assert press_some(page, 2) > 0
    page.wait_for_timeout(400)
    page.screenshot(path=shots / f"{game}-early.png")
    play_out(page)
    page.wait_for_timeout(700)
    page.screenshot(path=shots / f"{game}-end.png")
    assert len(log_lines(page)) > 3

    page.click(".after button:has-text('Check this deal')")
    page.click("[data-check-deal]")
    page.wait_for_selector("[data-deal=true]")
    page.wait_for_selector("[data-share='0'][data-given=true]")
    page.keyboard.press("Escape")
    table = page.url
    page.click(".after a:has-text('Replay')")
    replay_by_keys(page)
    page.screenshot(path=shots / f"{game}-replay.png")
    assert page.locator(".stage :is([data-pace], [data-drop])").count() == 0  # there is nothing to steer
    record_is_verified(page)

    page.goto(table)  # and once more
    page.wait_for_selector(".after [data-ready]")
    next_hand(page, press="r" if game == "paipai_rensa" else None)  # its own key, shown on the result


def replay_by_keys(page: Any) -> None:
    """Use arrows, End, Home and the space bar; the address contains the ply."""
    page.wait_for_selector("[data-ply='0']")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[data-ply='1']")
    assert page.url.endswith("#1")
    page.keyboard.press("End")
    last = page.inner_text("[data-ply]").split("/")[1]
    page.wait_for_selector(f"[data-ply='{last}']")
    page.keyboard.press("Home")
    page.wait_for_selector("[data-ply='0']")
    page.keyboard.press("Space")
    page.wait_for_selector("[data-ply='2']")
    page.keyboard.press("Space")


def record_is_verified(page: Any) -> None:
    """Check the downloaded record with `qipai verify`."""
    page.click("button[aria-label='Is this deal fair?']")
    with page.expect_download() as download:
        page.click("a[download]")
    assert main(["verify", str(download.value.path())]) == 0
    page.keyboard.press("Escape")


def test_a_link_to_a_position_opens_it(visit: Visit) -> None:
    page = visit().go()
    quick_game(page, "xianqi")
    play_out(page)
    table = page.url
    page.goto(table + "#3")
    page.reload()
    page.wait_for_selector("[data-ply='3']")
    assert "/replay/" in page.url and page.url.endswith("#3")
    page.click("header a[aria-label='Back to the table']")
    page.wait_for_url(table)
    page.wait_for_selector(".after [data-ready]")


def test_a_deal_is_checked_where_the_browser_has_no_hash_of_its_own(visit: Visit) -> None:
    visitor = visit()
    visitor.context.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    page = visitor.go()
    quick_game(page, "xianqi")
    play_out(page)
    page.click(".after button:has-text('Check this deal')")
    page.click("[data-check-deal]")
    page.wait_for_selector("[data-deal=true]")
