"""§22 checks 89-92, for every bot: legal, repeatable, and sensible in simple positions."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.core import bots_of, copy_state, get
from qipai.games.skill_gomoku import GAME

from ..positions import SG, TF, P, T
from .playing import action, choice, position, row

NAMES = ("random", "heuristic", "sharp")


def test_89_any_bot_is_legal_repeatable_and_leaves_the_match_alone(positions: int = 12) -> None:
    rng = np.random.default_rng(89)
    k = looked_at = 0
    while looked_at < positions:
        k += 1
        options = {"board_size": int(rng.choice([5, 9, 15])), "deck": ["default", "source-early"][k % 2]}
        one = get("skill_gomoku", options)
        s = one.new(options, words=(8, k, 0, 0))
        for _ in range(int(rng.integers(0, 60))):
            if s["seat"] < 0:
                break
            one.rules.apply(s, int(rng.choice(one.legal_actions(s))))
        if s["seat"] < 0:
            continue
        looked_at += 1
        before = s.tobytes()
        for name in NAMES:
            slot, target = choice(one, s, name)
            assert (slot, target) == choice(one, s, name)
            assert slot in one.legal_actions(s)
            after = copy_state(s)
            one.rules.apply(after, slot)
            assert target is None or target in one.legal_actions(after)
            assert s.tobytes() == before  # the match, its view and its generator


@pytest.mark.parametrize("name", ["heuristic", "sharp"])
def test_90_it_wins_at_once_where_it_can(name: str) -> None:
    one, s = position([P, T], white=row(0, 0, 1, 2, 3), black="8,8 7,7 6,8 5,8")
    assert choice(one, s, name) == (0, action(9, 4, 0))


@pytest.mark.parametrize("name", ["heuristic", "sharp"])
def test_90_it_wins_by_filling_a_gap(name: str) -> None:
    one, s = position([T, P], white=row(0, 0, 1, 3, 4), black="8,8 7,7 6,8 5,8")
    assert choice(one, s, name) == (1, action(9, 2, 0))


@pytest.mark.parametrize("name", NAMES)
def test_90_a_sparse_board_gets_a_legal_play(name: str) -> None:
    one, s = position([P, T], black="4,4", white="5,5")
    slot, target = choice(one, s, name)
    assert target is not None
    one.rules.apply(s, slot)
    assert target in one.legal_actions(s)


@pytest.mark.parametrize("name", ["heuristic", "sharp"])
def test_91_the_first_stone_goes_to_the_centre(name: str) -> None:
    one, s = position([P, T], size=15, player=1)
    assert choice(one, s, name) == (0, action(15, 7, 7))


@pytest.mark.parametrize("name", NAMES)
def test_92_time_freeze_and_a_forced_fizzle(name: str) -> None:
    one, s = position([TF, TF])
    assert choice(one, s, name)[1] == 2
    one, s = position([T, T])
    assert choice(one, s, name)[0] in (0, 1)


@pytest.mark.parametrize("name", ["heuristic", "sharp"])
def test_a_playable_card_is_chosen_when_the_other_is_not(name: str) -> None:
    one, s = position([T, SG])
    assert choice(one, s, name) == (1, None)


def test_the_bots_are_registered_weakest_first() -> None:
    assert list(bots_of(GAME)) == [
        "random",
        *(f"level{k}" for k in range(1, 7)),
        "search",
        "heuristic",
        "net",
        "sharp",
    ]
