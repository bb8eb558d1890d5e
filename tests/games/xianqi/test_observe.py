"""What an observation of Xianqi says, and what it does not."""

from __future__ import annotations

import numpy as np

from qipai.core import copy_state
from qipai.games.xianqi import GAME, observe, state
from qipai.games.xianqi.text import parse

from .positions import VIEWERS, position, random_games

PAIR = "RS2, under BC, under BC, under RN, under BN"


def feature(name: str, s: object, seat: int) -> list[int]:
    found = next(f for f in observe.FEATURES if f.name == name)
    out = GAME.observation_of(s, seat)  # type: ignore[arg-type]
    return [int(x) for x in out[found.start : found.start + found.length]]


def test_the_features_fill_the_observation_without_gaps() -> None:
    assert sum(f.length for f in observe.FEATURES) == observe.SIZE == GAME.observation_size == 132


def test_seats_are_counted_from_the_observer() -> None:
    s = position(PAIR + ", buckle")
    assert [feature("buckler", s, seat) for seat in VIEWERS] == [[1], [1], [3], [2]]
    assert feature("pillars", s, 1) == [0, 0, 2] and feature("pillars", s, 2) == [0, 2, 0]


def test_a_seat_observes_its_own_pieces_and_a_watcher_none() -> None:
    s = position(PAIR)
    assert sum(feature("hand", s, 1)) == 6 and feature("covered", s, 1)[state.B_CHE] == 2
    assert not any(feature("hand", s, -1)) and not any(feature("covered", s, -1))
    assert sum(feature("unseen", s, -1)) == 22 and sum(feature("unseen", s, 0)) == 16


def test_an_unfinished_cover_shows_to_its_owner_alone() -> None:
    before, during = position("RS2"), position("RS2, under BM")
    for seat in (-1, 0, 2):
        assert (GAME.observation_of(before, seat) == GAME.observation_of(during, seat)).all()
    assert feature("picked", during, 1) == [1]


def test_observations_are_equal_in_worlds_that_look_alike() -> None:
    for i, (_, steps) in enumerate(random_games(20, {})):
        for s, _ in steps[::3]:
            for seat in VIEWERS:
                world = GAME.redrawn(s, seat, (i, 1, 2, 3))
                assert (GAME.observation_of(s, seat) == GAME.observation_of(world, seat)).all()


def test_nothing_is_redrawn_once_the_hand_is_over() -> None:
    for final, _ in random_games(10, {}):
        world = copy_state(final)
        GAME.rules.determinize(world, 0)
        assert np.array_equal(world["hand"], final["hand"]) and np.array_equal(world["under"], final["under"])


def test_a_world_keeps_what_the_seat_has_seen() -> None:
    s = position(PAIR)
    for i in range(20):
        world = GAME.redrawn(s, 0, (i, 0, 0, 1))
        assert world["hand"][0].tolist() == s["hand"][0].tolist()
        assert world["held"].tolist() == s["held"].tolist()
        assert GAME.legal_actions(world) == GAME.legal_actions(s)
        assert parse("RM") in GAME.legal_actions(world)
