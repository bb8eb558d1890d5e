"""What duplicate deals save, against known variances and games that are really plain."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.arena.contest import contest_of
from qipai.arena.play import Contest, Played, play_games, tally
from qipai.arena.standings import standings_of
from qipai.arena.variance import gaps_of, saving
from qipai.core.errors import BadContest
from tests.envs.toy import LAPS

from .agents import stakes


@pytest.fixture(scope="module")
def contest() -> Contest:
    return contest_of(LAPS, [stakes("a", 1), stakes("b", 2)], 10, 0, None, 2)


def made(contest: Contest, luck: float, seed: int, deals: int = 4000) -> list[list[Played]]:
    """Return games in which the first seat wins the luck of the deal, and something of its own."""
    rng = np.random.default_rng(seed)
    found = []
    for shared in rng.normal(0, luck, deals):
        games = []
        for seating in contest.seatings:
            won = round(1000 * (shared + rng.normal()))
            games.append(Played(seating, (won, -won), False, "", (), ()))
        found.append(games)
    return found


@pytest.mark.parametrize("luck", [0.0, 1.0, 3.0])
def test_the_luck_of_the_deal_is_what_duplicates_save(contest: Contest, luck: float) -> None:
    """Its variance is luck squared, that of the rest 1."""
    found = saving(contest, made(contest, luck, seed=int(luck)))
    assert found.times == pytest.approx(1 + luck**2, rel=0.1)
    assert found.low < 1 + luck**2 < found.high and found.low < found.times < found.high
    assert (found.agent, found.other, found.seatings) == ("a", "b", 2)


def test_the_interval_holds_the_truth_in_about_95_of_100_cases(contest: Contest) -> None:
    held = 0
    for seed in range(100):
        found = saving(contest, made(contest, 1.0, seed, deals=60))
        held += found.low < 2 < found.high
    assert 88 <= held <= 100


@pytest.mark.parametrize("seats", [2, 3])
def test_rows_have_the_mean_and_the_spread_of_the_standings(seats: int) -> None:
    contest = contest_of(LAPS, [stakes("a", 1), stakes("b", 2)], 6, 3, None, seats)
    games = [play_games(contest, deal) for deal in range(6)]
    gaps = gaps_of(contest, games)
    pair = standings_of(contest, [tally(contest, one) for one in games]).pairs[0]
    assert gaps.mean() == pytest.approx(pair.chips.mean, abs=1e-5)
    found = saving(contest, games)
    half = pair.chips.half
    assert half is not None
    assert found.duplicate / gaps.size == pytest.approx((half / 2.571) ** 2, rel=1e-3)


def test_one_deal_or_one_agent_says_nothing(contest: Contest) -> None:
    with pytest.raises(BadContest):
        saving(contest, made(contest, 1, 0, deals=1))
    with pytest.raises(BadContest, match="ends in the same way"):
        saving(contest, [[Played(seating, (0, 0), False, "", (), ()) for seating in contest.seatings]] * 5)
    with pytest.raises(BadContest):
        saving(contest_of(LAPS, ["random"], 10, 0, None, 2), [])
