"""Starting the server: invalid arguments are refused in a sentence before anything listens."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path

import pytest

from qipai.core import agent, bots_of, get
from qipai.core.errors import BadWeights, UnknownAgent
from qipai.server.catalog import describe
from qipai.server.main import (
    DATABASE,
    SETTINGS,
    Options,
    add_bots,
    check_user,
    database_url,
    given_url,
    guarded,
    read_settings,
    read_url,
    serve,
)
from qipai.server.refusals import BadDatabase, BadServer
from qipai.server.settings import Settings
from tests.bots.net.nets import MLP, make_net


def never() -> None:
    raise AssertionError("the server must not listen")


@pytest.mark.parametrize(("port", "workers"), [(0, 1), (65536, 1), (8140, 0), (8140, 65), (8140, 2)])
def test_impossible_wishes_are_refused(port: int, workers: int, tmp_path: Path) -> None:
    options = Options("127.0.0.1", port, f"sqlite:///{tmp_path}/a.db", workers)
    with pytest.raises(BadServer):
        serve(options, never)


def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(BadServer, match=str(port)):
            serve(Options("127.0.0.1", port, f"sqlite:///{tmp_path}/a.db"), never)


def test_workers_read_the_settings_of_the_first_process(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"database": "sqlite:///x.db", "bot_pace": [0.1, 0.2], "unknown": 3}
    monkeypatch.setenv(SETTINGS, json.dumps(given))
    settings = read_settings({"workers": 2, "database": ""})
    assert (settings.database, settings.bot_pace, settings.workers) == ("sqlite:///x.db", (0.1, 0.2), 2)


def test_the_database_can_be_named_in_a_file(tmp_path: Path) -> None:
    """Other accounts of the machine see the arguments of a process, and a password in them."""
    (tmp_path / "url").write_text("postgresql://a:secret@host/b\n")
    assert read_url(f"@{tmp_path}/url") == "postgresql://a:secret@host/b"
    assert read_url("sqlite:///x.db") == "sqlite:///x.db"
    (tmp_path / "empty").touch()
    for bad in ("missing", "empty", "."):
        with pytest.raises(BadServer):
            serve(Options("127.0.0.1", 8140, f"@{tmp_path}/{bad}"), never)


def test_the_database_can_be_named_in_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "url").write_text("postgresql://a:secret@host/b\n")
    monkeypatch.setenv(DATABASE, f"@{tmp_path}/url")
    assert database_url("") == "postgresql://a:secret@host/b"
    assert database_url("sqlite:///x.db") == "sqlite:///x.db"
    monkeypatch.delenv(DATABASE)
    assert database_url("").endswith("/qipai/server.db")


@pytest.mark.parametrize(
    ("url", "visible"),
    [
        ("postgresql://ann:geheim@host/name", True),
        ("postgresql+psycopg://ann:geheim@/name?host=/run/postgresql", True),
        ("postgresql://ann@host/name?password=geheim", True),
        ("postgresql://ann@host/name", False),
        ("sqlite:////var/lib/geheim:x@y.db", False),
        ("nonsense", False),
        ("", False),
    ],
)
def test_a_password_that_everyone_can_see_is_warned_of(
    url: str,
    visible: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The warning names both other ways and not the password; those ways are quiet."""
    assert given_url(url) == url
    said = capsys.readouterr().err
    assert ("warning" in said, "@FILE" in said, DATABASE in said) == (visible,) * 3
    assert "geheim" not in said
    (tmp_path / "url").write_text(url or "sqlite:///x.db")
    given_url(f"@{tmp_path}/url")
    monkeypatch.setenv(DATABASE, url)
    assert given_url("") == url
    assert capsys.readouterr().err == ""


def test_the_server_warns_of_a_visible_password_before_it_starts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also if it then cannot reach the database."""
    monkeypatch.delenv(SETTINGS, raising=False)
    with pytest.raises(BadDatabase):
        serve(Options("127.0.0.1", 8140, "mysql://ann:geheim@host/name"), never)
    said = capsys.readouterr().err
    assert "--database @FILE" in said and "geheim" not in said


def test_root_is_warned_here_and_refused_beyond(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    check_user(Options("127.0.0.1", 8140))
    assert "runs as root" in capsys.readouterr().err
    for host in ("0.0.0.0", "::", "192.0.2.1"):
        with pytest.raises(BadServer, match="--as-root"):
            serve(Options(host, 8140), never)
        check_user(Options(host, 8140, as_root=True))
        assert "runs as root" in capsys.readouterr().err
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    check_user(Options("0.0.0.0", 8140))
    assert capsys.readouterr().err == ""


def test_a_server_for_this_machine_knows_its_own_name_only() -> None:
    for host in ("127.0.0.1", "localhost", "::1"):
        assert guarded(Settings(), host).hosts == ("localhost",)
    assert guarded(Settings(), "0.0.0.0").hosts == ()
    assert guarded(Settings(proxies=("127.0.0.1",)), "127.0.0.1").hosts == ()
    assert guarded(Settings(hosts=("x.org",)), "127.0.0.1").hosts == ("x.org",)


def test_the_net_of_a_run_is_offered_as_a_bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every worker adds it; guests then name it like any other bot, and never a file."""
    monkeypatch.setattr(agent, "_added", {})
    (tmp_path / "run-1").mkdir()
    make_net(tmp_path / "run-1", get("xianqi"), MLP)
    monkeypatch.setenv(SETTINGS, json.dumps({"bots": [str(tmp_path / "run-1")]}))
    for _ in range(2):
        add_bots(read_settings({}))
    assert list(bots_of(get("xianqi"))) == [
        "random",
        "run-1",
        *(f"level{k}" for k in range(1, 7)),
        "search",
        "heuristic",
        "net",
    ]
    info = next(a for a in describe(get("xianqi")).agents if a.name == "run-1")
    assert info.title == dict.fromkeys(("en", "zh", "ja"), "run-1") and all(info.about.values())


def test_a_bot_that_cannot_play_is_refused_before_anything_listens(tmp_path: Path) -> None:
    (tmp_path / "bad.qnet").write_bytes(b"no weights")
    for name, error in (("bad.qnet", BadWeights), ("missing.qnet", BadWeights), ("heuristic", UnknownAgent)):
        options = Options("127.0.0.1", 8140, f"sqlite:///{tmp_path}/a.db", bots=(str(tmp_path / name),))
        with pytest.raises(error):
            serve(options, never)
    assert not (tmp_path / "a.db").exists()
