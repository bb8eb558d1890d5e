"""The bot's decisions: acceptance checks 23-28, 32, 34, 35 and 47."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.games.nana import (
    BadMemory,
    BotDecision,
    BotMemory,
    Card,
    Player,
    evaluate_all_actions,
    exact_probability,
    get_global_remaining_count,
    init_bot_memory,
    make_bot_decision,
    update_memory_on_collect,
)
from tests.games.nana.tables import (
    HAND,
    ME,
    PUBLIC,
    RANGE_12,
    end,
    fixture,
    players,
    reveal,
)


def decide(
    memory: BotMemory, *chain: int, policy: str = "seed", hand: list[Card] | None = None
) -> BotDecision:
    cards = [Card(f"x{i}", n, True) for i, n in enumerate(chain)]
    return make_bot_decision(memory, cards, players(hand or HAND), PUBLIC, policy)


def numbers(*held: int) -> list[Card]:
    return [Card(f"own{i}", n) for i, n in enumerate(held)]


# --- decisions ------------------------------------------------------------------------


def test_23_an_empty_chain_begins_with_the_own_head() -> None:
    found = decide(fixture())
    assert (found.action, found.player_id, found.min_max) == ("reveal-player-card", "bot-1", "min")
    assert found.confidence == 0.8
    assert found.reasoning
    assert found.reasoning_zh


def test_24_two_known_equal_heads_are_used() -> None:
    found = decide(reveal(reveal(fixture(), "m0", 4), "b0", 4))
    assert found.action == "reveal-player-card"
    assert found.player_id in ("me", "bot-2")


def test_25_a_certain_source_is_taken() -> None:
    found = decide(reveal(fixture(), "m6", 6), 6)
    assert (found.action, found.player_id, found.min_max, found.confidence) == (
        "reveal-player-card",
        "me",
        "max",
        1.0,
    )


def test_26_without_a_certain_source_the_likeliest_is_taken() -> None:
    hand = numbers(2, 5, 9)
    assert 0 < decide(fixture(hand), 8, hand=hand).confidence < 1


def test_27_the_own_copy_in_the_middle_leads_to_the_own_hand() -> None:
    hand = numbers(3, 5, 9)
    found = decide(fixture(hand), 5, 5, hand=hand)
    assert (found.action, found.player_id, found.confidence) == ("reveal-player-card", "bot-1", 0.0)


def test_28_a_known_mismatch_is_avoided() -> None:
    found = decide(reveal(fixture(), "m0", 3), 5, 5)
    assert (found.player_id, found.min_max) != ("me", "min")


# --- openings that teach nothing (12.5) -----------------------------------------------

OWN = [4, 5, 7, 8, 8, 9, 9, 10, 10]


def dead_pair() -> tuple[BotMemory, list[Player], list[Card]]:
    """Return a table with two known 5s in the centre, and the third behind the bot's own lowest card."""
    hand = [Card(f"o{i}", n) for i, n in enumerate(OWN)]
    table = [Player("bot-1", hand), Player("me", [Card(f"m{i}") for i in range(10)])]
    public = [Card(f"p{i}") for i in range(8)]
    memory = init_bot_memory("bot-1", hand, table, public, {"min": 1, "max": 10})
    for card, number in (("p0", 7), ("p1", 5), ("p2", 5), ("p3", 6), ("m0", 1), ("m9", 9)):
        memory = reveal(memory, card, number)
    return memory, table, public


def test_a_pair_whose_third_copy_is_out_of_reach_is_no_opening() -> None:
    memory, table, public = dead_pair()
    found = make_bot_decision(memory, [], table, public)
    assert (found.player_id, found.min_max, found.confidence) == ("bot-1", "min", 0.8)


def test_a_pair_whose_third_copy_is_not_located_is_an_opening() -> None:
    memory, table, public = dead_pair()
    found = make_bot_decision(reveal(memory, "p4", 6), [], table, public)
    assert (found.card_id, found.confidence) == ("p3", 1.0)


def test_looking_for_something_new_passes_over_a_dead_pair() -> None:
    memory = init_bot_memory("bot-1", [], players([]), [Card("p0")], RANGE_12)
    for card, number in (("m0", 3), ("p0", 3), ("b0", 1), ("b1", 3)):
        memory = reveal(memory, card, number)
    found = make_bot_decision(memory, [], players([]), [Card("p0")])
    assert (found.player_id, found.min_max, found.confidence) == ("me", "max", 0.0)


