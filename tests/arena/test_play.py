"""One deal in every seating: the same cards and chance, and agents that learn nothing else."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from qipai.arena import run
from qipai.arena.contest import contest_of
from qipai.arena.play import _dealt, play_deal
from qipai.core import AgentSpec, Sight
from tests.envs.toy import LAPS

from .agents import spec, stakes


def test_a_deal_does_not_depend_on_those_before_it() -> None:
    contest = contest_of("xianqi", ["random", "heuristic"], 5, 3, None, None)
    forwards = [play_deal(contest, k) for k in range(5)]
    assert [play_deal(contest, k) for k in (4, 3, 2, 1, 0)] == forwards[::-1]


def test_chance_falls_alike_in_every_seating_whatever_was_played() -> None:
    """Stake 2 uses up more chance than stake 1; the next throw is the same all the same."""
    throws = defaultdict(set)

    def watch(action: int) -> Any:
        def choose(sight: Sight) -> int:
            throws[int(sight.state["ply"])].add(int(sight.state["winner"]))
            return action

        return choose

    run(LAPS, [spec("one", watch(1)), spec("two", watch(2))], 1, seats=3, options={"laps": 4}, threads=1)
    assert len(throws) == 3 * 4 and all(len(seen) == 1 for seen in throws.values())
    assert len({min(seen) for seen in throws.values()}) > 1


def test_every_seating_starts_from_the_same_deal() -> None:
    deals = defaultdict(set)

    def note(sight: Sight) -> int:
        if sight.state["ply"] < sight.state["seats"]:  # a seat's own colour is never redrawn
            deals[sight.seat].add(int(sight.state["colour"][sight.seat]))
        return 0

    agents = [spec("a", note), spec("b", note), spec("c", note)]
    true = []
    for seed in range(8):
        deals.clear()
        run(LAPS, agents, 1, seed=seed, seats=3, threads=1)
        assert all(len(seen) == 1 for seen in deals.values())
        true.append(tuple(min(deals[k]) for k in range(3)))
    assert len(set(true)) > 1 and (0, 0, 0) not in true  # deals without a decision are redrawn


def test_an_agent_is_not_given_the_true_record() -> None:
    """Its world differs from the true one in what it cannot see, and what it writes there is lost."""
    contest = contest_of(LAPS, [stakes("a", 1)], 1, 0, None, 4)
    true = _dealt(contest, 0)["colour"].tolist()
    worlds = set()

    def vandal(sight: Sight) -> int:
        worlds.add(tuple(int(c) for c in sight.state["colour"]))
        sight.state["payoff"][:] = 1000
        sight.state["seat"] = 0
        sight.mask[:] = 0
        return 1

    told = run(LAPS, [spec("a", vandal)], 1, seats=4, threads=1, options={"laps": 10})
    plain = run(LAPS, [stakes("a", 1)], 1, seats=4, threads=1, options={"laps": 10})
    assert told == plain
    assert len(worlds) > 1 and any(list(world) != true for world in worlds)


def test_agents_of_different_games_deals_and_seats_choose_differently() -> None:
    seen: list[tuple[int, ...]] = []

    def make(game: Any, words: Any) -> Any:
        seen.append(tuple(int(w) for w in words))
        return stakes("a", 0).make(game, words)

    run(LAPS, [AgentSpec("a", 0, make), stakes("b", 0)], 5, seats=2)
    # and once more, to see whether it can play at many tables
    assert len(seen) == 1 + 5 * 2 and len(set(seen)) == len(seen)


def test_an_agents_generator_is_its_own_alone() -> None:
    """The worlds it is given are drawn from another."""
    untouched = []

    def make(game: Any, words: Any) -> Any:
        first = words.copy()

        def choose(sight: Sight) -> int:
            untouched.append(bool((words == first).all()))
            return 0

        return spec("a", choose).make(game, words)

    run(LAPS, [AgentSpec("a", 0, make)], 2, seats=2)
    assert len(untouched) == 2 * 2 * 3 and all(untouched)
