"""The checked entry point: what is accepted, what is refused by name, and that a refusal changes nothing."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import numpy as np
import pytest

from qipai.core import QipaiError, same
from qipai.core.errors import (
    BadLayout,
    BadOption,
    BadSeats,
    IllegalAction,
    IncompleteMove,
    MatchOver,
    NotYourTurn,
    StaleVersion,
    UnknownGame,
    short,
)
from qipai.match import Match
from tests.toys import PRIZES, SEED, WHISPER, play, random_move

DEAL = {"hands": [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]], "first": 0}
HUGE = 10**5000
JUNK: list[Any] = [None, True, 1.0, float("nan"), "0", b"0", HUGE, -HUGE, -1, 99, {}, {0}, object()]
JUNK += [np.bool_(True), np.float64(0), np.zeros((1, 1), np.int8)]
NO_MOVES: list[Any] = [[], (), 1, [1, 3], [2, 0], [0, 0], [10, 2], [0, 1], [0, [2]], [[0, 2]]]
NO_MOVES += [np.zeros(0), np.zeros(2), *JUNK]


def prizes(**given: Any) -> Match:
    return Match(PRIZES, seed=SEED, layout=DEAL, **given)


def refused(error: type[QipaiError], match: Match, *args: Any) -> str:
    """Check that `match.act(*args)` raises exactly this error and changes nothing; return its text."""
    before, told = match.dump(), [match.events(seat) for seat in (-1, *range(match.seats))]
    with pytest.raises(QipaiError) as caught:
        match.act(*args)
    assert type(caught.value) is error
    assert match.dump() == before
    assert [match.events(seat) for seat in (-1, *range(match.seats))] == told
    return str(caught.value)


def test_a_match_goes_from_the_deal_to_the_result() -> None:
    match = prizes()
    assert not match.over and match.payoff is None and match.revealed_seed is None
    ended = play(match, Random(5))
    assert ended.over and ended.payoff is not None and sum(ended.payoff) == 0
    assert ended.revealed_seed == SEED
    assert ended.ply == 12 and len(ended.moves) == 10


def test_a_compound_move_is_one_move() -> None:
    match = prizes()
    match.act(0, [0, 2])
    assert match.moves == [(0, (0, 2))]
    assert match.view(0)["put"] == [0, 2] and match.view(0)["held"] == [4, 6]


def test_numbers_of_numpy_and_any_sequence_will_do() -> None:
    match = prizes()
    match.act(np.int8(0), np.array([0, 2]))  # type: ignore[arg-type]
    match.act(1, range(1, 4, 2))
    assert match.moves == [(0, (0, 2)), (1, (1, 3))]
    assert all(type(a) is int for _, actions in match.moves for a in actions)


def test_half_a_move_is_refused() -> None:
    for half in (0, [0], (2,)):
        refused(IncompleteMove, prizes(), 0, half)


def test_more_than_a_move_is_refused() -> None:
    match = prizes()
    refused(IllegalAction, match, 0, [0, 2, 4])
    match.act(0, [0, 2])
    match.act(1, [1, 3])
    refused(IllegalAction, match, 0, [4, 6])
    refused(IllegalAction, match, 0, [4, 5])  # nor what would be the other seat's answer
    match.act(0, [4])


@pytest.mark.parametrize("bad", NO_MOVES, ids=short)
def test_what_is_not_legal_is_refused(bad: Any) -> None:
    refused(IllegalAction, prizes(), 0, bad)


@pytest.mark.parametrize("bad", [*JUNK, 2, -2], ids=short)
def test_there_is_no_such_seat(bad: Any) -> None:
    match = prizes()
    refused(BadSeats, match, bad, [0, 2])
    if not (type(bad) is int and bad == -1):
        for ask in (match.view, match.events, match.legal, match.version):
            with pytest.raises(BadSeats):
                ask(bad)


def test_a_watcher_watches() -> None:
    match = prizes()
    refused(BadSeats, match, -1, [0, 2])
    assert match.legal(-1) == []
    assert "hand" not in match.view(-1)
    play(match, Random(0))
    assert match.legal(-1) == [] and match.legal(0) == []  # nobody decides: nor does a watcher


def test_only_the_seat_that_is_asked_may_act() -> None:
    match = prizes()
    assert match.legal(0) == [0, 2, 4, 6, 8] and match.legal(1) == []
    for actions in ([1, 3], [0, 2], 0, [], None, "junk"):
        refused(NotYourTurn, match, 1, actions)


def test_nothing_is_accepted_after_the_end() -> None:
    match = play(prizes(), Random(2))
    for seat in (0, 1):
        refused(MatchOver, match, seat, 0)
        refused(MatchOver, match, seat, [], 99)


def test_a_stale_version_is_refused() -> None:
    match = prizes()
    match.act(0, [0, 2], version=1)
    assert match.version(0) == 2
    match.act(1, [1, 3], version=2)
    assert match.version(0) == 4  # the other's put and the prize
    for old in (0, 3, 5, *JUNK[1:]):
        refused(StaleVersion, match, 0, [4], old)
    match.act(0, [4], version=np.int64(4))  # type: ignore[arg-type]


def test_a_refusal_is_the_same_for_every_seat_that_is_not_asked() -> None:
    """Who is asked in whisper is secret: no refusal, version or order of checks reveals it."""
    texts = set()
    for holds in ([1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]):
        match = Match(WHISPER, seed=SEED, layout={"holds": holds})
        for seat in (1, 2):
            for actions, version in ((0, None), (9, None), (0, 1), ([], 1)):
                texts.add(refused(NotYourTurn, match, seat, actions, version).replace(str(seat), "N"))
            refused(StaleVersion, match, seat, 0, 7)
    assert texts == {"it is not seat N's turn"}


@pytest.mark.parametrize(
    ("error", "given"),
    [
        (UnknownGame, {"game": "chess"}),
        (UnknownGame, {"game": None}),
        (UnknownGame, {"game": HUGE}),
        (BadSeats, {"seats": 3}),
        (BadSeats, {"seats": HUGE}),
        (BadSeats, {"seats": "2"}),
        (BadSeats, {"seats": True}),
        (BadOption, {"options": {"first_seat": 2}}),
        (BadOption, {"options": {"first_seat": HUGE}}),
        (BadOption, {"options": {"first_seat": object()}}),
        (BadOption, {"options": {"nothing": 1}}),
        (BadOption, {"options": {1: 1}}),
        (BadOption, {"options": [1]}),
        (BadOption, {"options": 7}),
        (BadLayout, {"layout": {}}),
        (BadLayout, {"layout": []}),
        (BadLayout, {"layout": {"hands": [[0] * 6, [1] * 6], "first": 0}}),
        (BadLayout, {"layout": {"hands": HUGE, "first": 0}}),
        (BadLayout, {"layout": {"hands": DEAL["hands"], "first": 0, 3: 4}}),
        (BadLayout, {"layout": {"hands": DEAL["hands"], "first": float("nan")}}),
        (BadLayout, {"game": WHISPER, "layout": {"holds": [1]}}),
        (BadLayout, {"game": WHISPER, "layout": {"holds": 3}}),
        (BadLayout, {"game": WHISPER, "layout": {"holds": [300, 0, 0]}}),
        (BadLayout, {"game": WHISPER, "layout": {"what": "else"}}),
    ],
)
def test_what_makes_no_match_is_refused_by_name(error: type[QipaiError], given: dict[str, Any]) -> None:
    with pytest.raises(QipaiError) as caught:
        Match(**{"game": PRIZES, **given})
    assert type(caught.value) is error


def test_a_layout_that_holds_itself_is_refused() -> None:
    deep: list[Any] = []
    deep += [deep] * 9
    with pytest.raises(BadLayout):
        Match(PRIZES, layout={"hands": deep, "first": 0})


def test_the_match_keeps_no_hold_of_what_it_was_given_or_gives() -> None:
    layout = copy.deepcopy(DEAL)
    options = {"first_seat": 0}
    match = Match(PRIZES, options, seed=SEED, layout=layout)
    play(match, Random(4), 3)
    doc, state = match.dump(), match.state
    layout["hands"].clear()  # type: ignore[attr-defined]
    options["first_seat"] = 1
    for given in (match.view(0), match.options, match.dump(), match.head(), match.moves, *match.events(0)):
        spoil(given)
    for step in match.steps():
        spoil(step.events(0))
        step.before["where"][:] = 0
        step.after["where"][:] = 0
    match.state["where"][:] = 0
    match.at(2)["where"][:] = 0
    assert match.dump() == doc and same(match.state, state)
    assert Match.load(match.dump()).events(0) == match.events(0)


def spoil(value: Any) -> None:
    """Empty every list and mapping in `value`, innermost first."""
    if isinstance(value, dict | list):
        for item in list(value.values() if isinstance(value, dict) else value):
            spoil(item)
        value.clear()


def test_copies_go_their_own_ways() -> None:
    match = play(prizes(), Random(7), 3)
    for twin in (match.copy(), copy.copy(match), copy.deepcopy(match)):
        assert twin.dump() == match.dump()
        before = match.dump(), match.events(0)
        play(twin, Random(8), 2)
        assert (match.dump(), match.events(0)) == before
        assert twin.ply == match.ply + 2


def test_every_point_of_a_match_can_be_seen_again() -> None:
    match = Match(PRIZES, seed=SEED)
    seen = [match.state]
    rng = Random(11)
    while not match.over:
        match.act(match.seat, random_move(match, rng))
        seen.append(match.state)
    plies = [0, 2, 4, *range(5, 13)]
    for ply, state in zip(plies, seen, strict=True):
        assert same(match.at(ply), state)
    for bad in (-1, 13, *JUNK[:7]):
        with pytest.raises(IllegalAction):
            match.at(bad)


def test_a_view_and_events_are_json() -> None:
    match = play(prizes(), Random(3))
    for seat in (-1, 0, 1):
        for value in (match.view(seat), match.events(seat)):
            assert json.loads(json.dumps(value)) == value


def test_no_text_of_a_running_match_holds_the_seed() -> None:
    match = play(prizes(), Random(3), 4)
    shown = [repr(match), repr(vars(match)), *(str(match.events(s)) + str(match.view(s)) for s in (-1, 0, 1))]
    assert not any(SEED.hex() in text or repr(SEED)[2:-1] in text for text in shown)
