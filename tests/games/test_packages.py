"""The five game packages have one shape: the same root files, the same names in them, the same description.

The game that `qipai new` writes has it too, and CONTRIBUTING.md lists it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from qipai.core import LANGUAGES, Messages, get
from qipai.core.parts import inherit_nothing
from qipai.core.registry import OURS
from qipai.core.rule import plain_function

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "src" / "qipai" / "games"
SKELETON = ROOT / "src" / "qipai" / "skeleton" / "game"  # what `qipai new` copies

# Every package has these. `api` and `terminal` are a module or a package.
FILES = (
    *(
        "__init__.py",
        "state.py",
        "rules.py",
        "observe.py",
        "view.py",
        "options.py",
        "layout.py",
        "examples.py",
    ),
    *("text.py", "vectors.py", "reference.py", "README.md", "README.zh.md", "README.ja.md"),
)
EITHER = ("api", "terminal")
FOLDERS = {"messages": tuple(f"{lang}.json" for lang in LANGUAGES), "bots": ("__init__.py",)}

# What a common file defines, under the same name in every game.
NAMES = {
    "state.py": ("State", "Phase", "EDGES"),
    "rules.py": ("deal", "start", "legal", "apply", "advance"),
    "observe.py": ("FEATURES", "observe", "determinize"),
    "view.py": ("view", "narrate"),
    "options.py": ("OPTIONS",),
    "layout.py": ("lay_out", "pieces"),
    "examples.py": ("EXAMPLES", "TWINS"),
    "text.py": ("line", "say", "parse", "draw"),
    "vectors.py": ("run_vector",),
    "bots/__init__.py": ("AGENTS",),
}

# What only one game has, and why.
EXTRAS: dict[str, dict[str, str]] = {
    "xianqi": {
        "settle.py": "chips at the end, a rule of its own length",
        "worlds.py": "the worlds that fit what a seat knows, for determinize",
        "lines.py": "the cards and sums that lines of the log share with the terminal",
        "endgame.py": "xianqi_endgame, a reference game small enough to be solved",
    },
    "nana": {"worlds.py": "the worlds that fit what a seat knows, for determinize"},
    "wuhan_mahjong": {
        "tiles.py": "tiles, actions and ways to win by number, for rules and named API alike",
        "win.py": "whether tiles are a winning hand",
        "score.py": "what a win pays",
        "claims.py": "who may claim a discard",
        "facts.py": "what an observation says about a hand",
        "windows.py": "the Windows of the description",
        "worlds.py": "the worlds that fit what a seat knows, for determinize",
        "errors.py": "the errors of the named API and of the environment",
    },
    "skill_gomoku": {
        "fives.py": "lines of five on a board, for rules and bots",
        "extensions": "third-party cards and pinned random sequences, which need a wider state",
    },
    "paipai_rensa": {
        "tiles.py": "tiles by number and by name",
        "board.py": "falling, groups and chains",
        "win.py": "whether tiles are a winning hand",
        "planner.py": "which suits come next",
        "hold.py": "the end of a HOLD and of the game, a rule of its own length",
        "shapes.py": "how far a hand is from winning, for the view",
        "config.py": "the configuration document of the named API",
        "__main__.py": "python -m qipai.games.paipai_rensa, the self test of the specification",
    },
}

# A common file that a game has no use for, and why.
ABSENT: dict[str, dict[str, str]] = {
    "wuhan_mahjong": {"reference.py": "its specification pins no generator"},
}

# Where a game makes a common name rather than defining it, and why: all depend on the size of the board.
MADE = {
    ("skill_gomoku", "text.py"): {"line": "liner", "say": "sayer", "parse": "parser"},
    ("skill_gomoku", "observe.py"): {"FEATURES": "features"},
    ("skill_gomoku", "options.py"): {"OPTIONS": "options", "check": "checker"},
}

# What the game of `qipai new` leaves out, and why.
LEFT_OUT = {
    "api": "for a specification that names functions",
    "terminal": "without one the described screen shows the game",
    "vectors.py": "for other implementations of the same rules",
    "reference.py": "for a specification that pins a generator",
    "README.zh.md": "written in the language of its author first",
    "README.ja.md": "written in the language of its author first",
}


def entries(game: str) -> set[str]:
    """Return what lies at the root of a package, without caches."""
    return {p.name for p in (GAMES / game).iterdir() if p.name != "__pycache__"}


def faults(found: set[str], game: str) -> Iterator[str]:
    """Yield what is missing at the root of a package, and what is there without a reason."""
    both = {name: {f"{name}.py", name} for name in EITHER}
    absent = ABSENT.get(game, {})
    for name in (*FILES, *FOLDERS):
        if name not in found and name not in absent:
            yield f"{game} has no {name}"
    for name, forms in both.items():
        if len(found & forms) != 1:
            yield f"{game} has {name} as a module or as a package, not {sorted(found & forms)}"
    known = {*FILES, *FOLDERS, *EXTRAS[game]}.union(*both.values())
    for name in sorted(found - known):
        yield f"{game}: why is there {name}?"
    for name in sorted(set(EXTRAS[game]) - found):
        yield f"{game}: {name} is explained but not there"
    for name in sorted(set(absent) & found):
        yield f"{game}: {name} is there, although it is said to be absent"


def defined(path: Path) -> set[str]:
    """Return the names that a module defines or imports at its top level."""
    found: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {t.id for target in node.targets for t in ast.walk(target) if isinstance(t, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
    return found


@pytest.mark.parametrize("game", OURS)
def test_a_package_has_the_common_files_and_no_unexplained_one(game: str) -> None:
    assert list(faults(entries(game), game)) == []
    for folder, wanted in FOLDERS.items():
        there = {p.name for p in (GAMES / game / folder).iterdir()}
        assert set(wanted) <= there, folder


def test_a_missing_and_an_unexplained_file_would_be_seen() -> None:
    found = entries("nana")
    assert list(faults(found - {"observe.py"}, "nana")) == ["nana has no observe.py"]
    assert list(faults(found | {"misc.py"}, "nana")) == ["nana: why is there misc.py?"]
    assert list(faults(found | {"api.py", "api"}, "nana")) == [
        "nana has api as a module or as a package, not ['api', 'api.py']"
    ]


@pytest.mark.parametrize("game", OURS)
def test_common_files_define_the_same_names(game: str) -> None:
    for file, names in NAMES.items():
        made = MADE.get((game, file), {})
        missing = {made.get(name, name) for name in names} - defined(GAMES / game / file)
        assert not missing, f"{game}/{file} lacks {sorted(missing)}"


@pytest.mark.parametrize("game", OURS)
def test_what_only_some_games_need_stands_where_it_is_expected(game: str) -> None:
    """`check` where options exclude each other, `successor` where a next hand inherits, `act` with `rest`."""
    made = get(game)
    wanted = {
        "options.py": {"check"} if made.rules.check is not None else set(),
        "layout.py": {"successor"} if made.rules.successor is not inherit_nothing else set(),
        "rules.py": {"act", "rest"} if made.device.rest is not None else set(),
    }
    for file, names in wanted.items():
        given = MADE.get((game, file), {})
        found = defined(GAMES / game / file) & {
            given.get(n, n) for n in ("check", "successor", "act", "rest")
        }
        assert found == {given.get(name, name) for name in names}, file
    for name, rule in (("act", made.device.act), ("rest", made.device.rest)):
        assert rule is None or plain_function(rule).__name__ == name
    module, _, name = (made.terminal.screen or "").partition(":")
    assert name == "SCREEN" and hasattr(import_module(module), name)


@pytest.mark.parametrize("game", OURS)
def test_the_rules_come_in_one_order(game: str) -> None:
    """`deal`, `start`, `legal`, `apply`, `advance`: a reader finds them where they are in every game."""
    tree = ast.parse((GAMES / game / "rules.py").read_text("utf-8"))
    order = [n.name for n in tree.body if isinstance(n, ast.FunctionDef) and n.name in NAMES["rules.py"]]
    assert order == [name for name in NAMES["rules.py"] if name in order]


@pytest.mark.parametrize("game", OURS)
def test_the_description_has_what_every_game_of_ours_has(game: str) -> None:
    made = get(game)
    assert made.package == f"qipai.games.{game}"
    assert made.rules.phases and made.rules.edges
    assert made.terminal.screen == f"qipai.games.{game}.terminal:SCREEN"
    assert made.checks.pieces and made.checks.examples and made.checks.twins and made.checks.run_vector
    assert made.rules.lay_out and made.rules.options and made.agents


@pytest.mark.parametrize("game", OURS)
def test_messages_have_every_key_in_every_language_with_the_same_placeholders(game: str) -> None:
    messages = get(game).words.messages
    assert messages is Messages.of_package(f"qipai.games.{game}")
    assert messages.faults(LANGUAGES) == []
    keys = [list(messages.texts(lang)) for lang in LANGUAGES]
    assert keys[0] == keys[1] == keys[2], "the files list their keys in one order"


@pytest.mark.parametrize("game", OURS)
def test_what_the_lobby_shows_has_words(game: str) -> None:
    made = get(game)
    find = made.words.messages.find
    for lang in LANGUAGES:
        missing = [key for key in ("title", "pitch") if find(key, lang) is None]
        for option in made.rules.options:
            missing += [k for k in (f"option.{option.name}",) if find(k, lang) is None]
            for choice in option.choices or ():
                if (
                    find(f"option.{option.name}.{choice}", lang) is None
                    and find(f"choice.{choice}", lang) is None
                ):
                    missing.append(f"option.{option.name}.{choice}")
        for spec in made.agents:
            keys = (f"bot.{spec.name}", f"bot.{spec.name}.about")
            missing += [k for k in keys if find(k, lang) is None]
        entered = {phase for edge in made.rules.edges for phase in edge}  # others are reserved
        spelt = {f"phase.{p.name}": f"phase.{p.name.lower()}" for p in made.rules.phases if p in entered}
        missing += [one for one, other in spelt.items() if find(one, lang) is None is find(other, lang)]
        assert missing == [], lang


# --- `qipai new` and CONTRIBUTING.md --------------------------------------------------


def listed() -> dict[str, set[str]]:
    """Return the files in CONTRIBUTING's table of a package, with the names in the text about each."""
    found: dict[str, set[str]] = {}
    for cell, text in re.findall(
        r"^\| (`.+?) \| (.+) \|$", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M
    ):
        for file in re.findall(r"`([\w./]+)`", cell):
            found[file.removesuffix("/")] = set(re.findall(r"`(\w+)`", text))
    return found


