"""The tree: its choice converges to the exact best response, and it never sees what its seat may not know."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from qipai.core import NOBODY, Game, Search, State, copy_state, get
from qipai.games.skill_gomoku.state import PLACE, SELECT_TARGET
from qipai.search import Searcher, tree
from qipai.search.loops import loops_for

from .exact import Exact, TooLarge, deals_of, uniform, worlds_of
from .policies import CARDS, PLAIN, card_chances, keep_all

ALONE = Search(others=False, horizon=100_000)
POKER = ("kuhn_poker", "leduc_poker")
THIRDS = 3
ENDS = 4  # positions near the end of a hand, of each game
LONGEST = 2000  # decisions of a random hand
OURS = ("xianqi", "nana", "wuhan_mahjong", "skill_gomoku", "paipai_rensa")


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("name", POKER)
def test_the_choice_is_the_exact_best_response_to_a_given_policy(name: str, seat: int) -> None:
    game = get(name)
    searcher = Searcher(game, ALONE, policies=CARDS)
    for worlds in first_decisions(game, seat):
        exact = Exact(game, seat, card_chances).values([(w, 1.0) for w in worlds])
        found = searcher.search(worlds[0], seat, 100_000, (1, 2, 3, 4))
        best = max(exact.values())
        assert exact[found.best] > best - 1e-9, (worlds[0]["card"], exact, found.means())
        at = found.actions.index(found.best)
        # A mean is lower than what the best response earns, because it includes what was tried.
        assert found.means()[at] <= best / len(worlds) + 4 * found.errors()[at]


def first_decisions(game: Game, seat: int) -> Iterator[list[State]]:
    """Yield the worlds of each first decision of a seat in a reference game, by card and action before."""
    deals = deals_of(game)
    before = [None] if seat == 0 else game.legal_actions(deals[0])
    for card in sorted({int(s["card"][seat]) for s in deals}):
        for action in before:
            worlds = [copy_state(s) for s in deals if s["card"][seat] == card]
            for s in worlds:
                if action is not None:
                    game.rules.apply(s, action)
            yield worlds


@pytest.mark.parametrize("name", OURS)
def test_near_the_end_the_choice_is_the_exact_best_response_to_random_play(name: str) -> None:
    game = get(name, {"board_size": 5} if name == "skill_gomoku" else None)
    searcher = Searcher(game, ALONE, policies=PLAIN)
    checked = 0
    for k, (s, seat) in enumerate(late(game)):
        exact = Exact(game, seat, uniform, most=4000)
        try:
            values = exact.values(worlds_of(game, s, seat, 120))
        except TooLarge:
            continue
        spread = max(values.values()) - min(values.values())
        if spread == 0:
            continue  # nothing to choose
        found = searcher.search(s, seat, 4000, (k, 2, 3, 4))
        assert max(values.values()) - values[found.best] <= 0.2 * spread, (k, values, found.means())
        checked += 1
        if checked == ENDS:
            break
    assert checked == ENDS, f"{checked} end positions are small enough to be enumerated"


def late(game: Game) -> Iterator[tuple[State, int]]:
    """Positions before the last actions of the game's examples, and of random hands."""
    if game.name == "skill_gomoku":
        yield from last_turns(game)  # those of random hands are too large
        return
    for example in game.checks.examples:
        if game is not get(game.name, example.options):
            continue
        s = game.new(example.options, example.seats, layout=example.layout)
        yield from _last(game, s, lambda s, k, e=example: e.actions[k] if k < len(e.actions) else None)
    for seed in range(60):
        chance = random.Random(seed)
        s = game.new(words=(seed, 1, 2, 3))
        yield from _last(game, s, lambda s, k, c=chance: c.choice(game.legal_actions(s)))


