"""The bot's memory: acceptance checks 1-22, 33 and 36."""

from __future__ import annotations

import pytest

from qipai.games.nana import (
    Card,
    CardSlot,
    calculate_probability,
    exact_probability,
    get_excluded_numbers,
    get_global_remaining_count,
    get_hand_size,
    get_known_head_value,
    get_known_public_count_for_number,
    get_known_tail_value,
    get_number_range_for_player_count,
    get_unknown_public_count,
    init_bot_memory,
    update_memory_on_collect,
    update_memory_on_reveal,
)
from tests.games.nana.tables import (
    HAND,
    PUBLIC,
    PUBLIC_SOURCE,
    RANGE_12,
    end,
    fixture,
    players,
    reveal,
    source,
)


def numbers(*held: int) -> list[Card]:
    return [Card(f"own{i}", n) for i, n in enumerate(held)]


# --- initialisation -------------------------------------------------------------------


def test_1_the_own_hand_is_fully_known() -> None:
    assert fixture().my_hand == [CardSlot("2-a", 2), CardSlot("5-b", 5), CardSlot("8-c", 8)]


def test_2_other_hands_are_unknown() -> None:
    cards = fixture().other_players_hands["me"].cards
    assert len(cards) == 7
    assert all(slot.number is None for slot in cards)


def test_3_public_cards_are_unknown() -> None:
    cards = fixture().public_cards
    assert len(cards) == 8
    assert all(slot.number is None for slot in cards)


def test_the_range_follows_the_player_count() -> None:
    assert [get_number_range_for_player_count(n).max for n in (2, 3, 4, 5, 6)] == [10, 11, 12, 12, 12]
    assert get_number_range_for_player_count(2).min == 1


# --- updates --------------------------------------------------------------------------


def test_4_a_player_card_shown_is_remembered() -> None:
    assert reveal(fixture(), "m0", 3).other_players_hands["me"].cards[0].number == 3


def test_5_a_public_card_shown_is_remembered() -> None:
    assert reveal(fixture(), "p0", 7).public_cards[0].number == 7


def test_6_updates_return_new_objects() -> None:
    memory = fixture()
    before = repr(memory)
    after = reveal(memory, "p0", 3)
    assert after is not memory
    assert after.public_cards is not memory.public_cards
    assert memory.public_cards[0].number is None
    other = reveal(memory, "m0", 3)
    assert other.other_players_hands is not memory.other_players_hands
    assert other.other_players_hands["me"] is not memory.other_players_hands["me"]
    assert memory.other_players_hands["me"].cards[0].number is None
    update_memory_on_collect(update_memory_on_collect(memory, "me", 5), "me", 8)
    assert repr(memory) == before


def test_7_a_collected_number_leaves_the_own_hand() -> None:
    memory = update_memory_on_collect(fixture(), "me", 5)
    assert all(slot.number != 5 for slot in memory.my_hand)
    assert memory.collected_sets["me"] == [5]


def test_8_a_collected_number_leaves_other_hands() -> None:
    memory = update_memory_on_collect(reveal(fixture(), "b0", 5), "me", 5)
    cards = memory.other_players_hands["bot-2"].cards
    assert len(cards) == 6
    assert all(slot.number != 5 for slot in cards)


def test_card_ids_remove_slots_that_were_never_seen() -> None:
    memory = update_memory_on_collect(fixture(), "me", 5, ["5-b", "m3", "p2"])
    assert get_hand_size(memory, "me") == 6
    assert len(memory.public_cards) == 7
    assert memory.removed == {"5-b": 5, "m3": 5, "p2": 5}


def test_an_own_card_shown_and_an_unknown_id_change_nothing() -> None:
    memory = fixture()
    for after in (
        update_memory_on_reveal(memory, "2-a", 2, source("bot-1")),
        update_memory_on_reveal(memory, "zz", 2, source("me")),
        update_memory_on_reveal(memory, "m0", 2, source("stranger")),
    ):
        assert after == memory
        assert after is not memory


# --- derived values -------------------------------------------------------------------


def test_9_own_ends_are_known() -> None:
    assert get_known_head_value(fixture(), "bot-1") == 2
    assert get_known_tail_value(fixture(), "bot-1") == 8


