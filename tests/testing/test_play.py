"""The loop over random games finds each planted fault, and says where."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numba
import pytest

from qipai.testing import ConformanceError, Property, check_game
from tests.toys_check import faults, hush
from tests.toys_check.faults import broken

from .breaking import breaks, keeps, line_of

MASKS = [
    (faults.legal_empty, "empty"),
    (faults.legal_miscounts, "legal returned"),
    (faults.legal_keeps, "not written"),
    (faults.legal_beyond, "beyond the last action"),
]
HEADERS = [
    (faults.apply_lost_seat, "seat is 3"),
    (faults.apply_no_phase, "phase is 77"),
    (faults.apply_no_ply, "ply is"),
    (faults.apply_cut, "cut is 2"),
    (faults.apply_rich, "payoff of seat 0"),
    (faults.apply_grows, "seats became 2"),
    (faults.apply_option, "option cap changed"),
]


def test_the_healthy_game_keeps_every_promise_of_the_loop() -> None:
    keeps(hush.GAME, Property.MASK, Property.LENGTH, Property.HEADER, Property.DEAL, Property.ZERO_SUM)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"apply": faults.apply_misspelt}, "apply_misspelt: the state has no field 'picket'"),
        ({"apply": faults.apply_mixes}, "apply_mixes does not compile"),
        ({"legal": faults.legal_silent}, "legal_silent returns nothing"),
    ],
)
@pytest.mark.parametrize("only", [Property.COMPILE, Property.MASK])
@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="compilation is off")  # type: ignore[attr-defined]
def test_rules_that_do_not_compile_are_a_failure_of_their_own(
    changes: dict[str, Any], text: str, only: Property
) -> None:
    breaks(broken(**changes), Property.COMPILE, text, variant="checked", only=[only])


@pytest.mark.parametrize(("legal", "text"), MASKS)
def test_a_wrong_mask_is_found(legal: Any, text: str) -> None:
    breaks(broken(legal=legal), Property.MASK, text)


@pytest.mark.parametrize(("apply", "text"), HEADERS)
def test_a_header_out_of_range_is_found(apply: Any, text: str) -> None:
    breaks(broken(apply=apply), Property.HEADER, text, games=30)


def test_a_game_that_never_ends_is_found() -> None:
    breaks(broken(apply=faults.apply_endless), Property.LENGTH, "still going on after 12 actions")


def test_a_legal_that_writes_is_found_with_the_field_it_writes() -> None:
    breaks(broken(legal=faults.legal_writes), Property.PURE, "legal changed the state at pool")


def test_an_observe_that_writes_is_found() -> None:
    breaks(broken(observe=faults.observe_writes), Property.PURE, "seat -1 changed the state at pool")


def test_an_observation_that_is_not_all_written_is_found() -> None:
    breaks(broken(observe=faults.observe_gap), Property.OBSERVATION, "entry 17, buried")


def test_a_value_beyond_the_range_of_its_feature_is_found() -> None:
    held = next(f for f in hush.FEATURES if f.name == "held")
    features = [replace(f, low=0, high=1) if f is held else f for f in hush.FEATURES]
    breaks(broken(observation=tuple(features)), Property.OBSERVATION, "beyond the range of held")


def test_a_deal_that_leaves_something_of_the_last_match_is_found() -> None:
    breaks(broken(deal=faults.deal_leaves), Property.DEAL, "payoff depends on the match before")


def test_scratch_that_is_left_behind_is_found() -> None:
    breaks(broken(deal=faults.deal_leaves_scratch), Property.DEAL, "pool depends on the match before")


def test_payoffs_that_do_not_sum_to_zero_are_found() -> None:
    breaks(broken(apply=faults.apply_pays), Property.ZERO_SUM, "the payoffs are")


def test_payoffs_need_not_sum_to_zero_where_the_options_say_so() -> None:
    keeps(hush.GAME, Property.LENGTH, options=[{"spoils": "on"}])


def test_an_unfinished_move_that_changes_hands_is_found() -> None:
    breaks(broken(partial=faults.partial_always), Property.COMPOUND, "seat 0 is in the middle of a move")


def test_a_partial_that_is_neither_0_nor_1_is_found() -> None:
    breaks(broken(partial=faults.partial_counts), Property.COMPOUND, "partial answered 2")


@pytest.mark.slow
def test_an_index_out_of_range_is_found_by_the_checked_variant_only() -> None:
    game = broken(legal=faults.legal_out_of_bounds)
    failure = breaks(game, Property.BOUNDS, "IndexError", variant="checked", games=60, options=[{}])
    assert failure.case is not None
    assert failure.message.endswith(f" (faults.py, line {line_of('seen = s.hand[s.seat + 1, 0]')})")
    report = check_game(game, games=60, seats=[3], variant="compiled", options=[{}], only=[Property.LENGTH])
    assert report.games == 60


def test_a_failure_names_seed_and_ply_and_replays() -> None:
    game = broken(legal=faults.legal_empty)
    failure = breaks(game, Property.MASK, seed=77)
    case = failure.case
    assert case is not None
    assert "seed 77" in str(failure)
    assert f"ply {case.ply}" in str(failure)
    state = case.replay(game)
    assert int(state["phase"]) == hush.BURYING
    assert not game.mask(state).any()


def test_all_games_are_counted_and_none_is_played_after_a_failure() -> None:
    report = check_game(hush.GAME, games=50, variant="plain", only=[Property.MASK])
    assert report.games == 50
    assert report.decisions > 100
    with pytest.raises(ConformanceError) as caught:
        check_game(broken(legal=faults.legal_empty), games=50, variant="plain")
    assert caught.value.report.games < 50
    assert len(caught.value.failures) == 1
