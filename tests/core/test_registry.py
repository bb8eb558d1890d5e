"""Games by name: ours, registered in the process, and of other packages."""

from __future__ import annotations

import copy
import os
import pickle
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from qipai.core import Game, get, names, register, registry
from qipai.core.errors import BadGame, BadPickle, UnknownGame
from qipai.skeleton.write import write_small
from tests.envs.toy import LAPS
from tests.toys_check import hush

SEVERAL = replace(hush.GAME, name="several")


def by_options(options: dict[str, Any]) -> Game:
    """Return a game whose shape depends on an option."""
    return replace(SEVERAL, rules=replace(SEVERAL.rules, actions=hush.ACTIONS + int(options.get("size", 0))))


def entry(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, value, registry.GROUP)


@pytest.fixture(autouse=True)
def other_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    here = "tests.core.test_registry"
    found = [
        entry("hush", "tests.toys_check.hush:GAME"),
        entry("several", f"{here}:by_options"),
        entry("broken", "tests.no_such_module:GAME"),
        entry("missing", f"{here}:NO_SUCH_NAME"),
        entry("number", f"{here}:__name__"),
        entry("alias", "tests.toys_check.hush:GAME"),
        entry("xianqi", "tests.toys_check.hush:GAME"),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda group: found if group == registry.GROUP else [])
    monkeypatch.setattr(registry, "_added", {})


def test_our_games_come_first_and_the_others_by_name() -> None:
    ours = list(registry.OURS)
    found = names()
    assert found[: len(ours)] == ours
    assert found[len(ours) :] == sorted(found[len(ours) :])
    assert {"hush", "several", "broken"} <= set(found)
    assert len(set(found)) == len(found)


def test_a_game_of_another_package_is_found_by_its_entry_point() -> None:
    assert get("hush") is hush.GAME


def test_a_game_whose_shape_depends_on_options_is_made_for_them() -> None:
    assert get("several").rules.actions == hush.ACTIONS
    assert get("several", {"size": 4}).rules.actions == hush.ACTIONS + 4


def test_nobody_takes_the_name_of_one_of_our_games() -> None:
    assert get("xianqi").name == "xianqi"
    with pytest.raises(BadGame, match="built-in game"):
        register("xianqi", hush.GAME)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("broken", "cannot be loaded"),
        ("missing", "cannot be loaded"),
        ("number", "is not a qipai Game"),
        ("alias", "calls itself 'hush'"),
    ],
)
def test_a_broken_entry_is_refused_by_name(name: str, text: str) -> None:
    with pytest.raises(BadGame, match=text):
        get(name)


def test_a_broken_entry_does_not_take_the_others_down() -> None:
    with pytest.raises(BadGame):
        get("broken")
    assert get("hush") is hush.GAME


@pytest.mark.parametrize("name", ["", "chess", "x" * 5000, "qipai.games.xianqi:GAME", "../xianqi"])
def test_an_unknown_name_is_refused_with_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownGame, match="xianqi") as caught:
        get(name)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("name", [None, 3, b"xianqi", ["xianqi"]])
def test_a_name_is_text(name: Any) -> None:
    with pytest.raises(UnknownGame, match="must be a string"):
        get(name)


def test_a_game_registered_in_the_process_is_found() -> None:
    register("several", SEVERAL)
    assert get("several") is SEVERAL
    assert names().count("several") == 1


# --- games in single files ------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Yield a game in its own file, and remove what it adds to this process afterwards."""
    monkeypatch.delenv(registry.FILES, raising=False)
    monkeypatch.setitem(sys.modules, "tiny_file", None)
    monkeypatch.delitem(sys.modules, "tiny_file")
    return write_small("tiny_file", tmp_path)


