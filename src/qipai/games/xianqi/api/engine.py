"""Xianqi's named API (§6): `XianqiGameEngine`, documents in and out over the compiled rules.

This module holds the calls, their checks in the order of §6.3 and the list of actions. `rules.py`
plays the game in a state; the document of §6.1 is kept next to it (`mapping.py`). Every refusal is
an `EngineError`, and then nothing has changed.
"""

from __future__ import annotations

import secrets
from typing import Any

from qipai.core import State

from .. import reference
from .. import rules as r
from ..state import BUCKLE, IN_ROUND, PASS, PLAYS, REVEAL, REVEAL_DECISION, SEATS, UNDER
from . import document, mapping
from .combos import PLAY_CARDS, TYPE, CardCounts, is_int, is_seat, is_within, legal, powers, read_cover, ready
from .document import DECIDING, Document
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

CONFIG_KEYS = ("player_count", "rules", "first_seat")
COVER = UNDER  # in a list of native actions: the one entry that stands for every cover


class XianqiGameEngine:
    """One game of Xianqi, from the deal to the settlement."""

    def __init__(self, rules: Any = None) -> None:
        self._own_rules = read_rules(rules)
        self._rules = self._own_rules
        self._doc: Document | None = None
        self._s: State | None = None
        ready()

    # --- beginning --------------------------------------------------------------------

    def init_game(self, config: Any, rng_seed: Any = None) -> Document:
        """Deal a new game (T1, T2)."""
        rules, first_seat = self._read_config(config)
        seed = read_seed(rng_seed)
        redeal = rules["black_chess"] == "redeal"
        hands, first = reference.deal_playable(seed) if redeal else reference.deal(seed)
        if first_seat is not None:
            first = first_seat
        self._adopt(mapping.fresh(hands, first, reference.is_black(hands), rules), rules)
        return self._output()

    def load_state(self, state: Any, strict: bool = False) -> None:
        """Continue from a document of §6.1; the engine keeps its own copy."""
        self._adopt(*document.read(state, self._own_rules, bool(strict)))

    def dump_state(self) -> Document:
        """Return the whole document, for the server only; {} before a game."""
        copy: Document = _copy(self._doc or {})
        return copy

    # --- looking ----------------------------------------------------------------------

    def get_public_state(self) -> Document:
        """Return what everybody may see; {} before a game."""
        return {} if self._doc is None else mapping.public(self._doc, self._rules)

    def get_private_state(self, seat: Any) -> Document:
        """Return what only `seat` may see: its hand and its covers."""
        doc, _ = self._game()
        if not is_seat(seat):
            raise EngineError(INVALID_SEAT, "a seat is 0, 1 or 2")
        return mapping.private(doc, seat)

    def get_legal_actions(self, seat: Any) -> Document:
        """Return the actions of `seat` in the order that `action_idx` counts; none if it does not decide."""
        mine = is_seat(seat) and self._decider() == seat
        return {"seat": seat, "actions": self._actions() if mine else []}

    # --- acting -----------------------------------------------------------------------

    def apply_action(self, action_idx: Any, cover_list: Any = None, client_version: Any = None) -> Document:
        """Make one action for the deciding seat, checked in the order of §6.3."""
        doc, s = self._game()
        if doc["phase"] not in DECIDING:
            raise EngineError(INVALID_PHASE, "nobody decides in this phase", {"phase": doc["phase"]})
        if client_version is not None and not is_within(client_version, doc["version"], doc["version"]):
            raise EngineError(VERSION_CONFLICT, "the state has moved on", {"version": doc["version"]})
        listed = self._listed(s)
        if not is_within(action_idx, 0, len(listed) - 1):
            raise EngineError(INVALID_ACTION_INDEX, "no action has this index")
        action = listed[action_idx]
        cards = self._read_cover(cover_list, action)
        if action in (REVEAL, PASS) and s["phase"] == REVEAL_DECISION:
            self._check_pending(action)
        self._make(action, cards)
        return self._output()

    def settle(self) -> Document:
        """Compute the chips (T11)."""
        doc, s = self._game()
        if doc["phase"] != "settlement":
            raise EngineError(INVALID_PHASE, "there is nothing to settle yet", {"phase": doc["phase"]})
        rows = mapping.chips(s, doc["reveal"]["relations"])
        if self._rules["after_settle"] == "finished":
            r.advance(s)
            mapping.follow(doc, s, self._rules, doc["turn"]["current_seat"])
        return {
            **self._output(),
            "settlement": {"final_state": self.dump_state(), "chip_delta_by_seat": rows},
        }

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

    def _adopt(self, doc: Document, rules: Rules) -> None:
        self._s = mapping.to_state(doc, rules)
        self._doc, self._rules = doc, rules

    def _game(self) -> tuple[Document, State]:
        if self._doc is None or self._s is None:
            raise EngineError(INVALID_PHASE, "there is no game yet", {"phase": "init"})
        return self._doc, self._s

    def _decider(self) -> int | None:
        doc = self._doc
        return None if doc is None or doc["phase"] not in DECIDING else doc["turn"]["current_seat"]

    def _listed(self, s: State) -> list[int]:
        """Return the native actions in order, every cover as the one entry COVER."""
        found = [a for a in legal(s) if a < COVER]
        if not found and s["kind"] > 0:
            return [COVER]
        return found

    def _actions(self) -> list[Document]:
        _, s = self._game()
        asked = s["phase"] == REVEAL_DECISION
        words = {BUCKLE: "BUCKLE", REVEAL: "REVEAL", PASS: "PASS_REVEAL" if asked else "PASS_BUCKLE"}
        power = powers(self._rules)
        actions: list[Document] = []
        for a in self._listed(s):
            if a < PLAYS:
                actions.append({"type": "PLAY", "payload_cards": dict(PLAY_CARDS[a]), "power": power[a]})
            elif a == COVER:
                actions.append({"type": "COVER", "required_count": int(s["kind"])})
            else:
                actions.append({"type": words[a]})
        return actions

    def _read_cover(self, cover_list: Any, action: int) -> CardCounts:
        """Return the cards of a cover, none for any other action (checks 4 and 5)."""
        doc, s = self._game()
        if cover_list is None:
            cover_list = {}
        if not isinstance(cover_list, dict):
            raise EngineError(INVALID_COVER_LIST, "cover_list is an object from type to count, or null")
        if action != COVER:
            if cover_list:
                raise EngineError(INVALID_COVER_LIST, "only a cover takes a cover_list")
            return {}
        cards = read_cover(cover_list)
        hand = doc["players"][int(s["seat"])]["hand"]
        fits = cards is not None and sum(cards.values()) == s["kind"]
        if cards is None or not fits or any(hand.get(code, 0) < n for code, n in cards.items()):
            # one sentence for every fault: which cards a hand lacks is not for everyone
            raise EngineError(INVALID_COVER_LIST, "cover_list names required_count cards of the hand by type")
        return cards

    def _check_pending(self, action: int) -> None:
        """Refuse an answer of a seat that is not in line; a loaded document may ask one."""
        doc, _ = self._game()
        pending, buckler = doc["reveal"]["pending_order"], doc["reveal"]["buckler_seat"]
        fits = bool(pending) and pending[0] == doc["turn"]["current_seat"] and buckler not in pending
        if not fits or (action == REVEAL and buckler is None):
            raise EngineError(INVALID_PHASE, "pending_order and buckler_seat do not fit the deciding seat")

    def _make(self, action: int, cards: CardCounts) -> None:
        """Hand the action to the rules, then write what they made of it into the document."""
        doc, s = self._game()
        seat, leads, closed = int(s["seat"]), s["kind"] == 0, int(s["closed"])
        under = [UNDER + TYPE[code] for code, n in cards.items() for _ in range(n)]
        for native in under or [action]:
            r.make(s, native)
        if leads and s["phase"] == IN_ROUND:  # T3, T5, T8: a round begins
            mapping.clear_round(doc)
        if action == COVER:
            mapping.lay_down(doc, s, {"seat": seat, "power": -1, "cards": cards})
        elif action < PLAYS:
            play = {"seat": seat, "power": powers(self._rules)[action], "cards": dict(PLAY_CARDS[action])}
            mapping.lay_down(doc, s, play)
        elif action == REVEAL:
            mapping.relate(doc, s, self._rules)
        stays = seat
        if s["closed"] > closed:
            mapping.close(doc, s)
            stays = doc["pillar_groups"][-1]["winner_seat"]
        mapping.follow(doc, s, self._rules, stays)

    def _output(self) -> Document:
        doc, _ = self._game()
        decider = self._decider()
        return {
            "new_state": self.dump_state(),
            "public_state": mapping.public(doc, self._rules),
            "private_state_by_seat": {str(seat): mapping.private(doc, seat) for seat in range(SEATS)},
            "legal_actions": None if decider is None else self.get_legal_actions(decider),
        }


def read_seed(given: Any) -> int:
    """Return the seed given, or one from the operating system's random source."""
    if given is None:
        return secrets.randbits(256)
    if not is_int(given):
        raise config_error("rng_seed is a whole number or null")
    return int(given)


def _copy(value: Any) -> Any:
    """Return a deep copy of an object or a list of JSON."""
    if isinstance(value, dict):
        return {key: _copy(x) if isinstance(x, dict | list) else x for key, x in value.items()}
    return [_copy(x) if isinstance(x, dict | list) else x for x in value]
