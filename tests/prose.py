"""Phrases to avoid in prose, and where they are searched; `python -m tests.prose src` reports on a folder."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from qipai.core.registry import OURS

ROOT = Path(__file__).parents[1]
WIDTH = 120  # of a line of Markdown, outside tables, code and addresses

# Pages and folders of code that are checked.
PAGES = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    ".github",
    "benchmarks/README.md",
    "benchmarks/diary.md",
    "docs",
    "src/qipai/games/*/README.md",
)
CODE = (
    "src/qipai",
    "docs/sitemaker",
    "benchmarks",
    "examples",
    "front",
    "tests",
)
ROOTS = (*PAGES, *CODE)
# Written by programs, in another language, data, or quoting what should not be said.
LEFT_OUT = (
    "docs/zh/",
    "docs/ja/",
    "front/node_modules/",
    "front/dev/fixtures/",
    "src/qipai/server/site/",
    "tests/vectors/",
    "tests/prose.py",
    "tests/test_prose.py",
)
# Generated from code, whose docstrings and messages are checked where they are.
GENERATED = (
    "docs/errors.md",
    "docs/reference/cli.md",
    "docs/reference/wire.md",
    "docs/operate/settings.md",
    "docs/training/settings.md",
    "docs/research/layouts/",
    *(f"docs/play/{name}.md" for name in OURS),
    *(
        f"docs/proof/{path.name}"
        for path in sorted((ROOT / "docs/proof").glob("*.md"))
        if path.stem != "README"
    ),
)

UNIT = (
    "second|minute|game|core|lane|seat|move|decision|block|hand|turn|file|table|line|page|side|row|episode|thread|"
    "guest|deal|step|play|red|area|person|worker|multiprocessor|cell|card|pair|discard|round|match|client|socket"
)
COUNTED = (
    "decisions?|games?|chips?|points?|lines?|actions?|messages?|bytes?|tables?|cards?|million|thousand|steps?|tiles?|"
    "rows?|bots?|pages?|agents?|process|threads?|branch(?:es)?|states?|words?|files?|modules?|keys?|moves?|hands?|watts|µs|ms|ns|numbers?|instructions?"
)


# A comment in TypeScript, Svelte or CSS.
SCRIPT_COMMENT = re.compile(r"/\*.*?\*/|<!--.*?-->|(?<![:\"'`])//[^\n]*", re.S)

SEPARATE = (
    "process(?:es)?|threads?|folders?|generators?|streams?|modules?|class|browsers?|drawings?|games?|"
    "cookies?|seeds?|tests?|codes?"
)

Reader = Callable[[str], Iterator[tuple[int, str]]]


class Pattern(NamedTuple):
    """A way of writing to avoid, and what to write instead."""

    regex: re.Pattern[str]
    instead: str


def _pattern(regex: str, instead: str) -> Pattern:
    return Pattern(re.compile(regex, re.IGNORECASE), instead)


PATTERNS = (
    _pattern(rf"\b(?:{COUNTED}) an? (?:{UNIT})\b", "'per second', 'one row per lane'"),
    _pattern(r"\{\} an? (?:second|minute|game|core|lane|decision|hand|turn|deal|step)\b", "'{} per game'"),
    _pattern(r"\bper \w+ and (?:second|minute|hour|core)\b", "'per worker per hour'"),
    _pattern(r"\banew\b", "'again'"),
    _pattern(r"\bwhoever\b", "'the player who'"),
    _pattern(r"\bbeside\b", "'next to', 'besides'"),
    _pattern(r"\bthe own\b", "'their', 'its'"),
    _pattern(r"\b(?:is|are|was|were) to be had\b", "'is available'"),
    _pattern(r"\bif not said\b|\bif none is said\b|\bwhere no other \w+ is said\b", "'by default'"),
    _pattern(r"\bcome again\b", "'reconnect', 'try again'"),
    _pattern(r"\bis (?:sent|answered) `|\bshut (?:you|the guest|guests?) out\b", "'receives', 'banned'"),
    _pattern(r"\bgives? up a\b", "'stops', 'reports'"),
    _pattern(r"\b(?:laid|lay) at the door\b", "'blamed on'"),
    _pattern(r"\bin brackets\b", "'in parentheses'"),
    _pattern(r"\bin the mean\b", "'on average'"),
    _pattern(r"\bis of the\b", "'belongs to', 'only applies to'"),
    _pattern(r"\bthe user's\b|\bthe design note\b", "a page of this repository"),
    _pattern(r"\bspeaks? (?:DLPack|pairs|`__cuda)", "'supports'"),
    _pattern(r"\bthe longest way\b", "'the slowest'"),
    _pattern(r"\bnobody's\b", "say who or what"),
    _pattern(r"\bshut out\b|\bhas shut\b", "'banned'"),
    _pattern(r"\bfor true\b|\bamong its like\b", "say what is meant"),
    _pattern(r"\bto the byte\b", "'byte for byte'"),
    _pattern(
        rf"\b(?:{SEPARATE}) of (?:its|their|his|our|one's) own\b", "'its own process', 'a separate process'"
    ),
    _pattern(r"\bnot here:|\bhere: what\b", "a sentence"),
    _pattern(r"\brubbish\b|\bmends?\b|\bfor ever\b", "'garbage', 'repair', 'forever'"),
    _pattern(r"\bthe present (?:hand|seat|one|state|game|decision|position|window)\b", "'the current'"),
    _pattern(r"\bworth it\b.{0,20}\bnot\b|\bin whatever order\b", "'in any order'"),
    _pattern(r"(?<!there )\bis no (?:agent|file|game|list|move|name|number)\b", "'is not a ...'"),
    _pattern(r"\bthat is none\b|\bcannot be a \w+ of ours\b", "say what is wrong"),
    _pattern(r"\bsimply\b|\bobviously\b|\bof course\b|\bjust (?:run|use|call|add)\b", "leave it out"),
    _pattern(r"\bplease note\b|\bit should be noted\b|\bin order to\b", "leave it out; 'to'"),
    _pattern(r"\butili[sz]e\b|\bleverag(?:e|es|ing)\b", "'use'"),
    _pattern(r"\bseamless(?:ly)?\b|\bblazing\b|\bpowerful\b|\brobust\b|\bcutting-edge\b", "say what it does"),
    _pattern(r"\bdelve\b|\btapestry\b|\bjourney\b", "plain words"),
)


class Finding(NamedTuple):
    """A place where a pattern occurs."""

    place: str
    line: int
    text: str
    instead: str

    def __str__(self) -> str:
        return f"{self.place}:{self.line}: {self.text!r}; write {self.instead}"


def files(roots: Sequence[str] = ROOTS) -> list[Path]:
    """Return the files below the roots whose prose can be read."""
    found: set[Path] = set()
    for root in roots:
        for path in ROOT.glob(root):
            inside = [path] if path.is_file() else path.rglob("*")
            found.update(one for one in inside if one.suffix in READERS and _is_ours(one))
    return sorted(found)


def _is_ours(path: Path) -> bool:
    name = path.relative_to(ROOT).as_posix()
    return not name.startswith((*LEFT_OUT, *GENERATED)) and not name.endswith(
        (".zh.md", ".ja.md", "package-lock.json")
    )


def findings(path: Path) -> list[Finding]:
    """Return what a file says that it should not."""
    return check(path.read_text("utf-8"), path.relative_to(ROOT).as_posix(), READERS[path.suffix])


def check(text: str, place: str, reader: Reader) -> list[Finding]:
    """Return the findings in a text that is read as its kind of file is."""
    found = []
    for line, prose in reader(text):
        for pattern in PATTERNS:
            for match in pattern.regex.finditer(prose):
                at = line + prose.count("\n", 0, match.start())
                found.append(Finding(place, at, " ".join(match[0].split()), pattern.instead))
    return found


def long_lines(text: str) -> list[int]:
    """Return the numbers of the lines of Markdown that are too long and could be wrapped."""
    found, fence = [], False
    for number, line in enumerate(text.splitlines(), 1):
        fence ^= line.lstrip().startswith("```")
        table = line.lstrip().startswith(("|", "<!--", "![", "<"))
        if len(line) > WIDTH and not fence and not table and " " in line[: WIDTH - 20].strip():
            found.append(number)
    return found


def read_markdown(text: str) -> Iterator[tuple[int, str]]:
    """Return the prose of a page, without code and addresses; quotations of what to avoid are in code."""
    text = re.sub(r"^( *)(```+).*?^\1\2 *$", _blank, text, flags=re.M | re.S)
    text = re.sub(r"`[^`]*`|\]\([^)]*\)|<!--.*?-->", _blank, text, flags=re.S)
    yield 1, text


def read_python(text: str) -> Iterator[tuple[int, str]]:
    """Return docstrings, comments and the sentences among the strings of a module."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield node.lineno, node.value
        if isinstance(node, ast.JoinedStr):
            parts = [p.value if isinstance(p, ast.Constant) else "{}" for p in node.values]
            yield node.lineno, "".join(map(str, parts))


