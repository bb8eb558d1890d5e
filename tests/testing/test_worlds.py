"""Redrawn worlds: every planted fault is found, without twins, and sound games pass."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

from qipai.core import Game, State, rule
from qipai.testing import Property
from qipai.testing.drawer import Drawer
from qipai.testing.worlds import entries, entry_name, histories, is_secret, place_name
from tests.toys_check import embers, faults, hush, murmur
from tests.toys_check.changing import changed
from tests.toys_check.embers import HAND, KNOWN, MOST, SEATS, observe
from tests.toys_check.faults import broken

from .breaking import breaks, keeps, make_run

needs_jit = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="compilation is off")  # type: ignore[attr-defined]

# Compiled, for thousands of worlds; everything that one game needs, and no other option sets.
FULL: dict[str, Any] = {"games": 40, "variant": "compiled", "seats": [2]}
BOTH = (Property.WORLDS, Property.SIGHT)


def with_determinize(determinize: Any) -> Game:
    """Embers with another `determinize`."""
    return changed(embers.GAME, determinize=determinize)


# --- what is wrong with determinize ---------------------------------------------------------


@needs_jit
@pytest.mark.slow
@pytest.mark.parametrize(
    ("determinize", "prop", "text"),
    [
        (embers.determinize_keeps_burnt, Property.SIGHT, "redrawn for it burnt is always"),
        (embers.determinize_keeps_drawn, Property.SIGHT, "redrawn for it drawn[1] is always"),
        (embers.determinize_ignores_boasts, Property.WORLDS, "are drawn, but are not among them"),
        (embers.determinize_biased, Property.WORLDS, "are not like deals"),
    ],
)
def test_a_determinize_that_no_single_world_betrays_is_found(
    determinize: Any, prop: Property, text: str
) -> None:
    failure = breaks(with_determinize(determinize), prop, text, **FULL)
    assert failure.case is not None
    assert int(failure.case.replay(embers.GAME)["seat"]) >= 0


def test_the_other_stages_do_not_find_them() -> None:
    """They are what this stage is for: each world fits, plays on, and shows the seat the same."""
    for name in ("keeps_burnt", "keeps_drawn", "ignores_boasts", "biased"):
        game = with_determinize(getattr(embers, f"determinize_{name}"))
        keeps(game, Property.DETERMINIZE, Property.SECRET_OBSERVE, seats=[2], games=3)


@needs_jit
@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"cards": 12, "held": 3}])
def test_a_sound_game_passes(options: dict[str, Any]) -> None:
    keeps(embers.GAME, *BOTH, **{**FULL, "options": [options]})


def test_a_sound_game_passes_where_rules_are_not_compiled() -> None:
    keeps(hush.GAME, *BOTH, options=[{"cards": 1}], seats=[2])


def test_a_kept_stock_is_found_without_twins() -> None:
    game = broken(determinize=faults.determinize_keeps_stock, twins=())
    breaks(game, Property.SIGHT, "cannot tell two worlds apart, but redrawn for it", seats=[3])


# --- secrets in the header ----------------------------------------------------------------


def test_a_count_of_secret_actions_is_found_and_a_game_without_it_passes() -> None:
    keeps(murmur.GAME, *BOTH)
    leaky = changed(murmur.GAME, determinize=murmur.determinize_counts)
    breaks(leaky, Property.SIGHT, "redrawn for it ply is always", only=[Property.SIGHT])


def test_who_is_asked_first_is_a_secret_of_murmur_and_none_of_embers() -> None:
    for game, secret in ((murmur.GAME, True), (embers.GAME, False)):
        run = make_run(game, seats=[game.rules.seats[0]])
        drawer = Drawer(run)
        dealt = drawer.deals(run.blanks[0], 60, 1)
        assert is_secret(drawer, dealt[dealt["seat"] >= 0], -1, 1) is secret
        assert is_secret(drawer, dealt[:0], -1, 1) is False


# --- what a sound game may do -------------------------------------------------------------


@rule
def observe_no_boast(s: Any, seat: int, out: Any) -> None:
    """Observe without the boast, which the view shows."""
    observe(s, seat, out)
    for k in range(SEATS):
        out[5 + k] = 0


@rule
def observe_pairs(s: Any, seat: int, out: Any) -> None:
    """Two cards each look the same."""
    observe(s, seat, out)
    for card in range(MOST):
        out[KNOWN + card] = 0
    for card in range(MOST):
        if seat >= 0 and s.where[card] == HAND + seat:
            out[KNOWN + card // 2] += 1


def view_pairs(s: State, seat: int) -> dict[str, Any]:
    """Two cards each look the same."""
    seen = embers.view(s, seat)
    return {**seen, "hand": [card // 2 for card in seen["hand"]]} if seat >= 0 else seen


@needs_jit
@pytest.mark.slow
@pytest.mark.parametrize(
    "game",
    [
        pytest.param(changed(embers.GAME, observe=observe_no_boast), id="a view that shows more"),
        pytest.param(
            changed(embers.GAME, observe=observe_pairs, view=view_pairs), id="cards that look alike"
        ),
    ],
)
def test_what_is_no_fault_passes(game: Game) -> None:
    """A view may show more than the observation; it does not matter which of two equal cards is held."""
    keeps(game, *BOTH, **FULL)


# --- helpers ------------------------------------------------------------------------------


def test_histories_end_at_the_deal_or_where_the_viewer_decides() -> None:
    run = make_run(embers.GAME, seats=[2])
    found = [pair for number in range(4) for pair in histories(run, number)]
    assert len(found) > 6
    for history, case in found:
        end = case.replay(run.game)
        assert end.tobytes() == history.end.tobytes()
        assert history.waits == (int(end["seat"]) == history.viewer)
        assert history.waits or case.ply == 0


def test_every_number_that_an_agent_is_given_has_a_name() -> None:
    game = embers.GAME
    worlds = np.zeros(2, embers.STATE).view(np.recarray)
    names = [entry_name(game, column) for column in range(entries(game, worlds).shape[1])]
    assert names[0] == "ply" and "where[11]" in names and "boast[1]" in names
    assert len(set(names)) == len(names)
    with pytest.raises(IndexError):
        entry_name(game, len(names))


def test_places_are_named_for_readers() -> None:
    worlds = np.zeros(1, embers.STATE).view(np.recarray)
    worlds["seats"] = 2
    size = embers.GAME.observation_size
    assert place_name(embers.GAME, size + KNOWN + 2, worlds) == "what seat 0 observes in known[2]"
    assert (
        place_name(embers.GAME, 3 * size, worlds)
        == "what seat -1 observes in phase some random actions later"
    )
    assert place_name(embers.GAME, 6 * size, worlds) == "a field of one number"
    assert "several places" in place_name(embers.GAME, -1, worlds)
