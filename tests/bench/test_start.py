"""Timing a fresh process."""

from __future__ import annotations

import json

import pytest

from qipai.bench import start, time_start
from qipai.core.errors import BadGame


@pytest.mark.slow
def test_a_warm_start_compiles_nothing() -> None:
    found = time_start("xianqi")
    assert 0 < found.warm_load < found.cold_compile
    assert found.cold > found.cold_compile and found.warm > found.warm_load


def test_a_game_that_does_not_start_is_refused_with_its_own_words() -> None:
    with pytest.raises(BadGame, match="no game is called 'chess'"):
        time_start("chess")


def test_the_process_prints_one_number(capsys: pytest.CaptureFixture[str]) -> None:
    assert start.main("xianqi") == 0
    assert json.loads(capsys.readouterr().out) > 0
    assert start.main("chess") == 2
    assert "chess" in capsys.readouterr().err
