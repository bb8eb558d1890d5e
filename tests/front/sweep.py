"""`python -m tests.front.sweep FOLDER [SCREEN ...]`: photograph screens in every language, theme and size.

The pictures are for people to look at before a release. Pages that scroll sideways are printed.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .conftest import ARGS, BROWSERS, DRIVER, LOCALES, Server
from .driver import GAMES, play_out, press_through, quick_game
from .images import PRESSED

SIZES = ((1440, 900), (1280, 800), (768, 1024), (390, 844), (844, 390))
THEMES = ("light", "dark")
PAGES = (
    "/",
    "/history",
    "/play/nothing",
    *(f"/{kind}/{game}" for kind in ("rules", "play") for game in GAMES),
)
Shot = Callable[[str], None]


def sweep(page: Any, url: str, wanted: list[str], shoot: Shot) -> None:
    """Visit every screen of a language; `shoot` takes it in each theme and size."""
    for path in PAGES:
        if asked(path, wanted):
            page.goto(url + path)
            page.wait_for_selector("h1")
            page.wait_for_load_state("networkidle")
            shoot(path.strip("/").replace("/", "-") or "lobby")
    for game in GAMES:
        if asked(f"learn-{game}", wanted):
            page.goto(f"{url}/learn/{game}")
            page.wait_for_selector(f".stage[data-game={game}]")
            page.wait_for_timeout(600)
            shoot(f"learn-{game}")
        if asked(f"table-{game}", wanted):
            play(page, url, game, shoot)
    if asked("room", wanted):
        page.goto(f"{url}/play/wuhan_mahjong")
        page.click("form button.main")
        page.wait_for_selector(".room")
        shoot("room")


def play(page: Any, url: str, game: str, shoot: Shot) -> None:
    """Photograph a game in the middle, its end, and its replay."""
    page.goto(url)
    quick_game(page, game)
    press_through(page, PRESSED[game])
    page.wait_for_timeout(600)
    shoot(f"table-{game}")
    play_out(page)
    page.wait_for_selector(".stage [role=dialog]")
    page.wait_for_timeout(600)
    shoot(f"table-{game}-end")
    page.goto(page.url.replace("/table/", "/replay/"))
    page.wait_for_selector("[data-ply]")
    page.keyboard.press("End")
    page.wait_for_timeout(600)
    shoot(f"table-{game}-replay")


def asked(screen: str, wanted: list[str]) -> bool:
    """Return whether a screen was named, by a part of its name."""
    return not wanted or any(part in screen.replace("/", "-") for part in wanted)


def looks() -> Iterator[tuple[str, tuple[int, int]]]:
    """Return every theme with every size."""
    for theme in THEMES:
        for size in SIZES:
            yield theme, size


def main() -> int:
    """Take the pictures; return 1 if a page scrolls sideways."""
    import shutil

    from playwright.sync_api import sync_playwright

    folder, wanted = Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    wide: list[str] = []
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        server = Server(Path(data))
        server.start(compiled=False)
        browser = playwright.chromium.launch(
            executable_path=next(found for name in BROWSERS if (found := shutil.which(name))), args=ARGS
        )
        try:
            for lang, locale in LOCALES.items():
                context = browser.new_context(locale=locale, reduced_motion="reduce")
                context.add_init_script(path=DRIVER)
                page = context.new_page()
                page.set_default_timeout(120_000)

                def shoot(name: str, page: Any = page, lang: str = lang) -> None:
                    for theme, (width, height) in looks():
                        page.emulate_media(color_scheme=theme)
                        page.set_viewport_size({"width": width, "height": height})
                        page.wait_for_timeout(500)  # colours fade
                        found = f"{name}-{lang}-{theme}-{width}"
                        page.screenshot(path=folder / f"{found}.png")
                        if page.evaluate("() => document.documentElement.scrollWidth > innerWidth"):
                            wide.append(found)
                    page.set_viewport_size({"width": 1280, "height": 800})

                sweep(page, server.url, wanted, shoot)
                context.close()
        finally:
            server.stop()
    print("\n".join(f"scrolls sideways: {name}" for name in wide) or "nothing scrolls sideways")
    return 1 if wide else 0


if __name__ == "__main__":
    sys.exit(main())
