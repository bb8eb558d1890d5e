"""The lobby, the quiet pages, and each language."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.core import names

from .conftest import Visit
from .driver import GAMES

pytestmark = pytest.mark.slow
TAGLINES = {"zh": "坐下就能玩", "en": "Sit down and play", "ja": "座ればすぐ始まります"}


@pytest.mark.parametrize("lang", TAGLINES)
def test_the_lobby_speaks_the_browsers_language(lang: str, visit: Visit, shots: Path) -> None:
    page = visit(lang=lang).go()
    page.wait_for_selector("article")
    assert TAGLINES[lang] in page.inner_text("h1")
    assert page.locator("article").count() == len(names())
    assert page.get_attribute("html", "lang") == {"zh": "zh-Hans", "en": "en", "ja": "ja"}[lang]
    page.wait_for_timeout(300)
    page.screenshot(path=shots / f"lobby-{lang}.png", full_page=True)


def test_the_language_can_be_switched_and_is_kept(visit: Visit) -> None:
    page = visit().go()
    page.click("button[aria-label=Settings]")
    page.click("label:has-text('日本語')")
    assert TAGLINES["ja"] in page.inner_text("h1")
    page.reload()
    page.wait_for_selector("article")
    assert TAGLINES["ja"] in page.inner_text("h1")


def test_the_theme_can_be_switched_and_is_kept(visit: Visit) -> None:
    page = visit(theme="dark").go()
    assert page.get_attribute("html", "data-theme") == "dark"
    page.click("button[aria-label=Settings]")
    page.click("label:has-text('Light')")
    assert page.get_attribute("html", "data-theme") == "light"
    page.reload()
    assert page.get_attribute("html", "data-theme") == "light"


def test_a_guest_takes_another_name(visit: Visit) -> None:
    page = visit().go()
    page.click("button[aria-label^='Your name']")
    page.fill("input[aria-label='Your name']", "<b>小明</b>")
    page.keyboard.press("Enter")
    page.wait_for_selector("button[aria-label*='小明']")
    assert "<b>小明</b>" in page.inner_text("header.bar")


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_opened_with_the_games_own_options(game: str, visit: Visit) -> None:
    page = visit().go(f"/play/{game}")
    page.wait_for_selector("form")
    if page.locator("summary").count():
        page.click("summary")
        assert page.locator(".options label").count() > 0
    page.click("form button.main")
    page.wait_for_url("**/table/*")
    page.wait_for_selector(".room, .stage")


@pytest.mark.parametrize(("game", "lang"), list(zip(GAMES, ["zh", "en", "ja", "zh", "en"], strict=True)))
def test_the_rules_are_shown(game: str, lang: str, visit: Visit) -> None:
    page = visit(lang=lang).go(f"/rules/{game}")
    page.wait_for_selector(".prose h2, .prose h3, .prose p")
    assert len(page.inner_text(".prose")) > 300


def test_an_address_that_leads_nowhere_says_so(visit: Visit) -> None:
    page = visit().go("/play/chess")
    page.wait_for_selector("h1:has-text('There is nothing here')")
    page = visit().go("/table/nothere123")
    page.wait_for_selector("text=There is no such table")
