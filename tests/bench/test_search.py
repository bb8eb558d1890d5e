"""Simulations per second, next to those of another program."""

from __future__ import annotations

import json
import stat
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the script."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
    return import_module("search")


def test_our_search_has_a_rate(script: ModuleType) -> None:
    assert script.ours("kuhn_poker", 200) > 0 and script.ours("kuhn_poker", 200, flat=True) > 0


def test_the_table_compares_with_each_bot_of_the_peer(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    peer = tmp_path / "python"
    peer.write_text('#!/bin/sh\n[ "$4" = "C++ MCTS" ] && echo 500.0 || echo 250.0\n')
    peer.chmod(peer.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(script, "ours", lambda name, flat=False: 2000.0 if flat else 1000.0)
    monkeypatch.setattr(sys, "argv", ["search", "--peer", str(peer), "--rounds", "1", "--json"])
    assert script.main() == 0
    rows = json.loads(capsys.readouterr().out)
    assert {(r["game"], r["search"]): r["ratio"] for r in rows} == {
        (game, search): ratio
        for game in script.GAMES
        for search, ratio in (
            ("qipai", 1.0),
            ("qipai, flat", 0.5),
            ("C++ ISMCTS", 4.0),
            ("C++ MCTS", 2.0),
            ("python ISMCTS", 4.0),
        )
    }
    monkeypatch.setattr(sys, "argv", ["search", "--rounds", "1"])
    assert script.main() == 0 and "qipai" in capsys.readouterr().out


@pytest.mark.skipif(not find_spec("pyspiel"), reason="OpenSpiel is not installed (pip install open_spiel)")
def test_the_bots_of_openspiel_are_measured(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "KINDS", dict.fromkeys(script.KINDS, 20))
    assert all(script.theirs(sys.executable, "kuhn_poker", kind) > 0 for kind in script.KINDS)
