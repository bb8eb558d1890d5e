"""`determinize` against brute force: every world that replays, and each as often as it should."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

from qipai.core import State, copy_state, seed_words
from qipai.games.xianqi import examples, layout, rules
from qipai.games.xianqi import state as st

from . import worlds
from .consistent import (
    GAME,
    all_worlds,
    blind_chance,
    fit,
    lowest,
    redrawn_worlds,
    replays,
    slots_of,
    walk,
    world_of,
)

VIEWERS = (-1, 0, 1, 2)
UNLIKELY = 1e-6  # a chi-square test fails below this; the generator is fixed, so it fails always or never
HARD = ((27, 14, 1), (32, 20, 1), (36, 20, 1))  # deal, ply, viewer: everyone plays the lowest action
CALLS = 20_000  # of plain rules, for one world


def small_positions(count: int, options: dict[str, Any]) -> Iterator[tuple[State, list[int], int]]:
    """Yield positions with few, but several, hidden cards and at least two covers; viewer included."""
    found = (
        (s, actions, viewer)
        for seed in range(1000)
        for s, actions in walk(seed, options)[::-1]
        for viewer in (seed % 4 - 1,)
        if sum(n for _, _, n in slots_of(s, viewer)) <= 8
        and sum(k < 8 for _, k, _ in slots_of(s, viewer)) >= 2
    )
    return islice(found, 0, 3 * count, 3)


def hard_position(seed: int, ply: int, viewer: int) -> tuple[State, list[int], int]:
    s, actions = walk(seed, choose=lowest)[ply]
    return s, actions, viewer


def compared(s: State, actions: list[int], viewer: int, draws: int) -> float:
    """Return the fit of redrawn worlds with brute force, `draws` per world; each must be possible."""
    weights = all_worlds(s, viewer, actions)
    assert weights and (world_of(s, viewer) in weights or int(s["picked"]) > 0)
    seen = redrawn_worlds(s, viewer, draws * len(weights))
    assert set(seen) <= set(weights), "a world that cannot be"
    return fit(seen, weights)


@pytest.mark.parametrize("dog_pair", ["above_red_shi", "equal_red_shi"])
def test_worlds_are_uniform_over_all_that_replay(dog_pair: str) -> None:
    for s, actions, viewer in small_positions(5, {"dog_pair": dog_pair}):
        assert compared(s, actions, viewer, draws=40) > UNLIKELY, (int(s["ply"]), viewer)


@pytest.mark.parametrize("where", HARD)
def test_worlds_are_uniform_where_a_blind_shuffle_seldom_fits(where: tuple[int, int, int]) -> None:
    s, actions, viewer = hard_position(*where)
    weights = all_worlds(s, viewer, actions)
    assert weights is not None and blind_chance(s, viewer, weights) < 1 / 1000
    assert compared(s, actions, viewer, draws=40) > UNLIKELY


def test_a_wrong_distribution_would_be_seen() -> None:
    """Every fifth world comes half as often as it should."""
    s, actions, viewer = hard_position(*HARD[1])
    weights = all_worlds(s, viewer, actions)
    assert weights is not None
    seen = redrawn_worlds(s, viewer, 40 * len(weights))
    for world in list(weights)[::5]:
        seen[world] //= 2
    assert fit(seen, weights) < UNLIKELY


def test_every_drawn_world_replays() -> None:
    for seed in range(20):
        for s, actions in walk(seed, {"black_chess": "redeal"})[::3]:
            for viewer in VIEWERS:
                c = GAME.redrawn(s, viewer, (seed, 64, viewer + 1, 5))
                assert replays(s, viewer, world_of(c, viewer), actions)


@pytest.mark.parametrize("where", [*HARD, (0, 22, 0), (15, 22, 1), (36, 16, 1)])
def test_a_world_takes_a_bounded_number_of_steps(where: tuple[int, int, int]) -> None:
    """Counted in calls of the plain rules: a table of all ways, or thousands of tries, would be too many."""
    s, _, viewer = hard_position(*where)
    determinize = GAME.functions("plain").determinize
    for seed in range(5):
        c = copy_state(s)
        seed_words(c["rng"], seed, 1, 2, 3)
        left = [CALLS]

        def count(frame: Any, event: str, arg: Any, left: list[int] = left) -> None:
            left[0] -= event == "call"
            if left[0] < 0:
                raise AssertionError(f"more than {CALLS} calls")

        sys.setprofile(count)
        try:
            determinize(c, viewer)
        finally:
            sys.setprofile(None)


def test_a_world_takes_a_bounded_number_of_words_in_every_way_to_play() -> None:
    assert set(worlds.work(games=80)) == set(worlds.WAYS)


def test_what_is_drawn_depends_on_what_the_seat_knows_and_on_nothing_else() -> None:
    """Worlds that a seat cannot tell apart give it the same bytes from the same generator."""
    for seed in range(12):
        for choose in (None, lowest):
            for s, _ in walk(seed, choose=choose)[::2]:
                for viewer in VIEWERS:
                    other = GAME.redrawn(s, viewer, (seed, 1, 2, 3))
                    one, two = (GAME.redrawn(x, viewer, (4, 5, 6, seed)) for x in (s, other))
                    assert one.tobytes() == two.tobytes()


@pytest.mark.parametrize("twins", examples.TWINS, ids=lambda twins: twins.about)
def test_twins_are_redrawn_alike(twins: Any) -> None:
    drawn = []
    for layout_of in (twins.one, twins.other):
        s = GAME.blank()
        layout.lay_out(s, layout_of)
        rules.start(s)
        drawn.append(GAME.redrawn(s, twins.seat, (1, 2, 3, 4)))
    assert drawn[0].tobytes() == drawn[1].tobytes()


def test_a_world_leaves_no_trace_of_how_it_was_drawn() -> None:
    for s, _ in walk(3):
        for viewer in VIEWERS:
            c = GAME.redrawn(s, viewer, (1, 2, 3, 4))
            assert not c["deck"].any()
            for seat in range(3):
                covers = c["under"][:, seat] > 0
                hidden = c["entry"][:, seat] == st.COVER
                if not (seat == viewer and c["picked"] > 0):
                    assert np.array_equal(covers, hidden)


def test_covers_hold_their_cards_in_order_of_type() -> None:
    for seed in range(20):
        for s, _ in walk(seed)[::3]:
            c = GAME.redrawn(s, -1, (seed, 2, 3, 4))
            for packed in c["under"].ravel().tolist():
                types = [packed >> shift & 15 for shift in (0, 4, 8) if packed >> shift]
                assert types == sorted(types) and 0 not in types


def test_a_seat_that_covered_a_single_holds_nothing_stronger() -> None:
    """A seat that covered against R_MA (5) cannot hold shi or xiang in any world."""
    hands = [
        {"R_SHI": 2, "B_SHI": 2, "R_MA": 2, "R_NIU": 2},
        {"R_XIANG": 1, "B_MA": 2, "R_CHE": 2, "B_CHE": 2, "R_GOU": 1},
        {"R_XIANG": 1, "B_XIANG": 2, "B_GOU": 1, "R_NIU": 1, "B_NIU": 3},
    ]
    s = GAME.new(layout={"hands": hands, "first": 0, "actions": [st.PLAYS - 25 + 2 + 2]})  # play R_MA single
    # seat 1 must beat with R_XIANG; seat 2 then cannot beat 7 and covers a black niu
    GAME.rules.apply(s, 2)
    GAME.rules.apply(s, st.UNDER + st.B_NIU)
    for k in range(50):
        c = GAME.redrawn(s, 1, (k, 2, 3, 4))
        assert c["hand"][2, st.R_SHI] == 0 and c["hand"][2, st.B_SHI] == 0
        assert c["hand"][0, st.R_SHI] == 2, "the shi that seat 2 cannot hold are seat 0's"


def test_an_unfinished_cover_is_told_to_no_one() -> None:
    for seed in range(40):
        for s, _ in walk(seed):
            if s["picked"] > 0:
                for viewer in VIEWERS:
                    c = GAME.redrawn(s, viewer, (seed, 2, 3, 4))
                    assert bool(c["picked"]) == (viewer == s["seat"])
                    assert np.array_equal(GAME.observation_of(c, viewer), GAME.observation_of(s, viewer))


@pytest.mark.parametrize("way", ["compiled", "checked"])
def test_a_state_that_no_play_reaches_is_redrawn_without_end_or_harm(way: str) -> None:
    """Nobody else has a shi or xiang, and there are cards too many: what comes is no world, but it comes."""
    s, _ = walk(3)[0]
    for seat in (1, 2):
        s["hand"][seat, : st.NOBLES] = 0
        s["hand"][seat, st.R_NIU] += 9
    own = s["hand"][0].copy()
    seed_words(s["rng"], 1, 2, 3, 4)
    GAME.functions(way).determinize(s, 0)
    assert np.array_equal(s["hand"][0], own)
