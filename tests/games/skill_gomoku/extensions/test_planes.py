"""Planes made from a view: equal to those of the observation, and for matches that have none."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from qipai.games.skill_gomoku import CardDefinition, CardRegistry, Context, SkillGomokuMatch, base_registry
from qipai.games.skill_gomoku.extensions.planes import planes_from_view

from ..positions import PI, P, T, cell, choose, state

OWN, OTHER, EMPTY, LAST, LEGAL, PLAYER_ONE, AIMING = range(7)
DRAWN, CHOSEN, SKIPS, LEFT, PILE, TURN, ONES = (
    slice(7, 17),
    slice(17, 22),
    slice(22, 24),
    slice(24, 29),
    29,
    30,
    31,
)


@pytest.mark.parametrize("size", [5, 15, 19])
def test_the_planes_agree_with_those_made_from_the_view(size: int) -> None:
    rng = random.Random(size)
    match = SkillGomokuMatch(size, {"boardSize": size, "maxTurns": 30})
    while legal := match.legal_actions():
        for who in (1, 2):
            assert np.array_equal(match.observation(who), planes_from_view(match.view(who)))
        match.act(rng.choice(legal))
    for who in (1, 2):
        assert np.array_equal(match.observation(who), planes_from_view(match.view(who)))


def values(found: Any, planes: Any) -> list[float]:
    """Return the one value that each of these planes has everywhere."""
    flat = found[planes].reshape(-1, found.shape[1] * found.shape[2])
    assert (flat == flat[:, :1]).all()
    return [float(value) for value in flat[:, 0]]


def test_9_each_viewer_has_own_stones_first_and_a_watcher_those_of_black() -> None:
    match = SkillGomokuMatch.load(state([P, P, T, P], size=25, black=[(24, 0)], white=[(0, 24), (1, 24)]))
    assert not match.compiled
    one, two, watcher = (planes_from_view(match.view(viewer)) for viewer in (1, 2, None))
    assert one.shape == (32, 25, 25)
    assert (one[OWN, 0, 24], one[OWN].sum(), one[OTHER].sum(), one[EMPTY].sum()) == (1, 1, 2, 622)
    assert np.array_equal(two[[OWN, OTHER]], one[[OTHER, OWN]])
    assert [values(found, [PLAYER_ONE, ONES]) for found in (one, two)] == [[1, 1], [0, 1]]
    assert values(one, DRAWN) == [1, 0, 0, 0, 0, 0, 1, 0, 0, 0]  # Place on the left, Take on the right
    assert not two[DRAWN].any()
    differs = [plane for plane in range(32) if not np.array_equal(watcher[plane], one[plane])]
    assert set(differs) <= {*range(7, 17), *range(24, 29)}  # what the watcher is not shown
    assert not watcher[DRAWN].any()


def test_legal_targets_are_marked_while_aiming_and_only_for_the_mover() -> None:
    doc = state([P, P, P, T], size=25, white=[(3, 4), (24, 24)], black=[(0, 0)])
    match = SkillGomokuMatch.load(doc)
    assert not planes_from_view(match.view(1))[[LEGAL, AIMING]].any()
    choose(match, 0)
    mover, other = planes_from_view(match.view(1)), planes_from_view(match.view(2))
    assert (values(mover, [AIMING]), values(other, [AIMING])) == ([1], [1])
    assert np.argwhere(mover[LEGAL]).tolist() == [[4, 3], [24, 24]]
    assert not other[LEGAL].any()
    assert values(other, CHOSEN) == [0, 1, 0, 0, 0]


def test_the_last_stone_is_marked_while_it_lies() -> None:
    match = SkillGomokuMatch.load(state([P, P, T, T, PI, P], size=25))
    choose(match, 0)
    cell(match, 20, 3)
    assert np.argwhere(planes_from_view(match.view(1))[LAST]).tolist() == [[3, 20]]
    choose(match, 0)
    cell(match, 20, 3)
    assert not planes_from_view(match.view(1))[LAST].any()


def test_counts_that_no_byte_holds_are_told_as_fractions() -> None:
    doc = state([P] * 150, size=5, deckCounts={P: 300, T: 0}, maxTurns=100_000)
    doc["turn"] = {"number": 75_000, "state": "choose", "drawn": [P, P]}
    match = SkillGomokuMatch.load(doc)
    found = planes_from_view(match.view(1))
    assert values(found, LEFT) == [150 / 300, 0, 0, 0, 0]  # none of a kind that the deck does not have
    assert values(found, [PILE, TURN]) == [150 / 300, 0.75]


def test_skips_count_in_quarters_up_to_four_and_no_limit_is_no_progress() -> None:
    late = state([P, P], size=5, skips=(0, 1000), maxTurns=10)
    late["turn"]["number"] = 5
    found = planes_from_view(SkillGomokuMatch.load(late).view(1))
    assert values(found, SKIPS) == [0, 1]
    assert values(found, [TURN]) == [0.5]
    one_skip = planes_from_view(SkillGomokuMatch.load(state([P, P], size=5, skips=(0, 1))).view(1))
    assert values(one_skip, SKIPS) == [0, 0.25]
    endless = planes_from_view(SkillGomokuMatch.load(state([P, P], size=5, maxTurns=None)).view(1))
    assert values(endless, [TURN]) == [0]


def _nothing(context: Context, target: Any, generator: Any) -> list[dict[str, Any]]:
    return []


def with_pause() -> CardRegistry:
    registry, words = base_registry(), {"en": "Pause", "zh": "停"}
    registry.register(CardDefinition("Pause", words, words, "p", {"kind": "none"}, lambda c: None, _nothing))
    return registry


def test_a_card_of_a_third_party_has_no_plane() -> None:
    match = SkillGomokuMatch.load(state([P, P, T, "Pause"], size=5), registry=with_pause())
    assert match.view(1)["turn"]["drawn"] == ["Pause", T]
    found = planes_from_view(match.view(1))
    assert values(found, DRAWN) == [0, 0, 0, 0, 0, 0, 1, 0, 0, 0]
    assert np.array_equal(found, match.observation(1))