def last_turns(game: Game) -> Iterator[tuple[State, int]]:
    """Last turns of Skill Gomoku before its limit: a stone to place, four in a line to complete."""
    for seed, step in enumerate((1, 4, 5, 6)):  # along a row, a diagonal, a column, the other diagonal
        s = game.new(words=(seed, 2, 3, 4))
        seat = s["seat"] = s["mover"] = seed % 2
        side = int(s["board_size"])
        first = side - 1 if step == side - 1 else 0
        for cell in range(first, first + 4 * step, step):
            s["board"][cell] = seat + 1
            s["row_empty"][cell // side] -= 1
        s["empties"] -= 4
        s["stones"][seat] += 4
        s["phase"], s["card"], s["slot"], s["turn"] = SELECT_TARGET, PLACE, 0, s["max_turns"]
        s["drawn"][0] = PLACE
        yield s, seat


def _last(game: Game, s: State, choose: Any) -> Iterator[tuple[State, int]]:
    """Play a hand, and return its last two positions with a choice."""
    path = []
    taken = 0
    while s["seat"] != NOBODY:
        if len(game.legal_actions(s)) > 1:
            path.append(copy_state(s))
        action = choose(s, taken)
        taken += 1
        if action is None or not game.mask(s)[action]:
            break
        game.rules.apply(s, action)
    for position in path[:-3:-1]:
        yield position, int(position["seat"])


def test_a_search_that_peeks_is_caught() -> None:
    game = get("leduc_poker")
    game.compile()
    peeking = replace(game, rules=replace(game.rules, determinize=keep_all))
    honest, cheat = Searcher(game, ALONE, policies=CARDS), Searcher(peeking, ALONE, policies=CARDS)
    differs = {"honest": 0, "cheat": 0}
    for one, other in (((4, 0, 2), (4, 5, 2)), ((2, 0, 5), (2, 4, 5)), ((0, 2, 3), (0, 4, 1))):
        twins = [game.new(layout={"cards": list(cards)}) for cards in (one, other)]
        for name, searcher in (("honest", honest), ("cheat", cheat)):
            a, b = (searcher.search(s, 0, 2000, (1, 2, 3, 4)) for s in twins)
            differs[name] += not np.array_equal(a.totals, b.totals)
    assert differs["honest"] == 0 and differs["cheat"] == 3


def positions(game: Game, count: int, start: int = 0) -> Iterator[tuple[State, int, int]]:
    """Decisions of random hands, one of each: the state, its seat and a number.

    A third of them each are from the beginning, the middle and the end of a hand.
    """
    for seed in range(start, start + count):
        chance = random.Random(seed)
        s = game.new(words=(seed, 9, 2, 3))
        path: list[State] = []
        while s["seat"] != NOBODY and len(path) < LONGEST:
            path.append(copy_state(s))
            game.rules.apply(s, chance.choice(game.legal_actions(s)))
        if not path:
            continue  # over with the deal
        first, last = (len(path) * part // THIRDS for part in (seed % THIRDS, seed % THIRDS + 1))
        found = path[chance.randrange(first, max(last, first + 1))]
        yield found, int(found["seat"]), seed


@pytest.mark.parametrize("name", OURS)
def test_the_positions_are_early_and_late_ones(name: str) -> None:
    game = get(name)
    plies: list[list[int]] = [[] for _ in range(THIRDS)]
    for s, seat, k in positions(game, 30):
        assert s["seat"] == seat != NOBODY
        plies[k % THIRDS].append(int(s["ply"]))
    early, middle, late = (sum(part) / len(part) for part in plies)
    assert 2 * early < middle < late


def test_plain_checked_and_compiled_trees_are_equal() -> None:
    game = get("leduc_poker")
    s = game.new(layout={"cards": [2, 4, 0]})
    found = [
        Searcher(game, variant=v).search(s, 0, 200, (1, 2, 3, 4)) for v in ("plain", "checked", "compiled")
    ]
    assert all(np.array_equal(f.totals, found[0].totals) for f in found)
    assert all(f.line == found[0].line for f in found)


def test_every_simulation_is_counted_and_visits_follow_availability() -> None:
    game = get("xianqi")
    searcher = Searcher(game)
    s = game.new(words=(5, 1, 2, 3))
    found = searcher.search(s, int(s["seat"]), 3000, (1, 2, 3, 4))
    t = searcher._trees[0]
    assert int(found.visits.sum()) == 3000 == int(t.count[tree.DONE])
    used = t.edges[: int(t.count[tree.EDGES])]
    assert (used[:, tree.TIMES] <= used[:, tree.SEEN]).all()
    assert not found.full and len(found.line) > 1


def test_logarithms_are_exact_at_powers_of_two_and_rise() -> None:
    log_of = tree.log_of
    loops_for(get("kuhn_poker"))
    values = [float(log_of(n)) for n in (1, 2, 3, 4, 1 << 12, 1 << 20, (1 << 20) + (1 << 19), 1 << 30)]
    assert (
        values[:4] == [0.0, 1.0, 1.5, 2.0] and values[4] == 12.0 and values[5] == 20.0 and values[-1] == 30.0
    )
    assert values == sorted(values)