def test_contributing_lists_exactly_the_common_files() -> None:
    wanted = {*FILES, *FOLDERS, *EITHER, *(f"{name}.py" for name in EITHER)}
    assert set(listed()) == wanted


def test_contributing_names_what_the_common_files_define() -> None:
    """What only some games need may be named there too; `run_vector` stands next to two files."""
    table = listed()
    for file, names in NAMES.items():
        missing = set(names) - table[file.removesuffix("/__init__.py")]
        assert not missing, f"CONTRIBUTING does not name {sorted(missing)} of {file}"
    sometimes = {"options.py": {"check"}, "layout.py": {"successor"}, "__init__.py": {"GAME"}}
    for file, named in table.items():
        known = set(NAMES.get(file, NAMES.get(f"{file}/__init__.py", ()))) | sometimes.get(file, set())
        if file not in ("reference.py", *EITHER, *(f"{name}.py" for name in EITHER)):
            assert named <= known, f"no test checks {sorted(named - known)} of {file}"


def test_the_game_of_qipai_new_has_the_common_files() -> None:
    found = {p.name for p in SKELETON.iterdir() if p.name != "__pycache__"}
    assert found == {*FILES, *FOLDERS, *EITHER} - set(LEFT_OUT)
    for file, names in NAMES.items():
        if file not in LEFT_OUT:
            assert set(names) <= defined(SKELETON / file), file
    order = [n.name for n in ast.parse((SKELETON / "rules.py").read_text("utf-8")).body if hasattr(n, "name")]
    assert [name for name in order if name in NAMES["rules.py"]] == list(NAMES["rules.py"])
