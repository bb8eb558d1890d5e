"""The docs keep up: every game has its pages, and every command a line in the README."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qipai.cli import COMMANDS
from qipai.core.registry import OURS

from . import prose

ROOT = Path(__file__).parent.parent

# A file of the repository that the wheel does not have: a page of the documentation, or of the benchmarks.
UNSHIPPED = re.compile(r"\b(?:docs/|benchmarks/\w+\.md)[\w./-]*")


def cited(path: Path) -> list[str]:
    """Return the pages that docstrings, comments or messages of a file cite by their path."""
    text = path.read_text("utf-8")
    if not UNSHIPPED.search(text):
        return []
    return [found for _, said in prose.READERS[path.suffix](text) for found in UNSHIPPED.findall(said)]


def test_the_package_cites_pages_by_their_titles() -> None:
    """A user of the wheel has no `docs` folder, but can read the documentation's site."""
    files = [path for path in (ROOT / "src" / "qipai").rglob("*") if path.suffix in (".py", ".json", ".tmpl")]
    files = [path for path in files if "site" not in path.parts]
    assert len(files) > 300
    assert {path.as_posix(): cited(path) for path in files if cited(path)} == {}


def test_a_path_that_is_cited_is_found(tmp_path: Path) -> None:
    for text in (
        '"""Say it (docs/a-b.md)."""\n',
        "x = 1  # see docs/b.md\n",
        'x = "read benchmarks/diary.md"\n',
    ):
        path = tmp_path / "cites.py"
        path.write_text(text)
        assert len(cited(path)) == 1


TITLED = re.compile(r"\bpages? \"([^\"]+)\"")


def test_a_page_that_is_cited_has_that_title() -> None:
    """Also where a docstring breaks the line in the middle of a title."""
    titles = {_title(path) for path in [*(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").glob("*.md")]}
    said = {
        (path.name, " ".join(title.split()))
        for path in (ROOT / "src" / "qipai").rglob("*.py")
        for title in TITLED.findall(path.read_text("utf-8"))
    }
    assert ("settings.py", "Ledger of training runs") in said and len(said) > 5
    assert {one for one in said if one[1] not in titles} == set()


def _title(path: Path) -> str:
    return path.read_text("utf-8").lstrip("# ").partition("\n")[0].strip()


@pytest.mark.parametrize("name", OURS)
def test_a_game_has_a_page_that_leads_to_its_layout(name: str) -> None:
    page = (ROOT / "docs" / "games" / f"{name}.md").read_text("utf-8")
    assert f"(../research/layouts/{name}.md)" in page.partition("\n## Reference\n")[2]


@pytest.mark.parametrize("name", OURS)
def test_the_rules_can_be_read_in_three_languages(name: str) -> None:
    package = ROOT / "src" / "qipai" / "games" / name
    for page in ("README.md", "README.zh.md", "README.ja.md"):
        assert len((package / page).read_text()) > 1000


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text()
    for command in COMMANDS:
        assert f"qipai {command}" in readme


def test_the_figures_of_the_nets_in_the_changes_are_those_of_their_pages() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    said = " ".join(changes.partition("- **Trained nets**")[2].partition("\n- **")[0].split())
    parts = re.split(rf"\b({'|'.join(OURS)})\b ", said)
    told = dict(zip(parts[1::2], parts[2::2], strict=True))
    assert set(told) == set(OURS)
    for name, text in told.items():
        page = " ".join((ROOT / "docs" / "training" / f"{name}.md").read_text("utf-8").split())
        figures = re.findall(r"[+\d.,]+ ± [\d.,]+\d", text)
        assert figures and [figure for figure in figures if figure not in page] == [], name


def test_the_versions_of_python_are_those_of_the_recorded_proofs() -> None:
    ran: set[str] = set()
    for page in (ROOT / "docs" / "proof").glob("*.md"):
        ran.update(re.findall(r"Python (3\.\d+)", page.read_text("utf-8")))
    said = (ROOT / "docs" / "operate" / "index.md").read_text("utf-8")
    assert f"ran on {' and '.join(sorted(ran))};" in said
