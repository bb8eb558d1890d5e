"""What a seat may know: `determinize` is uniform over all deals that fit; the observation is the view's."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from qipai.core import State, copy_state
from qipai.games.nana import GAME
from qipai.games.nana.bots.facts import posterior
from qipai.games.nana.state import CENTRE_SLOT, HAND
from qipai.games.nana.view import Reading
from tests.games.nana.tables import facts_for, random_states, world_of
from tests.naive.nana import deals

SMALL: list[dict[str, Any]] = [
    {"hands": [[1, 2, 3], [1, 2, 3], [1, 3]], "centre": [2]},
    {"hands": [[1, 1, 4], [2, 3, 4], [1, 2, 3]], "centre": [2, 3, 4]},
    {"hands": [[2], [1, 2, 2, 3], [1, 3]], "centre": [1, 3]},
]


def all_worlds(s: State, seat: int) -> Counter[tuple[int, ...]]:
    """Every table that fits what `seat` (or a watcher) has seen, with its number of physical deals."""
    table = Reading(s)
    facts: list[list[int | None]] = []
    for k in range(table.seats):
        slots = [k * HAND + i for i in range(table.dealt[k])]
        facts.append([table.card[x] if k == seat or table.is_public(x) else None for x in slots])
    centre = [CENTRE_SLOT + i for i in range(table.centre)]
    middle = [table.card[x] if table.is_public(x) else None for x in centre]
    numbers = sorted({table.card[x] for x in table.slots()})
    own = [n for n in facts[seat] if n is not None] if seat >= 0 else []
    others = [hand for k, hand in enumerate(facts) if k != seat]
    found: Counter[tuple[int, ...]] = Counter()
    for hands, shown in deals(numbers, own, others, middle):
        rows = list(hands)
        if seat >= 0:
            rows.insert(seat, tuple(own))
        found[tuple(n for row in rows for n in row) + shown] += 1
    return found


def chi_square(s: State, seat: int, draws: int, seed: int) -> tuple[float, int]:
    """The statistic of `draws` redrawn worlds against the listing, and its degrees of freedom."""
    expected = all_worlds(s, seat)
    total = sum(expected.values())
    copy = copy_state(s)
    GAME.key(copy, (seed, 1, 2, 3))
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(draws):
        GAME.rules.determinize(copy, seat)
        seen[world_of(copy)] += 1
    assert set(seen) <= set(expected)
    statistic = sum((seen[w] - draws * k / total) ** 2 / (draws * k / total) for w, k in expected.items())
    return statistic, len(expected) - 1


def worst_excess(positions: int, draws: int, seed: int) -> float:
    """The largest (chi-square - freedom) / sqrt(2 freedom) over random small positions."""
    worst = -9.0
    for layout in SMALL:
        for s in random_states(positions, 3, seed=seed, most=10, layout=layout):
            for seat in (int(s["seat"]), -1):
                if sum(not Reading(s).is_public(x) for x in Reading(s).slots()) > 8:
                    continue
                statistic, freedom = chi_square(s, seat, draws, seed)
                if freedom > 0:
                    worst = max(worst, (statistic - freedom) / (2 * freedom) ** 0.5)
    return worst


@pytest.mark.slow
def test_determinize_is_uniform_over_all_deals_that_fit() -> None:
    assert (
        worst_excess(4, 2000, 5) < 4.5
    )  # some 20 statistics: 4.5 deviations come by chance once in thousands


@pytest.mark.parametrize("seats", [2, 3])
def test_redrawn_ends_follow_the_counted_posterior(seats: int) -> None:
    s = next(iter(random_states(5, seats, seed=3, most=14)))
    seat, draws = int(s["seat"]), 4000
    facts = facts_for(s, seat)
    copy = copy_state(s)
    other = (seat + 1) % seats
    slot = other * HAND + int(s["dark_low"][other])
    name = f"h{other}.{int(s['dark_low'][other])}"
    seen: Counter[int] = Counter()
    for _ in range(draws):
        GAME.rules.determinize(copy, seat)
        seen[int(copy["card"][slot])] += 1
    for n in facts.count.numbers:
        p = float(posterior(facts, [(name, n)]))
        assert abs(seen[n] / draws - p) <= 4.5 * (p * (1 - p) / draws) ** 0.5


def test_a_redrawn_world_keeps_every_hand_sorted_and_every_number_threefold() -> None:
    for seats in range(2, 7):
        for s in random_states(6, seats, seed=9, most=80):
            other = GAME.redrawn(s, int(s["seat"]), (9, 9, 9, 9))
            table = Reading(other)
            assert set(Counter(table.card[x] for x in table.slots()).values()) == {3}
            for k in range(seats):
                hand = [table.card[k * HAND + i] for i in range(table.dealt[k])]
                assert hand == sorted(hand)


def test_the_observation_says_what_the_view_says() -> None:
    at = {f.name: slice(f.start, f.start + f.length) for f in GAME.rules.observation}
    for s in random_states(20, 4, seed=1, most=70):
        for seat in range(4):
            out, seen = GAME.observation_of(s, seat), GAME.rules.view(s, seat)
            slots = out[at["slot"]].reshape(6, 12)
            known = {**seen["known"], **{c["slot"]: c["number"] for c in seen["my_hand"]}}
            for k in range(4):
                for i in range(7):
                    name = f"h{k}.{i}"
                    code = int(slots[(k - seat) % 4, i])
                    assert code == (
                        -seen["removed"][name] if name in seen["removed"] else known.get(name, 13)
                    )
            assert out[at["links"]][0] == len(seen["face_up"])
            low, high = out[at["turn"]].tolist()
            assert low + 128 * high == seen["turn"]