def test_10_other_ends_are_unknown() -> None:
    assert get_known_head_value(fixture(), "me") is None
    assert get_known_tail_value(fixture(), "me") is None


def test_11_a_shown_head_is_known() -> None:
    assert get_known_head_value(reveal(fixture(), "m0", 3), "me") == 3


def test_12_hand_sizes() -> None:
    assert get_hand_size(fixture(), "bot-1") == 3
    assert get_hand_size(fixture(), "me") == 7
    assert get_hand_size(fixture(), "stranger") == 0


def test_13_a_collection_shrinks_the_hand() -> None:
    assert get_hand_size(update_memory_on_collect(fixture(), "me", 5), "bot-1") == 2


def test_14_remaining_counts_leave_out_the_own_hand() -> None:
    assert get_global_remaining_count(fixture(), 2) == 2
    assert get_global_remaining_count(fixture(), 3) == 3


def test_15_nothing_remains_of_a_collected_number() -> None:
    assert get_global_remaining_count(update_memory_on_collect(fixture(), "me", 5), 5) == 0


def test_16_a_known_head_excludes_smaller_numbers() -> None:
    assert get_excluded_numbers(reveal(fixture(), "m0", 5), "me") == {1, 2, 3, 4}


def test_17_a_known_tail_excludes_larger_numbers() -> None:
    assert get_excluded_numbers(reveal(fixture(), "m6", 9), "me") == {10, 11, 12}


def test_public_counts() -> None:
    memory = reveal(fixture(), "p0", 7)
    assert get_unknown_public_count(memory) == 7
    assert get_known_public_count_for_number(memory, 7) == 1


def test_face_up_cards_are_passed_over_at_the_ends() -> None:
    memory = reveal(fixture(), "m1", 4)
    assert get_known_head_value(memory, "me") is None
    assert get_known_head_value(memory, "me", {"m0"}) == 4
    assert get_known_head_value(memory, "bot-1", {"2-a"}) == 5


# --- probabilities --------------------------------------------------------------------


@pytest.mark.parametrize("target, chance", [(3, 1.0), (5, 0.0)])
def test_18_19_a_known_head_is_certain(target: int, chance: float) -> None:
    assert calculate_probability(reveal(fixture(), "m0", 3), target, end("me", "head")) == chance


def test_20_the_public_formula_is_kept_and_the_true_chance_differs() -> None:
    memory = reveal(fixture(), "p0", 7)
    assert calculate_probability(memory, 7, PUBLIC_SOURCE) == pytest.approx(1 / 7, abs=0.005)
    assert exact_probability(memory, 7, PUBLIC_SOURCE, as_float=True) == 1 / 16


def test_21_a_collected_number_has_no_chance() -> None:
    assert calculate_probability(update_memory_on_collect(fixture(), "me", 5), 5, end("me", "head")) == 0


def test_22_an_excluded_number_has_no_chance() -> None:
    assert calculate_probability(reveal(fixture(), "m0", 5), 3, end("me", "tail")) == 0


def test_the_public_formula_is_clamped() -> None:
    memory = reveal(reveal(fixture(), "p0", 7), "p1", 7)
    assert calculate_probability(memory, 7, PUBLIC_SOURCE) == 0.0
    few = init_bot_memory("bot-1", HAND, players(HAND), PUBLIC[:2], RANGE_12)
    assert calculate_probability(few, 7, PUBLIC_SOURCE) == 1.0


# --- edge cases -----------------------------------------------------------------------


def test_33_equal_cards_in_a_hand_are_kept_apart() -> None:
    memory = fixture(numbers(3, 3, 5))
    assert [slot.number for slot in memory.my_hand] == [3, 3, 5]
    assert get_known_head_value(memory, "bot-1") == 3
    assert get_known_tail_value(memory, "bot-1") == 5


def test_36_the_next_card_becomes_the_head() -> None:
    memory = reveal(fixture(), "m0", 3)
    assert get_known_head_value(memory, "me") == 3
    assert get_known_head_value(update_memory_on_collect(memory, "someone", 3), "me") is None
