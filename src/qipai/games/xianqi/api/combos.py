"""Xianqi's named API: card sets, and the combos of a hand (§2, §5).

A card set is an object from type code to count. The combos of a hand and their order are the legal plays
of a seat that leads, as the compiled rules list them: in the order of §5.2.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, TypeGuard

import numpy as np

from qipai.core import State, compile_rules, copy_state, new_states
from qipai.core.state import States

from .. import rules as r
from .. import state
from ..state import ACTIONS, B_GOU, CARDS, DOG_PAIR, IN_ROUND, NONE, PLAY_SIZE, PLAY_TYPE, PLAYS, R_GOU, SEATS
from .refusals import InvalidState
from .ruleset import DEFAULTS, Rules, numbers, read_rules

CardCounts = dict[str, int]

MAX_COUNT = 24  # of one type in one card set
TYPE = {code: t for t, code in enumerate(CARDS)}

PLAY_CARDS: tuple[CardCounts, ...] = tuple(
    {CARDS[R_GOU]: 1, CARDS[B_GOU]: 1}
    if play == DOG_PAIR
    else {CARDS[int(PLAY_TYPE[play])]: int(PLAY_SIZE[play])}
    for play in range(PLAYS)
)
PLAY_OF = {frozenset(cards.items()): play for play, cards in enumerate(PLAY_CARDS)}


def enumerate_combos(hand: Any, round_kind: Any = None, rules: Any = None) -> list[dict[str, Any]]:
    """Return every combo of `hand` (of one size when `round_kind` is given), in the order of §5.2."""
    if round_kind is not None and not is_within(round_kind, 1, 3):
        raise InvalidState("round_kind is 1, 2, 3 or null")
    chosen = read_rules(rules)
    held = read_cards(hand, "hand")
    s = blank(chosen)
    s["hand"][0] = [held.get(code, 0) for code in CARDS]
    s["phase"] = IN_ROUND
    s["kind"] = round_kind or 0
    s["best"] = -1
    power = powers(chosen)
    return [{"cards": dict(PLAY_CARDS[p]), "power": power[p]} for p in legal(s) if p < PLAYS]


def powers(rules: Rules) -> tuple[int, ...]:
    """Return the power of every play under the options, according to the rules."""
    return _powers(rules["dog_pair"])


@cache
def _powers(dog_pair: str) -> tuple[int, ...]:
    s = blank({**DEFAULTS, "dog_pair": dog_pair})
    return tuple(int(r.play_power(s, play)) for play in range(PLAYS))


def read_cards(value: Any, where: str) -> CardCounts:
    """Return a given card set without its zero counts; raise `InvalidState` if it is invalid."""
    if not isinstance(value, dict):
        raise InvalidState(f"{where}: a card set must be an object from type to count", {"path": where})
    cards = {}
    for code, count in value.items():
        if not isinstance(code, str) or code not in TYPE:
            raise InvalidState(f"{where}: unknown card type", {"path": where})
        if not is_within(count, 0, MAX_COUNT):
            raise InvalidState(
                f"{where}: a count must be a whole number from 0 to {MAX_COUNT}", {"path": where}
            )
        if count:
            cards[code] = count
    return cards


def read_cover(value: Mapping[Any, Any]) -> CardCounts | None:
    """Return the cards of a cover list, or None if it is not one."""
    for code, count in value.items():
        if not isinstance(code, str) or code not in TYPE or not is_within(count, 1, 3):
            return None
    return {code: value[code] for code in CARDS if code in value}


def is_int(value: Any) -> TypeGuard[int]:
    """Return whether `value` is a whole number; true and false are not."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_within(value: Any, low: int, high: int) -> TypeGuard[int]:
    """Return whether `value` is a whole number from `low` to `high`."""
    return is_int(value) and low <= value <= high


def is_seat(value: Any) -> TypeGuard[int]:
    """Return whether `value` is 0, 1 or 2."""
    return is_within(value, 0, SEATS - 1)


def blank(rules: Rules) -> State:
    """Return a state with the options set and no cards or players in it."""
    return copy_state(template(rules)[0])


def template(rules: Rules) -> States:
    """Return an array of one blank state, which must not be changed."""
    return _template(tuple(rules.items()))


@cache
def _template(rules: tuple[tuple[str, Any], ...]) -> States:
    ready()
    states = new_states(state.State, 1)
    s = states[0]
    s["seats"] = SEATS
    for name in ("first_seat", "entry", "winners", "owner", "buckler", "pending", "active", "challenger"):
        s[name] = NONE
    s["liable"] = NONE
    s["best"] = -1
    for name, number in numbers(dict(rules)).items():
        s[name] = number
    return states


def legal(s: State) -> list[int]:
    """Return the legal native actions, ascending."""
    mask = np.zeros(ACTIONS, np.uint8)
    r.legal(s, mask)
    found: list[int] = mask.nonzero()[0].tolist()
    return found


@cache
def ready() -> None:
    """Compile the rules that are called here, or load them from the cache."""
    compile_rules([r.legal, r.play_power], state.State, "xianqi/api")
