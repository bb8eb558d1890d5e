"""An unfinished move: what may be picked next, when it is complete, and that it reveals nothing true."""

from __future__ import annotations

import pytest

from qipai.core.errors import IllegalAction
from qipai.match import Draft, Match
from tests.toys import PRIZES, SEED, WHISPER

DEAL = {"hands": [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]], "first": 0}


def draft(seat: int = 0) -> Draft:
    return Draft(PRIZES, Match(PRIZES, seed=SEED, layout=DEAL).state, seat)


def test_a_compound_move_is_complete_with_its_last_action() -> None:
    move = draft()
    assert move.legal == [0, 2, 4, 6, 8] and not move.ends(2)
    move.pick(2)
    assert not move.complete and move.legal == [4, 6, 8, 10] and move.ends(4)
    move.pick(4)
    assert (move.complete, move.legal, move.picked) == (True, [], [2, 4])


def test_a_complete_move_is_one_that_the_match_takes() -> None:
    match = Match(PRIZES, seed=SEED, layout=DEAL)
    move = Draft(PRIZES, match.state, 0)
    move.pick(2, 4)
    match.act(0, move.picked)
    assert match.seat == 1


def test_actions_are_picked_together_or_not_at_all() -> None:
    move = draft()
    for bad in ([1], [2, 2], [2, 4, 6], [2, -1], [2, 99], [True], ["2"], [2.0]):
        with pytest.raises(IllegalAction):
            move.pick(*bad)
        assert move.picked == [] and not move.complete and move.legal == [0, 2, 4, 6, 8]
    move.pick()
    assert move.picked == []


def test_a_seat_that_does_not_decide_picks_nothing() -> None:
    move = draft(1)
    assert move.legal == []
    with pytest.raises(IllegalAction):
        move.pick(1)


def test_a_single_action_is_a_whole_move_where_moves_have_one_action() -> None:
    match = Match(WHISPER, seed=SEED, layout={"holds": [1, 0, 1]})
    move = Draft(WHISPER, match.state, match.seat)
    assert all(move.ends(a) for a in move.legal)
    move.pick(move.legal[0])
    assert move.complete


def test_an_answer_in_a_window_is_one_action() -> None:
    move = Draft(PRIZES, Match(PRIZES, seed=SEED, layout=DEAL).state, 0, single=True)
    assert move.ends(2)
    move.pick(2)
    assert move.complete


def test_what_is_picked_is_laid_over_a_redrawn_world() -> None:
    true, after = (Match(PRIZES, seed=SEED, layout=DEAL).state for _ in range(2))
    PRIZES.rules.apply(after, 2)
    seen = set()
    for _ in range(30):
        move = Draft(PRIZES, true, 0)
        move.pick(2)
        seen.add(move.state.tobytes())
        assert PRIZES.rules.view(move.state, 0) == PRIZES.rules.view(after, 0)
    assert len(seen) > 20
    assert int(true["picked"]) == 0  # the state that was given stays as it is
