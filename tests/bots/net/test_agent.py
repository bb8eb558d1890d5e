"""The agent `net`: there as soon as its weights are, and only for the shape of the game they are for."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from qipai.bots.net import agent as module
from qipai.bots.net.agent import Loaded, NetAgent, place_of, shipped_agent, spec_of_file, weights_path
from qipai.bots.net.infer import check_header, load_net
from qipai.bots.net.quantize import FILE_MOST
from qipai.bots.net.weights import read_header
from qipai.core import Player, agents_of, bots_of, get
from qipai.core.errors import BadWeights, ForeignWeights
from qipai.core.registry import OURS

from .nets import MLP, make_net, small_gomoku

GAME = get("xianqi")


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let xianqi's package ship weights; other games ship none."""
    path = tmp_path / "bots" / "net.qnet"
    path.parent.mkdir()
    monkeypatch.setattr(module, "weights_path", lambda game: path if game.name == "xianqi" else None)
    module._shipped.clear()
    yield path
    module._shipped.clear()


@pytest.mark.parametrize("name", OURS)
def test_every_game_ships_weights_for_its_rules_and_its_observation(name: str) -> None:
    """`make weights GAME=...` makes them again after a change of rules or observation."""
    path = weights_path(get(name))
    assert path is not None and path.is_file()
    assert path.stat().st_size <= FILE_MOST
    load_net(path, get(name))
    header = read_header(path)
    check_header(header, get(name))
    assert header["command"].startswith(f"qipai train {name}")
    assert "net" in agents_of(get(name))


def test_a_game_has_the_agent_as_soon_as_it_has_the_file(shipped: Path, tmp_path: Path) -> None:
    assert shipped_agent(GAME) is None and "net" not in agents_of(GAME)
    make_net(tmp_path, GAME, MLP)
    shutil.copy(tmp_path / "net.qnet", shipped)
    module._shipped.clear()
    spec = shipped_agent(GAME)
    assert spec is not None and agents_of(GAME)["net"] is spec is shipped_agent(GAME)
    assert (GAME.agent_name("net"), GAME.agent_name("net", "zh")) == ("Net", "神经网络")
    net = load_net(shipped, GAME)
    s = GAME.new(words=(1, 2, 3, 4))
    player = Player(GAME, "net", seed=9)
    while s["seat"] >= 0:
        seat = int(s["seat"])
        for action in player.move(s):
            assert action == net.act(GAME.observation_of(s, seat), GAME.mask(s))
            GAME.rules.apply(s, action)


def test_weights_that_are_altered_or_for_something_else_do_not_take_other_agents_down(
    shipped: Path, tmp_path: Path
) -> None:
    game = small_gomoku()
    make_net(tmp_path, game, {"kind": "conv", "channels": 4, "blocks": 1})
    for data in (b"nothing", (tmp_path / "net.qnet").read_bytes()):
        shipped.write_bytes(data)
        module._shipped.clear()
        assert list(bots_of(GAME)) == ["random", "search", "heuristic"]


def test_an_agent_chooses_by_what_its_seat_observes_alone(tmp_path: Path) -> None:
    """Two worlds that look the same to the seat give the same move."""
    make_net(tmp_path, GAME, MLP)
    spec = spec_of_file(tmp_path / "net.qnet", GAME, "mine")
    s = GAME.new(words=(1, 2, 3, 4))
    seat = int(s["seat"])
    moves = {tuple(Player(GAME, spec, seed=k).move(GAME.redrawn(s, seat, (k, 1, 1, 1)))) for k in range(8)}
    assert len(moves) == 1


def test_equal_files_make_equal_agents(tmp_path: Path) -> None:
    make_net(tmp_path, GAME, MLP)
    shutil.copy(tmp_path / "net.qnet", tmp_path / "same.qnet")
    one, same = (spec_of_file(tmp_path / name, GAME, "mine") for name in ("net.qnet", "same.qnet"))
    assert one == same and isinstance(one.make, Loaded)
    make_net(tmp_path, GAME, MLP, seed=1)
    assert spec_of_file(tmp_path / "net.qnet", GAME, "mine") != one


def test_a_net_stays_as_it_was_read_when_its_file_changes(tmp_path: Path) -> None:
    make_net(tmp_path, GAME, MLP)
    spec = spec_of_file(tmp_path / "net.qnet", GAME, "mine")
    (tmp_path / "net.qnet").write_bytes(b"gone")
    assert isinstance(spec.make(GAME, None), NetAgent)  # type: ignore[arg-type]
    with pytest.raises(BadWeights):
        spec_of_file(tmp_path / "net.qnet", GAME, "mine")


def test_a_file_of_another_game_is_refused(tmp_path: Path) -> None:
    make_net(tmp_path, GAME, MLP)
    with pytest.raises(ForeignWeights, match="the net has game 'xianqi', but nana has 'nana'"):
        spec_of_file(tmp_path / "net.qnet", get("nana"), "mine")


@pytest.mark.parametrize(("said", "place"), [(3, 3), (None, 1), (True, 1), (-1, 1), ("9", 1), (100, 1)])
def test_the_header_says_how_strong_it_is_meant_to_be(said: object, place: int) -> None:
    assert [place_of({key: said}) for key in ("place", "rank", "level")] == [place] * 3


def test_weights_lie_in_the_package_of_the_rules() -> None:
    assert str(weights_path(GAME)).endswith("src/qipai/games/xianqi/bots/net.qnet")
