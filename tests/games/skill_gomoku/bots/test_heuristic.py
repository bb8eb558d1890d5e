"""§22 checks 90 and 93: the heuristic blocks, takes and inverts where it must, and beats random play."""

from __future__ import annotations

from ..positions import PI, SG, P, T
from .playing import action, choice, position, row, score


def test_90_the_heuristic_blocks_a_four() -> None:
    one, s = position([P, T], black=row(1, 0, 1, 2, 3), white="8,8 7,8")
    assert choice(one, s, "heuristic") == (0, action(9, 4, 1))


def test_90_the_heuristic_takes_from_a_four() -> None:
    one, s = position([T, PI], black=row(2, 0, 1, 2, 3), white="8,8 7,8")
    slot, target = choice(one, s, "heuristic")
    assert slot == 0
    assert target in [action(9, x, 2) for x in range(4)]


def test_90_the_heuristic_inverts_a_five_of_the_opponent() -> None:
    one, s = position([PI, SG], black=row(3, 3, 4, 5, 6, 7), white="8,8")
    assert choice(one, s, "heuristic") == (0, None)


def test_93_the_heuristic_beats_random_play(games: int = 16) -> None:
    assert score("heuristic", "random", games) >= 0.9
