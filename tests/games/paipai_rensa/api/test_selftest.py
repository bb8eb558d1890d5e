"""AC-01 to AC-11, the eleven tests of the specification, and AC-62: the self test that runs them."""

from __future__ import annotations

import pytest

from qipai.games.paipai_rensa import board as grid
from qipai.games.paipai_rensa.api import (
    Board,
    PaipaiGame,
    find_groups,
    selftest,
    settle,
    solve14,
    solve_from_pool,
    try_win,
)
from qipai.games.paipai_rensa.reference import supply, supply_figures
from qipai.games.paipai_rensa.tiles import code_of
from qipai.games.paipai_rensa.vectors import run_vector

from ..positions import AC01, AC10_BOARD, EMPTY


def test_ac01_solve14_basic_shape() -> None:
    found = solve14(AC01)
    assert found["won"] and found["score"] == 2000
    assert found["melds"] == [m.split() for m in ("m1 m2 m3", "m4 m4 m4", "p4 p5 p6", "s7 s8 s9")]
    assert found["pair"] == ["zP", "zP"]


def test_ac02_solve14_with_a_red_five() -> None:
    found = solve14("m1 m2 m3 p4 p0 p6 s7 s8 s9 m4 m4 m4 zC zC")
    assert found["won"] and "p0" in found["hand"] and found["score"] == 3000


@pytest.mark.parametrize("more", range(5))
def test_ac03_solve_from_pool_picks_fourteen(more: int) -> None:
    found = solve_from_pool(AC01.split() + ["p1", "s1", "zE", "zS"][:more])
    assert found["won"] and len(found["hand"]) == 14


def test_ac04_supply_of_the_test_seed() -> None:
    figures = supply_figures(supply(123456))
    assert (figures["pairs"], figures["zoro"], figures["longest"]) == (68, 19, 3)
    assert 0.08 <= figures["zoro_rate"] <= 0.40


def test_ac05_full_settle_leaves_nothing_floating() -> None:
    rows = [EMPTY] * 12
    for row, code in ((0, "m1"), (2, "p2"), (5, "s3")):
        rows[row] = f"{code} .. .. .. .. .."
    column = [settle(rows).at(0, row) for row in range(12)]
    assert [t and code_of(t) for t in column[:9]] == [None] * 9
    assert [code_of(t) for t in column[9:] if t is not None] == ["m1", "p2", "s3"]


def test_ac06_four_connected_clear() -> None:
    rows = [EMPTY, ".. m1 m1 .. .. ..", ".. m1 m1 .. .. .."] + [EMPTY] * 9
    assert find_groups(rows) == [[(1, 1), (1, 2), (2, 2), (2, 1)]]
    s = Board(rows).state()
    assert int(grid.clear(s, 0)) == 4 and Board.of(s) == Board()


def test_ac07_try_win_success() -> None:
    found = try_win("m1 m2 m3 p1 p2 p3 s7 s8 s9 m4 m4 m4", "zP zP")
    assert found["won"] and found["score"] == 2000 and found["pair"] == ["h_P", "h_P"]
    assert (len(found["usedBoardTiles"]), len(found["usedDiscardTiles"])) == (12, 2)
    assert found["melds"] == [
        {"type": "triplet", "keys": ["man_4"] * 3},
        {"type": "sequence", "keys": ["man_1", "man_2", "man_3"]},
        {"type": "sequence", "keys": ["pin_1", "pin_2", "pin_3"]},
        {"type": "sequence", "keys": ["sou_7", "sou_8", "sou_9"]},
    ]


def test_ac08_try_win_needs_a_pool_of_fourteen() -> None:
    assert try_win("m1 m2 m3", "zP zP") == {"won": False, "reason": "pool<14"}


def test_ac09_chain_allocation_hold() -> None:
    game = PaipaiGame(1)
    game.load({"phase": "chain", "board": ["m1 m1 .. .. .. .."] * 2 + [EMPTY] * 10})
    game.act("TICK")
    assert (game.score, game.chain, game.state) == (400, 1, "play")
    game.act("TICK")
    assert (game.state, len(game.alloc_tiles), game.chain) == ("alloc", 4, 1)
    game.act("ALLOC_CONFIRM")
    assert (game.state, game.hand) == ("hold", ["m1"] * 4)
    assert game.holds == {
        "player": {"won": False, "reason": "not14"},
        "cpu": {"won": False, "reason": "pool<14"},
    }


def test_ac10_used_only_removal() -> None:
    game = PaipaiGame(1)
    game.load({"phase": "hold", "board": AC10_BOARD, "discards": "zP zP"})
    assert game.holds is not None and game.holds["cpu"]["won"] and game.cpu_score == 0
    game.act("CONTINUE")
    assert (game.cpu_score, game.cpu_wins, game.discards) == (2000, 1, [])
    assert game.board == Board() and game.state == "play" and game.resolving


def test_ac11_final_judgement_removes_nothing() -> None:
    answer = run_vector(
        "final_judgement",
        {"board": AC10_BOARD, "hand": AC01.split(), "discards": ["zC", "zC"], "score": 0, "cpu_score": 0},
    )
    assert answer == {
        "state": "gameover",
        "playerTotal": 2000,
        "cpuTotal": 2000,
        "winner": "draw",
        "board": AC10_BOARD,
        "hand": AC01.split(),
        "discards": ["zC", "zC"],
    }


def test_ac11_further_updates_change_nothing() -> None:
    game = PaipaiGame(1)
    hand = AC01.replace("m4", "m9")  # the board has three m4
    game.load({"phase": "supply", "board": AC10_BOARD, "hand": hand, "discards": "zC zC"})
    game.act("TICK")
    before = game.hash()
    assert (len(game.hand), len(game.board.tiles), game.score, game.cpu_score) == (14, 12, 2000, 2000)
    for action in ("TICK", "LEFT", "SOFT_DROP", "START", "CONTINUE", "ALLOC_CONFIRM"):
        assert not game.act(action)
    assert game.hash() == before and game.state == "gameover"


def test_ac62_the_self_test_passes_eleven_of_eleven() -> None:
    for _ in range(5):
        rows = selftest.run_selftest()
        assert [r.ok for r in rows] == [True] * 11
    text = selftest.table(rows)
    assert text.count("✅") == 11 and "zoro rate 0.279, longest streak 3" in text and "11 of 11" in text


def test_verbose_shows_what_passing_tests_found() -> None:
    """§14 TEST_VERBOSE; the supply's figures are shown in any case."""
    assert [bool(r.note) for r in selftest.run_selftest()] == [i == 3 for i in range(11)]
    assert all(r.ok and r.note for r in selftest.run_selftest({"TEST_VERBOSE": True}))


def test_a_failing_self_test_is_shown_as_failed() -> None:
    rows = selftest.run_selftest({"TEST_SEED": 16, "BIAS_STREAK_HARD_CAP": False})
    bias = rows[3]
    assert not bias.ok and "longest streak" in bias.note and "❌" in selftest.table(rows)
    assert [r.ok for r in rows if r is not bias] == [True] * 10
