"""Xianqi's settlement (§8), on the examples E1 to E10 of the README and on the optional rules (§9)."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core.rule import plain_function
from qipai.games.xianqi import GAME, settle, state

# pillars, relations as (revealer, buckler, was enough), payoff
EXAMPLES: dict[str, tuple[list[int], list[tuple[int, int, int]], list[int]]] = {
    "E1": ([4, 2, 1], [], [2, -1, -1]),
    "E2": ([3, 3, 1], [], [1, 1, -2]),
    "E3": ([6, 2, 0], [], [6, -3, -3]),
    "E4": ([2, 1, 2], [(1, 2, 0), (1, 0, 0)], [1, -2, 1]),
    "E5": ([3, 2, 2], [(0, 1, 0), (2, 0, 0)], [3, -1, -2]),
    "E6": ([5, 1, 2], [(0, 2, 1)], [0, 0, 0]),
    "E7": ([6, 1, 1], [(0, 2, 1), (1, 0, 0)], [7, -4, -3]),
    "E8": ([3, 4, 1], [(1, 0, 1), (2, 1, 0), (2, 0, 0)], [2, 1, -3]),
    "E9": ([2, 2, 4], [(0, 2, 0), (0, 2, 0)], [-3, -1, 4]),
    "E10": ([0, 0, 0], [], [0, 0, 0]),
}


def settled(pillars: list[int], links: list[tuple[int, int, int]], **fields: Any) -> Any:
    GAME.compile()
    s = GAME.blank()
    s["liable"] = state.NONE
    s["pillars"] = pillars
    s["links"] = len(links)
    for i, (revealer, buckler, enough) in enumerate(links):
        s["link"][i] = revealer + 3 * buckler + 9 * enough + 18 * i
    for name, value in fields.items():
        s[name] = value
    plain_function(settle.settle)(s)
    return s


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_examples_of_the_rules_are_settled_as_they_say(name: str) -> None:
    pillars, links, payoff = EXAMPLES[name]
    s = settled(pillars, links)
    assert s["payoff"].tolist() == payoff
    assert s["parts"].sum(axis=0).tolist() == payoff


def test_a_link_says_who_when_and_whether_enough() -> None:
    s = settled([0, 0, 0], [(1, 2, 0), (2, 0, 1)])
    read = [plain_function(f) for f in (settle.link_revealer, settle.link_buckler)]
    assert [[f(s, i) for f in read] for i in (0, 1)] == [[1, 2], [2, 0]]
    assert [plain_function(settle.link_enough)(s, i) for i in (0, 1)] == [0, 1]
    assert [plain_function(settle.link_round)(s, i) for i in (0, 1)] == [0, 1]


def test_one_who_revealed_into_a_ceramic_pays_for_both_9_1() -> None:
    assert settled([0, 6, 1], [], liable=2)["payoff"].tolist() == [0, 6, -6]


def test_ceramic_pays_one_in_a_limited_first_hand_9_2() -> None:
    assert settled([6, 1, 0], [], first_game_limits=1)["payoff"].tolist() == [2, -1, -1]


def test_an_opener_who_did_not_buckle_collects_nothing_unless_ceramic_9_3() -> None:
    assert settled([4, 1, 0], [], unbuckled=1)["payoff"].tolist() == [0, 0, 0]
    assert settled([6, 1, 0], [], unbuckled=1)["payoff"].tolist() == [6, -3, -3]


def test_all_eight_pillars_win_eight_from_each_9_4() -> None:
    assert settled([8, 0, 0], [], eight_pillars=1)["payoff"].tolist() == [16, -8, -8]
    assert settled([8, 0, 0], [])["payoff"].tolist() == [6, -3, -3]
