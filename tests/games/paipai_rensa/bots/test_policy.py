"""The bitboards that the builder thinks on, against the rules."""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from qipai.core import compile_rules
from qipai.games.paipai_rensa import GAME
from qipai.games.paipai_rensa.api import Board, resolve
from qipai.games.paipai_rensa.bots import policy

from ..test_board import random_board


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
