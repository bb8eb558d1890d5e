"""The compiled planner: AC-15, AC-16, AC-18, AC-21, ST-1 to ST-3, next to the pinned one."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from qipai.core import State
from qipai.games.paipai_rensa import GAME, planner
from qipai.games.paipai_rensa.layout import blank, ready
from qipai.games.paipai_rensa.reference import SuitPlanner, supply, supply_figures
from qipai.games.paipai_rensa.state import PLACE
from qipai.games.paipai_rensa.tiles import suit_of, values

from .positions import Choose, deck_of, play

ZORO_TABLE = {0: 0.36, 3: 0.2715, 4: 0.234, 5: 0.1965, 6: 0.159, 7: 0.1215, 8: 0.12}


@pytest.mark.parametrize(("zoros", "chance"), ZORO_TABLE.items())
def test_ac15_zoro_chance_by_window(zoros: int, chance: float) -> None:
    made = SuitPlanner(0)
    made.window = [True] * zoros + [False] * (16 - zoros)
    assert abs(made.zoro_chance() - chance) < 1e-12
    assert planner.zoro_chance(blank(), zoros, 16) == round(chance * 1e9)


def test_ac15_zoro_chance_of_short_windows() -> None:
    made = SuitPlanner(0)
    assert made.zoro_chance() == 0.24 and planner.zoro_chance(blank(), 0, 0) == 240_000_000
    made.window = [True]
    assert made.zoro_chance() == 0.12 and planner.zoro_chance(blank(), 1, 1) == 120_000_000


WEIGHTS = [
    ((36, 36, 36, 28), None, 0, (0.202916008511, 0.202916008511, 0.202916008511, 0.150086955326)),
    ((36, 36, 36, 28), 0, 2, (0.040583201702, 0.202916008511, 0.202916008511, 0.150086955326)),
    ((10, 0, 4, 6), None, 0, (0.435275281648, 0, 0.144955932736, 0.235800925679)),
]


@pytest.mark.parametrize(("inv", "last", "streak", "wanted"), WEIGHTS)
def test_ac16_weights(inv: Any, last: int | None, streak: int, wanted: Any) -> None:
    made = SuitPlanner(3)
    made.last_main, made.streak = last, streak
    assert np.allclose(made.base_weights(inv), wanted, rtol=0, atol=1e-11)
    noisy = made.weights(inv)
    assert all(w <= x < w + 0.001 or w == x == 0 for w, x in zip(made.base_weights(inv), noisy, strict=True))
    s = integer_weights(inv, -1 if last is None else last, streak)
    assert np.allclose(s["odds"] / planner.ONE, wanted, rtol=0, atol=2e-8)
    planner.noisy_weights(s)
    extra = (s["weight"] - s["odds"]) / planner.ONE
    assert all(0 <= x < 0.001 + 1e-8 for x in extra) and (extra > 0).sum() == sum(n > 0 for n in inv)


def integer_weights(inv: Any, last: int, streak: int, gamma: int = 1_200_000) -> Any:
    ready()
    s = blank()
    GAME.key(s, (1, 2, 3, 4))
    s["left"][:] = inv
    planner.base_weights(s, last, streak, planner.exponent(gamma))
    return s


@pytest.mark.parametrize("gamma", [0, 1_000_000, 1_200_000, 2_000_000, 3_456_789, 8_000_000])
def test_integer_weights_are_the_float_weights_for_any_gamma(gamma: int) -> None:
    made = SuitPlanner(0, {"BIAS_REMAINING_GAMMA": gamma / 1e6})
    rng = np.random.default_rng(5)
    for _ in range(40):
        inv = rng.integers(0, 37, 4).clip(0, [36, 36, 36, 28])
        if inv.sum():
            s = integer_weights(inv, -1, 0, gamma)
            assert np.allclose(s["odds"] / planner.ONE, made.base_weights(inv.tolist()), rtol=1e-6, atol=5e-9)


def test_ac18_forced_pairs_of_the_compiled_planner() -> None:
    for k in range(30):
        s = GAME.new(layout={"deck": [0, 36, 72, 108]}, words=(k, 0, 0, 1))
        planner.plan(s, 0)
        assert suit_of(deck_of(s)[0]) != suit_of(deck_of(s)[1])
        s = GAME.new(layout={"deck": [72, 73, 74, 75, 76, 77]}, words=(k, 0, 0, 1))
        planner.plan(s, 0)
        assert sorted(deck_of(s)) == [72, 73, 74, 75, 76, 77]


def test_ac21_every_deck_delivers_each_tile_once() -> None:
    for seed in range(20):
        assert sorted(supply(seed)) == list(range(136))
        assert sorted(deck_of(GAME.new(words=(seed, 0, 0, 1)))) == list(range(136))


def spawned(seed: int, choose: Choose) -> list[list[int]]:
    """Return the pairs of a deal as they come when it is played so."""
    found: list[list[int]] = []

    def look(s: State, legal: list[int]) -> int:
        if int(s["phase"]) == PLACE:
            found.append(values(s["pair"]))
        return choose(s, legal)

    play(GAME.new(words=(seed, 0, 0, 1)), look)
    return found


def test_ac21_the_order_does_not_depend_on_play() -> None:
    for seed in range(3):
        pairs = spawned(seed, lambda s, legal: legal[0])
        deck = deck_of(GAME.new(words=(seed, 0, 0, 1)))
        assert pairs == [deck[i : i + 2] for i in range(0, 136, 2)]
        assert pairs == spawned(seed, lambda s, legal: legal[-1])


def reference_decks(count: int, config: dict[str, Any] | None = None) -> list[list[int]]:
    return [supply(seed, config) for seed in range(1, count + 1)]


def compiled_decks(count: int, options: dict[str, Any] | None = None) -> list[list[int]]:
    return [deck_of(GAME.new(options, words=(k, 77, 0, 1))) for k in range(count)]


def statistics(decks: list[list[int]]) -> dict[str, Any]:
    """Return the figures of the spec's §20 over decks."""
    figures = [supply_figures(d) for d in decks]
    rates = np.array([f["zoro_rate"] for f in figures])
    longest = Counter(f["longest"] for f in figures)
    mains = Counter(suit_of(d[i]) for d in decks for i in range(0, 136, 2))
    again: Counter[tuple[int, bool]] = Counter()  # length of the run so far, whether its suit led once more
    for d in decks:
        suits = [suit_of(d[i]) for i in range(0, 136, 2)]
        run = 1
        for one, two in pairwise(suits):
            again[run, one == two] += 1
            run = run + 1 if one == two else 1
    return {
        "zoro": sum(f["zoro"] for f in figures),
        "mean": float(rates.mean()),
        "sd": float(rates.std(ddof=1)),
        "low": float(rates.min()),
        "high": float(rates.max()),
        "longest": longest,
        "short": sum(n for k, n in longest.items() if k <= 3) / len(decks),
        "quantiles": [round(sorted(rates.tolist())[len(decks) * q // 100], 3) for q in (1, 5, 50, 95, 99)],
        "repeats": [again[n, True] / max(1, again[n, True] + again[n, False]) for n in (1, 2, 3)],
        "mains": [mains[s] / (68 * len(decks)) for s in range(4)],
    }


def runs_with_choice(deck: list[int]) -> int:
    """Return the longest main-suit run reached while another suit had stock."""
    stock = Counter(suit_of(t) for t in deck)
    longest = run = 0
    last = -1
    for i in range(0, len(deck) - 1, 2):
        main = suit_of(deck[i])
        run = run + 1 if main == last else 1
        last = main
        if any(n for s, n in stock.items() if s != main):
            longest = max(longest, run)
        stock[main] -= 1
        stock[suit_of(deck[i + 1])] -= 1
    return longest


def check_statistics(decks: list[list[int]], cap: bool) -> dict[str, Any]:
    """ST-1 to ST-3 of any generator."""
    found = statistics(decks)
    assert found["low"] >= 0.08 and found["high"] <= 0.40  # ST-1
    assert 0.230 <= found["mean"] <= 0.255 and 0.027 <= found["sd"] <= 0.042  # ST-2
    if cap:
        assert max(map(runs_with_choice, decks)) <= 3 and found["short"] >= 0.95  # ST-3
    else:
        assert 0.86 <= found["short"] <= 0.98
    assert np.allclose(found["mains"], [0.267, 0.267, 0.267, 0.198], atol=0.02)
    return found


@pytest.mark.parametrize("cap", ["on", "off"])
def test_st1_st2_st3_compiled_decks_keep_the_statistics(cap: str) -> None:
    check_statistics(compiled_decks(400, {"bias_streak_hard_cap": cap}), cap == "on")


def test_compiled_and_pinned_planner_share_their_distribution() -> None:
    ours, theirs = statistics(compiled_decks(600)), statistics(reference_decks(300))
    assert abs(ours["mean"] - theirs["mean"]) < 0.008
    assert np.allclose(ours["mains"], theirs["mains"], atol=0.015)
    for k in (2, 3):
        assert abs(ours["longest"][k] / 600 - theirs["longest"][k] / 300) < 0.12


def test_bias_off_gives_almost_no_zoro() -> None:
    assert statistics(compiled_decks(60, {"bias_enabled": "off"}))["mean"] < 0.02
    assert statistics(reference_decks(30, {"BIAS_ENABLED": False}))["mean"] < 0.02


def test_the_nth_bit_is_counted_from_below() -> None:
    blank()
    rng = np.random.default_rng(4)
    for _ in range(200):
        bits = int(rng.integers(1, 1 << 36))
        places = [i for i in range(36) if bits >> i & 1]
        assert [int(planner.nth_bit(bits, n)) for n in range(len(places))] == places
