"""Random games through the named API: spec "exhausted C", "always", §10.3, and the naive twin."""

from __future__ import annotations

import json
from random import Random

import pytest

from qipai.games.xianqi.api import XianqiGameEngine
from tests.games.xianqi.api.games import THREE, random_games, random_rules, twin_games, twin_positions
from tests.games.xianqi.api.states import Json, random_call
from tests.naive import xianqi as naive

FIGURES = {  # §10.3: uniform random actions, default rules, 40 000 seeds
    "two_enough": 0.37,
    "buckled": 0.30,
    "exhausted": 0.21,
    "ceramic": 0.065,
    "black": 0.052,
}


@pytest.mark.slow
def test_every_random_game_ends_and_is_paid_in_exhausted_c_and_always() -> None:
    count = 1000
    found = random_games(count, seed=0)
    assert abs(found["actions"] - 19.5) < 1.0
    assert set(found) == {"actions", *FIGURES}
    for end, share in FIGURES.items():
        assert abs(found[end] - share) < 4 * (share * (1 - share) / count) ** 0.5 + 0.005, end


@pytest.mark.parametrize("count", [40, pytest.param(300, marks=pytest.mark.slow)])
def test_the_engine_agrees_with_the_naive_twin_under_all_options(count: int) -> None:
    assert twin_games(count, seed=count)["positions"] > 10 * count


@pytest.mark.parametrize("count", [100, pytest.param(600, marks=pytest.mark.slow)])
def test_the_engine_agrees_with_the_naive_twin_on_positions_laid_out_by_hand(count: int) -> None:
    assert twin_positions(count, seed=count)["compared"] > 2 * count


@pytest.mark.parametrize("seed", range(6))
def test_no_view_of_a_seat_depends_on_what_it_cannot_see_in_7_2(seed: int) -> None:
    """Two seats exchange hands that a third cannot see: its public and private states stay equal."""
    rng = Random(seed)
    engine = XianqiGameEngine(random_rules(rng))
    out = engine.init_game(THREE, seed)
    while out["legal_actions"] is not None:
        listed = out["legal_actions"]
        hand = out["private_state_by_seat"][str(listed["seat"])]["hand"]
        out = engine.apply_action(*random_call(listed, hand, rng))
        for watcher in range(3):
            other = XianqiGameEngine()
            other.load_state(swapped(out["new_state"], watcher))
            assert other.get_public_state() == out["public_state"]
            assert other.get_private_state(watcher) == out["private_state_by_seat"][str(watcher)]


def swapped(document: Json, watcher: int) -> Json:
    """Replace hands and covers of the other two seats by other cards of the same number."""
    document = json.loads(json.dumps(document))
    hidden = [p for k, p in enumerate(document["players"]) if k != watcher]
    plays = [p for g in [document["turn"], *document["pillar_groups"]] for p in g["plays"]]
    for player in hidden:
        player["hand"] = {"R_SHI": naive.size(player["hand"])}
    for play in plays:
        if play["power"] == -1 and play["seat"] != watcher:
            play["cards"] = {"B_NIU": naive.size(play["cards"])}
    return document


def test_other_seats_learn_nothing_from_lists_or_errors_in_7_2() -> None:
    out = XianqiGameEngine().init_game(THREE, 42)
    public = json.dumps(out["public_state"])
    assert "seed" not in public and "hand_count" in public and '"hand"' not in public
    assert "payload_cards" not in public
