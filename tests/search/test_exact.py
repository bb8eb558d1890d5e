"""The enumeration itself: it knows the values of Kuhn poker, and what random play loses."""

from __future__ import annotations

import pytest

from qipai.core import State, get
from qipai.games.reference.kuhn import VALUE

from .exact import Exact, Searched, deals_of, exploitability, uniform

KUHN = get("kuhn_poker")


def equilibrium(s: State, actions: list[int]) -> list[float]:
    """Kuhn's equilibrium in which the first seat never bets first with a jack or a king."""
    seat, card = int(s["seat"]), int(s["card"][int(s["seat"])])
    facing = s["paid"][1 - seat] > s["paid"][seat]
    if seat == 0:
        bet = [0.0, 1 / 3, 1.0][card] if facing else 0.0
    else:
        bet = [0.0, 1 / 3, 1.0][card] if facing else [1 / 3, 0.0, 1.0][card]
    return [1 - bet, bet]


def test_the_known_equilibrium_cannot_be_exploited() -> None:
    assert exploitability(KUHN, equilibrium) == pytest.approx(0.0, abs=1e-12)
    deals = [(s, 1 / 6) for s in deals_of(KUHN)]
    assert Exact(KUHN, 0, equilibrium).value(deals) == pytest.approx(VALUE)


def test_random_play_can_be_exploited() -> None:
    assert exploitability(KUHN, uniform) == pytest.approx(0.458333, abs=1e-6)
    assert exploitability(get("leduc_poker"), uniform) == pytest.approx(2.373611, abs=1e-3)


def test_a_search_is_less_exploitable_than_random_play() -> None:
    assert exploitability(KUHN, Searched(KUHN, 300, 4)) < 0.4
