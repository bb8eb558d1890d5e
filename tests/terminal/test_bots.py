"""Who plays against the person: names from the command line, and how they fill the seats."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.core import get, strongest
from qipai.core.errors import BadCount, BadSeats, ForeignWeights, UnknownAgent
from qipai.terminal.bots import bot_names, player_kind
from tests.bots.net.nets import MLP, make_net

GAME = get("xianqi")


@pytest.mark.parametrize(
    ("given", "count", "names"),
    [
        (None, 2, [strongest(GAME)] * 2),
        ("random", 2, ["random", "random"]),
        ("random, human", 3, ["random", "human", strongest(GAME)]),
        ("human,random", 2, ["human", "random"]),
        ("search@500, net~t1", 2, ["search@500", "net~t1"]),
    ],
)
def test_the_last_bot_named_fills_the_seats_that_are_left(given: str, count: int, names: list[str]) -> None:
    assert bot_names(GAME, given, count) == names


def test_a_bot_may_be_the_net_of_a_training_run(tmp_path: Path) -> None:
    make_net(tmp_path, GAME, MLP)
    assert bot_names(GAME, f"random,{tmp_path}", 3) == ["random", str(tmp_path), str(tmp_path)]
    with pytest.raises(ForeignWeights):
        bot_names(get("nana"), str(tmp_path), 1)


def test_unknown_and_too_many_bots_are_refused() -> None:
    with pytest.raises(UnknownAgent):
        bot_names(GAME, "nobody", 2)
    with pytest.raises(UnknownAgent):
        bot_names(GAME, "repeater", 2)  # a sparring partner is for contests
    with pytest.raises(BadCount):
        bot_names(GAME, "search@0", 2)
    with pytest.raises(BadSeats):
        bot_names(GAME, "random,random,random", 2)


def test_a_player_is_called_in_the_language_of_the_screen() -> None:
    called = [player_kind(GAME, name, lang) for name in ("heuristic", "human") for lang in ("en", "zh", "ja")]
    assert called == ["Heuristic", "记牌手", "記憶派", "human", "真人", "人間"]
    assert player_kind(GAME, "runs/mine", "zh") == "runs/mine"
