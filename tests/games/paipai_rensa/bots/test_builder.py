"""The bots: fair, legal, better than chance."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.core import Player, bots_of
from qipai.core.agent import agent_words, sight
from qipai.games.paipai_rensa import GAME
from qipai.games.paipai_rensa.bots import BUILDER, Budget, Builder

from ..strength import games, match

SMALL = Budget(worlds=2, depth=3, width=8)


def test_bots_by_name_from_weak_to_strong() -> None:
    assert list(bots_of(GAME)) == [
        "random",
        *(f"level{k}" for k in range(1, 7)),
        "search",
        "greedy",
        "net",
        "builder",
    ]


def test_a_builder_decides_the_same_in_worlds_it_cannot_tell_apart() -> None:
    s = GAME.new(words=(4, 4, 4, 4))
    other = GAME.redrawn(s, 0, (1, 2, 3, 4))
    assert s["deck"].tolist() != other["deck"].tolist()
    moves = []
    for world in (s, other):
        bot = Builder(GAME, agent_words(GAME, 1, 1), SMALL)
        words = agent_words(GAME, 1, 2)
        moves.append([bot.act(sight(GAME, world, 0, words)) for _ in range(3)])
        assert bot.totals.any()
    assert moves[0] == moves[1]


def test_players_make_whole_moves() -> None:
    player = Player(GAME, "greedy", seed=1)
    s = GAME.new(layout={"phase": "alloc", "hand": "zE", "collected": "m1 m2 m3 m4", "deck": "p1 p2"})
    assert player.move(s) == [24] * 5
    assert GAME.new()["phase"] == 2 and len(player.move(GAME.new())) == 1


def test_greedy_beats_the_cpu_and_random_does_not() -> None:
    greedy = match("greedy", 6, seed=3)
    assert greedy["mean"] > 5000 and greedy["lost_tiles"] == 0
    assert match("random", 6, seed=3)["mean"] < 0


@pytest.mark.slow
def test_a_small_builder_beats_greedy_by_far() -> None:
    assert float(np.mean(games(SMALL, 6, seed=3))) > 20_000


def test_the_budget_of_the_builder_is_a_number_of_nodes() -> None:
    assert BUILDER.worlds * BUILDER.depth * BUILDER.width * 22 < 120_000
