"""The match layer with a real game: covers are compound moves, and covered cards stay hidden."""

from __future__ import annotations

from random import Random

import pytest

from qipai.core.errors import IllegalAction, IncompleteMove
from qipai.match import Match
from tests.toys import SEED, play, random_move

# Seat 0 leads a pair that nobody beats: both others must put two cards under.
HANDS = [
    {"R_SHI": 2, "B_SHI": 2, "R_MA": 2, "R_NIU": 2},
    {"R_XIANG": 1, "B_MA": 2, "R_CHE": 2, "B_CHE": 2, "R_GOU": 1},
    {"R_XIANG": 1, "B_XIANG": 2, "B_GOU": 1, "R_NIU": 1, "B_NIU": 3},
]


def led() -> Match:
    match = Match("xianqi", seed=SEED, layout={"hands": HANDS, "first": 0})
    match.act(0, match.game.words.parse("RS2"))
    return match


def test_a_cover_is_made_as_a_whole() -> None:
    match = led()
    first, second = match.game.words.parse("under BM"), match.game.words.parse("under RC")
    with pytest.raises(IncompleteMove):
        match.act(1, [first])
    with pytest.raises(IllegalAction):
        match.act(1, [second, first])  # types in order
    with pytest.raises(IllegalAction):
        match.act(1, [first, second, second])
    before = match.version(0)
    match.act(1, [first, second])
    assert match.moves[-1] == (1, (first, second)) and match.version(0) > before


def test_nobody_else_can_tell_what_was_covered() -> None:
    one, two = led(), led()
    parse = one.game.words.parse
    one.act(1, [parse("under BM"), parse("under BM")])
    two.act(1, [parse("under RC"), parse("under BC")])
    for seat in (0, 2, -1):
        assert one.events(seat) == two.events(seat) and one.view(seat) == two.view(seat)
        assert one.version(seat) == two.version(seat) and one.legal(seat) == two.legal(seat)
    assert one.view(1) != two.view(1) and one.events(1) != two.events(1)


def test_versions_count_the_events_of_random_games() -> None:
    rng = Random(8)
    for _ in range(10):
        match = Match("xianqi", seed=rng.randbytes(32))
        heard: dict[int, int] = dict.fromkeys((-1, 0, 1, 2), 1)
        while not match.over:
            match.act(match.seat, random_move(match, rng), version=heard[match.seat])
            for seat in heard:
                heard[seat] += len(match.events(seat, heard[seat]))
                assert match.version(seat) == heard[seat]


def test_a_finished_match_opens_every_cover() -> None:
    match = led()
    parse = match.game.words.parse
    match.act(1, [parse("under BM"), parse("under BM")])
    assert covers(match, -1) == covers(match, 0) == [None] and covers(match, 1) == [{"B_MA": 2}]
    play(match, Random(3))
    assert covers(match, -1) == covers(match, 0) == covers(match, 1)
    assert covers(match, -1)[0] == {"B_MA": 2} and None not in covers(match, -1)


def covers(match: Match, seat: int) -> list[dict[str, int] | None]:
    """Return the covered cards as `seat` sees them, None where it does not."""
    seen = match.view(seat)
    rounds = [*seen["rounds"], *([seen["round"]] if seen["round"] else [])]
    return [e.get("cards") for r in rounds for e in r["entries"] if "covered_count" in e]
