"""Windows: who is asked, which answers are taken, and in which order the rules take them."""

from __future__ import annotations

from functools import cache

import pytest

from qipai.core import Player, copy_state
from qipai.core.errors import IllegalAction, NotYourTurn
from qipai.games.wuhan_mahjong import GAME
from qipai.match import Match, Step, Window
from qipai.match.window import open_window


@cache
def played(seed: int) -> Match:
    match = Match(GAME, {}, 4, seed.to_bytes(32, "big"))
    player = Player(GAME, "random", seed)
    while not match.over:
        match.act(match.seat, player.move(match.state))
    return match


def opened(asked: int) -> tuple[Step, Window]:
    """Return an action after which so many seats are asked, and its window."""
    for seed in range(200):
        for step in played(seed).steps():
            window = open_window(step, 4)
            if window is not None and len(window.asked) == asked:
                return step, window
    raise AssertionError("there is no such window")


def test_everyone_who_may_answer_is_asked_at_once() -> None:
    _, window = opened(2)
    assert window.waiting == list(window.asked)
    for seat, state in window.asked.items():
        assert int(state["seat"]) == seat
        assert window.decline[seat] in GAME.legal_actions(state)


def test_a_window_may_open_where_nobody_is_asked() -> None:
    _, window = opened(0)
    assert window.waiting == [] and window.unsealed() == {} and set(window.shown) == {-1, 0, 1, 2, 3}


def test_an_answer_is_checked_against_what_its_seat_is_asked() -> None:
    step, window = opened(1)
    (seat,) = window.asked
    legal = GAME.legal_actions(window.asked[seat])
    assert [window.check(seat, [action]) for action in legal] == legal
    for bad in ([], [GAME.rules.actions], [legal[0], legal[0]], [-1], [True]):
        with pytest.raises(IllegalAction):
            window.check(seat, bad)
    with pytest.raises(NotYourTurn):
        window.check(step.seat, [legal[0]])
    window.seal(seat, legal[0])
    with pytest.raises(NotYourTurn):
        window.check(seat, [legal[0]])


def test_what_is_missing_declines() -> None:
    _, window = opened(2)
    first, second = window.asked
    window.seal(first, window.decline[first])
    assert window.unsealed() == {second: window.decline[second]}
    assert window.waiting == [second]


def test_the_rules_take_the_answers_in_their_order() -> None:
    step, window = opened(2)
    s = step.after
    taken = []
    while (answer := window.next_answer(s)) is not None:
        taken.append(answer)
        s = copy_state(s)
        GAME.rules.apply(s, answer[1])
    assert [seat for seat, _ in taken] == list(window.asked)
    assert [action for _, action in taken] == list(window.decline.values())


def test_an_answer_that_has_become_impossible_declines() -> None:
    step, window = opened(1)
    (seat,) = window.asked
    window.answers[seat] = GAME.rules.actions  # as if an earlier answer had taken it away
    assert window.next_answer(step.after) == (seat, window.decline[seat])


def test_those_who_have_answered_see_what_everyone_sees() -> None:
    _, window = opened(1)
    (seat,) = window.asked
    asked, others = window.state_for(seat).tobytes(), window.state_for(-1).tobytes()
    assert asked == window.asked[seat].tobytes() and others == window.shown[-1].tobytes()
    window.seal(seat, window.decline[seat])
    assert window.state_for(seat).tobytes() == window.shown[seat].tobytes()


def test_stored_answers_replace_those_that_are_not() -> None:
    _, window = opened(2)
    first, second = window.asked
    window.answers[first] = 3
    window.restore({second: 5})
    assert window.answers == {second: 5} and window.sealed == {second}
