"""Several people at one table, each with their own browser."""

from __future__ import annotations

import pytest

from .conftest import Visit
from .driver import autoplay

pytestmark = pytest.mark.slow
SCRIPT = "<script>alert(1)</script> 你好"


def test_two_browsers_and_a_watcher_at_one_table_by_an_invite_link(visit: Visit) -> None:
    host, friend, watcher = visit(), visit(lang="ja", width=360, height=640), visit()
    page = host.go("/play/xianqi")
    page.click("form button.main")
    page.wait_for_selector("[data-invite]")
    link = page.input_value("[data-invite]")
    page.select_option(".room li[data-seat='2'] select", "heuristic")
    page.wait_for_selector(".room li[data-kind=bot]")

    other = friend.page
    other.goto(link)
    other.click("button:has-text('ここに座る')")
    other.click("[data-ready]")
    page.wait_for_selector(".room li[data-seat='1']:has-text('ready')")
    page.click("[data-ready]")
    for one in (page, other):
        one.wait_for_selector(".stage")

    rail = watcher.page
    rail.goto(link)
    rail.wait_for_selector("text=You are watching")
    page.wait_for_selector("text=1 watching")

    page.fill("aside .talk input", SCRIPT)
    page.keyboard.press("Enter")
    other.click("button[aria-label='チャット (1)']")
    other.wait_for_selector(f"dialog li:has-text('{SCRIPT}')")
    other.keyboard.press("Escape")

    for one in (page, other):
        autoplay(one)
    for one in (page, other):
        one.wait_for_selector(".after [data-ready]", timeout=300_000)
    rail.wait_for_selector(".after")


def test_who_leaves_is_played_for_and_takes_the_seat_back(visit: Visit) -> None:
    page = visit().go()
    page.click("article[data-game=wuhan_mahjong] .start")
    page.wait_for_selector(".stage")
    link = page.url
    page.click("button[aria-label=Leave]")
    page.click("dialog button.call")
    page.wait_for_selector("article")
    page.goto(link)
    page.wait_for_selector("[data-return]", state="attached")
    page.evaluate("() => document.querySelector('[data-return]')?.click()")  # bots that hurry may be done
    page.wait_for_selector("[data-return]", state="detached")
