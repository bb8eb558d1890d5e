"""Agents from Python files and from the entry points of other packages."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai.arena import run
from qipai.bots.find import add_file, find_agent
from qipai.cli import main
from qipai.core import AgentSpec, Player, agents_of, bots_of, get, outside
from qipai.core import agent as core_agent
from qipai.core.errors import BadAgent, UnknownAgent
from tests.bots.net.nets import small_gomoku

GAME = get("xianqi")

CODE = """
import numpy as np
from qipai.core import AgentSpec

class First:
    def __init__(self, game, words):
        pass

    def act(self, sight):
        return int(np.flatnonzero(sight.mask)[0])

SPEC = AgentSpec(name="first", place=1, make=First)
ONLY = AgentSpec(name="only", place=1, make=First, games=("nana",))
NOTHING = 7
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Return the path of a file with agents, called like a module of the standard library."""
    path = tmp_path / "random.py"
    path.write_text(CODE)
    return str(path)


@pytest.fixture(autouse=True)
def nothing_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_agent, "_added", {})


@pytest.fixture
def entries(monkeypatch: pytest.MonkeyPatch, file: str) -> Iterator[None]:
    """Offer one entry point of each kind; the file is a module called `agents_for_tests`."""
    folder = Path(file).parent
    (folder / "agents_for_tests.py").write_text(
        CODE + "def listed(game): return [ONLY, SPEC][:1]\nboom = lambda game: None"
    )
    (folder / "raises_for_tests.py").write_text("raise RuntimeError('broken')")
    monkeypatch.syspath_prepend(str(folder))
    places = {
        "first": "agents_for_tests:SPEC",
        "some": "agents_for_tests:listed",
        "number": "agents_for_tests:NOTHING",
        "missing": "no_such_module:SPEC",
        "raising": "raises_for_tests:SPEC",
        "printer": "agents_for_tests:boom",
    }
    made = tuple(EntryPoint(name, place, outside.GROUP) for name, place in places.items())
    monkeypatch.setattr(outside, "_listed", lambda: made)
    loaded = outside._loaded
    loaded.cache_clear()
    yield
    loaded.cache_clear()


def test_a_variable_of_a_file_is_an_agent_called_as_it_was_given(file: str) -> None:
    spec = find_agent(GAME, f"{file}:SPEC")
    assert spec.name == f"{file}:SPEC" and spec.place == 1 and spec.offered
    assert find_agent(GAME, f"{file}:SPEC") == spec
    standings = run(GAME, [f"{file}:SPEC", "random"], 2, threads=1)
    assert [row.agent for row in standings.rows]


def test_an_agent_of_a_file_is_understood_by_other_processes(file: str) -> None:
    again: AgentSpec = pickle.loads(pickle.dumps(find_agent(GAME, f"{file}:SPEC")))
    s = GAME.new()
    assert Player(GAME, again).move(s) == [int(np.flatnonzero(GAME.mask(s))[0])]


def test_a_file_that_was_changed_is_read_again(file: str) -> None:
    before = find_agent(GAME, f"{file}:SPEC")
    Path(file).write_text(CODE.replace("[0]", "[-1]"))
    after = find_agent(GAME, f"{file}:SPEC")
    s = GAME.new()
    assert before != after and Player(GAME, after).move(s) != Player(GAME, before).move(s)


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        ("{file}:NOBODY", UnknownAgent, "random.py has no variable 'NOBODY'"),
        ("{file}x.py:SPEC", UnknownAgent, "there is no file"),
        ("{file}", BadAgent, "name the variable"),
        ("{file}:", BadAgent, "name the variable"),
        ("{file}:NOTHING", BadAgent, "is not an AgentSpec but 'int'"),
        ("{file}:First", BadAgent, "is not an AgentSpec but 'type'"),
        ("{file}:ONLY", UnknownAgent, "plays nana, not xianqi"),
        ("a\0b.py:SPEC", UnknownAgent, "there is no file"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_by_name(
    file: str, text: str, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        find_agent(GAME, text.format(file=file))


@pytest.mark.parametrize("code", ["1 / 0", "import no_such_module", "def (", "raise SystemExit(3)"])
def test_a_file_that_raises_is_refused(tmp_path: Path, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.py"
    path.write_text(code)
    with pytest.raises(BadAgent, match=r"bad\.py cannot be imported: "):
        find_agent(GAME, f"{path}:SPEC")
    assert main(["arena", "xianqi", "--agents", f"{path}:SPEC,random", "--deals", "1"]) == 2
    assert "[agent/bad]" in capsys.readouterr().err


def test_a_file_is_offered_at_every_table_of_its_games(file: str) -> None:
    games, spec = add_file(f"{file}:SPEC")
    assert {"xianqi", "nana"} <= set(games) and spec.name == "first"
    assert bots_of(GAME)["first"] is bots_of(small_gomoku())["first"] is spec
    assert add_file(f"{file}:SPEC") == (games, spec)  # again, as another worker does
    assert add_file(f"{file}:ONLY")[0] == ("nana",)
    assert "only" in bots_of(get("nana")) and "only" not in bots_of(GAME)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ('name="random"', "already has an agent random"),
        ('name="a b"', "is not a valid agent name"),
        ('name="first", games=("chess",)', "plays chess, which is not installed"),
    ],
)
def test_a_served_agent_needs_a_free_name_and_a_game(file: str, change: str, said: str) -> None:
    Path(file).write_text(CODE.replace('name="first"', change))
    with pytest.raises(UnknownAgent, match=said):
        add_file(f"{file}:SPEC")


def test_entry_points_are_agents(entries: None) -> None:
    assert "first" in bots_of(GAME) and "only" not in agents_of(GAME) and "only" in agents_of(get("nana"))
    assert Player(GAME, "first").move(GAME.new())


def test_a_broken_entry_point_is_left_out_and_named(
    entries: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["games"]) == 0
    assert main(["games", "xianqi"]) == 0
    text = capsys.readouterr().out
    for name, why in (
        ("number", "is not an AgentSpec but 'int'"),
        ("missing", "cannot be loaded: ModuleNotFoundError"),
        ("raising", "cannot be loaded: RuntimeError: broken"),
        ("printer", "must return a list of agents, not 'NoneType'"),
    ):
        assert f"agent {name} is left out: entry point {name} {why}" in text
        with pytest.raises(BadAgent, match=why):
            find_agent(GAME, name)


def test_an_entry_point_never_replaces_an_agent(entries: None, monkeypatch: pytest.MonkeyPatch) -> None:
    own = agents_of(GAME)["random"]
    impostor = AgentSpec("random", 9, own.make)
    monkeypatch.setattr(outside, "_loaded", lambda entry: impostor)
    assert agents_of(GAME)["random"] is own


def test_equal_files_are_modules_of_their_own_and_a_changed_one_is_refused(tmp_path: Path) -> None:
    text = "from qipai.core import AgentSpec\nSPEC = AgentSpec('x', 1, lambda game, words: None)\n"
    specs = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "bot.py").write_text(text)
        specs.append(outside.agent_of_code(f"{tmp_path / name / 'bot.py'}:SPEC"))
    made = [outside._read(s.make.path, s.make.name, s.make.digest) for s in specs]  # type: ignore[attr-defined]
    assert made[0] is not made[1]
    path = tmp_path / "three.py"
    path.write_text(text)
    with pytest.raises(BadAgent, match="has changed since it was named"):
        outside._loading(str(path), "SPEC", "0" * 16)


@pytest.mark.parametrize("wrong", [{"place": "1"}, {"place": True}, {"games": "nana"}, {"games": (1,)}])
def test_a_spec_with_wrong_fields_is_refused(wrong: dict[str, Any]) -> None:
    spec = replace(AgentSpec("x", 1, lambda game, words: None), **wrong)  # type: ignore[arg-type,return-value]
    with pytest.raises(BadAgent):
        outside._checked(spec, "entry point x")


def test_a_generator_that_fails_breaks_no_other_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(game: object) -> Any:
        yield AgentSpec("x", 1, lambda game, words: None)  # type: ignore[arg-type,return-value]
        raise ValueError("half way")

    def leaves(game: object) -> Any:
        raise SystemExit(3)

    entry = EntryPoint("x", "m:f", outside.GROUP)
    for found in (fails, leaves):
        monkeypatch.setattr(outside, "_listed", lambda: (entry,))
        monkeypatch.setattr(outside, "_loaded", lambda entry, found=found: found)
        assert outside.entry_agents(get("nana")) == [] and "x" in outside.broken_entries(get("nana"))


def test_unpickling_a_loading_imports_its_file_in_another_process(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("from qipai.core import AgentSpec\nclass Bot: pass\nSPEC = AgentSpec('x', 1, Bot)\n")
    make = outside.agent_of_code(f"{path}:SPEC").make
    module = outside._imported(path.resolve(), make.digest)  # type: ignore[attr-defined]
    kept = pickle.dumps((make, module.Bot()))
    code = "import pickle, sys; print(type(pickle.loads(sys.stdin.buffer.read())[1]).__name__)"
    done = subprocess.run(
        [sys.executable, "-c", code], input=kept, capture_output=True, timeout=120, check=False
    )
    assert done.stdout.split() == [b"Bot"], done.stderr
