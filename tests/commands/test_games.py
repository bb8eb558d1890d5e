"""`qipai games`: a line for each game, or one game with its options and agents."""

from __future__ import annotations

import pytest

from qipai.cli import main
from qipai.commands.games import reference
from qipai.core import agents_of, get, names, register, registry
from tests.toys_check.hush import GAME


def test_every_registered_game_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(names())
    assert all(get(name).title("en") in line for name, line in zip(names(), lines, strict=True))


def test_a_game_that_cannot_be_loaded_does_not_hide_the_others(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str, *rest: object) -> object:
        if name == "nana":
            from qipai.core.errors import BadGame

            raise BadGame("nana: no deck")
        return get(name)

    monkeypatch.setattr("qipai.commands.games.get", broken)
    assert main(["games"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "nana             cannot be loaded: nana: no deck" in lines
    assert len(lines) == len(names())


def test_one_game_lists_its_options_and_agents(capsys: pytest.CaptureFixture[str]) -> None:
    game = get("xianqi")
    assert main(["games", "xianqi"]) == 0
    out = capsys.readouterr().out
    assert f"rules version {game.rules.version}" in out.splitlines()[0]
    for option in game.rules.options:
        assert f"option {option.name} = {option.show(option.default)}" in out
    for name in agents_of(game):
        assert f"agent {name} " in out


def test_the_reference_covers_every_byte_of_an_observation() -> None:
    text = reference(GAME)
    rows = [row for row in text.splitlines() if row.startswith("| ") and row[2].isdigit()]
    assert len(rows) == len(GAME.rules.observation)
    assert rows[-1].split()[1].split("-")[-1] == str(GAME.observation_size - 1)
    assert "| `spoils` | off | off, on |" in text


def test_layouts_list_every_feature_and_every_action(capsys: pytest.CaptureFixture[str]) -> None:
    game = get("skill_gomoku")
    assert main(["games", "skill_gomoku", "--observation", "--actions"]) == 0
    first, second = capsys.readouterr().out.strip().split("\n\n")
    rows = [line.split() for line in first.splitlines()[1:]]
    assert [(row[0].split("-")[0], row[1]) for row in rows] == [
        (str(f.start), f.name) for f in game.rules.observation
    ]
    assert game.observation_digest[:16] in first and "flag, 15 x 15" in first
    said = [line.split(maxsplit=1) for line in second.splitlines()[1:]]
    assert [int(number) for number, _ in said] == list(range(game.rules.actions))
    assert all(game.words.parse(text) == int(number) for number, text in said)


def test_a_layout_is_that_of_a_named_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--actions"]) == 2
    assert "[text/bad]" in capsys.readouterr().err


def test_a_game_of_another_package_is_listed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_added", {})
    register("hush", GAME)
    main(["games"])
    assert any(line.startswith("hush ") for line in capsys.readouterr().out.splitlines())


def test_an_unknown_game_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "chess"]) == 2
    assert "[game/unknown]" in capsys.readouterr().err
