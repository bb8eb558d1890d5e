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
    """Return every table that fits what `seat` (or a watcher) has seen, with its number of physical deals."""
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
    """Return the statistic of `draws` redrawn worlds against the listing, and its degrees of freedom."""
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
    """Return the largest (chi-square - freedom) / sqrt(2 freedom) over random small positions."""
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


def known_to(s: State, seat: int) -> dict[int, int]:
    """Return by slot in play and not face up: the number that `seat` knows there, 13 for one it does not."""
    table = Reading(s)
    found = {}
    for x in table.slots():
        if table.is_in_play(x) and x not in s["chain"][: s["links"]]:
            known = x // HAND == seat or table.is_public(x)
            found[x] = table.card[x] if known else 13
    return found


def copies_in_reach(s: State, seat: int, number: int) -> int:
    """Face-up copies of `number`, and those that surely can be turned up: known ends of hands, the centre."""
    down = known_to(s, seat)
    count = sum(int(s["card"][x]) == number for x in s["chain"][: s["links"]])
    count += sum(n == number for x, n in down.items() if x >= CENTRE_SLOT)
    for k in range(int(s["seats"])):
        hand = [down[x] for x in sorted(down) if x < CENTRE_SLOT and x // HAND == k]
        while hand and number in (hand[0], hand[-1]):
            hand.pop(0 if hand[0] == number else -1)
            count += 1
    return count


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_the_observation_says_what_each_action_would_show_and_what_others_have_seen(seats: int) -> None:
    at = {f.name: slice(f.start, f.start + f.length) for f in GAME.rules.observation}
    sums: Counter[int] = Counter()
    for s in random_states(40, seats, seed=4, most=90):
        for seat in range(seats):
            out, down, table = GAME.observation_of(s, seat), known_to(s, seat), Reading(s)
            size = table.dealt[seat]
            own = [
                int(not table.is_in_play(x) or table.is_public(x))
                for x in range(seat * HAND, seat * HAND + size)
            ]
            assert out[at["seen"]].tolist() == own + [0] * (HAND - size)
            turned_up = [int(s["card"][x]) for x in s["chain"][: s["links"]]]
            for action, (face, ready) in enumerate(zip(out[at["face"]], out[at["ready"]], strict=True)):
                if action >= 12:
                    shown = down.get(CENTRE_SLOT + action - 12, 0)
                else:
                    hand = [
                        x
                        for x in sorted(down)
                        if x // HAND == (seat + action // 2) % seats and x < CENTRE_SLOT
                    ]
                    there = hand if action // 2 < seats else []
                    shown = down[there[-(action & 1)]] if there else 0
                assert face == shown
                fits = 0 < shown < 13 and shown in (turned_up or [shown])
                assert ready == (copies_in_reach(s, seat, shown) if fits else 0)
                sums[int(ready)] += 1
    assert all(sums[n] > 0 for n in range(4))


def test_a_watcher_has_no_hand_that_others_have_seen() -> None:
    at = next(f for f in GAME.rules.observation if f.name == "seen")
    for s in random_states(5, 3, seed=2, most=60):
        assert not GAME.observation_of(s, -1)[at.start : at.start + at.length].any()
