"""Sentences that players read about a game stand in message files, and nowhere in Python or TypeScript."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "qipai"
TABLES = ROOT / "front" / "src"

# Chinese characters, kana; and words of any alphabet next to each other, which is how a sentence begins.
IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
PHRASE = re.compile(r"[^\W\d_]{2,}[,;:]? +[^\W\d_]{2,}")

# The modules that draw, tell or prompt.
PYTHON = (
    "games/*/text.py",
    "games/*/view.py",
    "games/*/terminal.py",
    "games/*/terminal/**/*.py",
    "terminal/*.py",
)
TYPESCRIPT = ("tables/**/*.ts", "tables/**/*.svelte", "parts/*.svelte", "pages/*.svelte", "lib/*.ts")

# Literals of the page that nobody reads: classes, selectors, media queries, what an error tells developers.
STRING = r"(\"[^\"]*\"|'[^']*'|`[^`]*`)"
NOT_WORDS = (
    rf"\b(class|style|preserveAspectRatio|transform)=\{{?{STRING}",
    rf"\b(closest|matchMedia|querySelector|querySelectorAll|matches|Error|DOMException)\(\s*{STRING}",
    r"(?<=[=(,:] |.\()/(?:[^/\\\n]|\\.)+/[a-z]*",  # regular expressions
)

# Styles of the terminal: "bold black on green".
STYLES = {"bold", "dim", "on", "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

# Literals that are not sentences, by file, with the reason.
ERROR = "told to developers; a player reads a message"
NOTATION = "the notation of actions, which is the same in every language"
GLYPHS = "characters drawn on tiles"
NAME = "the name of the site, or of a language in itself"
SELECTOR = "a CSS selector"
HELP = "the command line's own help"
COMMAND = "a command to type"
ALLOWED: dict[str, dict[str, str]] = {
    "front/src/lib/api.ts": {"the server does not answer": ERROR},
    "front/src/lib/i18n.ts": {"中文": NAME, "日本語": NAME},
    "front/src/pages/Lobby.svelte": {"qipai 棋牌": NAME},
    "front/src/parts/Help.svelte": {"input[type=text], textarea, select": SELECTOR},
    "front/src/parts/TopBar.svelte": {"qipai 棋牌, \0": NAME, "棋牌": NAME},
    "front/src/tables/paipai_rensa/stage.svelte.ts": {"a newer view has come": ERROR},
    "front/src/tables/paipai_rensa/tiles.ts": {"一二三四五六七八九": GLYPHS},
    "front/src/tables/wuhan_mahjong/Face.svelte": {"一二三四五六七八九": GLYPHS},
    "front/src/tables/wuhan_mahjong/Table.svelte": {"input, textarea, select, [contenteditable]": SELECTOR},
    "src/qipai/games/nana/text.py": {
        "head, tail (own), head 2, tail 2 (of the seat 2 places on), centre 4": ERROR,
    },
    "src/qipai/games/paipai_rensa/text.py": {
        "column and rotor such as 3 up, 1 right, 6 down, 2 left; keep or discard (k, d)": ERROR,
    },
    "src/qipai/games/paipai_rensa/terminal/frame.py": {
        "萬筒索": GLYPHS,
        "一二三四五六七八九": GLYPHS,
        "東南西北白發中": GLYPHS,
    },
    "src/qipai/games/paipai_rensa/terminal/live.py": {
        "run the eleven tests of the T key and leave": HELP,
        "milliseconds per row (default: 1000)": HELP,
        "the supply as the browser original has it": HELP,
    },
    "src/qipai/games/wuhan_mahjong/text.py": {
        "chow left": NOTATION,
        "chow middle": NOTATION,
        "chow right": NOTATION,
    },
    "src/qipai/games/xianqi/text.py": {
        "紅馬傌車俥砲炮仕象兵卒對雙墊過": "other characters that `parse` reads as the same piece",
        "红马马车车狗狗士相牛牛对双垫过": "other characters that `parse` reads as the same piece",
    },
    "src/qipai/terminal/host.py": {"qipai play ": COMMAND},
}


def python_literals(text: str) -> Iterator[tuple[int, str]]:
    """Yield the string literals of a module, without docstrings and messages of raised errors."""
    tree = ast.parse(text)
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
            and ast.get_docstring(node) is not None
        ):
            skipped.add(id(node.body[0].value))  # type: ignore[attr-defined]
        if isinstance(node, ast.Raise):
            skipped |= {id(n) for n in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value


def typescript_literals(text: str) -> Iterator[tuple[int, str]]:
    """Yield string literals and, in a component, text and attributes; no comments, no styles."""
    text = re.sub(r"<style>.*?</style>", _blank, text, flags=re.S)
    text = re.sub(r"<!--.*?-->|/\*.*?\*/|(?<![:\"'`])//[^\n]*", _blank, text, flags=re.S)
    text = re.sub(r"\bimport\b[^;]*?;", _blank, text, flags=re.S)
    for pattern in NOT_WORDS:
        text = re.sub(pattern, _blank, text, flags=re.S)
    for match in re.finditer(r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'|`((?:[^`\\]|\\.)*)`', text):
        literal = next(group for group in match.groups() if group is not None)
        yield text.count("\n", 0, match.start()) + 1, re.sub(r"\$?\{[^}]*\}", "\0", literal)
    markup = re.sub(r"<script.*?</script>", _blank, text, flags=re.S) if "<script" in text else ""
    for match in re.finditer(r">([^<>{}]+)<", markup):
        yield text.count("\n", 0, match.start()) + 1, match[1]


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def is_sentence(literal: str) -> bool:
    """Return whether a literal holds words for people. A single character is a picture on a piece."""
    words = re.sub(r"bright_|#\w+", "", literal).split()
    if all(word in STYLES for word in words):
        return False
    return bool(len(literal) > 1 and (IDEOGRAPHS.search(literal) or PHRASE.search(literal)))


def sentences(path: Path, text: str) -> list[str]:
    """Return the literals of a file that belong in a message file, as `line: literal`."""
    reader = python_literals if path.suffix == ".py" else typescript_literals
    allowed = ALLOWED.get(path.relative_to(ROOT).as_posix(), {})
    found = [(line, literal) for line, literal in reader(text) if is_sentence(literal)]
    return [f"{line}: {literal[:60]}" for line, literal in found if literal not in allowed]


def files() -> list[Path]:
    """Return the modules that draw, tell or prompt."""
    python = [p for pattern in PYTHON for p in SOURCE.glob(pattern)]
    typescript = [
        p for pattern in TYPESCRIPT for p in TABLES.glob(pattern) if not p.name.endswith(".test.ts")
    ]
    return sorted(p for p in {*python, *typescript} if p.name != "wire.ts")


@pytest.mark.parametrize("path", files(), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_no_sentence_stands_outside_the_message_files(path: Path) -> None:
    assert sentences(path, path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    "planted", ["Your turn: turn up a card", "轮到你：翻一张牌", "あなたの番です", "Ваш ход сейчас"]
)
def test_a_planted_sentence_would_be_seen(planted: str) -> None:
    """In each language, in each kind of place."""
    module, table = SOURCE / "games" / "nana" / "text.py", TABLES / "tables" / "nana" / "Table.svelte"
    for text in (f'x = "{planted}"\n', f'def f():\n    """Say."""\n    return f"{planted} {{x}}"\n'):
        assert len(sentences(module, text)) == 1, text
    for text in (
        f'const a = "{planted}";',
        f"const a = `{planted} ${{n}}`;",
        f"<script>let a;</script>\n<p>{planted}</p>\n",
        f'<script>let a;</script>\n<p aria-label="{planted}">{{a}}</p>\n',
    ):
        assert len(sentences(table, text)) == 1, text


def test_every_exception_is_still_needed() -> None:
    for name, allowed in ALLOWED.items():
        path = ROOT / name
        reader = python_literals if path.suffix == ".py" else typescript_literals
        found = {literal for _, literal in reader(path.read_text("utf-8"))}
        assert set(allowed) <= found, f"{name}: {sorted(set(allowed) - found)}"
