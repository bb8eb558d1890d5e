"""The compiled rules against the slow twin: every fact after every action of random games (AC-59, A24)."""

from __future__ import annotations

import random

import pytest

from qipai.core import seed_words
from qipai.games.paipai_rensa import GAME, rules
from qipai.games.paipai_rensa.api import try_win
from tests.naive.paipai_rensa import try_win as naive_try_win

from .tables import play_beside_twin


@pytest.mark.parametrize("block", range(4))
def test_rules_and_twin_agree_after_every_action(block: int) -> None:
    for i in range(4):
        play_beside_twin((block, i, 0, 1), 100 * block + i)


def test_rules_and_twin_agree_when_the_whole_board_goes() -> None:
    for i in range(4):
        play_beside_twin((9, i, 0, 1), i, "all")


def pools(count: int, seed: int) -> int:
    """Random pools: the CPU's hand, tile by tile, as the literal search finds it; how many won."""
    rng = random.Random(seed)
    won = 0
    for _ in range(count):
        tiles = rng.sample(range(136), rng.randint(14, 44))
        n = rng.randint(0, len(tiles))
        found, wanted = try_win(tiles[:n], tiles[n:]), naive_try_win(tiles[:n], tiles[n:])
        assert found["won"] == (wanted is not None), (tiles, n)
        if wanted is not None:
            assert found["hand"] == wanted, (tiles, n)
            won += 1
    return won


def test_the_cpu_finds_the_same_hand_as_the_literal_search() -> None:
    assert pools(400, 3) > 100


def test_dense_pools_of_one_suit_find_the_same_hand() -> None:
    rng = random.Random(8)
    for _ in range(60):
        tiles = rng.sample(range(36), rng.randint(14, 24))
        found, wanted = try_win(tiles, []), naive_try_win(tiles, [])
        assert found.get("hand") == wanted, tiles


def test_plain_and_compiled_games_are_equal_bytes() -> None:
    plain = GAME.functions("plain")
    for number in range(2):
        one, other = (GAME.blank() for _ in range(2))
        for s in (one, other):
            seed_words(s["rng"], 5, number, 0, 1)
        GAME.rules.deal(one)
        plain.deal(other)
        rng = random.Random(number)
        while one["seat"] >= 0:
            assert one.tobytes() == other.tobytes()
            action = rng.choice(GAME.legal_actions(one))
            GAME.rules.apply(one, action)
            plain.apply(other, action)
        assert one.tobytes() == other.tobytes() and one["phase"] == rules.OVER
