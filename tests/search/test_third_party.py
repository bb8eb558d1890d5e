"""Games from outside the package are searched as they are: no prior, no playout policy, no tuning."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from qipai.bots.find import find_agent
from qipai.core import Game, Player, Search, State, copy_state
from qipai.search import Searcher, think
from qipai.skeleton.game.state import BIDDING
from tests.toys import PRIZES
from tests.toys_check.hush import GAME as HUSH

from .exact import Exact, uniform, worlds_of
from .policies import PLAIN

WORDS = (1, 2, 3, 4)


def choices_of(game: Game, seed: int, seats: int | None = None) -> Iterator[State]:
    """Every decision of a random hand with a choice."""
    chance = random.Random(seed)
    s = game.new(seats=seats, words=(seed, 1, 2, 3))
    while s["seat"] >= 0:
        if len(game.legal_actions(s)) > 1:
            yield copy_state(s)
        game.rules.apply(s, chance.choice(game.legal_actions(s)))


@pytest.mark.parametrize("seat", [0, 1])
def test_the_last_bids_are_the_exact_best_response_to_random_play(seat: int) -> None:
    """Two cards of the seat and two prizes are left; three cards that it has not seen are in play."""
    searcher = Searcher(PRIZES, Search(others=False), policies=PLAIN)
    checked = 0
    for seed in range(12):
        s = [s for s in choices_of(PRIZES, seed) if s["seat"] == seat and s["phase"] >= BIDDING][-1]
        assert len(PRIZES.legal_actions(s)) == 2
        values = Exact(PRIZES, seat, uniform).values(worlds_of(PRIZES, s, seat, 300))
        gap = max(values.values()) - min(values.values())
        if gap < 0.5:  # of a point; the worlds are a sample
            continue
        found = searcher.search(s, seat, 3000, (seed, 2, 3, 4))
        assert values[found.best] == max(values.values()), (seed, values, found.means())
        checked += 1
    assert checked >= 4


@pytest.mark.parametrize("flat", [False, True])
def test_every_seat_of_three_is_searched_with_twins_alike(flat: bool) -> None:
    searcher = Searcher(HUSH, Search(flat=flat, doubt=0.0))
    asked = set()
    for s in choices_of(HUSH, 1, seats=3):
        seat = int(s["seat"])
        asked.add(seat)
        one, other = (searcher.search(HUSH.redrawn(s, seat, (1, 1, 1, w)), seat, 60, WORDS) for w in (1, 2))
        assert one.seat == seat and one.best in one.actions and one.best == other.best
        assert np.array_equal(one.totals, other.totals)
    assert asked == {0, 1, 2}


def test_it_is_thought_of_in_its_own_words() -> None:
    s = next(s for s in choices_of(HUSH, 1, seats=3) if s["seat"] == 2)
    thought = think(HUSH, s, 2, 200)
    assert thought.seat == 2 == thought.line[0][0] and thought.simulations == 200
    assert {choice.text for choice in thought.choices} == {HUSH.words.say(a) for a in HUSH.legal_actions(s)}


def test_the_agent_plays_its_compound_moves() -> None:
    s = PRIZES.new(words=WORDS)
    moves = [Player(PRIZES, find_agent(PRIZES, "search@20"), seed=5).move(s) for _ in range(2)]
    assert moves[0] == moves[1] and len(moves[0]) == 2