def test_a_game_in_a_file_is_found_by_the_name_of_the_file(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "tiny_file" not in names()
    monkeypatch.setenv(registry.FILES, f"{file}{os.pathsep}no/such/file.py{os.pathsep}")
    assert "tiny_file" in names()
    game = get("tiny_file")
    assert game.title() == "Tiny file" and get("tiny_file") is game
    assert pickle.loads(pickle.dumps(game)) is game
    with pytest.raises(BadGame, match="cannot be loaded: FileNotFoundError"):
        get("file")


def test_a_command_takes_the_path_of_a_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(registry.FILES, "other.py")
    monkeypatch.chdir(file.parent)
    assert registry.named_or_file("tiny_file.py") == "tiny_file"
    assert registry.named_or_file("tiny_file.py") == "tiny_file"
    assert os.environ[registry.FILES].split(os.pathsep) == [str(file), "other.py"]
    assert registry.named_or_file("xianqi") == "xianqi"


def test_a_file_that_holds_no_game_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = file.parent
    for name in ("xianqi.py", "a-b.py", "a.b.py"):
        (folder / name).write_text("")
        with pytest.raises(BadGame, match="which cannot be"):
            registry.named_or_file(str(folder / name))
    with pytest.raises(UnknownGame, match="there is no file"):
        registry.named_or_file(str(folder / "missing.py"))
    for name, text, said in (
        ("json", "", "a module called json exists already"),
        ("tiny_empty", "", "has no variable GAME"),
        ("tiny_wrong", "1 / 0", "cannot be loaded: ZeroDivisionError"),
    ):
        (folder / f"{name}.py").write_text(text)
        monkeypatch.setenv(registry.FILES, str(folder / f"{name}.py"))
        with pytest.raises(BadGame, match=said):
            get(name)
    assert "tiny_wrong" not in sys.modules
    del sys.modules["tiny_empty"]


# --- games in a pickle ----------------------------------------------------------------


def test_a_registered_game_is_pickled_by_its_name() -> None:
    for game in (get("xianqi"), get("skill_gomoku"), get("skill_gomoku", {"board_size": 9}), hush.GAME):
        data = pickle.dumps(game)
        assert len(data) < 500 and pickle.loads(data) is game


def test_a_game_that_a_function_makes_each_time_is_pickled_with_its_options() -> None:
    again = pickle.loads(pickle.dumps(get("several", {"size": 4})))
    assert again.name == "several" and again.rules.actions == hush.ACTIONS + 4


def test_a_game_that_is_not_registered_is_pickled_as_a_variable_of_its_module() -> None:
    assert pickle.loads(pickle.dumps(LAPS)) is LAPS
    register("laps", LAPS)  # only here: another process finds it by its module
    assert LAPS.__reduce__()[1][:2] == ("tests.envs.toy", "LAPS")


def test_a_game_registered_in_this_process_alone_is_pickled_by_name_where_no_module_holds_it() -> None:
    game = replace(LAPS, name="loops")
    with pytest.raises(BadPickle, match="loops cannot be pickled: it is not registered"):
        pickle.dumps(game)
    register("loops", game)
    assert pickle.loads(pickle.dumps(game)) is game


def test_another_game_of_a_registered_name_is_not_taken_for_it() -> None:
    with pytest.raises(BadPickle, match="hush cannot be pickled"):
        pickle.dumps(replace(hush.GAME))


def test_a_game_whose_rules_have_changed_since_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    named, held = pickle.dumps(hush.GAME), pickle.dumps(LAPS)
    newer = replace(LAPS, rules=replace(LAPS.rules, version=4))
    monkeypatch.setattr("tests.envs.toy.LAPS", newer)
    with pytest.raises(BadPickle, match=r"laps was pickled with version 3 of .* here they are 4 of"):
        pickle.loads(held)
    register("hush", replace(hush.GAME, rules=replace(hush.GAME.rules, version=99)))
    with pytest.raises(BadPickle, match="here they are 99 of its rules"):
        pickle.loads(named)


def test_a_game_that_is_not_there_any_more_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = pickle.dumps(LAPS)
    monkeypatch.setattr("tests.envs.toy.LAPS", 5)
    with pytest.raises(BadPickle, match="is not a qipai Game"):
        pickle.loads(data)
    monkeypatch.delattr("tests.envs.toy.LAPS")
    with pytest.raises(BadPickle, match=r"tests\.envs\.toy\.LAPS cannot be imported"):
        pickle.loads(data)


def test_a_copy_of_a_game_is_the_game() -> None:
    game = replace(hush.GAME)
    assert copy.copy(game) is game and copy.deepcopy(game) is game
