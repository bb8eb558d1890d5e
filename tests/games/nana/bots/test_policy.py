"""The compiled chances of plans, against fractions and against a search over all deals."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core import State
from qipai.games.nana import GAME
from qipai.games.nana.bots.exact import Thinker
from qipai.games.nana.bots.facts import action_values
from tests.games.nana.bots.test_facts import listing, searched, slots_of
from tests.games.nana.tables import facts_for, random_states


def action_of(ask: str, seat: int, seats: int) -> int:
    if ask[0] == "c":
        return 12 + int(ask[1:])
    word, other = ask.split()
    return 2 * ((int(other) - seat) % seats) + (word == "tail")


def compare_compiled(count: int, seats: int, seed: int) -> float:
    """Return the largest gap between the agent's chances and the fractions, over random positions."""
    thinker = Thinker(GAME)
    worst = 0.0
    for s in random_states(count, seats, seed=seed):
        seat = int(s["seat"])
        facts = facts_for(s, seat)
        chain = [int(s["card"][slot]) for slot in s["chain"][: s["links"]]]
        thinker.think(s, seat, GAME.mask(s))
        for ask, value in action_values(facts, chain).items():
            worst = max(worst, abs(float(value) - thinker.best[action_of(ask, seat, seats)].sum()))
    return worst


@pytest.mark.parametrize("seats, count", [(2, 30), (3, 12), (4, 5), (6, 2)])
def test_the_agents_chances_are_the_fractions(seats: int, count: int) -> None:
    assert compare_compiled(count, seats, seats) < 1e-9


SMALL: list[dict[str, Any]] = [
    {"hands": [[1, 2, 3], [1, 2, 3], [1, 3]], "centre": [2]},
    {"hands": [[1, 3, 4], [2, 4], [1, 2, 3]], "centre": [1, 2, 3, 4]},
]


def compare_with_search(count: int, seed: int) -> int:
    """Compare the agent's chances with a search over all listed deals, in mid-game on small tables."""
    thinker = Thinker(GAME)
    compared = 0
    for layout in SMALL:
        for s in random_states(count, 3, seed=seed, most=9, layout=layout):
            facts = facts_for(s, int(s["seat"]))
            dark = sum(e is None for hand in (*facts.hands, facts.centre) for e in hand)
            if int(s["seat"]) != 0 or dark > 7:
                continue
            own = [(f"h0.{i}", e) for i, e in enumerate(facts.hands[0]) if e is not None]
            worlds = [dict(own) | dict(zip(slots_of(facts), w, strict=True)) for w in listing(facts)]
            thinker.think(s, 0, GAME.mask(s))
            best = float(searched(facts, worlds, facts.face_up))
            assert abs(thinker.best.sum(axis=1).max() - best) < 1e-9
            compared += 1
    return compared


def test_the_agents_best_chance_equals_a_search_over_all_deals() -> None:
    assert compare_with_search(30, 3) >= 8


def test_the_agent_sees_the_same_in_every_world_that_fits() -> None:
    thinker = Thinker(GAME)
    for s in random_states(25, 3, seed=8):
        seat = int(s["seat"])
        figures = set()
        for k in range(3):
            world: State = GAME.redrawn(s, seat, (k, 1, 2, 3))
            action = thinker.think(world, seat, GAME.mask(s))
            figures.add((action, thinker.best.tobytes(), thinker.worth.tobytes()))
        assert len(figures) == 1
