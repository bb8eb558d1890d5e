"""A series of Xianqi: what the next hand inherits."""

from __future__ import annotations

from qipai.core import Player
from qipai.match import Series


def test_the_limits_of_the_first_game_never_come_back() -> None:
    series = Series("xianqi", {"first_game_limits": "on", "eight_pillars": "on"}, seed=bytes(32))
    player = Player("xianqi", "random", seed=3)
    limits = []
    for _ in range(4):
        match = series.next()
        limits.append(match.options["first_game_limits"])
        assert match.options["eight_pillars"] == "on"
        while not match.over:
            match.act(match.seat, player.move(match.state))
    assert limits == ["on", "off", "off", "off"]
    assert sum(series.chips) == 0
