"""Agents by name, by a training run's folder and by a file; what cannot play is refused by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import pytest

from qipai.arena import run
from qipai.bots.find import add_file, find_agent, full_name
from qipai.cli import main
from qipai.core import Player, agents_of, bots_of, get
from qipai.core import agent as core_agent
from qipai.core.errors import BadAgent, BadCount, BadWeights, ForeignWeights, UnknownAgent
from tests.bots.net.nets import MLP, make_net, small_gomoku

GAME = get("xianqi")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a training run."""
    path = tmp_path / "run-1"
    path.mkdir()
    make_net(path, GAME, MLP)
    return path


@pytest.fixture
def no_additions(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(core_agent, "_added", {})
    yield


def test_a_name_a_folder_and_a_file_are_found(folder: Path) -> None:
    assert find_agent(GAME, "heuristic") is agents_of(GAME)["heuristic"]
    for text in (str(folder), str(folder / "net.qnet")):
        spec = find_agent(GAME, text)
        assert spec.name == text
        assert find_agent(GAME, spec) is spec
    assert find_agent(GAME, str(folder)).make == find_agent(GAME, str(folder / "net.qnet")).make


def test_a_name_wins_over_a_folder_of_the_same_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / "heuristic").mkdir()
    assert find_agent(GAME, "heuristic") is agents_of(GAME)["heuristic"]


@pytest.mark.parametrize("text", ["", "nobody", "../no/such", "a\0b", "run.txt", "x" * 5000])
def test_what_is_nothing_is_refused_with_what_there_is(text: str) -> None:
    known = ", ".join(agents_of(GAME))
    also = "a training run's folder, a .qnet file, or FILE.py:SPEC"
    with pytest.raises(UnknownAgent, match=f"known: {known}, {also}"):
        find_agent(GAME, text)


def test_what_is_not_text_is_refused() -> None:
    odd: Any = 3
    with pytest.raises(UnknownAgent, match="must be a string, not 3"):
        find_agent(GAME, odd)


def test_what_cannot_play_is_refused_by_what_is_wrong_with_it(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(BadWeights, match="cannot be read: No such file"):
        find_agent(GAME, str(tmp_path / "missing.qnet"))
    with pytest.raises(BadWeights, match=r"contains no net\.qnet"):
        find_agent(GAME, str(tmp_path))
    with pytest.raises(ForeignWeights, match="the net has game"):
        find_agent(get("nana"), str(folder))
    (folder / "net.qnet").write_bytes((folder / "net.qnet").read_bytes()[:-1])
    with pytest.raises(BadWeights, match="truncated"):
        find_agent(GAME, str(folder))


def test_shipped_weights_that_do_not_fit_say_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "net.qnet"
    monkeypatch.setattr("qipai.bots.find.weights_path", lambda game: path)
    monkeypatch.setattr("qipai.bots.net.agent.weights_path", lambda game: path)
    monkeypatch.setattr("qipai.bots.net.agent._shipped", WeakKeyDictionary())
    with pytest.raises(UnknownAgent):
        find_agent(GAME, "net")
    path.write_bytes(b"not weights")
    with pytest.raises(BadWeights, match="does not begin as one"):
        find_agent(GAME, "net")


def test_a_contest_takes_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same on the command line as in Python, and the same whenever it is played."""
    name = str(folder)
    first, again = (run(GAME, [name, "random"], 2, seed=4, threads=1).to_json() for _ in range(2))
    assert first == again
    arguments = ["--agents", f"{name},random", "--deals", "2", "--seed", "4", "--threads", "1", "--json"]
    assert main(["arena", "xianqi", *arguments]) == 0
    assert name in capsys.readouterr().out
    assert main(["arena", "nana", *arguments]) == 2
    assert "[weights/foreign]" in capsys.readouterr().err


def test_an_added_file_is_known_by_its_name_from_then_on(folder: Path, no_additions: None) -> None:
    games, spec = add_file(str(folder))
    assert (games, spec.name) == (("xianqi",), "run-1")
    assert agents_of(GAME)["run-1"] is spec and "run-1" not in agents_of(get("nana"))
    assert Player(GAME, "run-1").move(GAME.new())
    assert add_file(str(folder / "net.qnet"))[1] == spec  # again, as another worker does


def test_a_description_is_added_to_every_game_that_has_it(no_additions: None) -> None:
    assert "search@7" not in bots_of(GAME)
    games, spec = add_file("search@7")
    assert {"xianqi", "nana"} <= set(games) and spec.name == "search@7"
    assert bots_of(GAME)["search@7"] == spec and add_file("search@7") == (games, spec)
    assert add_file("net~t1~m0.5")[0] == ("nana",)  # the only game of memory
    for text, error in (("search@0", BadCount), ("net~t99", BadAgent), ("nobody~t1", UnknownAgent)):
        with pytest.raises(error):
            add_file(text)
    assert (full_name("search@7"), full_name("mine.qnet")) == ("search@7", str(Path("mine.qnet").absolute()))


def test_an_added_file_belongs_to_its_shape_of_the_game(tmp_path: Path, no_additions: None) -> None:
    game = small_gomoku()
    make_net(tmp_path, game, {"kind": "conv", "channels": 4, "blocks": 1})
    with pytest.raises(ForeignWeights, match="the net has observation"):
        add_file(str(tmp_path / "net.qnet"))  # tables offer what plays the default board
    assert "net" not in agents_of(game)  # nor does the shipped net of the default board


def test_an_added_file_needs_a_name_of_its_own(tmp_path: Path, folder: Path, no_additions: None) -> None:
    for name, text in (("heuristic", "already has an agent heuristic"), ("a b", "is not a valid agent name")):
        other = folder.rename(tmp_path / name)
        with pytest.raises(UnknownAgent, match=text):
            add_file(str(other))
        folder = other
    with pytest.raises(UnknownAgent, match="neither a training run's folder nor a"):
        add_file("heuristic")
    assert list(bots_of(GAME)) == [
        "random",
        *(f"level{k}" for k in range(1, 7)),
        "search",
        "heuristic",
        "net",
    ]


def test_memory_is_refused_at_once_in_a_game_without_it() -> None:
    with pytest.raises(BadAgent, match="not a game of memory"):
        find_agent(get("xianqi"), "net~m0.5")
