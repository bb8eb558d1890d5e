"""Text that does not read back is found."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core import Line
from qipai.testing import Property
from tests.toys_check import faults, hush
from tests.toys_check.faults import broken

from .breaking import breaks, keeps


def test_healthy_words_read_back() -> None:
    keeps(hush.GAME, Property.TEXT)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"parse": faults.parse_off}, "action 1 is 'bury 0', which parses to 2"),
        ({"say": faults.say_twice}, "are both 'bury 2'"),
        ({"parse": faults.parse_raises}, "raised KeyError, not BadText"),
        ({"say": lambda action: " "}, "say(0) is ' '"),
    ],
)
def test_words_that_do_not_read_back_are_found(changes: dict[str, Any], text: str) -> None:
    breaks(broken(**changes), Property.TEXT, text)


def test_a_label_that_cannot_be_filled_in_is_found() -> None:
    def label(action: int, seat: int, seats: int) -> Line:
        return "log.draw", {}

    breaks(broken(label=label), Property.TEXT, "label of action 0 raised BadWording")
