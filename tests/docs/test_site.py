"""The site's sources: every page has its place, links fit the site, and nothing is fetched from elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemaker import assemble, links, pages, site

ROOT = Path(__file__).parents[2]

# Pages that are read in the repository only.
UNLISTED: set[str] = set()


@pytest.mark.parametrize("lang", pages.LANGUAGES)
def test_the_pages_of_a_language_are_assembled_with_links_that_fit(lang: str, tmp_path: Path) -> None:
    config = assemble.assemble(lang, tmp_path)
    assert config.is_file()
    found = sorted((tmp_path / "pages").rglob("*.md"))
    assert len(found) == len(pages.places(lang)) >= 12
    for page in found:
        for _, target in links.links(page.read_text("utf-8")):
            name = target.partition("#")[0]
            if name and not links.OUTSIDE.match(name) and not name.endswith(".html"):
                assert (page.parent / name).is_file(), f"{page.relative_to(tmp_path)}: {target}"


def test_every_page_of_the_docs_is_on_the_site() -> None:
    placed = {source for lang in pages.LANGUAGES for source in pages.places(lang)}
    written = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert written - placed - UNLISTED == set(), "add it to docs/sitemaker/pages.py"


@pytest.mark.parametrize(
    ("planted", "fault"),
    [
        ('<script src="https://example.org/x.js"></script>', "fetches https://example.org/x.js"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "fetches //example.org/x.css"),
        ('<img alt="" src="https://example.org/x.png">', "fetches https://example.org/x.png"),
        ('<a href="missing.html">x</a>', "links to missing.html"),
    ],
)
def test_a_page_that_fetches_from_elsewhere_or_links_nowhere_is_refused(
    planted: str, fault: str, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text(f"<html><body>{planted}</body></html>")
    with pytest.raises(site.BuildError, match=fault.replace(".", r"\.")):
        site.check(tmp_path)


@pytest.mark.parametrize(
    "planted",
    [
        "a { background: url(https://example.org/x.png) }",
        "a { background: url( '//example.org/x.png' ) }",
        '@import "https://example.org/x.css";',
        "@import url(http://example.org/x.css);",
    ],
)
def test_a_style_that_fetches_from_elsewhere_is_refused(planted: str, tmp_path: Path) -> None:
    sheet = tmp_path / "site.css"
    sheet.write_text("a { background: url(data:image/png;base64,AA//) } @import 'own.css';")
    site.check(tmp_path)
    sheet.write_text(planted)
    with pytest.raises(site.BuildError, match=r"site.css fetches (https?:)?//example"):
        site.check(tmp_path)


def test_a_page_may_link_to_other_sites_and_its_own_files(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        '<link rel="canonical" href="https://example.org/"><a href="https://example.org/">x</a>'
        '<a href="page.html#a">y</a>'
    )
    site.check(tmp_path)
