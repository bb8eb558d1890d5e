"""Other libraries as contenders: what they are compared with, and what counts as a decision."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from qipai.bench.peers import BATCH, LIBRARIES, Contender
from qipai.core import names


def test_random_play_of_a_library_counts_decisions_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenSpiel's history holds chance moves too (player -1): they are not decisions."""
    moves = [SimpleNamespace(player=p) for p in (-1, 0, 1, -1, 0)]
    fake: Any = ModuleType("pyspiel")
    fake.load_game = lambda name: SimpleNamespace(
        num_players=lambda: 2, new_initial_state=lambda: SimpleNamespace(full_history=lambda: moves)
    )
    fake.make_uniform_random_bot = lambda player, seed: (player, seed)
    games: list[Any] = []
    fake.evaluate_bots = lambda state, bots, seed: games.append(bots)
    monkeypatch.setitem(sys.modules, "pyspiel", fake)
    play = Contender("OpenSpiel", "any", False, (), "openspiel").load()
    decisions, seconds = play(0.01)
    assert decisions == 3 * len(games) and seconds >= 0.01


def test_every_game_of_ours_can_be_held_against_some_library() -> None:
    like = {ours for library in LIBRARIES for _, games in library.games for ours in games}
    assert like == set(names())


def test_a_contender_is_named_with_its_library_and_whether_it_observes() -> None:
    assert Contender("RLCard", "uno", True).name == "RLCard uno +obs"
    assert Contender("RLCard", "uno", False).name == "RLCard uno"


def test_our_own_games_count_every_lane(monkeypatch: pytest.MonkeyPatch) -> None:
    decisions, seconds = Contender("qipai", "xianqi", False, (), "qipai").load()(0.01)
    assert decisions >= BATCH and decisions % BATCH == 0 and seconds > 0
