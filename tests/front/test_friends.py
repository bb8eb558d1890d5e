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

    page.fill("aside .talk input:not([type=checkbox])", SCRIPT)
    page.keyboard.press("Enter")
    other.click("button[aria-label='チャット (1)']")
    other.wait_for_selector(f"dialog li:has-text('{SCRIPT}')")
    other.keyboard.press("Escape")

    for one in (page, other):
        autoplay(one)
    for one in (page, other):
        one.wait_for_selector(".after [data-ready]", timeout=300_000)
    rail.wait_for_selector(".after")


def test_who_leaves_a_table_of_bots_finds_the_hand_waiting(visit: Visit) -> None:
    """Nobody plays for a person who left bots alone; with other people a bot does (tests/server)."""
    page = visit().go()
    page.click("article[data-game=wuhan_mahjong] .start")
    page.wait_for_selector(".stage")
    link = page.url
    page.click("button[aria-label=Leave]")
    page.click("dialog button.call")
    page.wait_for_selector("article")
    page.goto(link)
    page.wait_for_selector(".stage[data-asked=yes]")  # it is this person's turn, sooner or later
    assert not page.query_selector("[data-return]")


@pytest.mark.parametrize("game", ["nana", "skill_gomoku"])
def test_two_people_and_a_watcher_see_all_clocks(game: str, visit: Visit) -> None:
    host, friend, watcher = visit(), visit(lang="ja", width=360, height=640), visit()
    page = host.go(f"/play/{game}")
    if game == "nana":
        page.select_option("form select >> nth=0", "2")
    page.select_option("form .two label:has-text('Time for a move') select", "60")
    page.click("form button.main")
    page.wait_for_selector("[data-invite]")
    link = page.input_value("[data-invite]")
    other = friend.page
    other.goto(link)
    other.click("button:has-text('ここに座る')")
    other.click("[data-ready]")
    page.click("[data-ready]")
    rail = watcher.page
    rail.goto(link)
    for one in (page, other, rail):
        one.wait_for_selector("header [role=timer]")
    turn = 0 if page.query_selector(".stage[data-asked=yes]") else 1
    mover, waiter = (page, other) if turn == 0 else (other, page)
    assert mover.query_selector("[data-clock-of]") is None  # it is their own
    for one in (waiter, rail):
        assert one.get_attribute("[data-clock-of]", "data-clock-of") == str(turn)
    for one in (page, rail):  # wide screens list the seats, with the clock of the one to move
        assert one.query_selector(f"aside li[data-seat='{turn}'] [role=timer]") is not None
        assert one.query_selector(f"aside li[data-seat='{1 - turn}'] [data-full]") is not None
    for one in (page, other, rail):  # and on the table every plate has one
        assert one.locator(f".stage [data-clock-seat='{turn}'] [role=timer]").is_visible()
        assert one.inner_text(f".stage [data-clock-seat='{1 - turn}']") == "1:00"


def test_alone_at_a_table_of_one_seat_the_board_has_the_whole_width(visit: Visit) -> None:
    visitor = visit()
    page = visitor.go()
    page.click("article[data-game=paipai_rensa] .start")
    page.wait_for_selector(".stage .well")
    assert page.query_selector("aside") is None
    assert page.query_selector("header button[aria-label=Chat]") is None
    assert page.eval_on_selector(".stage", "e => e.clientWidth") == 1280
    page.click("header button[aria-label=Log]")  # it is in a drawer
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    watcher = visit()
    watcher.go(page.url.removeprefix(visitor.url))
    page.wait_for_selector("aside .talk")  # somebody to talk to
