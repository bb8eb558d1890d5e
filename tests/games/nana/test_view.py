"""What a seat is shown: nothing that it may not know (41)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from qipai.core import State, make_agent, sight
from qipai.core.agent import agent_words
from qipai.games.nana import GAME
from qipai.games.nana.options import MODES
from qipai.games.nana.rules import slot_of
from qipai.games.nana.view import slot_name
from tests.games.nana.tables import random_states, world_of
from tests.naive.nana import CONNECTED, reason

WAYS = {
    "nana": ["sevens", "connected", "three-trios"],
    "simple": ["sevens", "three-trios"],
    "spicy": ["sevens", "connected"],
}


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_41_views_do_not_depend_on_what_a_seat_cannot_see(seats: int) -> None:
    changed = 0
    for s in random_states(12, seats, seed=41, most=60):
        for seat in range(-1, seats):
            other = GAME.redrawn(s, seat, (seat + 1, 2, 3, 4))
            changed += world_of(other) != world_of(s)
            assert GAME.rules.view(other, seat) == GAME.rules.view(s, seat)
            assert (GAME.observation_of(other, seat) == GAME.observation_of(s, seat)).all()
            assert GAME.drawing(other, seat, "en") == GAME.drawing(s, seat, "en")
            own = [c["number"] for c in GAME.rules.view(other, seat)["my_hand"]]
            assert own == sorted(own)
    assert changed > 5


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_the_view_says_which_slot_each_legal_action_turns_up(seats: int) -> None:
    for s in random_states(20, seats, seed=21, most=60):
        seat = int(s["seat"])
        seen = GAME.rules.view(s, seat)
        shown = {action: slot for slot, actions in seen["shows"].items() for action in actions}
        assert sorted(shown) == seen["legal"] == GAME.legal_actions(s)
        assert all(slot == slot_name(int(slot_of(s, action))) for action, slot in shown.items())
        for k, ends in enumerate(seen["ends"]):
            up = {card["slot"] for card in seen["face_up"]}
            down = [slot for slot in seen["hands"][k]["slots"] if slot not in up]
            assert ends == ([down[0], down[-1]] if down else [])
        assert GAME.rules.view(s, (seat + 1) % seats)["shows"] == {}


@pytest.mark.parametrize("mode", MODES)
def test_what_wins_is_told_as_the_naive_rules_have_it(mode: str) -> None:
    counts = False
    for seats in (2, 4):
        for s in played(seats, mode):
            seen = GAME.rules.view(s, -1)
            numbers = seen["numbers"]
            pairs = [[a, b] for a in numbers for b in numbers if a < b and (a, b) in CONNECTED]
            assert seen["connected"] == (pairs if mode != "simple" else [])
            assert seen["ways"] == WAYS[mode]
            left = set(numbers) - {n for held in seen["collections"] for n in held}
            for held, wins in zip(seen["collections"], seen["wins_with"], strict=True):
                assert wins == [n for n in sorted(left) if reason(mode, [*held, n])]
                counts = counts or bool(held)
    assert counts


def played(seats: int, mode: str) -> Iterator[State]:
    """Yield positions of games between bots, which collect trios."""
    for i in range(4):
        s = GAME.new({"mode": mode}, seats, words=(i, seats, 3, 4))
        agent = make_agent(GAME, "exact")
        for ply in range(60):
            if s["seat"] < 0:
                break
            GAME.rules.apply(s, agent.act(sight(GAME, s, int(s["seat"]), agent_words(GAME, i, ply))))
            yield s


@pytest.mark.parametrize(
    "mode, trios, winning",
    [
        ("nana", [7], {"numbers": [7], "link": None}),
        ("nana", [2, 4, 3], {"numbers": [3, 4], "link": "sum"}),
        ("spicy", [2, 9], {"numbers": [2, 9], "link": "difference"}),
        ("simple", [2, 9, 12], {"numbers": [2, 9, 12], "link": None}),
    ],
)
def test_the_trios_that_won_are_named(mode: str, trios: list[int], winning: dict[str, Any]) -> None:
    deal = {"hands": [sorted(trios), sorted(trios)], "centre": trios}
    s = GAME.new({"mode": mode}, 2, layout=deal)
    for trio in trios:
        assert GAME.rules.view(s, 0)["winning"] is None
        collect(s, trio)
    assert GAME.rules.view(s, 1)["winning"] == winning


def collect(s: State, number: int) -> None:
    """Collect a trio whose cards can be reached (tests may peek)."""
    for _ in range(3):
        shows = [a for a in GAME.legal_actions(s) if int(s["card"][slot_of(s, a)]) == number]
        GAME.rules.apply(s, shows[0])
