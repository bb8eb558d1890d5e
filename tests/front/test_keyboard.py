"""The keyboard alone: from the lobby to a table, and moves in each of the five games."""

from __future__ import annotations

import itertools
import time
from typing import Any

import pytest

from .conftest import Visit
from .driver import GAMES, play_out

pytestmark = pytest.mark.slow
READY = "[data-confirm]:not([disabled]):not([aria-disabled=true])"
PATIENCE = 60.0  # seconds for one decision, on a busy machine
UNPRESSED = "() => document.activeElement.getAttribute('aria-pressed') !== 'true'"
PAUSED = ".stage [data-continue], .after"


def tab_to(page: Any, wanted: str, limit: int = 60) -> None:
    """Press Tab until the focus is on `wanted`."""
    for _ in range(limit):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement?.matches(s) ?? false", wanted):
            return
    pytest.fail(f"Tab does not lead to {wanted}")


def move_by_keys(page: Any) -> None:
    """Make one decision: Tab and arrows find something to press, Enter presses it."""
    tick = page.get_attribute(".stage", "data-tick")
    begun, visited = time.monotonic(), []
    for attempt in itertools.count():
        if attempt >= 120 and time.monotonic() - begun > PATIENCE:
            break
        if page.query_selector(PAUSED) or page.get_attribute(".stage", "data-tick") != tick:
            return  # an earlier key was answered late, on a busy machine
        here = page.evaluate("() => qipaiDriver.focus()")
        visited.append(here)
        if here in ("action", "confirm"):
            page.keyboard.press("Enter")
            page.wait_for_timeout(120)
            if page.get_attribute(".stage", "data-tick") != tick:
                return
        if here == "pick" and not page.query_selector(READY):  # part of a move: choose it, go to the next
            for key in ("Enter", "Space"):  # at Paipai Rensa's sharing out Enter is for the whole
                if page.evaluate(UNPRESSED):
                    page.keyboard.press(key)
            page.keyboard.press("ArrowRight")
        else:
            page.keyboard.press("ArrowRight" if here == "stage" and attempt % 3 else "Tab")
    there = page.evaluate("() => document.activeElement.outerHTML.slice(0, 300)")
    pytest.fail(f"the keyboard finds nothing to press: {visited[-20:]}, at last on {there}")


def seat_hard_bots(route: Any) -> None:
    """Seat `hard` at NANA: a hand of `forgetful` against the same card again and again hardly ends."""
    asked = route.request.post_data_json
    if route.request.method == "POST" and asked["game"] == "nana":
        asked["bots"] = ["hard"] * len(asked["bots"])
        route.continue_(post_data=asked)
    else:
        route.continue_()


@pytest.mark.parametrize("game", GAMES)
def test_the_keyboard_alone_starts_and_plays_to_the_end(game: str, visit: Visit) -> None:
    page = visit().go()
    page.route("**/api/tables", seat_hard_bots)
    page.wait_for_selector("article")
    tab_to(page, f"article[data-game={game}] .start")
    page.keyboard.press("Enter")
    page.wait_for_selector(f".stage[data-game={game}]")
    for _ in range(400):
        page.wait_for_selector(f".stage[data-asked=yes], {PAUSED}")
        if page.query_selector(".after"):
            return
        if page.query_selector(".stage [data-continue]"):  # a pause of the table's own: any key
            page.keyboard.press("Enter")
            page.wait_for_timeout(100)
        else:
            move_by_keys(page)
    pytest.fail("the game does not end")


def press_on(page: Any, wanted: str, key: str = "Enter") -> None:
    """Go to `wanted` by Tab and press a key there."""
    tab_to(page, wanted)
    page.keyboard.press(key)


def test_the_controls_around_a_hand_work_by_keys(visit: Visit) -> None:
    """Settings, the goal of a match, phrases, leaving and continuing, and the speed of a replay."""
    page = visit().go()
    page.wait_for_selector("article")
    press_on(page, "button[aria-label=Settings]")
    press_on(page, "[data-volume]", "Home")
    assert page.input_value("[data-volume]") == "0"
    press_on(page, "input[name=motion]", "ArrowRight")
    assert page.is_checked("input[name=motion][value=fast]")
    press_on(page, "[data-suits-safe]", "Space")
    assert page.get_attribute("html", "data-suits") == "safe"
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")

    page.goto(f"{page.url}play/skill_gomoku")
    page.wait_for_selector("form")
    press_on(page, "select[aria-label='Seats 2']", "ArrowDown")
    press_on(page, "[data-goal]", "ArrowDown")
    press_on(page, "form button.main")
    page.wait_for_selector(".stage")
    assert "of 8 hands" in page.inner_text("header h1")
    press_on(page, "aside .talk summary")
    press_on(page, "[data-phrase=hello]")
    page.wait_for_selector("aside .talk li:has-text('Hello!')")
    press_on(page, "header button[aria-label=Leave]")
    press_on(page, "dialog button.call")
    page.wait_for_selector("[data-mine]")
    press_on(page, "[data-mine] a")
    page.wait_for_selector(".stage")

    play_out(page)
    page.wait_for_selector(".stage [role=dialog]")
    press_on(page, ".after a[href*=replay]")
    page.wait_for_selector("[data-rate='1']")
    press_on(page, "[data-rate]")
    page.wait_for_selector("[data-rate='2']")


def test_the_help_sheet_opens_and_closes_by_keys(visit: Visit) -> None:
    page = visit().go()
    page.wait_for_selector("article")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
