"""Copy the pages of one language into a folder, with links that fit the site."""

from __future__ import annotations

import json
import os
import re
import shutil
import tomllib
from pathlib import Path
from typing import Any

from . import diagram, links
from .pages import LANGUAGES, navigation, places

ROOT = Path(__file__).parents[2]
MERMAID = re.compile(r"^```mermaid\n(.*?)^```$", re.M | re.S)
ASSETS = Path(__file__).parent / "assets"


class BadPage(Exception):
    """A page cannot be put on the site: it links to something that does not exist."""


def assemble(lang: str, folder: Path) -> Path:
    """Write sources and configuration of one language's site into `folder`; return the configuration's path."""
    sources = folder / "pages"
    shutil.rmtree(sources, ignore_errors=True)
    found = places(lang)
    home = _home(lang)
    elsewhere = {
        path: _home(other) + _html(page)
        for other in LANGUAGES
        if other != lang
        for path, page in places(other).items()
    }
    for source, place in found.items():
        text = (ROOT / source).read_text("utf-8")
        text = MERMAID.sub(lambda match: f'<div class="diagram">{diagram.draw(match[1])}</div>', text)
        text = _relink(text, source, place, found, elsewhere, home, sources)
        (sources / place).parent.mkdir(parents=True, exist_ok=True)
        (sources / place).write_text(text, encoding="utf-8")
    shutil.copytree(ASSETS, sources / "assets")
    shutil.copy(ROOT / "front" / "public" / "favicon.svg", sources / "assets" / "favicon.svg")
    config = folder / "mkdocs.yml"
    config.write_text(json.dumps(configuration(lang), ensure_ascii=False, indent=1), encoding="utf-8")
    return config


def configuration(lang: str) -> dict[str, Any]:
    """Return the configuration of one language's site; JSON is YAML too."""
    with (ROOT / "docs" / "zensical.toml").open("rb") as file:
        config: dict[str, Any] = tomllib.load(file)["project"]
    config["docs_dir"] = "pages"
    config["site_dir"] = "html"
    config["nav"] = navigation(lang)
    config["theme"]["language"] = lang
    plugins = config.pop("plugins")
    plugins["mkdocstrings"]["handlers"]["python"]["paths"] = [str(ROOT / "src")]
    if lang != "en":
        del plugins["mkdocstrings"]
    config["plugins"] = [{name: options} for name, options in plugins.items()]
    config["markdown_extensions"] = [
        {name: options} for name, options in config["markdown_extensions"].items()
    ]
    config["extra"] = {
        "generator": False,
        "alternate": [
            {
                "name": name,
                "lang": other,
                "link": _from(f"{_home(lang)}index.html", f"{_home(other)}index.html"),
            }
            for other, name in LANGUAGES.items()
        ],
    }
    return config


def _relink(
    text: str,
    source: str,
    place: str,
    found: dict[str, str],
    elsewhere: dict[str, str],
    home: str,
    sources: Path,
) -> str:
    """Return the text with every link to a file of the repository turned into one within the site."""

    def replace(match: re.Match[str]) -> str:
        target = match[3]
        if links.OUTSIDE.match(target) or target.startswith("#"):
            return text[match.start() : match.end()]
        name, mark, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(source), name))
        shown = text[match.start() : match.start(3)]
        if path in found:
            return f"{shown}{_from(place, found[path])}{mark}{anchor})"
        if path in elsewhere:  # a page of another language's site
            return f"{shown}{_from(home + place, elsewhere[path])}{mark}{anchor})"
        if not (ROOT / path).is_file():
            raise BadPage(f"{source} links to {target}, which does not exist")
        return f"{shown}{_from(place, _file(path, sources))})"

    parts, last = [], 0
    for match in links.LINK.finditer(links.blank(text)):  # links in code stay as they are
        parts += [text[last : match.start()], replace(match)]
        last = match.end()
    return "".join([*parts, text[last:]])


def _html(page: str) -> str:
    """Return the file that a page becomes; a README is the index of its folder."""
    return page.replace("README.md", "index.md").removesuffix(".md") + ".html"


def _home(lang: str) -> str:
    """Return the folder of a language's site within the whole."""
    return "" if lang == "en" else f"{lang}/"


def _from(place: str, target: str) -> str:
    return os.path.relpath(target, os.path.dirname(place) or ".").replace(os.sep, "/")


def _file(path: str, sources: Path) -> str:
    """Copy a file of the repository that is no page; return its place on the site."""
    place = path.removeprefix("docs/") if path.startswith("docs/images/") else f"files/{path}"
    if place.endswith((".py", ".toml", ".ts")):
        place += ".txt"  # browsers show it instead of saving it
    (sources / place).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / path, sources / place)
    return place
