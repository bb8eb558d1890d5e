"""One server on loopback per run, one browser per module; without them tests are skipped, or fail in CI."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

ROOT = Path(__file__).parents[2]
SHOTS = Path(__file__).parent / "shots"
DRIVER = Path(__file__).parent / "driver.js"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
QUIET = ("quic", "background-networking", "component-update", "sync", "gpu")
ARGS = ["--no-sandbox", "--no-first-run", *(f"--disable-{name}" for name in QUIET)]
LOCALES = {"zh": "zh-CN", "en": "en-US", "ja": "ja-JP"}
# Fast bots: the page is tested, not their timing. A page on a busy machine contributes to its deal in time.
PACE = {"bot_pace": [0.02, 0.05], "alone_hold": [0.02, 0.05], "claim_spread": 0.05, "share_time": 15.0}
PACE |= {"tables_per_minute": 1000}


def missing(reason: str) -> NoReturn:
    """Skip, saying why; where CI=true the tests must run."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


class Server:
    """`qipai serve` in a separate process, which can be killed and started again."""

    def __init__(self, folder: Path, packages: Path | None = None, cache: Path | None = None) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.folder = folder
        self._packages = packages  # games of others, installed there
        self._cache = cache  # a folder for compiled code, instead of the usual one
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, compiled: bool = True) -> None:
        """Start it, and wait until every game is compiled, or just until it answers."""
        database = f"sqlite:///{self.folder / 'tables.db'}"
        command = [sys.executable, "-m", "qipai.cli", "serve", "--port", str(self.port), "--no-open"]
        env = {**os.environ, "QIPAI_SERVER_SETTINGS": json.dumps(PACE)}
        if self._packages is not None:
            paths = [str(self._packages), *filter(None, [env.get("PYTHONPATH")])]
            env["PYTHONPATH"] = os.pathsep.join(paths)
        if self._cache is not None:
            env["QIPAI_CACHE_DIR"] = str(self._cache)
        log = (self.folder / "server.log").open("ab")
        with log:
            self._process = subprocess.Popen(
                [*command, "--database", database], env=env, stdout=log, stderr=log, cwd=ROOT
            )
        self._wait(compiled)

    def wait_until_compiled(self) -> None:
        """Wait until every game is compiled."""
        self._wait(compiled=True)

    def _wait(self, compiled: bool) -> None:
        assert self._process is not None
        for _ in range(3000):
            if self._process.poll() is not None:
                pytest.fail("the server ended: " + (self.folder / "server.log").read_text()[-2000:])
            if self.games(compiled):
                return
            time.sleep(0.1)
        pytest.fail("the server did not become ready")

    def kill(self) -> None:
        """Kill it with SIGKILL."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        """Stop it with SIGTERM."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill()

    def games(self, compiled: bool = False) -> list[str]:
        """Return the games; none if the server does not answer or, with `compiled`, is not done."""
        try:
            with urllib.request.urlopen(f"{self.url}/api/games", timeout=2) as answer:
                found = json.load(answer)
        except OSError:
            return []
        return [game["name"] for game in found] if not compiled or all(g["ready"] for g in found) else []

    def is_compiled(self, game: str) -> bool:
        """Return whether the server has compiled this game."""
        with urllib.request.urlopen(f"{self.url}/api/games", timeout=30) as answer:
            return any(found["name"] == game and found["ready"] for found in json.load(answer))


@pytest.fixture(scope="session")
def site() -> None:
    """Build the page."""
    for module in ("fastapi", "uvicorn", "sqlalchemy"):
        try:
            __import__(module)
        except ModuleNotFoundError:
            missing(f"{module} is not installed: pip install 'qipai[serve]'")
    import site_build

    try:
        site_build.build()
    except site_build.BuildError as error:
        missing(f"the page cannot be built: {error}")


@pytest.fixture(scope="session")
def server(site: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("server"))
    found.start(compiled=False)
    yield found
    found.stop()


@pytest.fixture(scope="module")  # Playwright's loop runs while it is open; other modules have their own
def browser() -> Iterator[Any]:
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        missing("Playwright is not installed: pip install playwright")
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        missing("there is no Chromium (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=ARGS)
        yield launched
        launched.close()


class Visitor:
    """A person with their own browser: a context, a page, and the errors in its console."""

    def __init__(self, context: Any, url: str) -> None:
        self.url = url
        self.errors: list[str] = []
        self.forgiving = False  # while the server is killed, errors in the console are expected
        self.context = context
        context.add_init_script(path=DRIVER)
        self.page = context.new_page()
        self.page.set_default_timeout(60_000)
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def go(self, path: str = "/") -> Any:
        """Open a path of the page."""
        self.page.goto(self.url + path)
        return self.page

    def _hear(self, message: Any) -> None:
        if message.type == "error" and not self.forgiving:
            self.errors.append(message.text)


Visit = Callable[..., Visitor]


@pytest.fixture
def visit(server: Server, browser: Any) -> Iterator[Visit]:
    """Return a function that makes visitors: visit(lang=, width=, height=, theme=, at=)."""
    visitors: list[Visitor] = []

    def make(
        lang: str = "en",
        width: int = 1280,
        height: int = 800,
        theme: str = "light",
        at: Server = server,
        motion: bool = False,
        touch: bool = False,
    ) -> Visitor:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=LOCALES[lang],
            color_scheme=theme,
            reduced_motion="no-preference" if motion else "reduce",
            has_touch=touch,
            is_mobile=touch,
        )
        visitors.append(Visitor(context, at.url))
        return visitors[-1]

    yield make
    complaints = [error for one in visitors for error in one.errors]
    for one in visitors:
        one.context.close()
    assert complaints == [], "the console complained"


@pytest.fixture(scope="session")
def shots() -> Path:
    """Return the folder for pictures of the tables, for inspection."""
    SHOTS.mkdir(exist_ok=True)
    return SHOTS
