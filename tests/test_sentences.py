"""Sentences that players read about a game stand in message files, and nowhere in Python or TypeScript."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest

from qipai.core import Messages
from qipai.core.message import LANGUAGES

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "qipai"
TABLES = ROOT / "front" / "src"

# Chinese characters, kana; and words of any alphabet next to each other, which is how a sentence begins.
IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
PHRASE = re.compile(r"[^\W\d_]{2,}[,;:]? +[^\W\d_]{2,}")
# A single word: in a string with a capital letter; in markup and in attributes that are read out, any word.
CAPITALISED = re.compile(r"[^\W\d_a-z][^\W\d_A-Z]{2,}")
WORD = re.compile(r"[^\W\d_]{2,}")

# The modules that draw, tell or prompt.
PYTHON = (
    "games/*/text.py",
    "games/*/lines.py",
    "games/reference/poker.py",
    "games/*/view.py",
    "games/*/terminal.py",
    "games/*/terminal/**/*.py",
    "terminal/*.py",
    "server/**/*.py",
)
# Modules of the server that hold no sentence about a game, with the reason.
APART = {
    "server/http/*.py": "headers and refusals; a refusal travels with a code, whose sentence the page has",
    "server/store/*.py": "SQL",
    "server/main.py": "told to the operator",
    "server/metrics.py": "told to the operator",
}
TYPESCRIPT = ("**/*.ts", "**/*.svelte")

# Literals of the page that nobody reads: classes, selectors, media queries, what an error tells developers.
STRING = r"(\"[^\"]*\"|'[^']*'|`[^`]*`)"
NOT_WORDS = (
    rf"\b(class|style|preserveAspectRatio|transform)=\{{?{STRING}",
    rf"\b(closest|matchMedia|querySelector|querySelectorAll|matches|Error|DOMException)\(\s*{STRING}",
    r"(?<=[=(,:] |.\()/(?:[^/\\\n]|\\.)+/[a-z]*",  # regular expressions
)

# Before the quotation mark of an attribute that is read out or shown.
SPOKEN = re.compile(r"\b(aria-label|aria-description|title|placeholder|alt)=[\"']$")

# Styles of the terminal: "bold black on green".
STYLES = {"bold", "dim", "on", "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

# Single words that are the same in every language: keys of the keyboard, and names in the rules of a game.
SAME = {"Enter", "Esc", "Escape", "Shift", "Space", "Tab", "Place", "Take"}

# Literals that are not sentences, by file, with the reason.
ERROR = "told to developers; a player reads a message"
NOTATION = "the notation of actions, which is the same in every language"
GLYPHS = "characters drawn on tiles"
NAME = "the name of the site, or of a language in itself"
SELECTOR = "a CSS selector"
HELP = "the command line's own help"
COMMAND = "a command to type"
STORED = "stored in the database; the page shows a name of its reader's language"
ALLOWED: dict[str, dict[str, str]] = {
    "front/src/lib/api.ts": {"the server does not answer": ERROR},
    "front/src/lib/i18n.ts": {"中文": NAME, "日本語": NAME, "English": NAME},
    "front/src/pages/Lobby.svelte": {"qipai 棋牌": NAME},
    "front/src/parts/Help.svelte": {"input[type=text], textarea, select": SELECTOR},
    "front/src/parts/TopBar.svelte": {"qipai 棋牌, \0": NAME, "qipai": NAME, "棋牌": NAME},
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
    "src/qipai/server/admin.py": {"Guest": STORED},
    "src/qipai/server/hall.py": {
        "too many tables are open from your address; try again later": ERROR,
        "the hall is full; try again later": ERROR,
    },
    "src/qipai/server/lessons.py": {"the lesson of ": ERROR, " with words": HELP},
    "src/qipai/server/table/seating.py": {"Bot ": STORED},
    "src/qipai/terminal/host.py": {"qipai play ": COMMAND},
}


Found = Iterator[tuple[int, str, bool]]  # line, literal, whether it can only be text for people


def python_literals(text: str) -> Found:
    """Yield the string literals of a module, without docstrings and messages of raised errors."""
    tree = ast.parse(text)
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and ast.get_docstring(node) is not None
        ):
            skipped.add(id(node.body[0].value))  # type: ignore[attr-defined]
        if isinstance(node, ast.Raise):
            skipped |= {id(n) for n in ast.walk(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.lineno, node.value, False


def typescript_literals(text: str) -> Found:
    """Yield string literals and, in a component, text and attributes; no comments, no styles."""
    text = re.sub(r"<style>.*?</style>", _blank, text, flags=re.S)
    text = re.sub(r"<!--.*?-->|/\*.*?\*/|(?<![:\"'`])//[^\n]*", _blank, text, flags=re.S)
    text = re.sub(r"\bimport\b[^;]*?;", _blank, text, flags=re.S)
    for pattern in NOT_WORDS:
        text = re.sub(pattern, _blank, text, flags=re.S)
    for match in re.finditer(r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'|`((?:[^`\\]|\\.)*)`', text):
        literal = next(group for group in match.groups() if group is not None)
        spoken = SPOKEN.search(text, 0, match.start() + 1) is not None
        yield text.count("\n", 0, match.start()) + 1, re.sub(r"\$?\{[^}]*\}", "\0", literal), spoken
    markup = re.sub(r"<script.*?</script>", _blank, text, flags=re.S) if "<script" in text else ""
    for match in re.finditer(r"(?<!=)>([^<>{}]+)<", markup):
        yield text.count("\n", 0, match.start()) + 1, match[1], True


def _blank(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


def is_sentence(literal: str, spoken: bool = False) -> bool:
    """Return whether a literal holds words for people. A single character is a picture on a piece."""
    literal = unescape(literal)
    word = literal.strip(" \n\0.!?:…")
    if len(literal) < 2 or word in SAME:
        return False
    if spoken and WORD.search(literal):
        return True
    words = re.sub(r"bright_|#\w+", "", literal).split()
    if all(word in STYLES for word in words):
        return False
    alone = CAPITALISED.fullmatch(word) and word.isalpha()
    return bool(IDEOGRAPHS.search(literal) or PHRASE.search(literal) or alone)


def sentences(path: Path, text: str) -> list[str]:
    """Return the literals of a file that belong in a message file, as `line: literal`."""
    reader = python_literals if path.suffix == ".py" else typescript_literals
    allowed = ALLOWED.get(path.relative_to(ROOT).as_posix(), {})
    found = [(line, literal) for line, literal, spoken in reader(text) if is_sentence(literal, spoken)]
    return [f"{line}: {literal[:60]}" for line, literal in found if literal not in allowed]


def files() -> list[Path]:
    """Return the modules that draw, tell or prompt."""
    apart = {p for pattern in APART for p in SOURCE.glob(pattern)}
    python = [p for pattern in PYTHON for p in SOURCE.glob(pattern) if p not in apart]
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


@pytest.mark.parametrize("planted", ["Discard", "Continue?", "出牌", "捨てる", "Играть"])
def test_a_planted_word_would_be_seen(planted: str) -> None:
    """Words of buttons and headings: in a string, in markup, and in what a screen reader says."""
    terminal, table = SOURCE / "terminal" / "host.py", TABLES / "tables" / "nana" / "Table.svelte"
    assert len(sentences(terminal, f'print("{planted}")\n')) == 1
    assert len(sentences(SOURCE / "server" / "hall.py", f'name = f"{planted} {{n}}"\n')) == 1
    for text in (
        f'const a = yes ? "{planted}" : "";',
        f"<script>let a;</script>\n<button>{planted}</button>\n",
        f"<script>let a;</script>\n<button>{planted.lower()}</button>\n",
        f'<script>let a;</script>\n<p aria-label="{planted.lower()}">{{a}}</p>\n',
        f'<script>let a;</script>\n<p title="{planted.lower()}">{{a}}</p>\n',
        f'<script>let a;</script>\n<input placeholder="{planted.lower()}" />\n',
    ):
        assert len(sentences(table, text)) == 1, text


def folders() -> list[Path]:
    """Return all folders of message files: games, the packages around them, the skeleton and the page."""
    return sorted([*SOURCE.rglob("messages"), *TABLES.rglob("messages")])


@pytest.mark.parametrize("folder", folders(), ids=lambda p: p.relative_to(ROOT).as_posix())
def test_every_language_has_every_key_with_the_same_placeholders(folder: Path) -> None:
    texts = {path.stem: json.loads(path.read_text("utf-8")) for path in folder.iterdir()}
    wanted = ("en",) if "skeleton" in folder.parts else LANGUAGES  # a new game begins with English
    assert Messages(texts).faults(wanted) == []


@pytest.mark.parametrize("folder", ["src/qipai/terminal/messages", "front/src/messages"])
def test_a_fault_in_a_message_file_would_be_seen(folder: str) -> None:
    texts = {path.stem: json.loads(path.read_text("utf-8")) for path in (ROOT / folder).iterdir()}
    key = next(key for key, text in texts["en"].items() if "{" in text)
    for lang in LANGUAGES:
        for change in ({k: v for k, v in texts[lang].items() if k != key}, {**texts[lang], key: "—"}):
            assert len(Messages({**texts, lang: change}).faults(LANGUAGES)) >= 1
    assert Messages({"en": texts["en"], "zh": texts["zh"]}).faults(LANGUAGES) == ["no file for ja"]


def test_every_part_of_the_platform_that_speaks_is_looked_at() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in folders()}
    assert {"src/qipai/core/messages", "src/qipai/terminal/messages", "front/src/messages"} < names
    seen = {path.relative_to(ROOT).as_posix() for path in files()}
    for name in (
        "games/xianqi/lines.py",
        "server/table/showing.py",
        "server/catalog.py",
        "terminal/session.py",
    ):
        assert f"src/qipai/{name}" in seen
    assert {"front/src/App.svelte", "front/src/pages/Learn.svelte"} < seen


def test_every_exception_is_still_needed() -> None:
    for name, allowed in ALLOWED.items():
        path = ROOT / name
        reader = python_literals if path.suffix == ".py" else typescript_literals
        found = {literal for _, literal, _ in reader(path.read_text("utf-8"))}
        assert set(allowed) <= found, f"{name}: {sorted(set(allowed) - found)}"
