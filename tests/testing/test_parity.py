"""A source that runs differently plain, compiled or checked is found."""

from __future__ import annotations

from qipai.testing import Property
from tests.toys_check import faults, hush
from tests.toys_check.faults import broken

from .breaking import breaks, keeps, line_of


def test_the_healthy_game_is_the_same_in_all_three_ways() -> None:
    keeps(hush.GAME, Property.PARITY, parity_games=6)


def test_a_mask_that_differs_between_plain_and_compiled_is_found() -> None:
    breaks(broken(legal=faults.legal_shifts), Property.PARITY, "the masks differ, plain and compiled")


def test_an_int8_that_overflows_when_plain_is_found() -> None:
    said = breaks(
        broken(legal=faults.legal_overflows), Property.PARITY, "legal (plain) raised FloatingPointError"
    )
    assert said.message.endswith(f" (faults.py, line {line_of('heavy = s.held[0]')})")


def test_an_observation_that_does_not_fit_is_found() -> None:
    """Stored in int8 it wraps in all three ways alike: only the wide array of the plain way shows it."""
    game = broken(observe=faults.observe_wide)
    breaks(game, Property.OBSERVATION, "stock does not fit int8", only=[Property.PARITY])


def test_what_only_plain_python_refuses_is_a_matter_of_parity() -> None:
    said = breaks(
        broken(observe=faults.observe_wide), Property.PARITY, "OverflowError", only=[Property.LENGTH]
    )
    assert "(faults.py, line " in said.message
