"""The bots: fair, legal, better than chance; the bitboards they think on against the rules."""

from __future__ import annotations

import random

import numpy as np
import pytest
from numpy.typing import NDArray

from qipai.core import Player, agents_of, compile_rules
from qipai.core.agent import agent_words, sight
from qipai.games.paipai_rensa import GAME, policy
from qipai.games.paipai_rensa.api import Board, resolve
from qipai.games.paipai_rensa.bot import BUILDER, Budget, Builder

from .strength import games, match
from .test_placements import random_board

SMALL = Budget(worlds=2, depth=3, width=8)


def planes(board: Board) -> NDArray[np.int64]:
    compile_rules(
        [policy.read_planes, policy.resolve_planes, policy.open_placements, policy.heights],
        GAME.rules.State,
        "test/planes",
    )
    b = np.zeros(8, np.int64)
    policy.read_planes(board.state(), b)
    return b


def test_bitboards_resolve_as_the_rules_do() -> None:
    rng = random.Random(6)
    chains = 0
    for _ in range(300):
        tiles = rng.sample(range(136), 72)
        cells: list[int | None] = [None] * 72
        for col in range(6):
            for row in range(rng.randint(0, 12)):
                cells[6 * (11 - row) + col] = tiles.pop()
        found = resolve(cells)
        b, v = planes(Board(cells)), np.zeros(4, np.int64)
        score = policy.resolve_planes(b, v)
        assert (score, int(v[2])) == (found["score"], found["chain"])
        assert int(v[3]) == len(found["collected"])
        assert np.array_equal(b, planes(found["board"]))
        chains += found["chain"] > 1
    assert chains > 50


def test_bitboards_know_the_same_placements() -> None:
    rng = random.Random(7)
    for _ in range(100):
        cells, pair = random_board(rng)
        s = GAME.new(layout={"board": cells, "pair": pair})
        h = np.zeros(8, np.int64)
        tiles = policy.heights(planes(Board(cells)), h)
        assert tiles == sum(t is not None for t in cells) and h[:6].tolist() == s["height"].tolist()
        bits = int(policy.open_placements(h))
        legal = GAME.legal_actions(s)
        assert [i for i in range(24) if bits >> i & 1] == [i for i in legal if i != 8 or s["height"][2] <= 10]


def test_agents_by_name_from_weak_to_strong() -> None:
    assert list(agents_of(GAME)) == ["random", "greedy", "builder"]


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
