"""The parts of a game: what their defaults do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from qipai.core import FLAG, NUMBER, Feature, Words
from qipai.core.errors import BadGame, BadText
from qipai.core.message import Messages, seat_value
from qipai.core.parts import OpenView, ViewChanges, Windows, parse_number, say_number
from tests.toys_check.hush import GAME


def test_a_feature_without_a_type_is_a_number_of_int8() -> None:
    feature = Feature("old", 0, 3, "as games wrote it before features had types")
    assert (feature.kind, feature.low, feature.high, feature.shape, feature.groups) == (
        NUMBER,
        -128,
        127,
        (),
        (),
    )
    assert feature.fault() == ""


def test_a_flag_is_0_or_1() -> None:
    feature = Feature("open", 0, 1, "", FLAG)
    assert (feature.low, feature.high) == (0, 1)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"kind": "colour"}, "kind 'colour' must be one of"),
        ({"low": -129}, "does not fit int8"),
        ({"high": 128}, "does not fit int8"),
        ({"low": 3, "high": 2}, "does not fit int8"),
        ({"shape": (2, 2)}, "does not hold 6 entries"),
        ({"shape": (6,)}, "does not hold 6 entries"),
        ({"low": 0, "high": 9, "groups": ((1, 10),)}, "a group of values"),
        ({"groups": ((5, 4),)}, "a group of values"),
    ],
)
def test_a_wrong_type_of_a_feature_is_named(given: dict[str, Any], text: str) -> None:
    feature = Feature("odd", 0, 6, "", **given)
    assert text in feature.fault()
    with pytest.raises(BadGame, match="observation feature odd: "):
        replace(GAME.rules, observation=(feature,)).check_shape()


def test_boards_of_an_observation_have_one_size_and_an_action_for_each_cell() -> None:
    boards = Feature("a", 0, 6, "", shape=(2, 3)), Feature("b", 6, 12, "", shape=(2, 3, 2))
    with pytest.raises(BadGame, match="the same shape"):
        replace(GAME.rules, observation=boards).check_shape()
    with pytest.raises(BadGame, match="leaves some cells"):
        replace(GAME.rules, observation=boards[:1], first_cell=GAME.rules.actions - 5).check_shape()
    with pytest.raises(BadGame, match="leaves some cells"):
        replace(GAME.rules, first_cell=0).check_shape()
    replace(GAME.rules, observation=boards[:1], actions=8, first_cell=2).check_shape()


def test_symmetries_need_cells_and_quarter_turns_a_square() -> None:
    wide, square = Feature("a", 0, 6, "", shape=(2, 3)), Feature("a", 0, 4, "", shape=(2, 2))
    cells = replace(GAME.rules, actions=8, first_cell=2)
    replace(cells, observation=(wide,), symmetries=2).check_shape()
    replace(cells, observation=(square,), symmetries=8).check_shape()
    with pytest.raises(BadGame, match="only a square board"):
        replace(cells, observation=(wide,), symmetries=4).check_shape()
    with pytest.raises(BadGame, match="needs first_cell"):
        replace(GAME.rules, symmetries=2).check_shape()
    with pytest.raises(BadGame, match="must be 1, 2, 4 or 8, not 3"):
        replace(cells, observation=(square,), symmetries=3).check_shape()


def test_an_open_view_shows_every_field_but_the_generator_and_scratch() -> None:
    rules = replace(GAME.rules, scratch=("held",))
    s = GAME.new(seats=3)
    seen = OpenView(rules)(s, 0)
    assert set(seen) == set(s.dtype.names or ()) - {"rng", "held"}
    assert seen["seats"] == 3


def test_a_changed_view_is_an_event_and_the_state_stays_as_it_was() -> None:
    s = GAME.new(seats=3)
    before = s.tobytes()
    action = GAME.legal_actions(s)[0]
    seen = ViewChanges(GAME.rules)
    assert seen(s, action, 0) == [{"event": "change"}]
    assert s.tobytes() == before
    blind = ViewChanges(replace(GAME.rules, view=lambda s, seat: {}))
    assert blind(s, action, 0) == []


@pytest.mark.parametrize("text", ["", "x", "-1", "1.5", "1e3", "９", "1" * 10, None, 3])
def test_what_is_not_the_number_of_an_action_is_refused(text: Any) -> None:
    with pytest.raises(BadText, match="is not the number of an action"):
        parse_number(text)


def test_a_number_reads_back() -> None:
    assert [parse_number(say_number(n)) for n in (0, 7, 112)] == [0, 7, 112]
    assert parse_number("  12 ") == 12


def test_an_event_has_the_line_of_its_name_with_its_fields_as_values() -> None:
    messages = Messages({"en": {"log.take": "{seat} takes {n} from {where}."}})
    line = Words(messages=messages).line
    assert line({"event": "take", "seat": 1, "n": 3, "where": [0, 2]}) == (
        "log.take",
        {"seat": seat_value(1), "n": 3, "where": "[0, 2]"},
    )
    assert line({"event": "other"}) is None


def test_a_game_without_windows_opens_none() -> None:
    s = GAME.new(seats=3)
    windows = Windows()
    assert windows.sealed(s) is None
    assert not windows.held({"event": "play"})
    assert windows.pause(s, 0, 1) is None
