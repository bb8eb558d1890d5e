"""`qipai export`: a net as an ONNX file, as weights to ship, and how those were made."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from qipai.bots.net import Encoding, export_net, load_net, read_header
from qipai.cli import main
from qipai.commands.export import recipe
from qipai.core import agents_of, get
from qipai.core.errors import BadWeights
from qipai.core.registry import OURS
from tests.bots.net.nets import MLP, make_net, random_weights

GAME = get("xianqi")
ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_net(tmp_path, GAME, MLP)
    return tmp_path


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["export", *arguments]) == 2
    return capsys.readouterr().err


def test_a_net_becomes_an_onnx_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder / "net.onnx"
    assert main(["export", "xianqi", "--agent", str(folder), "--out", str(out)]) == 0
    assert f"{out.stat().st_size} bytes, mlp of xianqi" in capsys.readouterr().out
    assert out.stat().st_size > 100_000


def test_weights_to_ship_have_a_rank_and_play_as_before(folder: Path) -> None:
    out = folder / "shipped.qnet"
    assert main(["export", "xianqi", "--agent", str(folder), "--place", "3", "--out", str(out)]) == 0
    before = load_net(folder / "net.qnet", GAME)
    assert read_header(out) == before.header | {"place": 3}
    assert {n: a.tobytes() for n, a in load_net(out, GAME).arrays.items()} == {
        n: a.tobytes() for n, a in before.arrays.items()
    }


def test_what_cannot_be_exported_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(folder / "net.onnx")
    assert "[text/bad]" in refused(capsys, "xianqi", "--agent", str(folder))
    assert "[text/bad]" in refused(capsys, "xianqi", "--agent", str(folder), "--out", "net.pt")
    assert "'heuristic' does not use a net" in refused(capsys, "xianqi", "--agent", "heuristic", "--out", out)
    assert "[weights/foreign]" in refused(capsys, "nana", "--agent", str(folder), "--out", out)
    assert "[agent/unknown]" in refused(capsys, "xianqi", "--agent", "nobody", "--out", out)
    place = ("--place", "100", "--out", str(folder / "a.qnet"))
    assert "[count/bad]" in refused(capsys, "xianqi", "--agent", str(folder), *place)
    assert not Path(out).exists() and not (folder / "a.qnet").exists()


def test_the_recipe_is_the_recorded_commands_and_the_export(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "net.qnet"
    monkeypatch.setattr("qipai.bots.net.agent.weights_path", lambda game: path)
    with pytest.raises(BadWeights, match="ships no weights"):
        recipe(GAME)
    code = Encoding.of(GAME)
    weights = random_weights(GAME, MLP, code)
    command = "qipai train xianqi --minutes 8 --out runs/a\nqipai train xianqi --resume --out 'runs/a b'"
    export_net(path, GAME, MLP, weights, code, {"command": command, "rank": 2})
    assert main(["export", "xianqi", "--recipe"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "\n".join(lines[:2]) == command
    ship = ["--agent", "runs/a b", "--place", "2", "--out", str(path)]
    assert shlex.split(lines[2]) == ["qipai", "export", "xianqi", *ship]
    for odd in (
        "",
        "rm -rf x --out y",
        "qipai train nana --out x",
        "qipai train xianqi",
        "qipai train xianqi --out",
    ):
        export_net(path, GAME, MLP, weights, code, {"command": odd})
        with pytest.raises(BadWeights, match="do not say which command made them"):
            recipe(GAME)


def test_a_recipe_names_files_of_the_working_directory_and_folders_that_it_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bots" / "net.qnet"
    path.parent.mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("qipai.bots.net.agent.weights_path", lambda game: path)
    code = Encoding.of(GAME)
    first = "qipai train xianqi --from heuristic --out runs/a"
    second = "qipai train xianqi --from /elsewhere/net.qnet --out runs/b"
    command = f"{first}\n{second}\nqipai train xianqi --resume --out runs/b"
    export_net(path, GAME, MLP, random_weights(GAME, MLP, code), code, {"command": command, "place": 2})
    assert recipe(GAME) == [
        first,
        "qipai train xianqi --from runs/a --out runs/b",
        "qipai train xianqi --resume --out runs/b",
        f"qipai export xianqi --agent runs/b --place 2 --out {Path('bots') / 'net.qnet'}",
    ]


@pytest.mark.parametrize("game", OURS)
def test_every_shipped_recipe_is_whole(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first command starts from random weights or a bot, and no command names a place of one machine."""
    monkeypatch.chdir(ROOT)
    lines = [shlex.split(line) for line in recipe(get(game))]
    assert lines[-1][-1] == f"src/qipai/games/{game}/bots/net.qnet"
    made: set[str] = set()
    for line in lines[:-1]:
        start = line[line.index("--from") + 1] if "--from" in line else ""
        assert start in (made or {"", *agents_of(get(game))} - {"net"})
        made.add(line[line.index("--out") + 1])
    assert not any(word.startswith(("/", "src/")) for line in lines[:-1] for word in line)
    header = read_header(ROOT / "src" / "qipai" / "games" / game / "bots" / "net.qnet")
    assert [shlex.join(line) for line in lines[:-1]] == str(header["command"]).splitlines()


def test_a_recipe_runs_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`make weights` gives it to a shell: whatever a header holds is quoted."""
    path = tmp_path / "net.qnet"
    monkeypatch.setattr("qipai.bots.net.agent.weights_path", lambda game: path)
    code = Encoding.of(GAME)
    command = "qipai train xianqi --out x; touch y `id` $(id) > z"
    export_net(path, GAME, MLP, random_weights(GAME, MLP, code), code, {"command": command})
    first, ship = recipe(GAME)
    assert first == "qipai train xianqi --out 'x;' touch y '`id`' '$(id)' '>' z"
    assert shlex.split(ship)[4] == "x;"
