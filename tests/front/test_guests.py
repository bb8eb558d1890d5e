"""Looking after oneself: mute, block, report, removing a guest, signing out; and a long history."""

from __future__ import annotations

import sqlite3

import pytest

from .conftest import Server, Visit

pytestmark = pytest.mark.slow


def test_a_rude_guest_is_muted_reported_blocked_and_removed(visit: Visit, server: Server) -> None:
    host, friend = visit(), visit(lang="zh")
    page = host.go("/play/nana")
    page.click("form button.main")
    link = page.input_value("[data-invite]")
    other = friend.page
    other.goto(link)
    other.click("button:has-text('坐这里'), .room li[data-kind=empty] button.main")
    page.wait_for_selector(".room li[data-seat='1'][data-kind=person]")

    def say(text: str) -> None:
        other.fill("aside .talk input:not([type=checkbox])", text)
        other.keyboard.press("Enter")
        other.wait_for_selector(f"aside .talk li:has-text('{text}')")

    say("rude one")
    line = page.wait_for_selector("aside .talk li:has-text('rude one')")
    assert other.locator("aside .talk .about").count() == 0  # nothing about one's own lines
    line.query_selector(".about").click()
    page.click("[data-reason=insult]")
    page.wait_for_selector("text=The operator of this server will look at it")
    page.click("aside .talk .about")
    page.click("[data-block]")
    page.wait_for_selector("aside .talk li:has-text('rude one')", state="detached")
    say("rude two")
    page.wait_for_timeout(300)
    assert page.locator("aside .talk li:has-text('rude two')").count() == 0

    page.click("[data-remove]")
    page.click("dialog button.call")
    page.wait_for_selector(".room li[data-seat='1'][data-kind=empty]")
    other.click(".room li[data-seat='1'] button.main")
    other.wait_for_selector("text=桌主把你请出了这张桌子")

    page.click("button[aria-label=Menu]")
    page.click("[data-unblock]")
    page.wait_for_selector("[data-unblock]", state="detached")
    page.reload()
    page.wait_for_selector("aside .talk li:has-text('rude two')")
    page.click("aside .talk li:has-text('rude two') .about")
    page.click("[data-mute]")
    page.wait_for_selector("aside .talk li:has-text('rude two')", state="detached")


def test_who_signs_out_is_a_newcomer(visit: Visit) -> None:
    page = visit().go()
    page.click("button[aria-label^='Your name']")
    page.fill("input[aria-label='Your name']", "Ann")
    page.keyboard.press("Enter")
    page.wait_for_selector("button[aria-label*='Ann']")
    page.click("button[aria-label=Settings]")
    page.click("button:has-text('Sign out everywhere else')")
    page.wait_for_selector("text=Only this browser is signed in now")
    page.click("dialog button:has-text('Sign out') >> nth=0")
    page.click("[data-sign-out]")
    page.wait_for_selector("button[aria-label*='Guest ']")
    assert page.locator("button[aria-label*='Ann']").count() == 0


def test_a_long_history_is_read_page_by_page(visit: Visit, server: Server) -> None:
    page = visit().go()
    page.wait_for_selector("article")
    guest = page.evaluate("fetch('/api/me').then((answer) => answer.json())")["id"]
    rows = [("t", n, 0, guest, "nana", '["Ann","Lan"]', "[1,-1]", float(n)) for n in range(120)]
    with sqlite3.connect(server.folder / "tables.db", timeout=30) as connection:
        connection.executemany("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
        connection.execute("INSERT INTO totals VALUES (?, 'nana', 1000000, 1000000, 0, 0, 1000000)", (guest,))
    connection.close()
    page.goto(f"{server.url}/history")
    page.wait_for_selector("main ul li")
    assert page.locator("main ul li").count() == 50 and "1000000" in page.inner_text(".totals")
    for count in (100, 120):
        page.click("[data-older]")
        page.wait_for_selector(f"main ul li:nth-child({count})")
    assert page.locator("[data-older]").count() == 0
