"""The named API: the bot's memory and decisions, the local game, and exact answers.

This module lists what `qipai.games.nana` exports.
"""

from ..bots.decision import ActionCandidate, BotDecision, evaluate_all_actions, make_bot_decision
from ..bots.facts import Facts, exact_joint, exact_probability, facts_of, read_facts, turn_value
from ..bots.memory import (
    BadMemory,
    BotMemory,
    Card,
    CardSlot,
    NumberRange,
    Player,
    PlayerHandMemory,
    calculate_probability,
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
from ..layout import state_json
from ..reference import seeded_deal
from ..vectors import run_vector
from .local import LocalGame

__all__ = [
    "ActionCandidate",
    "BadMemory",
    "BotDecision",
    "BotMemory",
    "Card",
    "CardSlot",
    "Facts",
    "LocalGame",
    "NumberRange",
    "Player",
    "PlayerHandMemory",
    "calculate_probability",
    "evaluate_all_actions",
    "exact_joint",
    "exact_probability",
    "facts_of",
    "get_excluded_numbers",
    "get_global_remaining_count",
    "get_hand_size",
    "get_known_head_value",
    "get_known_public_count_for_number",
    "get_known_tail_value",
    "get_number_range_for_player_count",
    "get_unknown_public_count",
    "init_bot_memory",
    "make_bot_decision",
    "read_facts",
    "run_vector",
    "seeded_deal",
    "state_json",
    "turn_value",
    "update_memory_on_collect",
    "update_memory_on_reveal",
]
