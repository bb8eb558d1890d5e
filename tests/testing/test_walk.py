"""Looking at games action by action finds lost pieces, odd JSON, missing words and hands that write."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core import Example
from qipai.testing import Failure, Property
from qipai.testing.play import Player
from qipai.testing.walk import odd_part, walk_example
from tests.toys_check import faults, hush
from tests.toys_check.faults import broken

from .breaking import breaks, keeps, make_run

WALKS = (Property.PIECES, Property.JSON, Property.COMPOUND, Property.SUCCESSOR)


def test_the_healthy_game_walks() -> None:
    keeps(hush.GAME, *WALKS, Property.SECRET_NARRATE, Property.DETERMINIZE)


def test_a_lost_card_is_found() -> None:
    failure = breaks(broken(apply=faults.apply_loses), Property.PIECES, "at first")
    assert failure.case is not None
    assert failure.case.actions[-1] != hush.DRAW


@pytest.mark.parametrize(
    ("view", "text"),
    [
        (faults.view_numpy, "a numpy.int32 at .picked"),
        (faults.view_keys, "the key 0 (int) at .seats"),
        (faults.view_raises, "view raised KeyError"),
    ],
)
def test_a_view_that_is_not_json_is_found(view: Any, text: str) -> None:
    breaks(broken(view=view), Property.JSON, text)


def test_events_that_are_not_a_list_are_found() -> None:
    breaks(broken(narrate=faults.narrate_tuple), Property.JSON, "a builtins.tuple at the top")


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"view": faults.view_writes}, "view changed the state"),
        ({"narrate": faults.narrate_writes}, "narrate changed the state"),
    ],
)
def test_a_face_that_writes_the_state_is_found(changes: dict[str, Any], text: str) -> None:
    breaks(broken(**changes), Property.PURE, text)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"line": faults.line_missing}, "tell of {'kind': 'score'"),
        ({"draw": faults.draw_nothing}, "draw for seat -1 in en gave None"),
    ],
)
def test_an_event_or_a_table_without_words_is_found(changes: dict[str, Any], text: str) -> None:
    breaks(broken(**changes), Property.TEXT, text)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"observe": faults.observe_burying}, "observes an unfinished move"),
        ({"view": faults.view_burying}, "views an unfinished move"),
        ({"narrate": faults.narrate_early}, "is told of an unfinished move"),
    ],
)
def test_an_unfinished_move_that_shows_to_others_is_found(changes: dict[str, Any], text: str) -> None:
    breaks(broken(**changes), Property.COMPOUND, text)


def test_a_successor_that_cannot_be_played_is_found() -> None:
    breaks(broken(successor=faults.successor_unknown), Property.SUCCESSOR, "unknown option")


def test_an_example_keeps_the_promises_of_any_game() -> None:
    example = Example("seat 0 buries", {"hand": hush.HANDS}, actions=(hush.BURY,), seats=3)
    run = make_run(broken(apply=faults.apply_loses, examples=(example,)))
    with pytest.raises(Failure, match="at first") as caught:
        walk_example(run, Player(run.game, "plain"), example)
    assert caught.value.property == Property.PIECES
    assert caught.value.case is not None
    assert caught.value.case.layout == {"hand": hush.HANDS}


@pytest.mark.parametrize("value", [1.0, None, True, "x", [], {}, [{"a": [1, None]}]])
def test_plain_json_is_not_odd(value: Any) -> None:
    assert odd_part(value) is None


@pytest.mark.parametrize("value", [(), {1: 2}, b"", {"a": {2}}, [object()]])
def test_everything_else_is_odd(value: Any) -> None:
    assert odd_part(value) is not None
