"""The parts of a game: what their defaults do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from qipai.core import Words
from qipai.core.errors import BadText
from qipai.core.message import Messages, seat_value
from qipai.core.parts import OpenView, ViewChanges, Windows, parse_number, say_number
from tests.toys_check.hush import GAME


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
