"""Prose is plain: no phrase of the list in `tests/prose.py`, no endless lines, no misspelt words."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from . import prose

ROOT = prose.ROOT
PAGES = [path for path in prose.files() if path.suffix == ".md"]


@pytest.mark.parametrize("path", prose.files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_text_uses_no_phrase_to_avoid(path: Path) -> None:
    assert [str(one) for one in prose.findings(path)] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_page_is_wrapped(path: Path) -> None:
    assert prose.long_lines(path.read_text("utf-8")) == [], f"wrap these lines at {prose.WIDTH}"


def test_the_pages_that_people_read_are_checked() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in PAGES}
    expected = {
        "README.md",
        "docs/architecture.md",
        "benchmarks/diary.md",
        "src/qipai/games/xianqi/README.md",
    }
    assert expected <= names and len(names) > 50


@pytest.mark.parametrize(
    "planted",
    [
        "It makes 12 million decisions a second.",
        "Each lane is dealt anew.",
        "Whoever sits there moves.",
        "--threads is of the CPU",
        "as the user's §8 says",
        "This powerful library lets you leverage batches.",
        "Rows lie\nbeside each other.",
    ],
)
def test_a_planted_phrase_is_found_in_every_kind_of_file(planted: str) -> None:
    quoted = planted.replace("\n", "\\n")
    sources = {
        ".md": f"# A page\n\n{planted}\n",
        ".py": f'"""{planted}"""\n',
        ".ts": f"/* {planted} */\nconst a = 1;\n",
        ".svelte": f"<!-- {planted} -->\n",
        ".yml": planted,
    }
    for kind, text in sources.items():
        assert prose.check(text, f"planted{kind}", prose.READERS[kind]), kind
    for text in (f"x = 1  # {quoted}\n", f'raise ValueError("{quoted} ")\n'):
        assert prose.check(text, "planted.py", prose.read_python) or "\\n" in text


def test_code_and_addresses_are_not_prose() -> None:
    text = "```python\nx = 'anew'\n```\n\nSee [it](https://example.org/beside) and `whoever`.\n"
    assert prose.check(text, "page.md", prose.read_markdown) == []


def test_long_lines_are_found_outside_tables_code_and_pictures() -> None:
    long = "word " * 40
    text = f"{long}\n\n| {long} |\n\n```\n{long}\n```\n\n![{long}](x.png)\n"
    assert prose.long_lines(text) == [1]


def test_words_are_spelt_right() -> None:
    """codespell, with the words of `docs/words.txt` on our side; settings are in pyproject.toml."""
    if importlib.util.find_spec("codespell_lib") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("codespell is not installed: pip install -e '.[dev]'")
        pytest.skip("codespell is not installed: pip install -e '.[dev]'")
    places = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", ".github", "docs", "benchmarks"]
    places += ["src", "tests", "front/src", "examples"]
    command = [sys.executable, "-m", "codespell_lib", *places]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
