"""Links between Markdown files lead to a file and a heading; links to elsewhere are listed."""

from __future__ import annotations

from pathlib import Path

import pytest

from sitemaker import links

ROOT = Path(__file__).parents[2]

# Hosts that the documentation links to. Tests never open them.
ELSEWHERE = {"pettingzoo.farama.org", "127.0.0.1:8140", "img.shields.io", "semver.org"}


def pages() -> list[Path]:
    """Return every Markdown file of the repository that people read."""
    folders = [ROOT / "docs", ROOT / "benchmarks", ROOT / "src" / "qipai" / "games", ROOT / ".github"]
    found = [*ROOT.glob("*.md"), *(path for folder in folders for path in folder.rglob("*.md"))]
    return sorted(found)


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_to_a_file_and_a_heading(path: Path) -> None:
    assert links.faults(path) == []


def test_links_to_other_sites_are_listed() -> None:
    found = {address.split("/")[2] for path in pages() for address in links.external(path)}
    assert found <= ELSEWHERE, "add the host here, after you have opened the link"


@pytest.mark.parametrize(
    "planted", ["[a](missing.md)", "![a](missing.png)", "[a](#no-such-heading)", "[a](page.md#no)"]
)
def test_a_broken_link_is_found(planted: str, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# A heading\n\nSee {planted}.\n")
    assert len(links.faults(page, tmp_path)) == 1


def test_links_that_are_right_and_links_in_code_are_not_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Whose `reward`, when?\n\n[a](#whose-reward-when) [b](page.md) [c](https://example.org/x)\n\n"
        "`[d](missing.md)`\n\n```text\n[e](missing.md)\n# no heading\n```\n"
    )
    assert links.faults(page, tmp_path) == []
    assert links.anchors(page.read_text()) == {"whose-reward-when"}
    assert links.external(page) == ["https://example.org/x"]
