"""A person who presses whatever glows (driver.js): games are played through the page only."""

from __future__ import annotations

import time
from typing import Any

GAMES = ("xianqi", "nana", "wuhan_mahjong", "skill_gomoku", "paipai_rensa")


def asked(page: Any) -> bool:
    """Wait until the person has a decision, or the hand is over: return whether it is the former.

    One Xianqi deal in twenty is over at once.
    """
    page.wait_for_selector(".stage[data-asked=yes], .after [data-ready]")
    return page.query_selector(".after [data-ready]") is None


def quick_game(page: Any, game: str) -> None:
    """Start a game from the lobby with one click; if a hand has no decision, go to the next."""
    page.click(f"article[data-game={game}] .start")
    page.wait_for_selector(f".stage[data-game={game}]")
    for _ in range(10):
        if asked(page):
            return
        next_hand(page)
    raise AssertionError("ten hands without a decision")


def next_hand(page: Any, press: str | None = None, touch: bool = False) -> None:
    """Ask for it by the button or a key. It may be over at once too: its number tells that it was dealt."""
    number = "document.querySelector('header h1 .soft')?.innerText"
    played = page.evaluate(f"() => {number}")
    if touch:
        page.tap(".after [data-ready]")
    elif press is None:
        page.click(".after [data-ready]")
    else:
        page.keyboard.press(press)
    page.wait_for_function(f"played => ![undefined, played].includes({number})", arg=played)


def autoplay(page: Any) -> None:
    """Let the page press by itself until the hand is over."""
    page.evaluate("() => qipaiDriver.autoplay()")


def play_out(page: Any, seconds: float = 1200) -> None:
    """Press until the hand is over."""
    autoplay(page)
    page.wait_for_selector(".after [data-ready]", timeout=seconds * 1000)


def press_some(page: Any, times: int, seconds: float = 120) -> int:
    """Press this many things, or until the hand is over; return how many were pressed."""
    pressed = 0
    for _ in range(int(seconds * 20)):
        if pressed == times or page.query_selector(".after"):
            break
        pressed += page.evaluate("() => qipaiDriver.press()")
        time.sleep(0.05)
    return pressed


def press_through(page: Any, times: int) -> None:
    """Press exactly so many things, in the next hand if one ends before, until the person is asked again."""
    pressed = 0
    while True:
        pressed += press_some(page, times - pressed)
        if asked(page):
            if pressed == times:
                return
            continue
        next_hand(page)


def log_lines(page: Any) -> list[str]:
    """Return the log next to the table (wide screens), or in its drawer where a person is alone."""
    alone = page.query_selector("aside") is None
    if alone:
        page.click("header button[aria-label=Log]")
    found: list[str] = page.locator("dialog[open] li" if alone else "aside .log li").all_inner_texts()
    if alone:
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog[open]", state="detached")
    return found
