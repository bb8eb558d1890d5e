"""Games by name: ours, registered in the process, and of other packages."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from qipai.core import Game, get, names, register, registry
from qipai.core.errors import BadGame, UnknownGame
from tests.toys_check import hush

SEVERAL = replace(hush.GAME, name="several")


def by_options(options: dict[str, Any]) -> Game:
    """A game whose shape depends on an option."""
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
    with pytest.raises(BadGame, match="one of qipai's own games"):
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
    with pytest.raises(UnknownGame, match="is text"):
        get(name)


def test_a_game_registered_in_the_process_is_found() -> None:
    register("several", SEVERAL)
    assert get("several") is SEVERAL
    assert names().count("several") == 1
