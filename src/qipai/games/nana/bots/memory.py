"""The bot's memory: raw facts, and pure functions that derive everything else.

This module has the types, the two updates, the derived values and the estimated probabilities (README §12).
Decisions are in `decision`, true probabilities in `facts`.
Updates return new objects and leave their argument unchanged, including nested lists.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from qipai.core.errors import BadLayout

from ..state import COPIES, NUMBERS, SEATS, TOP

MOST_SLOTS = 64  # maximum number of cards in one place
PUBLIC = "public"  # the key of the centre in `layout`


class BadMemory(BadLayout, ValueError):
    """A memory, an event or a query is malformed, or facts are missing for an exact answer."""


@dataclass(frozen=True)
class NumberRange:
    """The numbers that a table uses, both ends included."""

    min: int
    max: int


@dataclass(frozen=True)
class Card:
    """A card as a front end has it; the bot only reads `number` of its own and of face-up cards."""

    id: str
    number: int | None = None
    is_revealed: bool = False


@dataclass(frozen=True)
class Player:
    """A player and the cards in their hand, low to high."""

    id: str
    hand: Sequence[Card] = ()
    name: str = ""


@dataclass(frozen=True)
class CardSlot:
    """A place that holds a card; `number` None: unknown."""

    card_id: str
    number: int | None = None


@dataclass(frozen=True)
class PlayerHandMemory:
    """What the bot remembers of another hand, low to high."""

    player_id: str
    cards: list[CardSlot]


@dataclass(frozen=True)
class BotMemory:
    """Raw facts only. `layout` and `removed` keep the dealt order for exact inference (§12.4)."""

    bot_id: str
    my_hand: list[CardSlot]
    other_players_hands: dict[str, PlayerHandMemory]
    public_cards: list[CardSlot]
    collected_sets: dict[str, list[int]]
    number_range: NumberRange
    layout: dict[str, Any] = field(default_factory=dict)  # {"players": {id: [card ids]}, "public": [...]}
    removed: dict[str, int] = field(default_factory=dict)  # collected card id -> number


def get_number_range_for_player_count(player_count: int) -> NumberRange:
    """Return 1..10 for two players, 1..11 for three, 1..12 for all others."""
    if not isinstance(player_count, int) or isinstance(player_count, bool):
        raise BadMemory("a player count must be a whole number")
    return NumberRange(1, int(TOP[player_count]) if 2 <= player_count <= SEATS else NUMBERS)


# --- making and updating --------------------------------------------------------------


def init_bot_memory(
    bot_id: str,
    bot_hand: Iterable[Any],
    players: Iterable[Any],
    public_cards: Iterable[Any],
    number_range: Any,
) -> BotMemory:
    """Return the memory of a bot that has only seen its own hand."""
    numbers = read_range(number_range)
    owner = read_text(bot_id, "bot_id")
    my_hand = [
        CardSlot(_card_id(c), read_number(read_field(c, "number"), numbers)) for c in read_list(bot_hand)
    ]
    others: dict[str, PlayerHandMemory] = {}
    order: dict[str, list[str]] = {}
    for player in read_list(players):
        name = read_text(read_field(player, "id"), "a player's id")
        if name in order:
            raise BadMemory("two players have the same id")
        order[name] = [slot.card_id for slot in my_hand]
        if name != owner:
            others[name] = PlayerHandMemory(
                name, [CardSlot(_card_id(c)) for c in read_list(read_field(player, "hand"))]
            )
            order[name] = [slot.card_id for slot in others[name].cards]
    public = [CardSlot(_card_id(c)) for c in read_list(public_cards)]
    order.setdefault(owner, [slot.card_id for slot in my_hand])
    layout = {"players": order, PUBLIC: [slot.card_id for slot in public]}
    return BotMemory(owner, my_hand, others, public, {}, numbers, layout, {})


def update_memory_on_reveal(
    memory: BotMemory, revealed_card_id: str, revealed_number: int, source: Mapping[str, Any]
) -> BotMemory:
    """Return the memory after everyone saw `revealed_number` on a card. Unknown ids change nothing."""
    kind, player_id = read_source(source)
    number = read_number(revealed_number, memory.number_range)
    read_text(revealed_card_id, "a card's id")

    def seen(slots: list[CardSlot]) -> list[CardSlot]:
        return [replace(x, number=number) if x.card_id == revealed_card_id else x for x in slots]

    others = dict(memory.other_players_hands)
    public = list(memory.public_cards)
    if kind == "public":
        public = seen(public)
    elif player_id in others:
        others[player_id] = replace(others[player_id], cards=seen(others[player_id].cards))
    return replace(memory, other_players_hands=others, public_cards=public)


def update_memory_on_collect(
    memory: BotMemory,
    collector_id: str,
    collected_number: int,
    card_ids: Iterable[str] | None = None,
) -> BotMemory:
    """Return the memory after a trio was collected: its slots leave every place.

    Without `card_ids` the slots known to hold the number leave; with them, those three.
    """
    number = read_number(collected_number, memory.number_range)
    collector = read_text(collector_id, "a collector's id")
    gone = {read_text(x, "a card's id") for x in read_list(card_ids)} if card_ids is not None else set()
    removed = dict(memory.removed)

    def leaves(slot: CardSlot) -> bool:
        out = slot.number == number or slot.card_id in gone
        if out:
            removed[slot.card_id] = number
        return out

    def keep(slots: list[CardSlot]) -> list[CardSlot]:
        return [slot for slot in slots if not leaves(slot)]

    collected = {who: list(numbers) for who, numbers in memory.collected_sets.items()}
    collected[collector] = [*collected.get(collector, []), number]
    return replace(
        memory,
        my_hand=keep(memory.my_hand),
        other_players_hands={
            who: replace(hand, cards=keep(hand.cards)) for who, hand in memory.other_players_hands.items()
        },
        public_cards=keep(memory.public_cards),
        collected_sets=collected,
        removed=removed,
    )


# --- derived values: `face_up` ids are passed over when an end is looked for -----------


def slots_of(memory: BotMemory, player_id: str) -> list[CardSlot]:
    """Return the slots of a hand, including the bot's own; none for an unknown player."""
    if player_id == memory.bot_id:
        return memory.my_hand
    hand = memory.other_players_hands.get(player_id)
    return hand.cards if hand is not None else []


