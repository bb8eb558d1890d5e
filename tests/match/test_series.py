"""Hand after hand: each with its own seed, what is inherited, and the chips."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from qipai.core import QipaiError
from qipai.core.errors import BadCount, BadOption, BadSeats, BadSeed
from qipai.match import Match, Series
from qipai.match.series import Goal, Progress, add_chips, deal_passes
from tests.toys import PRIZES, SEED, WHISPER, play


def test_the_table_keeps_the_chips() -> None:
    series = Series(PRIZES)
    rng = Random(3)
    total = [0, 0]
    for hand in range(6):
        assert series.hand == hand and series.chips == total
        ended = play(series.match, rng)
        assert ended.payoff is not None
        total = [a + b for a, b in zip(total, ended.payoff, strict=True)]
        assert series.chips == total
        series.next()
        assert series.chips == total
    series.chips.clear()
    assert series.chips == total


def test_a_running_hand_stays() -> None:
    series = Series(PRIZES)
    match = series.next()
    assert match is series.match and series.hand == 0
    play(match, Random(0))
    assert series.next() is not match and series.hand == 1


def test_the_next_hand_inherits_what_the_game_says() -> None:
    """Four prizes §2.7: the seat that lost acts first."""
    series = Series(PRIZES, {"first_seat": 0})
    rng = Random(5)
    for _ in range(8):
        payoff = play(series.match, rng).payoff
        assert payoff is not None
        loser = -1 if payoff[0] == 0 else payoff.index(min(payoff))
        assert series.next().options == {"first_seat": loser}


def test_xianqi_drops_the_limits_of_the_first_game() -> None:
    series = Series("xianqi", {"first_game_limits": "on", "dog_pair": "equal_red_shi"})
    assert series.match.options["first_game_limits"] == "on"
    play(series.match, Random(1))
    options = series.next().options
    assert options["first_game_limits"] == "off" and options["dog_pair"] == "equal_red_shi"


def test_every_hand_has_a_seed_of_its_own() -> None:
    series = Series(WHISPER)
    seen = set()
    for _ in range(20):
        seen.add(series.match.commitment)
        play(series.next(), Random(0))
    assert len(seen) >= 19


def test_a_series_with_a_seed_is_played_again_alike() -> None:
    runs: list[list[dict[str, Any]]] = []
    for _ in range(2):
        series = Series(PRIZES, seed=SEED)
        docs = []
        for _ in range(3):
            docs.append(play(series.next(), Random(1)).dump())
        runs.append(docs)
    assert runs[0] == runs[1]
    seeds = {doc["seed"] for doc in runs[0]}
    assert len(seeds) == 3 and SEED.hex() not in seeds


def test_a_match_of_a_series_stands_alone() -> None:
    series = Series(PRIZES, seed=SEED)
    play(series.match, Random(1))
    doc = play(series.next(), Random(2), 4).dump()
    assert Match.load(doc).dump() == doc


def test_a_series_is_refused_like_a_match() -> None:
    bad: list[tuple[type[QipaiError], dict[str, Any]]] = [
        (BadOption, {"options": 3}),
        (BadOption, {"options": {"x": 1}}),
        (BadSeats, {"seats": 9}),
        (BadSeed, {"seed": b"short"}),
    ]
    for error, given in bad:
        with pytest.raises(error):
            Series(PRIZES, **given)


def test_a_series_goes_on_from_what_was_stored() -> None:
    """The current hand, its number, the chips before it and the seed are sufficient."""
    whole, stored = Series(PRIZES, seed=SEED), Series(PRIZES, seed=SEED)
    rngs = Random(4), Random(4)
    for _ in range(4):
        for series, rng in ((whole, rngs[0]), (stored, rngs[1])):
            play(series.match, rng)
        dump = stored.match.dump()
        stored = Series.resume(PRIZES, Match.load(dump), stored.hand, stored.brought, SEED)
        assert stored.chips == whole.chips and stored.hand == whole.hand
        assert stored.next().dump() == whole.next().dump()
        assert stored.brought == stored.chips == whole.brought


def test_a_series_is_resumed_in_the_middle_of_a_hand() -> None:
    series = Series(PRIZES, seed=SEED)
    play(series.match, Random(1), 2)
    again = Series.resume(PRIZES, series.match.copy(), 0, [0, 0], SEED)
    assert again.next() is again.match and again.hand == 0
    for one in (series, again):
        play(one.match, Random(2))
    assert again.next().dump() == series.next().dump()


def test_a_hand_without_a_result_changes_no_chips() -> None:
    assert add_chips([3, -3], None) == [3, -3]
    assert add_chips([3, -3], [1, -1]) == [4, -4]


def test_a_series_ends_after_its_hands_and_deals_no_more() -> None:
    series = Series(PRIZES, seed=SEED, goal=Goal("hands", 3))
    for _ in range(5):
        play(series.match, Random(0))
        series.next()
    assert series.over and series.hand == 2 and series.next() is series.match
    assert series.progress.hands == 3


def test_a_goal_of_chips_needs_one_seat_to_have_them() -> None:
    goal = Goal("chips", 10)
    assert not goal.reached(Progress(3, 0, (9, -9)))
    assert goal.reached(Progress(3, 0, (-12, 12)))


def test_a_round_ends_when_the_deal_has_moved_once_for_every_seat() -> None:
    goal = Goal("round", 1)
    assert not goal.reached(Progress(9, 3, (0, 0, 0, 0)))
    assert goal.reached(Progress(9, 4, (0, 0, 0, 0)))


def test_the_deal_moves_when_another_seat_is_next_to_start() -> None:
    series = Series(PRIZES, {"first_seat": 0})
    rng = Random(5)
    moved = 0
    for _ in range(8):
        before = series.match.options["first_seat"]
        passes = deal_passes(play(series.match, rng))
        after = series.next().options["first_seat"]
        assert passes == (before != -1 and after != before)
        moved += passes
        assert series.progress.passes == moved


def test_places_are_shared_by_equal_chips() -> None:
    assert Progress(1, 0, (5, -10, 5, 0)).places() == [1, 4, 1, 3]


@pytest.mark.parametrize(("kind", "count"), [("hands", 0), ("endless", 3), ("hands", 1001), ("days", 1)])
def test_a_goal_that_cannot_be_is_refused(kind: Any, count: int) -> None:
    with pytest.raises(BadCount):
        Goal(kind, count)