def read_script(text: str) -> Iterator[tuple[int, str]]:
    """Return the comments of TypeScript, Svelte and CSS."""
    for match in SCRIPT_COMMENT.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[0]


def read_text(text: str) -> Iterator[tuple[int, str]]:
    """Return the whole text."""
    yield 1, text


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match[0])


READERS: dict[str, Reader] = {
    ".md": read_markdown,
    ".py": read_python,
    ".ts": read_script,
    ".svelte": read_script,
    ".css": read_script,
    ".yml": read_text,
    ".json": read_text,
    ".ipynb": read_text,
    ".tmpl": read_text,
}

# The verbs that docstrings of functions may start with. Add yours if it is one.
VERBS = frozenset((ROOT / "tests" / "verbs.txt").read_text("utf-8").split())


def verbless(text: str, place: str) -> list[str]:
    """Return the functions of a module whose docstrings do not start with a verb; properties are nouns."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        said = (ast.get_docstring(node) or "Return").split()[0].rstrip(",.:;")
        decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
        if said not in VERBS and not any("property" in decorator for decorator in decorators):
            found.append(f"{place}:{node.lineno}: {node.name}: {said!r} is not in tests/verbs.txt")
    return found


def main() -> int:
    """Print what the named folders would report, and how many there are in each."""
    found = [one for path in files(tuple(sys.argv[1:])) for one in findings(path)]
    for one in found:
        print(one)
    counts = Counter("/".join(one.place.split("/")[:3]) for one in found)
    for folder, count in counts.most_common():
        print(f"{count:5} {folder}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
