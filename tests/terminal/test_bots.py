"""Who plays against the person: names from the command line, and how they fill the seats."""

from __future__ import annotations

import pytest

from qipai.core import get
from qipai.core.errors import BadSeats, UnknownAgent
from qipai.terminal.bots import bot_names, strongest

GAME = get("xianqi")


@pytest.mark.parametrize(
    ("given", "count", "names"),
    [
        (None, 2, [strongest(GAME)] * 2),
        ("random", 2, ["random", "random"]),
        ("random, human", 3, ["random", "human", strongest(GAME)]),
        ("human,random", 2, ["human", "random"]),
    ],
)
def test_the_last_bot_named_fills_the_seats_that_are_left(given: str, count: int, names: list[str]) -> None:
    assert bot_names(GAME, given, count) == names


def test_unknown_and_too_many_bots_are_refused() -> None:
    with pytest.raises(UnknownAgent):
        bot_names(GAME, "nobody", 2)
    with pytest.raises(BadSeats):
        bot_names(GAME, "random,random,random", 2)
