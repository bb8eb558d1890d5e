"""HOLD and the final judgement: what is paid and what leaves the table (AC-51 to AC-54, AC-57, AC-58)."""

from __future__ import annotations

from typing import Any

from qipai.games.paipai_rensa.api import Board, PaipaiGame
from qipai.games.paipai_rensa.tiles import codes

from .positions import AC10_BOARD, bottom

HAND = "m1 m2 m3 p4 p5 p6 s7 s8 s9 m9 m9 m9 zP zP"  # AC-01 with tiles that AC-10's board leaves


def hold(**more: Any) -> PaipaiGame:
    game = PaipaiGame(1, more.pop("config", None))
    game.load({"phase": "hold", "deck": "s1 s2", **more})
    return game


def test_ac51_a_player_win_empties_the_hand_and_leaves_the_discards() -> None:
    game = hold(hand=HAND, discards="zE zS", score=500)
    game.act("CONTINUE")
    assert (game.hand, game.score, game.discards, game.cpu_score) == ([], 2500, ["zE", "zS"], 0)
    assert int(game.record["consumed"]) == 14


def test_ac52_both_win_at_one_hold() -> None:
    game = hold(hand=HAND, board=AC10_BOARD, discards="zC zC")
    game.act("CONTINUE")
    assert (game.score, game.cpu_score, game.cpu_wins) == (2000, 2000, 1)
    assert int(game.record["consumed"]) == 28


def test_ac53_a_cpu_removal_can_start_a_chain_and_a_new_hold() -> None:
    board = bottom(
        "zE .. .. .. .. ..",
        "p1 p2 p3 .. .. ..",
        "m4 m4 m4 zS zW zN",
        "m1 s7 m2 s8 m3 s9",
    )
    game = hold(board=board, discards="zP zP")
    assert game.holds is not None and game.holds["cpu"]["won"]
    game.act("CONTINUE")
    assert game.board.text().splitlines()[11] == "zE .. .. zS zW zN"
    game.act("TICK")
    assert game.score == 0 and game.falling  # three together, one apart: nothing
    board[8] = ".. .. zE .. .. .."
    game = hold(board=board, discards="zP zP")
    game.act("CONTINUE")
    game.act("TICK")
    assert (game.score, game.chain, game.state) == (400, 1, "play")
    game.act("TICK")
    assert game.state == "alloc" and codes(game.alloc_tiles) == ["zE", "zS", "zW", "zN"]
    game.act("ALLOC_CONFIRM")
    assert game.state == "hold" and int(game.record["holds"]) == 1


def test_ac54_the_policy_all_empties_the_board_and_keeps_the_discards() -> None:
    for word in ("all", "anything else"):
        game = hold(board=AC10_BOARD, discards="zP zP zE", config={"CPU_CLEAR_POLICY": word})
        game.act("CONTINUE")
        assert game.board == Board() and game.discards == ["zP", "zP", "zE"]
        assert int(game.record["consumed"]) == 12


def test_ac57_a_hold_is_evaluated_once_and_paid_once() -> None:
    game = hold(hand=HAND, board=AC10_BOARD, discards="zC zC")
    before = game.hash()
    for _ in range(5):
        assert not game.act("TICK") and game.holds is not None
    assert game.hash() == before and game.score == 0
    assert game.act("CONTINUE") and not game.act("CONTINUE")
    assert (game.score, game.cpu_score) == (2000, 2000)


def test_ac58_the_final_judgement_runs_once_and_can_be_a_draw() -> None:
    for score, cpu, winner in ((0, 0, "draw"), (100, 0, "player"), (0, 500, "cpu")):
        game = PaipaiGame(1)
        layout = {"phase": "supply", "hand": HAND, "board": AC10_BOARD, "discards": "zC zC"}
        game.load({**layout, "score": score, "cpu_score": cpu})
        before = game.board, game.hand, game.discards
        game.act("TICK")
        result = game.result()
        assert result == {"playerTotal": 2000 + score, "cpuTotal": 2000 + cpu, "winner": winner}
        game.act("TICK")
        assert game.result() == result and (game.board, game.hand, game.discards) == before