def test_openings_that_failed_are_not_repeated_but_gone_through_in_order() -> None:
    """The third 5 is behind cards that are known: no opening shows anything new."""
    hand = numbers(2, 8)
    table = [Player("bot-1", hand), Player("me", [Card(f"m{i}") for i in range(3)])]
    public = [Card("p0"), Card("p1")]
    memory = init_bot_memory("bot-1", hand, table, public, RANGE_12)
    for card, number in (("p0", 5), ("p1", 5), ("m0", 1), ("m2", 9)):
        memory = reveal(memory, card, number)
    failed: list[str] = []
    said = []
    for card in ("p0", "own0", "own1", "m0", "m2", "p0", "p1", "own0"):
        found = make_bot_decision(memory, [], table, public, failed=failed)
        ends = {"bot-1": ("own0", "own1"), "me": ("m0", "m2")}.get(found.player_id or "", ("", ""))
        said.append(found.card_id or ends[found.min_max == "max"])
        failed = [*(c for c in failed if c != card), card]
        assert said[-1] == card
    assert make_bot_decision(memory, [], table, public).card_id == "p0"


@pytest.mark.parametrize("failed", [["p0", 3], "p0", 7, [""], ["x"] * 99])
def test_malformed_openings_are_refused(failed: Any) -> None:
    memory, table, public = dead_pair()
    with pytest.raises(BadMemory):
        make_bot_decision(memory, [], table, public, failed=failed)


# --- edge cases -----------------------------------------------------------------------


def test_32_a_number_that_is_gone_is_no_target() -> None:
    memory = fixture(numbers(3))
    assert get_global_remaining_count(memory, 3) == 2
    gone = update_memory_on_collect(memory, "me", 3)
    assert get_global_remaining_count(gone, 3) == 0
    assert gone.my_hand == []
    found = decide(gone, hand=numbers(3))
    assert found.action in ("reveal-player-card", "reveal-public-card")
    assert found.player_id != "bot-1"


def test_34_without_hands_a_public_card_is_shown() -> None:
    empty = [Player("me"), Player("bot-1"), Player("bot-2")]
    memory = init_bot_memory("bot-1", [], empty, PUBLIC, RANGE_12)
    assert make_bot_decision(memory, [], empty, PUBLIC).action == "reveal-public-card"


def test_35_without_public_cards_a_player_card_is_shown() -> None:
    memory = init_bot_memory("bot-1", HAND, players(HAND), [], RANGE_12)
    assert make_bot_decision(memory, [], players(HAND), []).action == "reveal-player-card"


# --- beyond the checks ----------------------------------------------------------------


@pytest.mark.parametrize("estimator", ["seed", "exact"])
def test_candidates_come_best_first_and_a_chain_of_two_is_worth_its_chance(estimator: str) -> None:
    memory = reveal(fixture(), "m6", 6)
    actions = [BotDecision("reveal-player-card", p, e) for p in ("me", "bot-1") for e in ("min", "max")]
    actions.append(BotDecision("reveal-public-card", card_id="p3"))
    for chain in ([], [6], [6, 6]):
        cards = [Card(f"x{i}", n, True) for i, n in enumerate(chain)]
        found = evaluate_all_actions(memory, cards, actions, estimator)
        values = [c.expected_value for c in found]
        assert values == sorted(values, reverse=True)
        assert all(0 <= c.expected_value <= 1 for c in found)
        if len(chain) == 2:
            assert all(c.probability == pytest.approx(c.expected_value) for c in found)


def test_47_the_exact_policy_takes_certain_cards_and_avoids_known_mismatches() -> None:
    memory = reveal(reveal(fixture(), "m6", 6), "p3", 6)
    first = decide(memory, 6, policy="exact")
    assert (first.player_id, first.min_max) == ("me", "max") or first.card_id == "p3"
    shown = [Card("x0", 6, True), Card("m6", 6, True)]
    assert make_bot_decision(memory, shown, players(HAND), PUBLIC, "exact").card_id == "p3"
    low = reveal(fixture(), "m0", 3)
    found = decide(low, 5, 5, policy="exact")
    assert (found.player_id, found.min_max) != ("me", "min")


def test_a_collection_without_its_slots_makes_exact_answers_refuse_and_decisions_fall_back() -> None:
    memory = update_memory_on_collect(fixture(), "me", 5)
    with pytest.raises(ValueError, match="card_ids") as refusal:
        exact_probability(memory, 3, end("me", "head"))
    assert isinstance(refusal.value, BadMemory)
    assert decide(memory, policy="exact") == decide(memory)


def test_the_bot_never_reads_a_hidden_number() -> None:
    true = [Player("me", [Card(f"m{i}", 1) for i in range(7)]), *players(HAND)[1:]]
    false = [Player("me", [Card(f"m{i}", 12) for i in range(7)]), *players(HAND)[1:]]
    for policy in ("seed", "exact"):
        one, other = (
            make_bot_decision(init_bot_memory("bot-1", HAND, p, PUBLIC, RANGE_12), [], p, PUBLIC, policy)
            for p in (true, false)
        )
        assert one == other
    assert ME.hand[0].number is None
