"""Questions about hands: what they answer where nothing is won, and that discards lead to waits."""

from __future__ import annotations

from qipai.games.wuhan_mahjong import discards_to_ready, evaluate_win, is_ready, settle_win
from qipai.games.wuhan_mahjong.api.hands import ready_discards
from qipai.games.wuhan_mahjong.api.positions import empty_table, hold

from ..tables import ids, melds

PONG = melds("pong 111z from 2")


def test_each_discard_to_ready_leaves_a_ready_hand() -> None:
    hand = ids("13m 456789p 88m 9s")
    found = discards_to_ready(hand, PONG, 10)
    assert found[ids("9s")[0]] == ids("2m 3s")
    for tile, waits in found.items():
        left = list(hand)
        left.remove(tile)
        assert is_ready(left, PONG, 10) == (True, waits)


def test_a_question_leaves_the_table_as_it_was() -> None:
    s = empty_table(None, 10)
    hold(s, 0, ids("13m 456789p 88m 9s"), PONG)
    before = s.tobytes()
    ready_discards(s, 0)
    assert s.tobytes() == before


def test_a_hand_of_the_wrong_size_is_neither_ready_nor_won() -> None:
    assert is_ready(ids("13m"), PONG, 10) == (False, [])
    assert discards_to_ready(ids("13m"), PONG, 10) == {}
    assert evaluate_win(ids("88m"), PONG, 10, "SELF_DRAW", 40) is None


def test_a_hand_that_wins_nothing_settles_to_nothing() -> None:
    hand, rows = ids("13m 456789p 88m 9s"), [PONG, [], [], []]
    found = settle_win(0, 10, 0, "SELF_DRAW", None, hand, rows, [[]] * 4, 40)
    assert found == {"types": None, "raw": None, "legal": False, "deltas": None, "contractor": None}
