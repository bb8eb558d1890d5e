"""Agents: never the true record, always a whole legal move."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from qipai.core import (
    AgentSpec,
    Sight,
    agents_of,
    bots_of,
    choose_move,
    copy_state,
    get,
    make_agent,
    next_word,
    plain_bot,
    sight,
    sparring_of,
    strongest,
)
from qipai.core.agent import agent_words
from qipai.core.errors import AgentFault, UnknownAgent
from qipai.core.rng import WORD
from tests.toys_check import hush
from tests.toys_check.hush import COPIES, GAME, TYPES


class Fixed:
    """Answers as it is told."""

    def __init__(self, answer: Callable[[Sight], Any]) -> None:
        self._answer = answer

    def act(self, sight: Sight) -> Any:
        return self._answer(sight)


def first(seen: Sight) -> int:
    return int(np.flatnonzero(seen.mask)[0])


def words(seed: int = 0) -> Any:
    return agent_words(GAME, seed, 1)


def start(number: int) -> Any:
    """Return a deal at its first decision."""
    for k in range(20):
        s = GAME.new(seats=3, words=(number, k, 0, 0))
        if int(s["seat"]) == 0:
            return s
    raise AssertionError("twenty misdeals in a row")


# --- what an agent sees ---------------------------------------------------------------


def chance_of_the_true_hand(own: list[int]) -> float:
    """Return how often three cards drawn from those not held are the three that another seat holds."""
    pool = [t for t in range(TYPES) for _ in range(COPIES - own[t])]
    hands = Counter(combinations(pool, 3))
    total = sum(hands.values())
    return sum((n / total) ** 2 for n in hands.values())


def test_an_agent_that_looks_at_the_state_finds_the_true_hands_no_more_often_than_chance() -> None:
    found, expected, spread = 0, 0.0, 0.0
    rng = words(3)
    for number in range(1500):
        s = start(number)
        spied: list[list[int]] = []

        def spy(seen: Sight, spied: list[list[int]] = spied) -> int:
            spied.append(seen.state["hand"][1].tolist())
            return hush.DRAW

        choose_move(GAME, s, Fixed(spy), rng)
        p = chance_of_the_true_hand(s["hand"][0].tolist())
        found += spied[0] == s["hand"][1].tolist()
        expected += p
        spread += p * (1 - p)
    assert abs(found - expected) < 4 * spread**0.5
    assert found < 1500 / 2  # the true record would give 1500


def test_the_generator_of_the_match_is_never_shown() -> None:
    s = start(1)
    seen = sight(GAME, s, 0, words())
    assert not set(seen.state["rng"].tolist()) & set(s["rng"].tolist())


def rewound(rng: list[int]) -> list[int]:
    """Return the words of a generator one step before."""
    b_mixed, c_mixed, c_turned, counter = rng
    c = c_mixed * pow(9, -1, 1 << 32) & WORD
    word = (c_turned - ((c << 21 | c >> 11) & WORD)) & WORD
    b = b_mixed
    for _ in range(4):
        b = b_mixed ^ b >> 9
    d = (counter - 1) & WORD
    return [(word - b - d) & WORD, b, c, d]


def leads_back(rng: list[int], to: list[int]) -> bool:
    """Return whether a generator that runs backwards reaches `to`."""
    for _ in range(200):
        if rng == to:
            return True
        rng = rewound(rng)
    return False


def test_the_draw_of_a_world_cannot_be_undone() -> None:
    """With the generator that drew a world an agent could find how the cards truly lie."""
    s, rng = start(1), words()
    fresh = [int(next_word(rng)) for _ in range(4)]
    begun = copy_state(s)
    GAME.key(begun, fresh)
    first = begun["rng"].tolist()
    assert leads_back(GAME.redrawn(s, 0, fresh)["rng"].tolist(), first)
    assert not leads_back(sight(GAME, s, 0, words()).state["rng"].tolist(), first)


def test_scratch_space_is_handed_out_empty() -> None:
    s = start(1)
    s["pool"] = 3
    assert not sight(GAME, s, 0, words()).state["pool"].any()


def test_own_cards_view_and_mask_are_the_true_ones() -> None:
    s = start(2)
    seen = sight(GAME, s, 0, words())
    assert seen.state["hand"][0].tolist() == s["hand"][0].tolist()
    assert seen.view() == GAME.rules.view(s, 0)
    assert seen.observation().tolist() == GAME.observation_of(s, 0).tolist()
    assert seen.mask.tolist() == GAME.mask(s).tolist()


def test_worlds_come_from_the_agents_own_generator() -> None:
    s = start(3)
    again = [sight(GAME, s, 0, rng).state.tobytes() for rng in (words(7), words(7))]
    assert again[0] == again[1]
    rng = words(7)
    assert len({sight(GAME, s, 0, rng).state["hand"].tobytes() for _ in range(20)}) > 5


def test_an_agent_that_scribbles_on_what_it_is_given_changes_nothing() -> None:
    s = start(4)
    before = s.tobytes()

    def scribble(seen: Sight) -> int:
        action = first(seen)
        seen.state["hand"][:] = 9
        seen.mask[:] = 1
        return action

    choose_move(GAME, s, Fixed(scribble), words())
    assert s.tobytes() == before


# --- what an agent answers ------------------------------------------------------------


def test_a_compound_move_is_chosen_to_its_end() -> None:
    s = start(5)
    last = choose_move(GAME, s, Fixed(lambda seen: int(np.flatnonzero(seen.mask)[-1])), words())
    assert len(last) == 2
    assert choose_move(GAME, s, Fixed(lambda seen: hush.DRAW), words()) == [hush.DRAW]
    after = copy_state(s)
    for action in last:
        GAME.rules.apply(after, action)
    assert int(after["seat"]) == 1


@pytest.mark.parametrize("answer", [-1, hush.ACTIONS, 99, 1 << 70, None, "draw", 1.0, [0]])
def test_an_answer_that_is_no_action_is_a_fault(answer: Any) -> None:
    with pytest.raises(AgentFault, match="seat 0 answered"):
        choose_move(GAME, start(6), Fixed(lambda seen: answer), words())


def test_an_illegal_action_is_a_fault_in_the_middle_of_a_move_too() -> None:
    s = start(7)
    held = int(np.flatnonzero(s["hand"][0])[0])
    agent = Fixed(lambda seen: hush.DRAW if seen.state["picked"] else hush.BURY + held)
    with pytest.raises(AgentFault, match="chose draw, which is not legal"):
        choose_move(GAME, s, agent, words())


def test_a_mask_that_the_agent_widens_does_not_make_an_action_legal() -> None:
    s = start(8)
    missing = [a for a in range(hush.ACTIONS) if not GAME.mask(s)[a]]
    assert missing

    def cheat(seen: Sight) -> int:
        seen.mask[:] = 1
        return missing[0]

    with pytest.raises(AgentFault):
        choose_move(GAME, s, Fixed(cheat), words())


# --- agents by name -------------------------------------------------------------------


def test_random_plays_every_game_and_agents_are_listed_weakest_first() -> None:
    strong = AgentSpec("strong", 5, lambda game, rng: Fixed(first))
    fair = AgentSpec("fair", 2, lambda game, rng: Fixed(first))
    assert list(bots_of(replace(GAME, agents=(strong, fair)))) == ["random", "search", "fair", "strong"]


def test_a_sparring_partner_is_an_agent_by_name_and_no_bot() -> None:
    foil = AgentSpec("foil", 1, lambda game, rng: Fixed(first), offered=False)
    game = replace(GAME, agents=(foil,))
    assert "foil" in agents_of(game) and "foil" not in bots_of(game)
    assert list(sparring_of(game)) == ["repeater", "cautious", "beginner", "foil"]
    assert {**bots_of(game), **sparring_of(game)} == agents_of(game)
    assert isinstance(make_agent(game, "foil"), Fixed)


def test_an_unknown_agent_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownAgent, match="hush has no agent 'oracle'; known: random"):
        make_agent(GAME, "oracle")


def test_the_random_agent_takes_each_legal_action_equally_often() -> None:
    s = start(9)
    agent = make_agent(GAME, "random", seed=11)
    rng = words()
    legal = GAME.legal_actions(s)
    counts = Counter(agent.act(sight(GAME, s, 0, rng)) for _ in range(2000))
    assert sorted(counts) == legal
    expected = 2000 / len(legal)
    assert sum((n - expected) ** 2 / expected for n in counts.values()) < 18.5  # 1 in 1000, 4 degrees


def test_agents_of_other_seeds_and_lanes_have_other_streams() -> None:
    streams = [agent_words(GAME, seed, lane).tobytes() for seed in (0, 1, 1 << 40) for lane in (0, 1)]
    assert len(set(streams)) == 6
    assert agent_words(GAME, 1, 1).tobytes() == agent_words(GAME, 1, 1).tobytes()


@pytest.mark.parametrize("name", ["xianqi", "nana", "skill_gomoku"])
def test_the_strongest_agent_has_the_highest_place(name: str) -> None:
    places = {name: spec.place for name, spec in agents_of(get(name)).items()}
    assert places[strongest(get(name))] == max(places.values()) > 0


def test_the_stand_in_of_a_level_is_the_strongest_of_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    specs = [AgentSpec(f"level{k}", 1, lambda game, words: None, plain=k < 5) for k in range(1, 7)]  # type: ignore[arg-type,return-value]
    monkeypatch.setattr("qipai.core.agent.bots_of", lambda game: {spec.name: spec for spec in specs})
    game = get("xianqi")
    assert plain_bot(game, "level6") == "level4" and plain_bot(game, "level2") == "level2"


def test_a_sight_holds_a_copy_and_nothing_after_close() -> None:
    game = get("xianqi")
    s = game.new(None, None, [1, 2, 3, 4])
    seen = sight(game, s, int(s["seat"]), np.array([1, 2, 3, 4], np.uint32))
    before = seen.observation()
    game.rules.apply(s, game.legal_actions(s)[0])
    assert np.array_equal(seen.observation(), before)
    seen.close()
    with pytest.raises(AgentFault):
        seen.observation()
