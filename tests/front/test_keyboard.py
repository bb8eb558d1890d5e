"""The keyboard alone: from the lobby to a table, and moves in each of the five games."""

from __future__ import annotations

import itertools
import time
from typing import Any

import pytest

from .conftest import Visit
from .driver import GAMES

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


@pytest.mark.parametrize("game", GAMES)
def test_the_keyboard_alone_starts_and_plays_to_the_end(game: str, visit: Visit) -> None:
    page = visit().go()
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


def test_the_help_sheet_opens_and_closes_by_keys(visit: Visit) -> None:
    page = visit().go()
    page.wait_for_selector("article")
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog[open]", state="detached")
