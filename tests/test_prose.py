"""Prose is plain: no phrase to avoid, no long lines, no misspelt words, docstrings that start with a verb."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from . import prose

ROOT = prose.ROOT
PAGES = [path for path in prose.files(prose.PAGES) if path.suffix == ".md"]
CODE = prose.files(prose.CODE)
FOLDERS = sorted({path.parent for path in CODE})
OURS = ("src", "docs", "benchmarks", "examples", "front")  # tests may call what they check by name or clause


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", prose.files(prose.PAGES), ids=name_of)
def test_a_page_uses_no_phrase_to_avoid(path: Path) -> None:
    assert [str(one) for one in prose.findings(path)] == []


@pytest.mark.parametrize("folder", FOLDERS, ids=name_of)
def test_code_uses_no_phrase_to_avoid(folder: Path) -> None:
    """In docstrings, comments, messages, help of the command line and texts of the page."""
    found = [prose.findings(path) for path in CODE if path.parent == folder]
    assert [str(one) for some in found for one in some] == []


@pytest.mark.parametrize("folder", [one for one in FOLDERS if name_of(one).startswith(OURS)], ids=name_of)
def test_docstrings_of_functions_start_with_a_verb(folder: Path) -> None:
    found = [prose.verbless(path.read_text("utf-8"), name_of(path)) for path in folder.glob("*.py")]
    assert [one for some in found for one in some] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_page_is_wrapped(path: Path) -> None:
    assert prose.long_lines(path.read_text("utf-8")) == [], f"wrap these lines at {prose.WIDTH}"


def test_pages_written_by_a_program_are_wrapped() -> None:
    written = [path for path in (ROOT / "docs").rglob("*.md") if name_of(path).startswith(prose.GENERATED)]
    written = [path for path in written if path.parent.name != "proof"]  # they quote commands and machines
    assert len(written) > 10
    assert [name_of(path) for path in written if prose.long_lines(path.read_text("utf-8"))] == []


def test_the_pages_that_people_read_are_checked() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in PAGES}
    expected = {
        "README.md",
        "docs/architecture.md",
        "docs/play/index.md",
        "docs/proof/README.md",
        "benchmarks/diary.md",
        "src/qipai/games/xianqi/README.md",
    }
    assert expected <= names and len(names) > 50
    folders = {name_of(folder) for folder in FOLDERS}
    expected = {
        "src/qipai/commands",
        "src/qipai/games/nana/messages",
        "src/qipai/server/lessons",
        "docs/sitemaker",
        "benchmarks",
        "examples",
        "front/src/tables/xianqi",
        "front/src/messages",
        "tests/games/xianqi",
    }
    assert expected <= folders and len(folders) > 80


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
        "Each game has a process of its own.",
        "What was typed is no move.",
        "A visitor is shown the lobby; the operator shut the guest out.",
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


@pytest.mark.parametrize(
    ("said", "verb"),
    [
        ("Return the seat.", True),
        ("The seat.", False),
        ("Whether it is over.", False),
        ("Returns it.", False),
    ],
)
def test_a_docstring_without_a_verb_is_found(said: str, verb: bool) -> None:
    function = f'def seat():\n    """{said}"""\n'
    method = f'class A:\n    async def seat(self):\n        """{said}"""\n'
    noun = f'class A:\n    @property\n    def seat(self):\n        """{said}"""\n'
    assert [bool(prose.verbless(text, "a.py")) for text in (function, method, noun)] == [
        not verb,
        not verb,
        False,
    ]


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
