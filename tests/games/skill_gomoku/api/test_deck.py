"""§22 checks 28-39: building, shuffling, Place on top, drawing, reshuffling."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from qipai.games.skill_gomoku import (
    PRESETS,
    SkillGomokuError,
    SkillGomokuMatch,
    TurnMachine,
    build_deck,
    deck_counts,
    draw_cards,
    ensure_place_top,
    shuffled_deck,
)
from qipai.games.skill_gomoku.reference import Mulberry32

from ..positions import ENGINES, PI, SG, TF, P, T, choose, drawn, load, pile, state

EARLY = [P, SG, P, P, TF, PI, T, T]


def test_28_the_deck_is_built_in_registry_order() -> None:
    assert build_deck({"Place": 2, "Take": 1, "UnknownX": 5}) == [P, P, T]
    assert build_deck({"Take": 1, "Place": 2.9, SG: 0, PI: -3}) == [P, P, T]


def test_29_the_default_deck_has_29_cards() -> None:
    assert list(Counter(build_deck("default")).values()) == [12, 6, 3, 3, 5]


def test_30_place_on_top() -> None:
    counts = {"Place": 1, "Take": 3}
    assert shuffled_deck(counts, "seed-deck-place", place_top=False) == [T, T, P, T]
    assert shuffled_deck(counts, "seed-deck-place") == [T, T, T, P]


def test_31_the_original_shuffle_of_the_early_deck() -> None:
    assert shuffled_deck("source-early", 42, place_top=False) == EARLY
    assert shuffled_deck("source-early", 42) == [T, SG, P, P, TF, PI, T, P]


def test_32_the_lowest_place_goes_to_the_top() -> None:
    assert ensure_place_top([T, P, PI, P, TF]) == [T, TF, PI, P, P]


def test_33_without_a_place_nothing_moves() -> None:
    assert ensure_place_top([T, PI]) == [T, PI]
    assert ensure_place_top([]) == []


@pytest.mark.parametrize("pinned", [True, False])
def test_34_the_demo_match(pinned: bool) -> None:
    match = TurnMachine("demo", pinned=pinned)
    assert (drawn(match), len(pile(match)), pile(match)[-1]) == ([P, T], 27, SG)
    if pinned:
        assert match.dump()["rng"] == {"algorithm": "mulberry32", "state": 872707709}
    compiled = SkillGomokuMatch("demo")
    assert compiled.dump()["deck"] == match.dump()["deck"]


def test_35_a_reshuffle_between_two_cards() -> None:
    rng = Mulberry32(131604589)
    got = draw_cards([T], [P, PI, SG, P], 2, rng)
    assert got == {"drawn": [T, SG], "drawPile": [P, P, PI], "discardPile": [], "reshuffled": True}
    assert (rng.state, rng.used) == (1331334732, 3)


def test_36_an_empty_pile_is_reshuffled_first() -> None:
    rng = Mulberry32(131604589)
    got = draw_cards([], [P, T, PI, TF, SG], 2, rng)
    assert (got["drawn"], got["drawPile"]) == ([PI, T], [SG, P, TF])
    assert (rng.state, rng.used) == (3162900545, 4)


@pytest.mark.parametrize("engine", ENGINES)
def test_35_both_engines_keep_the_drawn_card_out_of_the_reshuffle(engine: str) -> None:
    for rng in range(20):
        match = load(engine, state([T], discard=[P, PI, SG, P], rng=rng))
        assert drawn(match)[0] == T
        assert Counter([drawn(match)[1], *pile(match)]) == Counter([P, PI, SG, P])
        assert match.dump()["deck"]["discardPile"] == []
        assert match.dump()["log"][0]["data"]["reshuffled"] is True


@pytest.mark.parametrize("engine", ENGINES)
def test_37_no_reshuffle_before_it_is_needed(engine: str) -> None:
    match = load(engine, state([PI, P], discard=[T, T, T]))
    assert (drawn(match), pile(match)) == ([P, PI], [])
    assert match.dump()["deck"]["discardPile"] == [T, T, T]
    untouched = load(engine, state([P])).dump()["rng"]
    assert match.dump()["rng"] == untouched
    choose(match, 1)
    assert match.dump()["log"][-1]["data"]["reshuffled"] is True


def test_38_no_card_is_ever_lost(matches: int = 2) -> None:
    rng = random.Random(38)
    for seed in range(matches):
        match = SkillGomokuMatch(seed, {"maxTurns": 70})
        while legal := match.legal_actions():
            doc = match.dump()
            in_play = len(doc["turn"]["drawn"]) if match.state == "choose" else 1
            deck = doc["deck"]
            assert len(deck["drawPile"]) + len(deck["discardPile"]) + in_play == 29
            match.act(rng.choice(legal))


def test_39_presets_and_decks_that_are_too_small() -> None:
    assert list(deck_counts("default").values()) == [12, 6, 3, 3, 5]
    assert list(deck_counts("source-current").values()) == [12, 6, 3, 0, 5]
    assert list(deck_counts("source-early").values()) == [3, 2, 1, 1, 1]
    assert set(PRESETS) == {"default", "source-current", "source-early"}
    small: list[Any] = [{"Place": 1}, {}, {"Place": 1.9}, {"UnknownX": 9}]
    for counts in small:
        with pytest.raises(SkillGomokuError) as refusal:
            SkillGomokuMatch(1, {"deckCounts": counts})
        assert refusal.value.code == "InvalidConfig"


def test_39_malformed_counts_are_refused() -> None:
    odd: list[Any] = ["no such preset", 7, None, {"Place": "2"}, {"Place": True}, {"Place": float("nan")}]
    for counts in [*odd, {"Place": float("inf")}, {"Place": 10**9}]:
        with pytest.raises(SkillGomokuError) as refusal:
            SkillGomokuMatch(1, {"deckCounts": counts})
        assert refusal.value.code == "InvalidConfig"
