"""True chances: the worked examples (44), listings of all deals (45, 46), compiled against fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from qipai.games.nana import BadMemory, Facts, read_facts, run_vector, turn_value
from qipai.games.nana.bots.facts import action_values, posterior
from tests.games.nana.tables import facts_for, random_states
from tests.naive.nana import deals

N = None
OWN = [1, 2, 2, 4, 5, 6, 7, 8, 9, 10]
TEN = {"min": 1, "max": 10}
W2 = {"range": TEN, "seat": 0, "hands": [OWN, [N] * 10], "centre": [N] * 10}
W3 = {**W2, "hands": [OWN, [1] + [N] * 9]}
W4 = {
    "range": TEN,
    "seat": 0,
    "hands": [[1, 2, 2, -3, 5, 6, 7, 8, 9, 10], [-3] + [N] * 9],
    "centre": [-3] + [N] * 9,
}
W5 = {"range": {"min": 1, "max": 4}, "seat": 0, "hands": [[1, 2, 3, 4], [N] * 4], "centre": [1, 2, 2, N]}
W1 = {"range": {"min": 1, "max": 2}, "seat": 0, "hands": [[], [1, N]], "centre": [N, N], "copies": 2}
FOUR = {
    "range": {"min": 1, "max": 12},
    "seat": 0,
    "hands": [[1, 2, 4, 5, 8, 9, 12], [N] * 7, [N] * 7, [N] * 7],
    "centre": [N] * 8,
}

WORKED = [
    ("W1", W1, "h1.1", 1, "1/5"),
    ("W2", W2, "h1.0", 1, "29/38"),
    ("W2", W2, "h1.0", 2, "5/38"),
    ("W2", W2, "h1.0", 3, "129/1292"),
    ("W2", W2, "h1.9", 10, "29/38"),
    ("W2", W2, "h1.9", 9, "125/646"),
    ("W2", W2, "c0", 3, "3/20"),
    ("W2", W2, "h1.0", 10, "0/1"),
    ("W3", W3, "h1.1", 1, "9/29"),
    ("W3", W3, "c0", 1, "2/29"),
    ("W4", W4, "h1.1", 4, "87/91"),
    ("W4", W4, "h1.1", 5, "6/143"),
    ("W4", W4, "h1.1", 6, "2/1001"),
    ("W4", W4, "h1.1", 1, "0/1"),
    ("W4", W4, "h1.1", 2, "0/1"),
    ("W4", W4, "c1", 1, "2/9"),
    ("W5", W5, "h1.3", 4, "1/1"),
    ("W5", W5, "h1.1", 3, "1/1"),
    ("W5", W5, "h1.0", 1, "4/5"),
    ("W5", W5, "h1.0", 3, "1/5"),
    ("15.2", FOUR, "h1.0", 1, "25/58"),
    ("15.2", FOUR, "h1.0", 2, "1771/6786"),
    ("15.2", FOUR, "h2.0", 3, "77539/390195"),
]
HEADS = [0.4310, 0.2610, 0.1987, 0.0596, 0.0293, 0.0163, 0.0036, 0.0004, 0.0001, 0, 0, 0]
TAILS = [0, 0, 0, 0, 0.0002, 0.0020, 0.0103, 0.0198, 0.0422, 0.1472, 0.3472, 0.4310]


@pytest.mark.parametrize("name, facts, slot, number, p", WORKED)
def test_44_worked_examples(name: str, facts: dict[str, Any], slot: str, number: int, p: str) -> None:
    query = [{"slot": slot, "number": number}]
    assert run_vector("posterior", {"facts": facts, "query": query}) == {"p": p}


def test_44_the_posterior_table_of_a_fresh_four_player_deal() -> None:
    facts = read_facts(FOUR)
    for n in range(1, 13):
        assert float(posterior(facts, [("h1.0", n)])) == pytest.approx(HEADS[n - 1], abs=6e-5)
        assert float(posterior(facts, [("h3.6", n)])) == pytest.approx(TAILS[n - 1], abs=6e-5)


def test_44_w6_the_opening_move() -> None:
    facts = read_facts(W2)
    assert turn_value(facts, []) == (Fraction(165, 646), ["head 1"])
    values = action_values(facts, [])
    assert values["head 0"] == values["tail 0"] == values["tail 1"] == Fraction(9, 38)
    assert values["c0"] == Fraction(1423, 12920)
    answer = run_vector("turn_value", {"facts": W2, "chain": []})
    assert answer == {"value": "165/646", "best": [{"seat": 1, "end": "head"}]}


# --- every deal listed ----------------------------------------------------------------


def small_facts(rng: np.random.Generator) -> Facts:
    """Return facts of a random table of at most 12 cards: random slots shown, some trios collected."""
    top = int(rng.integers(2, 5))
    deck = rng.permutation([n for n in range(1, top + 1) for _ in range(3)]).tolist()
    cuts = sorted(rng.integers(0, len(deck) + 1, 3).tolist())
    hands = [sorted(deck[a:b]) for a, b in zip([0, *cuts], cuts, strict=False)]
    centre = deck[cuts[-1] :]
    gone = {int(rng.integers(1, top + 1))} if rng.random() < 0.4 else set()

    def entry(n: int) -> int | None:
        return -n if n in gone else n if rng.random() < 0.35 else None

    entries = [tuple(-n if n in gone else n for n in hands[0])]
    entries += [tuple(entry(n) for n in hand) for hand in hands[1:]]
    value = {
        "range": {"min": 1, "max": top},
        "seat": 0,
        "hands": entries,
        "centre": [entry(n) for n in centre],
    }
    return read_facts(value)


def listing(facts: Facts) -> list[tuple[int, ...]]:
    """Return the numbers of all unknown slots in every physical deal that fits."""
    numbers = list(facts.count.numbers)
    own = [e for e in facts.hands[0] if e is not None]
    others = [list(hand) for hand in facts.hands[1:]]
    found = []
    for hands, centre in deals(numbers, own, others, list(facts.centre)):
        found.append(tuple(n for part in (*hands, centre) for n in part))
    return found


def slots_of(facts: Facts) -> list[str]:
    names = [f"h{k + 1}.{i}" for k, hand in enumerate(facts.hands[1:]) for i in range(len(hand))]
    return names + [f"c{i}" for i in range(len(facts.centre))]


def compare_with_listing(count: int, seed: int) -> int:
    """Compare posteriors of random small facts with listings; return the joint events compared."""
    rng = np.random.default_rng(seed)
    compared = 0
    while count:
        facts = small_facts(rng)
        if sum(e is None for hand in (*facts.hands, facts.centre) for e in hand) > 7:
            continue
        count -= 1
        world, names = listing(facts), slots_of(facts)
        unknown = [i for i, name in enumerate(names) if facts.entry(name) is None]
        for i in unknown:
            shares = Counter(w[i] for w in world)
            for n in facts.count.numbers:
                assert posterior(facts, [(names[i], n)]) == Fraction(shares[n], len(world))
                compared += 1
        for i, j in list(combinations(unknown, 2))[:6]:
            for (a, b), share in Counter((w[i], w[j]) for w in world).items():
                assert posterior(facts, [(names[i], a), (names[j], b)]) == Fraction(share, len(world))
    return compared


def test_45_counting_equals_a_listing_of_all_deals() -> None:
    assert compare_with_listing(12, 45) > 50


@pytest.mark.parametrize("seats", [2, 3])
def test_46_chances_add_up(seats: int) -> None:
    for s in random_states(4, seats, seed=46):
        facts = facts_for(s, int(s["seat"]))
        numbers = facts.count.numbers
        names = [name for name in slots_of_all(facts) if facts.entry(name) is None]
        table = {name: [posterior(facts, [(name, n)]) for n in numbers] for name in names}
        assert all(sum(row) == 1 for row in table.values())
        for i, n in enumerate(numbers):
            assert sum(row[i] for row in table.values()) == facts.count.rest[n]


def slots_of_all(facts: Facts) -> list[str]:
    names = [f"h{k}.{i}" for k, hand in enumerate(facts.hands) for i in range(len(hand))]
    return names + [f"c{i}" for i in range(len(facts.centre))]


def test_the_turn_value_equals_a_search_over_all_deals() -> None:
    """V by plain recursion over listed deals, on small tables."""
    rng = np.random.default_rng(155)
    done = 0
    while done < 6:
        facts = small_facts(rng)
        if sum(e is None for hand in (*facts.hands, facts.centre) for e in hand) > 6:
            continue
        if not any((e or 1) > 0 for hand in (*facts.hands, facts.centre) for e in hand):
            continue
        done += 1
        world, names = listing(facts), slots_of(facts)
        own = [(f"h0.{i}", e) for i, e in enumerate(facts.hands[0]) if e is not None]
        worlds = [dict(own) | dict(zip(names, w, strict=True)) for w in world]
        assert turn_value(facts, [])[0] == searched(facts, worlds, ())


def searched(facts: Facts, worlds: list[dict[str, int]], up: tuple[str, ...]) -> Fraction:
    """Return the best chance of a trio from here, by trying every ask in every deal."""
    best = Fraction(0)
    target = worlds[0][up[0]] if up else None
    for slot in sorted(asks(facts, up)):
        chance = Fraction(0)
        for n in sorted({w[slot] for w in worlds}):
            same = [w for w in worlds if w[slot] == n]
            if target in (None, n):
                rest = Fraction(1) if len(up) == 2 else searched(facts, same, (*up, slot))
                chance += Fraction(len(same), len(worlds)) * rest
        best = max(best, chance)
    return best


def asks(facts: Facts, up: tuple[str, ...]) -> set[str]:
    found = set()
    for k, hand in enumerate(facts.hands):
        down = [f"h{k}.{i}" for i, e in enumerate(hand) if (e is None or e > 0) and f"h{k}.{i}" not in up]
        found.update(down[:1] + down[-1:])
    return found | {f"c{i}" for i, e in enumerate(facts.centre) if (e is None or e > 0) and f"c{i}" not in up}


def test_impossible_facts_are_refused() -> None:
    for hands in ([[1, 2, 2, 4, 5, 6, 7, 8, 9, 10], [3, 2] + [N] * 8], [OWN[:-1] + [N], [N] * 10]):
        with pytest.raises(BadMemory):
            read_facts({**W2, "hands": hands})
    with pytest.raises(BadMemory):
        read_facts({**W2, "centre": [N] * 9})
