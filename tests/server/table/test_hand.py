"""The hand at a table: plans change nothing until they are adopted, and rows lead to the same hand."""

from __future__ import annotations

import pytest

from qipai.core import Player, QipaiError
from qipai.games.wuhan_mahjong import GAME
from qipai.match import Match
from qipai.server.table.hand import Hand
from tests.toys import PRIZES, SEED

DEAL = {"hands": [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]], "first": 0}


def test_a_plan_changes_nothing_before_it_is_adopted() -> None:
    hand = Hand(Match(PRIZES, seed=SEED, layout=DEAL))
    before = hand.match.digest
    plan = hand.plan_move(0, [0, 2])
    assert plan.moves == [(0, (0, 2))] and plan.payoff is None
    assert hand.match.digest == before and hand.telling.version(0) == 1
    hand.adopt(plan)
    assert hand.match.digest != before and hand.telling.version(0) == 2
    assert hand.waiting_for() == [1]


def test_a_refused_move_leaves_the_hand_as_it_was() -> None:
    hand = Hand(Match(PRIZES, seed=SEED, layout=DEAL))
    for seat, actions in ((1, [1, 3]), (0, [0]), (0, [0, 0]), (0, [99, 1])):
        with pytest.raises(QipaiError):
            hand.plan_move(seat, actions)
    assert hand.match.ply == 0 and hand.telling.version(0) == 1


def test_rows_lead_to_the_same_hand() -> None:
    """Another worker that reads moves, closed windows and answers has told everyone the same."""
    for seed in range(3):
        hand, reader = (Hand(Match(GAME, {}, 4, seed.to_bytes(32, "big"))) for _ in range(2))
        player = Player(GAME, "random", seed)
        closed: list[int] = []
        while not hand.over:
            window = hand.window
            if window is not None:
                for seat in window.waiting:
                    window.seal(seat, player.move(window.asked[seat])[0])
                plan = hand.plan_close(window)
                closed.append(window.ply)
            else:
                plan = hand.plan_move(hand.match.seat, player.move(hand.match.state))
            hand.adopt(plan)
            reader.read(plan.moves, closed, [])
            assert reader.match.digest == hand.match.digest
            for viewer in range(-1, 4):
                assert reader.telling.events(viewer) == hand.telling.events(viewer)
        assert closed and reader.over


def test_a_seat_that_is_not_asked_is_shown_the_window() -> None:
    hand = Hand(Match(GAME, {}, 4, bytes(32)))
    player = Player(GAME, "random", 1)
    while hand.window is None:
        hand.adopt(hand.plan_move(hand.match.seat, player.move(hand.match.state)))
    for viewer in range(-1, 4):
        if viewer not in hand.waiting_for():
            assert hand.state_for(viewer).tobytes() == hand.window.shown[viewer].tobytes()
