"""Xianqi's named API (§6): `XianqiGameEngine`, documents in and out over the compiled rules.

This module has the calls and their checks, in the order of §6.3. `rules.py` plays the game in a
state, through `steps.py`; the document of §6.1 is kept next to it (`position.py`, `mapping.py`).
Every error is an `EngineError` and leaves everything unchanged.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from qipai.core import State, new_states

from .. import reference, state
from ..state import ACTIONS, PASS, PLAYS, REVEAL, REVEAL_DECISION, SEATS
from . import document, mapping, position, steps
from .combos import PLAY_CARDS, TYPE, CardCounts, is_int, is_seat, is_within, read_cover, template
from .document import DECIDING, Document
from .output import Output
from .position import Position
from .refusals import (
    INVALID_ACTION_INDEX,
    INVALID_COVER_LIST,
    INVALID_PHASE,
    INVALID_SEAT,
    VERSION_CONFLICT,
    EngineError,
    config_error,
)
from .ruleset import Rules, read_rules
from .steps import COVER, GAME, KIND, PHASE, SEAT

CONFIG_KEYS = ("player_count", "rules", "first_seat")


class XianqiGameEngine:
    """One game of Xianqi, from the deal to the settlement."""

    def __init__(self, rules: Any = None) -> None:
        self._own_rules = read_rules(rules)
        self._at: Position | None = None
        self._calls = steps.calls()
        self._states = new_states(state.State, 2)
        self._memory = self._states.view(np.ndarray)  # the same memory; faster to write to
        self._mask = np.zeros(ACTIONS, np.uint8)
        self._told = np.zeros(steps.SIZE, np.int8)

    # --- beginning --------------------------------------------------------------------

    def init_game(self, config: Any, rng_seed: Any = None) -> Document:
        """Deal a new game (T1, T2)."""
        rules, first_seat = self._read_config(config)
        seed = read_seed(rng_seed)
        redeal = rules["black_chess"] == "redeal"
        hands, first = reference.deal_playable(seed) if redeal else reference.deal(seed)
        if first_seat is not None:
            first = first_seat
        told = self._begin(hands, first, rules)
        doc = mapping.fresh(hands, first, told[SEAT] < 0, rules)
        self._at = Position(doc, rules, told, ({}, {}, {}), usual=True)
        return Output(self._at)

    def load_state(self, state: Any, strict: bool = False) -> None:
        """Continue from a document of §6.1; the engine keeps its own copy.

        It rejects what §6.3 lists, documents without the keys and types of §6.1, and documents larger
        than the limits in `document.py`; with `strict` also positions that play cannot reach.
        """
        doc, rules = document.read(state, self._own_rules, bool(strict))
        self._states[GAME] = mapping.to_state(doc, rules)
        self._calls.look(self._states, self._mask, self._told)
        self._at = position.loaded(doc, rules, self._told.tolist())

    def dump_state(self) -> Document:
        """Return the whole document, for the server only; {} before a game."""
        return {} if self._at is None else self._at.state()

    # --- looking ----------------------------------------------------------------------

    def get_public_state(self) -> Document:
        """Return what everyone may see; {} before a game."""
        return {} if self._at is None else self._at.public()

    def get_private_state(self, seat: Any) -> Document:
        """Return what only `seat` may see: its hand and its covers."""
        at = self._position()
        if not is_seat(seat):
            raise EngineError(INVALID_SEAT, "a seat is 0, 1 or 2")
        return at.private(seat)

    def get_legal_actions(self, seat: Any) -> Document:
        """Return the actions of `seat` in the order of `action_idx`; none if it is not its turn."""
        at = self._at
        mine = at is not None and is_seat(seat) and at.told[SEAT] == seat
        return {"seat": seat, "actions": at.actions() if at is not None and mine else []}

    # --- acting -----------------------------------------------------------------------

    def apply_action(self, action_idx: Any, cover_list: Any = None, client_version: Any = None) -> Document:
        """Make one action for the deciding seat, checked in the order of §6.3."""
        at = self._position()
        doc = at.doc
        if doc["phase"] not in DECIDING:
            raise EngineError(INVALID_PHASE, "nobody decides in this phase", {"phase": doc["phase"]})
        if client_version is not None and not is_within(client_version, doc["version"], doc["version"]):
            raise EngineError(VERSION_CONFLICT, "the state has changed", {"version": doc["version"]})
        listed = at.listed()
        if not is_within(action_idx, 0, len(listed) - 1):
            raise EngineError(INVALID_ACTION_INDEX, "no action has this index")
        action = listed[action_idx]
        cards = self._read_cover(cover_list, action)
        if action in (REVEAL, PASS) and at.told[PHASE] == REVEAL_DECISION:
            self._check_pending(action)
        return self._make(at, action, cards)

    def settle(self) -> Document:
        """Compute the chips (T11)."""
        at = self._position()
        doc = at.doc
        if doc["phase"] != "settlement":
            raise EngineError(INVALID_PHASE, "there is nothing to settle yet", {"phase": doc["phase"]})
        rows = mapping.chips(self._states, doc["reveal"]["relations"])
        if at.rules["after_settle"] == "finished":
            self._calls.finish(self._states, self._mask, self._told)
            self._at = at = mapping.settled(at, self._told.tolist())
        return Output(at, rows)

    # --- helpers ----------------------------------------------------------------------

    def _read_config(self, config: Any) -> tuple[Rules, int | None]:
        if not isinstance(config, dict):
            raise config_error("config is an object")
        for key in config:
            if not isinstance(key, str) or key not in CONFIG_KEYS:
                raise config_error("config holds player_count, rules and first_seat only")
        if not is_within(config.get("player_count"), SEATS, SEATS):
            raise config_error("player_count is 3")
        seat = config.get("first_seat")
        if "first_seat" in config and not is_seat(seat):
            raise config_error("first_seat is 0, 1 or 2")
        return read_rules(config.get("rules"), self._own_rules), seat

    def _begin(self, hands: list[CardCounts], first: int, rules: Rules) -> list[int]:
        """Deal hands in the state, and return what the rules report."""
        self._memory[:1] = template(rules)
        packed = [sum(n << (2 * TYPE[code]) for code, n in hand.items()) for hand in hands]
        self._calls.begin(self._states, *packed, first, self._mask, self._told)
        told: list[int] = self._told.tolist()
        return told

    def _position(self) -> Position:
        if self._at is None:
            raise EngineError(INVALID_PHASE, "there is no game yet", {"phase": "init"})
        return self._at

    @property
    def _doc(self) -> Document | None:
        """The document, which must not be changed."""
        return None if self._at is None else self._at.doc

    @property
    def _s(self) -> State:
        """The state of the rules."""
        s: State = self._states[GAME]
        return s

    def _read_cover(self, cover_list: Any, action: int) -> CardCounts:
        """Return the cards of a cover, none for any other action (checks 4 and 5)."""
        if cover_list is None:
            cover_list = {}
        if not isinstance(cover_list, dict):
            raise EngineError(INVALID_COVER_LIST, "cover_list is an object from type to count, or null")
        if action != COVER:
            if cover_list:
                raise EngineError(INVALID_COVER_LIST, "only a cover takes a cover_list")
            return {}
        at = self._position()
        cards = read_cover(cover_list)
        hand = at.doc["players"][at.told[SEAT]]["hand"]
        fits = cards is not None and sum(cards.values()) == at.told[KIND]
        if cards is None or not fits or any(hand.get(code, 0) < n for code, n in cards.items()):
            # The same message for every fault: a card that is missing is secret.
            raise EngineError(INVALID_COVER_LIST, "cover_list names required_count cards of the hand by type")
        return cards

    def _check_pending(self, action: int) -> None:
        """Raise if the deciding seat is not in line; a loaded document may contain such a case."""
        doc = self._position().doc
        pending, buckler = doc["reveal"]["pending_order"], doc["reveal"]["buckler_seat"]
        fits = bool(pending) and pending[0] == doc["turn"]["current_seat"] and buckler not in pending
        if not fits or (action == REVEAL and buckler is None):
            raise EngineError(INVALID_PHASE, "pending_order and buckler_seat do not fit the deciding seat")

    def _make(self, at: Position, action: int, cards: CardCounts) -> Document:
        """Pass the action to the rules, and return the position they report."""
        cover = 0
        for code in reversed(cards):
            for _ in range(cards[code]):
                cover = cover << 4 | TYPE[code] + 1
        if action < PLAYS:
            cards = PLAY_CARDS[action].copy()
        self._calls.move(self._states, action, cover, self._mask, self._told)
        self._at = at = mapping.after(at, action, cards, self._told.tolist())
        return Output(at)


def read_seed(given: Any) -> int:
    """Return the seed given, or one from the operating system's random source."""
    if given is None:
        return secrets.randbits(256)
    if not is_int(given):
        raise config_error("rng_seed must be a whole number or null")
    return int(given)
