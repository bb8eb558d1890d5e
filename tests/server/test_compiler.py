"""The process that compiles games."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from qipai.core import Game, State, bots_of, get
from qipai.server import compiler
from qipai.server.compiler import Compiler


def nothing(done: int, total: int, what: str) -> None:
    """Take progress and do nothing with it."""


def test_a_game_that_is_not_installed_there_is_reported() -> None:
    made = Compiler()
    try:
        assert not made.compile("no_such_game", {}, nothing)
    finally:
        made.close()


def test_a_process_that_cannot_start_is_a_failure_and_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "COMMAND", [sys.executable, "-c", "raise SystemExit(3)"])
    made = Compiler()
    assert not made.compile("nana", {}, nothing)
    made.close()


def test_progress_is_passed_on_until_the_game_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [{"progress": [1, 2, "deal"]}, {"progress": [2, 2, ""]}, {"done": True}]
    script = f"print(input() and '''{chr(10).join(map(json.dumps, lines))}''', flush=True); input()"
    monkeypatch.setattr(compiler, "COMMAND", [sys.executable, "-c", script])
    told: list[tuple[int, int, str]] = []
    made = Compiler()
    try:
        assert made.compile("nana", {}, lambda *args: told.append(args))
    finally:
        made.close()
    assert told == [(1, 2, "deal"), (2, 2, "")]


def test_the_process_ends_with_its_input() -> None:
    done = subprocess.run(compiler.COMMAND, input="", text=True, timeout=120, check=False)
    assert done.returncode == 0


@pytest.mark.slow
def test_everything_that_a_table_needs_is_made_ready() -> None:
    game = get("nana")
    compiler.make_ready(game)
    assert game.compiled


def test_no_bot_is_made_ready_once_the_server_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    moved: list[str] = []

    class Bot:
        def __init__(self, game: Game, agent: str) -> None:
            self.agent = agent

        def move(self, state: State) -> None:
            moved.append(self.agent)

    monkeypatch.setattr(compiler, "Player", Bot)
    game = get("nana")
    compiler.make_ready(game, ended=lambda: len(moved) == 2)
    assert moved == list(bots_of(game))[:2]
