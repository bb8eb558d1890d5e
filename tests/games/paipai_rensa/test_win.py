"""Hands of the player and the CPU: AC-38 to AC-46, the pool solver, BUG-2025-01 and -02."""

from __future__ import annotations

import json
import random

import pytest

from qipai.core.errors import BadText
from qipai.games.paipai_rensa import win
from qipai.games.paipai_rensa.api import Board, cpu_progress, remove_tiles, solve14, solve_from_pool, try_win
from qipai.games.paipai_rensa.calls import ready
from qipai.games.paipai_rensa.face import PaipaiGame
from qipai.games.paipai_rensa.paint import frame
from qipai.games.paipai_rensa.share import keep_mask
from tests.naive import paipai_rensa as naive

from .tables import AC01, AC10_BOARD, bottom

NOT_WON = {
    "13 tiles": (AC01[3:], "not14"),
    "15 tiles": (AC01 + " p1", "not14"),
    "seven pairs": ("m1 m1 m4 m4 m7 m7 p2 p2 p5 p5 s3 s3 zE zE", "no14"),
    "thirteen orphans": ("m1 m9 p1 p9 s1 s9 zE zS zW zN zP zF zC zC", "no14"),
    "wrap": ("m8 m9 m1 p4 p5 p6 s7 s8 s9 m4 m4 m4 zP zP", "no14"),
    "honour run": ("zE zS zW p4 p5 p6 s7 s8 s9 m4 m4 m4 zP zP", "no14"),
}


@pytest.mark.parametrize(("tiles", "reason"), NOT_WON.values(), ids=NOT_WON)
def test_ac38_what_is_no_hand(tiles: str, reason: str) -> None:
    assert solve14(tiles) == {"won": False, "reason": reason}


def test_ac39_pairs_that_are_runs_win() -> None:
    found = solve14("m2 m2 m3 m3 m4 m4 m5 m5 m6 m6 m7 m7 m8 m8")
    assert [" ".join(m) for m in found["melds"]] == ["m2 m3 m4", "m2 m3 m4", "m5 m6 m7", "m5 m6 m7"]
    assert found["pair"] == ["m8", "m8"]


def test_the_canonical_way_shows_triplets_before_runs() -> None:
    found = solve14("m1 m1 m1 m2 m2 m2 m3 m3 m3 p9 p9 p9 zE zE")
    assert [" ".join(m) for m in found["melds"]] == ["m1 m1 m1", "m2 m2 m2", "m3 m3 m3", "p9 p9 p9"]


@pytest.mark.parametrize("reds", range(4))
def test_ac40_points_by_reds(reds: int) -> None:
    fives = ["m0", "p0", "s0"][:reds] + ["m5", "p5", "s5"][reds:]
    tiles = f"m4 {fives[0]} m6 p4 {fives[1]} p6 s4 {fives[2]} s6 m1 m2 m3 zP zP"
    assert solve14(tiles)["score"] == 2000 + 1000 * reds
    assert try_win(tiles, "")["score"] == 2000 + 1000 * reds


def test_ac41_a_red_five_is_used_first() -> None:
    found = solve14("m0 m5 m5 m5 m6 m7 p1 p2 p3 s1 s2 s3 zP zP")
    assert found["melds"][:2] == [["m0", "m5", "m5"], ["m5", "m6", "m7"]] and found["score"] == 3000


POOL_42 = "m5 m5 m5 m0 p1 p2 p3 s1 s2 s3 s7 s8 s9 zP zP"


def test_ac42_the_pool_solver_takes_the_red_five() -> None:
    found = solve_from_pool(POOL_42)
    assert found["won"] and "m0" in found["hand"] and len(found["hand"]) == 14


def test_ac43_the_cpu_takes_the_last_tiles_of_the_list() -> None:
    assert try_win(POOL_42, "")["score"] == 3000
    assert try_win("m0 m5 m5 m5" + POOL_42[11:], "")["score"] == 2000


def test_ac44_discards_before_board_newest_first() -> None:
    board = [0, 4, 8, 36, 40, 44, 96, 100, 104, 12, 13, 14]  # m123 p123 s789 m444
    found = try_win(board, [125, 1, 126])
    assert found["usedDiscardTiles"] == [126, 125, 1]  # newest 白 first; the discarded m1 before the board's
    assert 0 not in found["hand"] and len(found["usedBoardTiles"]) == 11


