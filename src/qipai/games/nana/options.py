"""NANA's options (README §11), for the platform and for the named API."""

from __future__ import annotations

from collections.abc import Mapping

from qipai.core import Option
from qipai.core.errors import BadOption

from .state import CONTINUE, MAX_TURNS, MODE_NANA, MODE_SIMPLE, MODE_SPICY, PASS_ON, SEATS

MODES = {"nana": MODE_NANA, "simple": MODE_SIMPLE, "spicy": MODE_SPICY}
AFTER = {"continue": CONTINUE, "pass": PASS_ON}

OPTIONS = (
    Option("mode", MODE_NANA, MODES),
    Option("after_success", CONTINUE, AFTER),
    Option("first", 0, low=-1, high=SEATS - 1, is_seat=True),
    Option("max_turns", 1000, low=1, high=MAX_TURNS, expert=True),
)


def check(options: Mapping[str, int], seats: int) -> None:
    """Raise `BadOption` for a first seat that is not at the table."""
    if options["first"] >= seats:
        raise BadOption(f"option first: seat {options['first']} is not at a table of {seats}")
