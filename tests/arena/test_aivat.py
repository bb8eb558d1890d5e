"""Estimates without luck: exactly unbiased over all hands of Kuhn and Leduc poker, and less spread."""

from __future__ import annotations

import random

import pytest

from qipai.arena.aivat import (
    Policy,
    Tree,
    duplicate_variance,
    hands,
    mean_and_variance,
    reply,
    tree_of,
    uniform,
    worths,
)
from qipai.core import get
from qipai.core.errors import BadContest
from qipai.games.reference.kuhn import VALUE

KNOWN = [(False, False), (True, False), (False, True), (True, True)]


@pytest.fixture(scope="module")
def kuhn() -> Tree:
    return tree_of(get("kuhn_poker"))


def drawn(tree: Tree, seed: int) -> Policy:
    """Return a random policy."""
    chance = random.Random(seed)
    found = {}
    for known, actions in sorted(uniform(tree).items()):
        weights = [chance.random() + 0.01 for _ in actions]
        found[known] = {a: w / sum(weights) for a, w in zip(actions, weights, strict=True)}
    return found


@pytest.mark.parametrize("known", KNOWN)
@pytest.mark.parametrize("seed", range(5))
def test_the_mean_is_exactly_that_of_the_payoffs_whatever_the_guess(
    kuhn: Tree, known: tuple[bool, bool], seed: int
) -> None:
    policies = [drawn(kuhn, 2 * seed), drawn(kuhn, 2 * seed + 1)]
    chance = random.Random(seed)
    wild = {node: chance.uniform(-3, 3) for node in worths(kuhn, policies[0])}
    for worth in (wild, worths(kuhn, uniform(kuhn))):
        found = hands(kuhn, policies, known, worth)
        assert sum(hand.chance for hand in found) == pytest.approx(1, abs=1e-12)
        mean, _ = mean_and_variance(found)
        assert mean == pytest.approx(mean_and_variance(found, estimate=False)[0], abs=1e-12)


def test_the_mean_is_exact_in_leduc_poker_too() -> None:
    tree = tree_of(get("leduc_poker"))
    base = uniform(tree)
    worth = worths(tree, base)
    policies = [drawn(tree, 1), drawn(tree, 2)]
    found = hands(tree, policies, KNOWN[1], worth)
    mean, variance = mean_and_variance(found)
    plain, spread = mean_and_variance(found, estimate=False)
    assert mean == pytest.approx(plain, abs=1e-9) and variance < spread


def test_the_payoffs_are_those_of_kuhns_solution(kuhn: Tree) -> None:
    """By Kuhn: the first seat bets the king and bluffs with the jack a third as often, and so on."""
    nash = {
        "0 [1, 1] 0": 1 / 3, "1 [1, 1] 0": 0.0, "2 [1, 1] 0": 1.0,
        "0 [1, 1] 1": 1 / 3, "1 [1, 1] 1": 0.0, "2 [1, 1] 1": 1.0,
        "0 [2, 1] 1": 0.0, "1 [2, 1] 1": 1 / 3, "2 [2, 1] 1": 1.0,
        "0 [1, 2] 2": 0.0, "1 [1, 2] 2": 2 / 3, "2 [1, 2] 2": 1.0,
    }  # fmt: skip
    policy = {known: {0: 1 - bet, 1: bet} for known, bet in nash.items()}
    assert set(policy) == set(uniform(kuhn))
    found = hands(kuhn, [policy, policy], (True, True), worths(kuhn, policy))
    assert mean_and_variance(found, estimate=False)[0] == pytest.approx(VALUE, abs=1e-12)


def test_true_worths_and_known_policies_leave_no_spread(kuhn: Tree) -> None:
    policy = drawn(kuhn, 7)
    _, variance = mean_and_variance(hands(kuhn, [policy, policy], (True, True), worths(kuhn, policy)))
    assert variance == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_more_policies_are_known_the_less_the_estimates_spread(kuhn: Tree, seed: int) -> None:
    base = uniform(kuhn)
    worth = worths(kuhn, base)
    policies = [reply(kuhn, base, 1 + seed), base]
    payoffs, deal, one, both = (
        mean_and_variance(hands(kuhn, policies, known, worth), estimate)[1]
        for known, estimate in ((KNOWN[0], False), (KNOWN[0], True), (KNOWN[1], True), (KNOWN[3], True))
    )
    assert both < one < deal < payoffs


def test_a_reply_does_better_than_what_it_replies_to(kuhn: Tree) -> None:
    base = uniform(kuhn)
    worth = worths(kuhn, base)
    better = mean_and_variance(hands(kuhn, [reply(kuhn, base, 0.5), base], KNOWN[0], worth))[0]
    assert better > mean_and_variance(hands(kuhn, [base, base], KNOWN[0], worth))[0] + 0.2


def test_the_variance_of_duplicates_is_that_of_pairs_of_hands(kuhn: Tree) -> None:
    base, other = uniform(kuhn), drawn(kuhn, 3)
    worth = worths(kuhn, base)
    first, second = (hands(kuhn, pair, KNOWN[0], worth) for pair in ((other, base), (base, other)))
    pairs = [
        (a.chance * b.chance * len(kuhn.deals), (a.payoff - b.payoff) / 2)  # all deals are equally likely
        for a in first
        for b in second
        if a.deal == b.deal
    ]
    assert sum(chance for chance, _ in pairs) == pytest.approx(1)
    mean = sum(chance * value for chance, value in pairs)
    variance = sum(chance * (value - mean) ** 2 for chance, value in pairs)
    assert duplicate_variance(first, second) == pytest.approx(2 * variance)


def test_games_that_do_not_list_their_deals_are_refused() -> None:
    with pytest.raises(BadContest):
        tree_of(get("xianqi"))
