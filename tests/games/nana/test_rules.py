"""NANA's rules against a naive twin, and the spec's further checks of the rules (37-43)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from qipai.core import State, copy_state
from qipai.games.nana import GAME, rules, run_vector, seeded_deal
from qipai.games.nana.options import AFTER, MODES
from qipai.games.nana.state import CENTRE_SLOT, HAND, Phase
from qipai.games.nana.view import PHASE_NAMES, Reading, collections
from tests.games.nana.tables import random_states
from tests.naive.nana import Naive, reason

SIZES = {2: (10, 10, 10), 3: (11, 8, 9), 4: (12, 7, 8), 5: (12, 6, 6), 6: (12, 5, 6)}


def cards_of(s: State) -> tuple[list[list[int]], list[int]]:
    table = Reading(s)
    hands = [[table.card[k * HAND + i] for i in range(table.dealt[k])] for k in range(table.seats)]
    return hands, [table.card[CENTRE_SLOT + i] for i in range(table.centre)]


def run_twin(games: int, seed: int, options: dict[str, Any], seats: int) -> int:
    """Play random games with the naive twin; return the number of decisions compared."""
    rng = np.random.default_rng(seed)
    decisions = 0
    for game in range(games):
        s = GAME.new(options, seats, words=(seed, game, seats, 5))
        hands, centre = cards_of(s)
        twin = Naive(
            hands,
            centre,
            options.get("mode", "nana"),
            options.get("after_success", "continue"),
            int(s["current"]),
            int(s["max_turns"]),
        )
        while s["seat"] >= 0:
            shown = twin.legal()
            assert GAME.legal_actions(s) == sorted(shown)
            assert int(s["seat"]) == twin.current
            action = int(rng.choice(sorted(shown)))
            if s["links"] and rng.random() < 0.5:  # keep some chains alive, so that trios happen
                same = [a for a in shown if shown[a]["number"] == twin.chain[0]["number"]]
                action = int(rng.choice(same)) if same else action
            GAME.rules.apply(s, action)
            twin.act(action)
            decisions += 1
            assert compare(s) == {
                "phase": twin.phase,
                "current": twin.current,
                "turn": twin.turn,
                "chain": [c["slot"] for c in twin.chain],
                "known": dict(sorted(twin.known.items())),
                "collections": twin.collections,
                "sizes": [len(h) for h in twin.hands],
                "winner": -1 if twin.winner is None else twin.winner,
            }
    return decisions


def compare(s: State) -> dict[str, Any]:
    table = Reading(s)
    return {
        "phase": PHASE_NAMES[Phase(int(s["phase"]))],
        "current": int(s["current"]),
        "turn": int(s["turn"]),
        "chain": [c["slot"] for c in table.face_up()],
        "known": dict(sorted(table.known().items())),
        "collections": collections(s),
        "sizes": [len(table.hand(k)) for k in range(table.seats)],
        "winner": int(s["winner"]),
    }


@pytest.mark.plain
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_games_go_as_in_the_naive_twin(seats: int) -> None:
    assert run_twin(2, seats, {"max_turns": 150}, seats) > 100


@pytest.mark.parametrize("mode", list(MODES))
@pytest.mark.parametrize("after", list(AFTER))
def test_modes_and_turn_rules_go_as_in_the_naive_twin(mode: str, after: str) -> None:
    options = {"mode": mode, "after_success": after, "max_turns": 120, "first": 1}
    assert run_twin(2, 3, options, 3) > 50


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_37_deals_have_the_sizes_of_section_1(seats: int) -> None:
    top, hand, centre = SIZES[seats]
    pinned = seeded_deal(seats, 99)
    assert pinned == seeded_deal(seats, 99) != seeded_deal(seats, 98)
    for hands, middle in (cards_of(GAME.new(seats=seats)), (pinned["hands"], pinned["centre"])):
        assert [len(h) for h in hands] == [hand] * seats
        assert len(middle) == centre
        assert all(h == sorted(h) for h in hands)
        assert Counter(sum(hands, middle)) == dict.fromkeys(range(1, top + 1), 3)


@pytest.mark.parametrize(
    "asks, shown", [("hh", [3, 3]), ("ht", [3, 8]), ("hht", [3, 3, 8]), ("hhh", [3, 3, 8])]
)
def test_38_the_same_hand_shows_the_next_card_inwards(asks: str, shown: list[int]) -> None:
    deal = {"hands": [[3, 3, 8], [8, 8]], "centre": [3]}
    actions = [{"seat": 0, "end": "head" if a == "h" else "tail"} for a in asks]
    given = {"config": {"players": 2, "custom": True}, "deal": deal, "actions": actions, "auto_settle": False}
    assert run_vector("play", given)["chain"] == shown


def test_38_a_hand_all_face_up_offers_nothing() -> None:
    deal = {"hands": [[3, 3], [8, 8]], "centre": [3, 8]}
    head = {"seat": 0, "end": "head"}
    given = {"config": {"players": 2}, "deal": deal, "actions": [head, head], "auto_settle": True}
    assert run_vector("play", given)["legal"] == [2, 3, 12, 13]
    assert run_vector("play", {**given, "actions": [head, head, head]})["illegal_at"] == 2


@pytest.mark.parametrize("seats", [2, 6])
def test_39_after_a_failure_every_slot_holds_what_it_held(seats: int) -> None:
    failures = 0
    for before in random_states(60, seats, seed=39):
        for action in GAME.legal_actions(before):
            s = copy_state(before)
            GAME.rules.apply(s, action)
            if int(s["turn"]) > int(before["turn"]):
                failures += 1
                assert (s["card"] == before["card"]).all()
                assert all(
                    (s[f] == before[g]).all() for f, g in (("low", "low"), ("head", "low"), ("tail", "high"))
                )
                shown = {c["slot"]: c["number"] for c in Reading(before).face_up()}
                slot = GAME.rules.view(s, 0)["last"]["slots"][-1]
                assert Reading(s).known() == {
                    **Reading(before).known(),
                    **shown,
                    slot: Reading(s).known()[slot],
                }
    assert failures > 20


WINS = [
    ("nana", [2, 7], "sevens"),
    ("nana", [4, 11], "connected"),
    ("simple", [4, 11], None),
    ("spicy", [2, 6, 8], None),
    ("simple", [2, 6, 8], "three-trios"),
    ("nana", [2, 9, 12], "connected"),
    ("spicy", [2, 9], "connected"),
    ("simple", [2, 9], None),
    ("nana", [6, 10, 12], "three-trios"),
]


@pytest.mark.parametrize("mode, collection, why", WINS)
def test_40_winning_tables(mode: str, collection: list[int], why: str | None) -> None:
    assert run_vector("winner", {"mode": mode, "collection": collection}) == {
        "won": why is not None,
        "reason": why,
    }


def test_40_every_set_of_up_to_three_numbers_wins_as_in_the_naive_twin() -> None:
    for mode, number in MODES.items():
        for a in range(1, 13):
            for b in range(a, 13):
                for c in range(b, 13):
                    held = sorted({a, b, c})
                    found = rules.win_reason(number, sum(1 << n for n in held))
                    assert (None, "sevens", "connected", "three-trios")[found] == reason(mode, held)


@pytest.mark.parametrize("seats", [2, 4])
def test_43_known_slots_are_a_prefix_and_a_suffix(seats: int) -> None:
    for s in random_states(80, seats, seed=43, most=120):
        table = Reading(s)
        public = {**table.known(), **table.removed()}
        for k in range(seats):
            marks = [f"h{k}.{i}" in public for i in range(table.dealt[k])]
            assert "".join("x" if m else "." for m in marks).strip("x").count("x") == 0


def test_the_winner_gets_one_from_each_and_a_cap_gives_nothing() -> None:
    for example in GAME.checks.examples:
        s = GAME.new(example.options, example.seats, layout=example.layout)
        for action in example.actions:
            GAME.rules.apply(s, action)
        if s["seat"] < 0:
            assert s["payoff"].tolist()[:2] == ([1, -1] if s["winner"] == 0 else [0, 0])
            assert bool(s["cut"]) == (example.options.get("max_turns") == 1)
