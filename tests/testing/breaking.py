"""How the tests of `qipai.testing` say that a planted fault is found."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from qipai.core import Game
from qipai.testing import ConformanceError, Failure, Property, check_game
from qipai.testing.check import STAGES
from qipai.testing.run import Run
from tests.toys_check import faults

# Enough for a fault that shows in most games, and nothing to compile but the fault itself.
QUICK: dict[str, Any] = {
    "games": 5,
    "seed": 0,
    "options": [{}],
    "seats": [3],
    "variant": "plain",
    "parity_games": 2,
}


def breaks(game: Game, prop: Property, text: str = "", **settings: Any) -> Failure:
    """Check that `check_game` finds that `game` breaks `prop`, reports it first, and names the case."""
    given = {**QUICK, "only": [prop], **settings}
    with pytest.raises(ConformanceError) as caught:
        check_game(game, **given)
    first = caught.value.failures[0]
    assert first.property == prop, str(caught.value)
    assert text in first.message, first.message
    assert str(first) in str(caught.value)
    return first


def keeps(game: Game, *props: Property, **settings: Any) -> None:
    """Check that the stages of these properties find nothing."""
    given = {**QUICK, "only": props, **settings}
    report = check_game(game, **given)
    assert all(report.counts.get(p, 0) > 0 for p in props), report.lines()


def stages_of(prop: Property) -> list[str]:
    """Return the stages that check a property, by name."""
    return [stage.__name__ for stage, properties in STAGES if prop in properties]


def line_of(text: str) -> int:
    """Return the number of the line of `faults.py` that begins with `text`."""
    lines = Path(faults.__file__).read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip().startswith(text))


def make_run(game: Game, **settings: Any) -> Run:
    """Return a run for a stage that is called directly."""
    return Run(game, **{**QUICK, "progress": None, **settings})