def get_known_head_value(memory: BotMemory, player_id: str, face_up: Collection[str] = ()) -> int | None:
    """Return the number at the low end, or None if it is unknown or the hand is empty."""
    left = _down(slots_of(memory, player_id), face_up)
    return left[0].number if left else None


def get_known_tail_value(memory: BotMemory, player_id: str, face_up: Collection[str] = ()) -> int | None:
    """Return the number at the high end, or None if it is unknown or the hand is empty."""
    left = _down(slots_of(memory, player_id), face_up)
    return left[-1].number if left else None


def get_hand_size(memory: BotMemory, player_id: str, face_up: Collection[str] = ()) -> int:
    """Return the number of slots in a hand, face up or not; 0 for an unknown player."""
    return len(slots_of(memory, player_id))


def get_global_remaining_count(memory: BotMemory, target_number: int, face_up: Collection[str] = ()) -> int:
    """Return the copies not located: 0 if collected, else 3 minus the slots known to hold the number."""
    if any(target_number in numbers for numbers in memory.collected_sets.values()):
        return 0
    located = sum(slot.number == target_number for slot in all_slots(memory))
    return max(0, COPIES - located)


def get_excluded_numbers(memory: BotMemory, player_id: str, face_up: Collection[str] = ()) -> set[int]:
    """Return the numbers below the known head and above the known tail of a hand."""
    head = get_known_head_value(memory, player_id, face_up)
    tail = get_known_tail_value(memory, player_id, face_up)
    low, high = memory.number_range.min, memory.number_range.max
    below = set(range(low, head)) if head is not None else set()
    above = set(range(tail + 1, high + 1)) if tail is not None else set()
    return below | above


def get_unknown_public_count(memory: BotMemory, face_up: Collection[str] = ()) -> int:
    """Return the number of public slots whose number is unknown."""
    return sum(slot.number is None for slot in memory.public_cards)


