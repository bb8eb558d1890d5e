"""What a seat is told: leaks in narration are found, and what a seat may be told is not called one."""

from __future__ import annotations

from dataclasses import replace

from qipai.testing import Property
from tests.toys_check import faults
from tests.toys_check.faults import broken

from .breaking import breaks, keeps

SECRETS = (
    Property.SECRET_OBSERVE,
    Property.SECRET_VIEW,
    Property.SECRET_DRAW,
    Property.SECRET_NARRATE,
    Property.DETERMINIZE,
)


def test_a_narration_that_names_a_hidden_card_is_found() -> None:
    breaks(broken(narrate=faults.narrate_leaks_card), Property.SECRET_NARRATE, '"card"')


def test_a_narration_that_names_a_hidden_action_is_found() -> None:
    """The same action in two worlds is told alike; only another action shows the leak."""
    game = broken(narrate=faults.narrate_leaks_action)
    breaks(game, Property.SECRET_NARRATE, '"last"', options=[{"cards": 1}])


def test_a_seat_may_be_told_what_it_did_itself_though_it_cannot_see_it_afterwards() -> None:
    game = broken(view=faults.view_forgets, observe=faults.observe_forgets, narrate=faults.narrate_own)
    keeps(game, Property.SECRET_NARRATE, options=[{"cards": 1}])


def test_an_announcement_that_is_kept_nowhere_is_found_with_what_to_do() -> None:
    game = broken(narrate=faults.narrate_leaks_action)
    text = "though its view and observation afterwards are equal: show it there, or do not tell it"
    breaks(game, Property.SECRET_NARRATE, text, options=[{"cards": 1}])


def test_a_narration_that_names_a_hidden_card_at_the_end_of_a_compound_move_is_found() -> None:
    """Another seat's unfinished move is taken back in its worlds: only whole moves can be compared."""
    sound = broken(determinize=faults.determinize_whole, twins=())
    keeps(sound, *SECRETS)
    game = replace(sound, rules=replace(sound.rules, narrate=faults.narrate_leaks_compound))
    breaks(game, Property.SECRET_NARRATE, '"peek"')