def test_ac45_bug_2025_01_results_are_json_and_can_be_drawn() -> None:
    found = try_win("m1 m2 m3 p1 p2 p3 s7 s8 s9 m4 m4 m4", "zP zP")
    again = json.loads(json.dumps(found))
    assert again == found and all(isinstance(k, str) for k in again)
    assert all(isinstance(k, str) for k in found["pair"]) and len(found["pair"]) == 2
    assert all(isinstance(k, str) for m in found["melds"] for k in m["keys"])
    game = PaipaiGame(1)
    game.load({"phase": "hold", "board": AC10_BOARD, "discards": "zP zP"})
    text = "\n".join(frame(game))
    assert "白" in text and "+2000" in text


def test_ac46_bug_2025_02_removal_is_by_identity_and_leaves_gaps() -> None:
    board = Board(bottom("m1 .. .. .. .. ..", "m2 .. .. .. .. ..", "m1 .. .. .. .. .."))
    upper, lower = board.at(0, 9), board.at(0, 11)
    assert upper is not None and lower is not None and upper != lower
    after = remove_tiles(board, [lower])
    assert (after.at(0, 9), after.at(0, 10) is not None, after.at(0, 11)) == (upper, True, None)
    assert board.at(0, 11) == lower


def test_the_pool_solver_names_what_is_missing() -> None:
    assert solve_from_pool(AC01[3:]) == {"won": False, "reason": "lack"}
    assert solve_from_pool("m1 m4 m7 p1 p4 p7 s1 s4 s7 zE zS zW zN zP zF") == {
        "won": False,
        "reason": "notFound",
    }
    assert try_win("m1 m4 m7 p1 p4 p7 s1 s4 s7 zE zS zW zN zP zF", "") == {"won": False, "reason": "no-combo"}


def agreeing_solvers(count: int, seed: int) -> dict[str, int]:
    """Both stages win on the same pools, and both hands are hands (A12); solve14 against the twin."""
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
    """The most melds of a suit by trying everything from the number `at` on."""
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
    seen = [0] * (win.MELDS + 1)
    for _ in range(1200):
        most = rng.randint(1, 4)
        counts = tuple(min(rng.randint(0, most), rng.randint(0, 4)) for _ in range(9))
        found = int(win.melds_in_suit(sum(n << 4 * i for i, n in enumerate(counts))))
        wanted = min(most_melds(counts), win.MELDS)
        assert min(found, win.MELDS) == wanted, counts
        seen[wanted] += 1
    assert min(seen) > 50, seen


def test_progress_draws_the_pair_and_says_when_there_is_nothing() -> None:
    """A21"""
    found = cpu_progress("m1 m2 m3 p4 p4 p4", "zP zP")
    assert [m["keys"] for m in found["melds"]] == [["pin_4"] * 3, ["man_1", "man_2", "man_3"]]
    assert found["pair"] == ["h_P", "h_P"] and not found["complete"]
    assert cpu_progress("m1 m4", "") == {"melds": [], "pair": None, "complete": False}
    assert cpu_progress(AC01, "")["complete"]


def test_a_winning_hand_with_most_reds_is_kept() -> None:
    tiles = [16, 17, 18, 19, 0, 4, 8, 36, 40, 44, 48, 52, 56, 124, 125, 72, 76, 80, 84, 88, 92]
    kept = [t for t, keep in zip(tiles, keep_mask(tiles), strict=True) if keep]
    assert naive.wins14(kept) and naive.reds(kept) == 3


def test_keep_mask_wins_wherever_a_win_is_there_and_keeps_at_most_fourteen() -> None:
    rng = random.Random(4)
    wins = 0
    for _ in range(60):
        tiles = rng.sample(range(136), rng.randint(4, 44))
        kept = [t for t, keep in zip(tiles, keep_mask(tiles), strict=True) if keep]
        assert len(kept) == min(14, len(tiles))
        can = len(tiles) >= 14 and solve_from_pool(tiles)["won"]
        assert naive.wins14(kept) == can
        wins += can
    assert wins > 10


@pytest.mark.parametrize(
    "bad", [None, 5, [None], ["x1"], [136], [-1], [True], [0, 0], "m1 m1 m1 m1 m1", ["m0", "m0"], {}, [[]]]
)
def test_malformed_tiles_are_refused_by_name(bad: object) -> None:
    for call in (solve14, solve_from_pool, lambda t: try_win(t, []), lambda t: try_win([], t)):
        with pytest.raises(BadText):
            call(bad)