def get_known_public_count_for_number(
    memory: BotMemory, target_number: int, face_up: Collection[str] = ()
) -> int:
    """Return the number of public slots known to hold the number."""
    return sum(slot.number == target_number for slot in memory.public_cards)


def calculate_probability(
    memory: BotMemory, target_number: int, source: Mapping[str, Any], face_up: Collection[str] = ()
) -> float:
    """Return the estimate by the formula of README §12.3; `exact_probability` has the true value."""
    remaining = get_global_remaining_count(memory, target_number)
    if remaining == 0:
        return 0.0
    kind, player_id = read_source(source, position=True)
    if kind == "public":
        unknown = get_unknown_public_count(memory)
        if unknown == 0:
            return 0.0
        public = get_known_public_count_for_number(memory, target_number)
        return min(1.0, max(0.0, (remaining - public) / unknown))
    at_head = source["position"] == "head"
    value = (get_known_head_value if at_head else get_known_tail_value)(memory, player_id, face_up)
    if value is not None:
        return 1.0 if value == target_number else 0.0
    excluded = get_excluded_numbers(memory, player_id, face_up)
    possible = memory.number_range.max - memory.number_range.min + 1 - len(excluded)
    if target_number in excluded or possible <= 0:
        return 0.0
    return min(1.0, remaining / possible)


def all_slots(memory: BotMemory) -> list[CardSlot]:
    """Return every slot in play that the memory contains."""
    others = [slot for hand in memory.other_players_hands.values() for slot in hand.cards]
    return [*memory.my_hand, *others, *memory.public_cards]


def is_collected(memory: BotMemory, number: int) -> bool:
    """Return whether someone has collected the trio of this number."""
    return any(number in numbers for numbers in memory.collected_sets.values())


def _down(slots: list[CardSlot], face_up: Collection[str]) -> list[CardSlot]:
    return [slot for slot in slots if slot.card_id not in face_up] if face_up else slots


# --- reading what comes from outside --------------------------------------------------


def read_range(value: Any) -> NumberRange:
    """Return a number range from `NumberRange` or a mapping with min and max."""
    low, high = read_field(value, "min"), read_field(value, "max")
    for bound in (low, high):
        if not isinstance(bound, int) or isinstance(bound, bool):
            raise BadMemory("a number range has whole numbers min and max")
    if not 1 <= low <= high <= NUMBERS:
        raise BadMemory(f"a number range lies within 1..{NUMBERS}")
    return NumberRange(low, high)


def read_number(value: Any, numbers: NumberRange) -> int:
    """Return a card's number, within the range."""
    if not isinstance(value, int) or isinstance(value, bool) or not numbers.min <= value <= numbers.max:
        raise BadMemory(f"a card's number must be a whole number from {numbers.min} to {numbers.max}")
    return value


def read_source(source: Any, position: bool = False) -> tuple[str, str]:
    """Return the kind of a source, and its player."""
    if not isinstance(source, Mapping) or source.get("type") not in ("player", "public"):
        raise BadMemory('a source has the type "player" or "public"')
    if source["type"] == "public":
        return "public", ""
    if position and source.get("position") not in ("head", "tail"):
        raise BadMemory('a player source has the position "head" or "tail"')
    return "player", read_text(source.get("player_id"), "a source's player_id")


def read_list(value: Any) -> list[Any]:
    """Return a short list of cards, players or ids."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise BadMemory("cards and players come as a list")
    found = list(value)
    if len(found) > MOST_SLOTS:
        raise BadMemory(f"more than {MOST_SLOTS} cards or players in one place")
    return found


def read_field(thing: Any, name: str) -> Any:
    """Return a field of a mapping or of an object, or None if it is missing."""
    return thing.get(name) if isinstance(thing, Mapping) else getattr(thing, name, None)


def _card_id(card: Any) -> str:
    return read_text(read_field(card, "id"), "a card's id")


def read_text(value: Any, what: str) -> str:
    """Return an id."""
    if not isinstance(value, str) or not 0 < len(value) <= 200:
        raise BadMemory(f"{what} is text")
    return value
