"""Hands of the CPU against the literal search, and the counts of melds behind it."""

from __future__ import annotations

import random

from qipai.games.paipai_rensa import win
from qipai.games.paipai_rensa.api import solve14, solve_from_pool, try_win
from qipai.games.paipai_rensa.layout import ready
from qipai.games.paipai_rensa.state import MELDS
from tests.naive import paipai_rensa as naive
from tests.naive.paipai_rensa import try_win as naive_try_win


def pools(count: int, seed: int) -> int:
    """Compare the CPU's hand with the literal search, tile by tile, on random pools; return how many won."""
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


POOL_42 = "m5 m5 m5 m0 p1 p2 p3 s1 s2 s3 s7 s8 s9 zP zP"


def test_ac43_the_cpu_takes_the_last_tiles_of_the_list() -> None:
    assert try_win(POOL_42, "")["score"] == 3000
    assert try_win("m0 m5 m5 m5" + POOL_42[11:], "")["score"] == 2000


def test_ac44_discards_before_board_newest_first() -> None:
    board = [0, 4, 8, 36, 40, 44, 96, 100, 104, 12, 13, 14]  # m123 p123 s789 m444
    found = try_win(board, [125, 1, 126])
    assert found["usedDiscardTiles"] == [126, 125, 1]  # newest 白 first; the discarded m1 before the board's
    assert 0 not in found["hand"] and len(found["usedBoardTiles"]) == 11


def agreeing_solvers(count: int, seed: int) -> dict[str, int]:
    """Check that both stages win on the same pools with real hands (A12), and solve14 against the twin."""
    rng = random.Random(seed)
    won = hands = 0
    for _ in range(count):
        pool = rng.sample(range(136), rng.randint(14, 40))
        one, two = try_win(pool, []), solve_from_pool(pool)
        assert one["won"] == two["won"]
        if one["won"]:
            won += 1
            assert naive.wins14(one["hand"]) and naive.wins14(two["hand"])
            assert set(two["hand"]) <= set(pool)
        base = one["hand"] if one["won"] and rng.random() < 0.5 else pool[:14]
        if rng.random() < 0.5:
            base = [*base[:13], rng.choice([t for t in range(136) if t not in base[:13]])]
        assert solve14(base)["won"] == naive.wins14(base)
        hands += naive.wins14(base)
    return {"pools": count, "won": won, "hands": hands}


def test_both_solvers_and_the_twin_agree() -> None:
    found = agreeing_solvers(250, 9)
    assert found["won"] > 50 and found["hands"] > 20


def most_melds(counts: tuple[int, ...], at: int = 0) -> int:
    """Return the most melds of a suit by trying everything from the number `at` on."""
    if at == 9:
        return 0
    best = most_melds(counts, at + 1)
    if counts[at] >= 3:
        less = (*counts[:at], counts[at] - 3, *counts[at + 1 :])
        best = max(best, 1 + most_melds(less, at))
    if at < 7 and min(counts[at : at + 3]) > 0:
        less = (*counts[:at], *(n - 1 for n in counts[at : at + 3]), *counts[at + 3 :])
        best = max(best, 1 + most_melds(less, at))
    return best


def test_the_most_melds_of_a_suit_are_exact_up_to_four() -> None:
    ready()
    rng = random.Random(12)
    seen = [0] * (MELDS + 1)
    for _ in range(1200):
        most = rng.randint(1, 4)
        counts = tuple(min(rng.randint(0, most), rng.randint(0, 4)) for _ in range(9))
        found = int(win.melds_in_suit(sum(n << 4 * i for i, n in enumerate(counts))))
        wanted = min(most_melds(counts), MELDS)
        assert min(found, MELDS) == wanted, counts
        seen[wanted] += 1
    assert min(seen) > 50, seen
