"""Every way to tell a seat what it may not know is found."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from qipai.core import Twins
from qipai.testing import Property, check_game
from tests.toys_check import faults, hush
from tests.toys_check.faults import broken

from .breaking import QUICK, breaks, keeps

BURIED = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
SECRETS = (
    Property.SECRET_OBSERVE,
    Property.SECRET_VIEW,
    Property.SECRET_DRAW,
    Property.SECRET_NARRATE,
    Property.DETERMINIZE,
)


def test_a_leaking_view_is_found() -> None:
    breaks(broken(view=faults.view_leaks), Property.SECRET_VIEW, "learns from view.peek")


def test_a_view_that_leaks_by_the_order_of_its_keys_is_found() -> None:
    breaks(broken(view=faults.view_leaks_order), Property.SECRET_VIEW, "learns from view")


def test_a_leaking_observe_is_found() -> None:
    breaks(broken(observe=faults.observe_leaks), Property.SECRET_OBSERVE, "seat -1 learns from hand")


def test_a_leaking_drawing_is_found() -> None:
    breaks(broken(draw=faults.draw_leaks), Property.SECRET_DRAW, "learns from the drawing (en)")


@pytest.mark.parametrize(
    ("determinize", "text"),
    [
        (faults.determinize_own, "changed its own legal actions"),
        (faults.determinize_loses, "loses or makes pieces"),
        (faults.determinize_nothing, "are all the true one"),
        (faults.determinize_strips, "the world breaks mask: empty"),
        (faults.determinize_option, "changed spoils"),
    ],
)
def test_a_wrong_determinize_is_found(determinize: Any, text: str) -> None:
    breaks(broken(determinize=determinize), Property.DETERMINIZE, text, games=12)


def test_a_determinize_that_redraws_something_else_is_found_by_what_it_keeps() -> None:
    """The buried card and the stock change; the hand that the twins are about never does."""
    one, other = ({"hand": hands, "buried": BURIED} for hands in (hush.HANDS, hush.OTHER))
    twins = Twins("another hand at seat 1", 0, one, other, seats=3)
    sound = broken(lay_out=faults.lay_out_buried, twins=(twins,))
    keeps(sound, *SECRETS)
    game = replace(sound, rules=replace(sound.rules, determinize=faults.determinize_keeps_hands))
    breaks(game, Property.DETERMINIZE, "seat 0 cannot know hand[1, 0], hand[1, 1], hand[1, 2], and 200")


def test_a_match_that_breaks_in_the_true_world_too_is_no_fault_of_determinize() -> None:
    game = broken(apply=faults.apply_endless)
    failure = breaks(game, Property.LENGTH, "still going on after 12", only=[Property.SUCCESSOR])
    assert failure.case is not None
    assert failure.case.ply == hush.LENGTH
    assert int(failure.case.replay(game)["ply"]) == hush.LENGTH


def test_a_field_that_view_and_determinize_both_forget_is_found_by_the_twins() -> None:
    game = broken(view=faults.view_leaks_stock, determinize=faults.determinize_keeps_stock)
    failure = breaks(game, Property.SECRET_VIEW, "seat 0 learns from view.stock_cards")
    assert failure.case is not None
    assert failure.case.layout is not None
    keeps(broken(view=game.rules.view, determinize=game.rules.determinize, twins=()), *SECRETS)


def test_a_game_that_offers_no_twins_is_warned_unless_it_hides_nothing() -> None:
    def warned(**changes: Any) -> bool:
        report = check_game(broken(**changes), **{**QUICK, "only": [Property.TWINS]})
        return Property.TWINS in report.warnings

    assert warned(twins=())
    assert not warned()
    assert not warned(twins=(), perfect_information=True)


def test_twins_that_are_the_same_are_refused() -> None:
    twins = Twins("no difference", 0, {"hand": hush.HANDS}, {"hand": hush.HANDS}, seats=3)
    breaks(broken(twins=(twins,)), Property.TWINS, "the two are the same")


def test_twins_that_cannot_be_laid_out_are_found() -> None:
    twins = Twins("no such layout", 0, {"hand": hush.HANDS}, {"hands": hush.HANDS}, seats=3)
    breaks(broken(twins=(twins,)), Property.TWINS, "BadLayout")


def test_twins_of_a_finished_match_are_refused() -> None:
    over = {"hand": hush.HANDS, "misdeal": True}
    twins = Twins("over", 0, over, {**over, "hand": hush.OTHER}, seats=3)
    breaks(broken(twins=(twins,)), Property.TWINS, "a finished match has no secrets")


def test_events_that_are_not_as_public_as_the_rules_say_are_found() -> None:
    game = broken(public_events=True)
    breaks(game, Property.SECRET_NARRATE, "public_events, but seat", options=[{"cards": 1}])
