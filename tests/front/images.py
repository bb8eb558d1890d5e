"""`python -m tests.front.images`: photograph the tables for README and site into docs/images, as WebP.

Also writes a digest of the drawing code, so that a test can tell when it has changed.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.prose import SCRIPT_COMMENT

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
NOTE = IMAGES / "tables.sha256"
TABLES = ROOT / "front" / "src" / "tables"
WIDTH, HEIGHT, SCALE, QUALITY = 1280, 800, 1.5, 82
LIMIT = 8_000_000  # bytes of all pictures together

# How many things are pressed before the picture is taken: enough for a table that looks alive.
PRESSED = {"xianqi": 5, "nana": 5, "wuhan_mahjong": 30, "skill_gomoku": 30, "paipai_rensa": 16}
# ... and so many stones lie on the board, also if another hand has begun meanwhile.
STONES = {"skill_gomoku": 9}

LOCALES = {"": "en-US", "zh": "zh-CN", "ja": "ja-JP"}  # "xianqi.zh" is the table of Xianqi in Chinese
PICTURES = ("lobby", *(f"{game}.{lang}".rstrip(".") for game in PRESSED for lang in LOCALES), "terminal")
# Whether a character looks like one that no font has.
UNDRAWN = """character => {
    const canvas = document.createElement('canvas');
    const pen = canvas.getContext('2d');
    pen.font = '60px sans-serif';
    const draw = text => {
        pen.clearRect(0, 0, 300, 150);
        pen.fillText(text, 9, 90);
        return canvas.toDataURL();
    };
    return draw(character) === draw('\\u{10fffd}');
}"""


def digest() -> str:
    """Return the SHA-256 of everything that draws a table: names and contents, without tests and comments."""
    found = hashlib.sha256()
    for path in sorted(TABLES.rglob("*")):
        if path.suffix in (".svelte", ".ts", ".css") and not path.name.endswith(".test.ts"):
            drawing = SCRIPT_COMMENT.sub("", path.read_text("utf-8"))
            lines = [line.rstrip() for line in drawing.splitlines() if line.strip()]
            found.update("\0".join([path.relative_to(TABLES).as_posix(), *lines, ""]).encode())
    return found.hexdigest()


def main() -> int:
    """Take all pictures, or those of the named games, and write the digest."""
    sys.path.insert(0, str(ROOT / "front"))
    from playwright.sync_api import sync_playwright

    import site_build

    from .conftest import ARGS, BROWSERS, Server

    wanted = sorted(sys.argv[1:] or PICTURES, key=lambda name: name == "lobby")  # last: it shows progress
    site_build.build()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(Path(folder))
        server.start(compiled=False)
        try:
            browser = playwright.chromium.launch(executable_path=_browser(BROWSERS), args=ARGS)
            if lacking := undrawn(browser, "🐣士札"):
                print(
                    f"no font draws {lacking} (Debian: apt-get install fonts-noto-cjk fonts-noto-color-emoji)"
                )
                return 1
            for name in wanted:
                if name == "lobby":
                    server.wait_until_compiled()
                if name == "terminal":
                    _take_terminal(browser, Path(folder))
                else:
                    _take(browser, server.url, name)
            browser.close()
        finally:
            server.stop()
    if set(PICTURES) <= set(wanted):
        NOTE.write_text(digest() + "\n", encoding="utf-8")
    total = sum(path.stat().st_size for path in IMAGES.iterdir())
    print(f"{len(wanted)} pictures; docs/images has {total / 1e6:.1f} MB")
    return 0 if total <= LIMIT else 1


def undrawn(browser: Any, characters: str) -> str:
    """Return those of the characters that no font of this machine draws; pictures would show boxes."""
    page = browser.new_page()
    found = "".join(one for one in characters if page.evaluate(UNDRAWN, one))
    page.close()
    return found


def _browser(names: tuple[str, ...]) -> str:
    import shutil

    return next(found for name in names if (found := shutil.which(name)))


def _take(browser: Any, url: str, name: str) -> None:
    """Open the lobby or play a few moves of a game, and keep the picture."""
    game, _, lang = name.partition(".")
    from .conftest import DRIVER
    from .driver import press_through, quick_game

    context = browser.new_context(
        viewport={"width": WIDTH, "height": HEIGHT},
        device_scale_factor=SCALE,
        locale=LOCALES[lang],
        color_scheme="light",
        reduced_motion="reduce",
    )
    context.add_init_script(path=DRIVER)
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.goto(url)
    page.wait_for_selector("article[data-game]")
    if name != "lobby":
        quick_game(page, game)
        press_through(page, PRESSED[game])
        while page.locator(".stage .stone").count() < STONES.get(game, 0):
            press_through(page, 1)
        while page.query_selector(".stage [role=dialog], .stage [data-allocation], dialog[open]"):
            press_through(page, 1)  # the picture shows the table, not a question over it
    page.mouse.move(0, 0)
    page.wait_for_timeout(1200)
    _keep(context, page, name)


def _take_terminal(browser: Any, folder: Path) -> None:
    """Play in a pseudo-terminal, and photograph what it shows."""
    from . import terminal_shot

    context = browser.new_context(viewport={"width": 100, "height": 100}, device_scale_factor=SCALE)
    page = context.new_page()
    page.set_content(terminal_shot.page(folder))
    box = page.locator("pre").bounding_box()
    page.set_viewport_size({"width": round(box["width"]), "height": round(box["height"])})
    _keep(context, page, "terminal")


def _keep(context: Any, page: Any, name: str) -> None:
    shot = context.new_cdp_session(page).send(
        "Page.captureScreenshot", {"format": "webp", "quality": QUALITY, "optimizeForSpeed": False}
    )
    (IMAGES / f"{name}.webp").write_bytes(base64.b64decode(shot["data"]))
    context.close()


if __name__ == "__main__":
    sys.exit(main())
