"""What it looks like: phones and desktops, light and dark, three languages; and what an axe check finds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .conftest import ROOT, Visit, missing
from .driver import GAMES, play_out, press_some, quick_game

pytestmark = pytest.mark.slow
AXE = ROOT / "front" / "node_modules" / "axe-core" / "axe.min.js"
# A tile's characters are a picture of it, not a caption that its name would have to repeat.
OPTIONS = {"resultTypes": ["violations"], "rules": {"label-content-name-mismatch": {"enabled": False}}}
QUIET = ["/", "/play/wuhan_mahjong", "/rules/nana", "/history"]
LOOKS = [(360, 640, "zh", "light"), (768, 1024, "ja", "dark"), (1440, 900, "en", "dark")]


def findings(page: Any) -> list[str]:
    """Serious and critical findings of axe, with the first element of each."""
    if not AXE.is_file():
        missing("axe-core is not installed: python front/site_build.py")
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("options => axe.run(document, options)", OPTIONS)
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:200]} {one['nodes'][0].get('failureSummary', '')[:200]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]


def fits(page: Any) -> bool:
    """Nothing sticks out to the side."""
    wide = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
    return bool(wide[0] <= wide[1])


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("width", "height", "lang", "theme"), LOOKS)
def test_a_table_fits_the_screen_and_passes_axe(
    game: str, width: int, height: int, lang: str, theme: str, visit: Visit, shots: Path
) -> None:
    page = visit(lang=lang, width=width, height=height, theme=theme).go()
    quick_game(page, game)
    press_some(page, 3)
    page.wait_for_timeout(500)
    page.screenshot(path=shots / f"{game}-{width}-{lang}-{theme}.png")
    assert fits(page)
    assert page.evaluate("() => document.documentElement.scrollHeight <= innerHeight + 1")
    assert findings(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_end_and_its_replay_fit_a_phone_and_pass_axe(game: str, visit: Visit, shots: Path) -> None:
    page = visit(lang="ja", width=360, height=640, theme="dark").go()
    quick_game(page, game)
    play_out(page)
    page.wait_for_selector(".stage [role=dialog]")  # the result
    page.wait_for_timeout(400)
    page.screenshot(path=shots / f"{game}-360-end.png")
    assert fits(page)
    assert findings(page) == []
    page.click(".after a[href*=replay]")
    page.wait_for_selector("[data-ply='0']")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("[data-ply='1']")
    page.wait_for_timeout(400)
    page.screenshot(path=shots / f"{game}-360-replay.png")
    assert fits(page)
    assert findings(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("path", [*QUIET, "/learn/nana", "/spec/nana", "/play/nothing"])
def test_a_quiet_page_fits_a_phone_and_passes_axe(path: str, theme: str, visit: Visit, shots: Path) -> None:
    page = visit(lang="zh", width=360, height=640, theme=theme).go(path)
    page.wait_for_selector("h1")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(300)
    page.screenshot(path=shots / f"page{path.replace('/', '-')}-{theme}.png", full_page=True)
    assert fits(page)
    assert findings(page) == []


@pytest.mark.parametrize("path", [f"/{kind}/{game}" for kind in ("play", "learn") for game in GAMES])
def test_the_pages_of_every_game_fit_a_phone_on_its_side_and_pass_axe(path: str, visit: Visit) -> None:
    page = visit(lang="ja", width=844, height=390, theme="dark").go(path)
    page.wait_for_selector("form summary, .coach")
    page.wait_for_load_state("networkidle")
    page.eval_on_selector_all("form details", "all => all.forEach((one) => (one.open = true))")
    page.wait_for_timeout(300)
    assert fits(page)
    assert findings(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_lies_around_a_hand_passes_axe(theme: str, visit: Visit) -> None:
    """The waiting room, phrases, leaving, your tables, settings and a ranking."""
    page = visit(width=360, height=640, theme=theme).go("/play/skill_gomoku")
    body = json.dumps({"addresses": ["http://192.168.1.5:8140"]})
    page.route("**/api/reach", lambda route: route.fulfill(body=body, content_type="application/json"))
    page.select_option("[data-goal]", "hands")
    page.fill("[data-goal-count]", "1")
    page.click("form button.main")
    page.wait_for_selector("[data-qr]")
    assert findings(page) == []
    page.select_option(".room li[data-kind=empty] select", "random")
    page.wait_for_selector(".stage[data-asked=yes]")

    page.click("header button[aria-label=Chat]")
    page.click("dialog summary")
    page.wait_for_timeout(250)
    assert findings(page) == []
    page.keyboard.press("Escape")
    page.click("header button[aria-label=Leave]")
    page.wait_for_selector("dialog[open] button.call")
    page.wait_for_timeout(250)
    assert findings(page) == []
    page.click("dialog button.call")
    page.wait_for_selector("[data-mine]")
    assert findings(page) == []
    page.click("button[aria-label=Settings]")
    page.wait_for_selector("dialog[open] [data-volume]")
    page.wait_for_timeout(250)
    assert findings(page) == []
    page.keyboard.press("Escape")
    page.click("[data-mine] a")
    page.wait_for_selector(".stage[data-asked=yes]")
    play_out(page)
    page.wait_for_selector("[data-ranking]")
    page.wait_for_timeout(400)
    assert findings(page) == []
    assert fits(page)


def test_drawers_open_on_a_phone(visit: Visit, shots: Path) -> None:
    page = visit(width=360, height=640).go()
    quick_game(page, "xianqi")
    press_some(page, 2)
    for label in ("Players", "Log", "Chat", "Menu"):
        page.click(f"header button[aria-label={label}]")
        page.wait_for_selector("dialog[open]")
        page.wait_for_timeout(250)
        page.screenshot(path=shots / f"drawer-{label.lower()}.png")
        assert findings(page) == []
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog[open]", state="detached")
