"""The example of a custom bot: it plays any game, beats random play, and a contest can be repeated."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

PLACE = Path(__file__).parents[2] / "examples" / "playout_bot.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("playout_bot", PLACE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_beats_random_play_and_prints_the_standings(
    example: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    standings = example.main(["--worlds", "4", "--deals", "12", "--opponents", "random"])
    chips = standings.pairs[0].chips
    assert chips.mean - chips.half > 0
    assert "playouts over random: +" in capsys.readouterr().out


def test_the_same_seed_gives_the_same_standings(example: ModuleType) -> None:
    first, again = (example.contest("xianqi", 2, ["random"], deals=2, seed=9) for _ in range(2))
    assert first == again
