"""`qipai serve`: what cannot be is refused in a sentence before anything is opened."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from qipai.cli import main
from qipai.core import agent, get
from tests.bots.net.nets import MLP, make_net


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["serve", "--no-open", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    return err


def test_several_workers_need_postgresql(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    said = refused(capsys, "--workers", "2", "--database", f"sqlite:///{tmp_path}/server.db")
    assert "PostgreSQL" in said and "[server/bad]" in said


def test_a_port_in_use_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        said = refused(capsys, "--port", port, "--database", f"sqlite:///{tmp_path}/server.db")
    assert port in said and "[server/bad]" in said


@pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "nonsense"])
def test_a_database_of_another_kind_is_refused(capsys: pytest.CaptureFixture[str], url: str) -> None:
    assert "[database/bad]" in refused(capsys, "--database", url)


@pytest.mark.parametrize("arguments", [("--workers", "0"), ("--port", "0"), ("--port", "70000")])
def test_numbers_out_of_range_are_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, str]
) -> None:
    assert "[server/bad]" in refused(capsys, *arguments)


def test_the_net_of_a_run_folder_is_read_before_anything_is_opened(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a port in use: a good folder passes, and the port is what is refused; a bad one is named."""
    monkeypatch.setattr(agent, "_added", {})
    (tmp_path / "run-1").mkdir()
    make_net(tmp_path / "run-1", get("xianqi"), MLP)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        place = ["--port", str(taken.getsockname()[1]), "--database", f"sqlite:///{tmp_path}/server.db"]
        assert "[server/bad]" in refused(capsys, *place, "--bot", str(tmp_path / "run-1"))
        assert "[weights/bad]" in refused(capsys, *place, "--bot", str(tmp_path))
