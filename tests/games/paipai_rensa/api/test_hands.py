"""The named calls on hands: AC-38 to AC-42, AC-45, the pool solver, progress, malformed tiles."""

from __future__ import annotations

import json

import pytest

from qipai.core.errors import BadText
from qipai.games.paipai_rensa.api import PaipaiGame, cpu_progress, solve14, solve_from_pool, try_win
from qipai.games.paipai_rensa.terminal.frame import frame

from ..positions import AC01, AC10_BOARD
from ..test_win import POOL_42

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


def test_ac42_the_pool_solver_takes_the_red_five() -> None:
    found = solve_from_pool(POOL_42)
    assert found["won"] and "m0" in found["hand"] and len(found["hand"]) == 14


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


def test_the_pool_solver_names_what_is_missing() -> None:
    assert solve_from_pool(AC01[3:]) == {"won": False, "reason": "lack"}
    assert solve_from_pool("m1 m4 m7 p1 p4 p7 s1 s4 s7 zE zS zW zN zP zF") == {
        "won": False,
        "reason": "notFound",
    }
    assert try_win("m1 m4 m7 p1 p4 p7 s1 s4 s7 zE zS zW zN zP zF", "") == {"won": False, "reason": "no-combo"}


def test_progress_draws_the_pair_and_says_when_there_is_nothing() -> None:
    """A21"""
    found = cpu_progress("m1 m2 m3 p4 p4 p4", "zP zP")
    assert [m["keys"] for m in found["melds"]] == [["pin_4"] * 3, ["man_1", "man_2", "man_3"]]
    assert found["pair"] == ["h_P", "h_P"] and not found["complete"]
    assert cpu_progress("m1 m4", "") == {"melds": [], "pair": None, "complete": False}
    assert cpu_progress(AC01, "")["complete"]


@pytest.mark.parametrize(
    "bad", [None, 5, [None], ["x1"], [136], [-1], [True], [0, 0], "m1 m1 m1 m1 m1", ["m0", "m0"], {}, [[]]]
)
def test_malformed_tiles_are_refused_by_name(bad: object) -> None:
    for call in (solve14, solve_from_pool, lambda t: try_win(t, []), lambda t: try_win([], t)):
        with pytest.raises(BadText):
            call(bad)
