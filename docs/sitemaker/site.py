"""Build the site in every language into `build/site`, and check what was built."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from .assemble import assemble
from .pages import LANGUAGES

ROOT = Path(__file__).parents[2]
WORK = ROOT / "build" / "docs"
SITE = ROOT / "build" / "site"
# What a browser would fetch by itself when it opens a page.
FETCHED = re.compile(r'<(?:script|img|iframe|source|video|audio)\b[^>]*\bsrc="([^"]+)"|<link\b[^>]*>', re.I)
# The same in a style sheet, or in the style of a page.
IMPORTED = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])((?:https?:)?//[^"')\s]+)""", re.I)


class BuildError(Exception):
    """The site was not built, or is not as it should be."""


def build() -> Path:
    """Build the site; raise `BuildError` if anything is wrong with it."""
    shutil.rmtree(SITE, ignore_errors=True)
    for lang in LANGUAGES:
        config = assemble(lang, WORK / lang)
        _render(config)
        shutil.copytree(WORK / lang / "html", SITE if lang == "en" else SITE / lang, dirs_exist_ok=True)
    check(SITE)
    return SITE


def _render(config: Path) -> None:
    """Run Zensical on one language; every warning is an error."""
    shutil.rmtree(config.parent / "html", ignore_errors=True)
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict", "--config-file", config.name]
    env = {**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, cwd=config.parent, env=env, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    if done.returncode != 0 or "Warning" in said:
        raise BuildError(_readable(said))


def _readable(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)[-6000:]


def check(site: Path) -> None:
    """Raise `BuildError` if a page fetches something from elsewhere or links to a missing page."""
    found = [f for page in sorted(site.rglob("*.html")) for f in _faults(page, site)]
    for page in sorted([*site.rglob("*.css"), *site.rglob("*.html")]):
        fetched = IMPORTED.findall(page.read_text("utf-8"))
        found += [f"{page.relative_to(site)} fetches {one}" for one in fetched]
    if found:
        raise BuildError("\n".join(found[:40]))


def _faults(page: Path, site: Path) -> list[str]:
    text = page.read_text("utf-8")
    name = page.relative_to(site)
    found = []
    for match in FETCHED.finditer(text):
        tag = match[0]
        address = match[1] or (re.search(r'href="([^"]+)"', tag) or [None, ""])[1]
        rel = re.search(r'rel="?([\w -]+)', tag)
        quiet = rel is not None and rel[1] in ("canonical", "next", "prev", "alternate", "edit")
        if re.match(r"(https?:)?//", address or "") and not quiet:
            found.append(f"{name} fetches {address}")
    if name.name == "404.html":
        return found
    for address in re.findall(r'<a\b[^>]*\bhref="([^"#]+)', text):
        if re.match(r"[a-z]+:|//", address):
            continue
        place = (page.parent / address.partition("?")[0]).resolve()
        if not place.exists():
            found.append(f"{name} links to {address}, which does not exist")
    return found
