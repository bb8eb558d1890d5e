"""What a seat may know, and consistent worlds: `determinize` against a list of all worlds."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from qipai.core import State, get
from qipai.games.skill_gomoku import GAME, game
from qipai.games.skill_gomoku.observe import features, side_of, word_at
from qipai.games.skill_gomoku.state import State as Record
from tests.naive.skill_gomoku import given_drawn, topped_orders

TINY = {"places": 2, "takes": 2, "inversions": 1, "freezes": 0, "generations": 1}
DECK = (0, 0, 1, 1, 2, 4)
SAMPLES = 4000


def worlds(s: State, seat: int, samples: int = SAMPLES) -> Counter[tuple[int, ...]]:
    """Return redrawn worlds as whole decks, bottom first, the drawn cards on top."""
    found: Counter[tuple[int, ...]] = Counter()
    for k in range(samples):
        other = GAME.redrawn(s, seat, (k, 1, 2, 3))
        pile = other["pile"][: int(other["piled"])].tolist()
        drawn = [c for c in other["drawn"].tolist() if c >= 0]
        found[(*pile, *reversed(drawn))] += 1
    return found


def fits(found: Counter[tuple[int, ...]], expected: dict[tuple[int, ...], Fraction]) -> None:
    """Check the frequencies against the exact probabilities, by a chi-square test."""
    assert set(found) <= set(expected)
    total = sum(found.values())
    chi = sum((found[o] - total * float(p)) ** 2 / (total * float(p)) for o, p in expected.items())
    freedom = len(expected) - 1
    assert chi < freedom + 5 * (2 * freedom) ** 0.5


def test_the_mover_knows_its_cards_and_the_odds_of_the_rest() -> None:
    s = GAME.new(TINY, words=(1, 1, 1, 1))
    drawn = s["drawn"].tolist()
    assert drawn[0] == 0  # a Place on top
    fits(worlds(s, 0), given_drawn(topped_orders(DECK), drawn))


@pytest.mark.parametrize("seat", [1, -1])
def test_the_others_know_that_a_place_lay_on_top(seat: int) -> None:
    s = GAME.new(TINY, words=(1, 1, 1, 1))
    fits(worlds(s, seat), given_drawn(topped_orders(DECK), [0]))


def test_without_place_on_top_all_orders_are_equally_likely() -> None:
    s = GAME.new({**TINY, "place_top": False}, words=(2, 1, 1, 1))
    found = worlds(s, 1)
    assert len(found) == 180  # 6! / (2! 2!)
    fits(found, dict.fromkeys(found, Fraction(1, 180)))


def test_in_the_second_turn_the_rest_still_leans_towards_places_above() -> None:
    words = next(w for w in range(50) if 2 in GAME.new(TINY, words=(w, 1, 1, 1))["drawn"].tolist())
    s = GAME.new(TINY, words=(words, 1, 1, 1))
    first = s["drawn"].tolist()
    GAME.rules.apply(s, first.index(2))
    assert (int(s["turn"]), int(s["piled"])) == (2, 2)
    expected: dict[tuple[int, ...], Fraction] = {}
    for order, p in given_drawn(topped_orders(DECK), first).items():
        expected[order[:-2]] = expected.get(order[:-2], Fraction(0)) + p
    fits(worlds(s, 0), expected)


def test_a_card_drawn_before_a_reshuffle_is_known_by_counting() -> None:
    layout = {"deck": {"drawPile": ["Take"], "discardPile": ["Place", "PolarityInversion", "Place"]}}
    s = GAME.new({}, layout=layout)
    found = worlds(s, 1, 600)
    assert {order[-1] for order in found} == {1}
    assert {order[-2] for order in found} == {0, 2}


def test_public_draws_are_kept() -> None:
    s = GAME.new({**TINY, "drawn_public": True}, words=(1, 1, 1, 1))
    for k in range(20):
        assert GAME.redrawn(s, 1, (k, 0, 0, 0))["drawn"].tolist() == s["drawn"].tolist()


def test_a_determinized_copy_has_another_generator_and_nothing_else_changes() -> None:
    s = GAME.new(words=(1, 2, 3, 4))
    other = GAME.redrawn(s, 0, (9, 9, 9, 9))
    names = [n for n in Record.names or () if not np.array_equal(s[n], other[n])]
    assert names == ["rng", "pile"]


@pytest.mark.parametrize("size", [5, 9, 15, 19])
def test_the_observation_has_its_stated_length(size: int) -> None:
    one = game({"board_size": size})
    assert one.observation_size == 32 + 5 * size * size
    assert side_of(one.observation_size) == size
    assert sum(f.length for f in features(size)) == one.observation_size
    with pytest.raises(ValueError, match="length"):
        side_of(one.observation_size + 1)


def test_turn_and_limit_take_two_bytes() -> None:
    options: dict[str, Any] = {"max_turns": 30000}
    one = get("skill_gomoku", options)
    layout = {"turn": {"number": 29999}, "deck": {"drawPile": ["Place"] * 4}}
    s = one.new(options, layout=layout)
    seen = one.observation_of(s, 0)
    at = {f.name: f.start for f in one.rules.observation}
    assert int(word_at(seen, at["turn"])) == 29999
    assert int(word_at(seen, at["limit"])) == 30000
