"""`TurnMachine`: the user's turn machine in plain Python, with the extensions of §13.

It serves cards registered by third parties, every board size and the optional states;
on the base game it is the naive twin of the compiled rules and must agree with them to
the last byte of `dump()`. With a pinned generator it plays the original's own sequences.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from .board import Cells, Op, apply_ops, scan_wins, winning_lines
from .cards import CardDefinition, CardRegistry, base_registry
from .clone import clone
from .codes import Code, SkillGomokuError
from .deck import build_deck, draw_cards, ensure_place_top
from .face import Entry, Face, Json, log_event
from .reference import Generator, Mulberry32, core_generator, read_generator, seed_state
from .settings import Settings, read_settings

SLOTS = 2
OPPONENT = 2
CELL = 3
WAITING = ("choose", "selectTarget", "confirm")  # states that need an event of the player
PACED = ("drawTwo", "resolve", "checkWin")  # states that wait for AFTER_ANIMATION when paced


class TurnMachine(Face):
    """One match. `send` takes events, `act` action numbers; refused ones change nothing."""

    def __init__(
        self,
        seed: int | str,
        settings: Mapping[str, Any] | None = None,
        *,
        registry: CardRegistry | None = None,
        pinned: bool = False,
    ) -> None:
        self.registry = base_registry() if registry is None else registry
        if settings is not None and not isinstance(settings, Mapping):
            raise SkillGomokuError(Code.InvalidConfig, "settings are an object")
        self.settings = read_settings({**(settings or {}), "seed": seed}, self.registry.ids)
        dealer = Mulberry32(seed_state(seed))
        deck = dealer.shuffle(build_deck(self.settings.counts, self.registry.ids))
        self._blank(self.settings)
        self._pile.extend(ensure_place_top(deck) if self.settings.place_top else deck)
        self._generator: Generator = dealer if pinned else core_generator(dealer.state)
        self._begin()

    @classmethod
    def load(cls, doc: Any, *, registry: CardRegistry | None = None, pinned: bool = False) -> TurnMachine:
        """A machine in the state of `doc` (§14), gone on to where it waits."""
        from .document import read_document  # it fills a machine in, so it knows this module

        made = cls.__new__(cls)
        made.registry = base_registry() if registry is None else registry
        read_document(made, doc, pinned)
        made._last_events = []
        made._run()
        return made

    @staticmethod
    def generator_of(doc: Mapping[str, Any]) -> Generator:
        """The generator of a state document, before any automatic step has used it."""
        if doc.get("rng") is not None:
            return read_generator(doc["rng"])
        seed = (doc.get("settings") or {}).get("seed")
        return core_generator(0 if seed is None else seed_state(seed))

    def _blank(self, settings: Settings) -> None:
        self.settings = settings
        self._cells: Cells = [[0] * settings.board_size for _ in range(settings.board_size)]
        self._player = settings.first_player
        self._pile: list[str] = []
        self._discard: list[str] = []
        self._skips = {"1": 0, "2": 0}
        self._number = 1
        self._last_move: Json | None = None
        self._winner: int | str | None = None
        self._reason: str | None = None
        self._state = "maybeSkip"
        self.log = []
        self._last_events = []
        self._clear_turn()

    def _begin(self) -> None:
        settings = {**self.settings.to_json(), "seed": None}
        self._last_events = [{"event": "matchStarted", "settings": settings}, self._turn_started()]
        self._run()

    def _turn_started(self) -> Json:
        return {"event": "turnStarted", "turn": self._number, "player": self._player}

    def _clear_turn(self) -> None:
        self._drawn: list[str] = []
        self._chosen: str | None = None
        self._index: int | None = None
        self._target: Any = None
        self._added: list[Json] = []  # targets of a card that takes several, until confirmed

    # --- the machine ------------------------------------------------------------------

    def _run(self) -> None:
        """The automatic states, until an event is needed or the game is over."""
        while not self._waits():
            self._step()
        if self._winner is not None and self._state == "endTurn":
            self._emit({"event": "matchEnded", "winner": self._winner, "reason": self._reason})

    def _waits(self) -> bool:
        if self._state in WAITING or (self.settings.paced and self._state in PACED):
            return True
        return self._state == "endTurn" and self._winner is not None

    def _step(self) -> None:
        steps: dict[str, Callable[[], None]] = {
            "maybeSkip": self._leave_maybe_skip,
            "drawTwo": self._leave_draw_two,
            "maybeTarget": self._leave_maybe_target,
            "resolve": self._enter_check_win,
            "checkWin": self._leave_check_win,
            "endTurn": self._next_turn,
        }
        steps[self._state]()

    def _leave_maybe_skip(self) -> None:
        if self._skips[str(self._player)] > 0:  # shouldSkip
            self._skips[str(self._player)] -= 1
            remaining = self._skips[str(self._player)]
            self._write("skip", {"reason": "frozen", "remaining": remaining}, "consumed 1")
            self._enter_end_turn()
        else:
            self._enter_draw_two()

    def _enter_draw_two(self) -> None:
        self._state = "drawTwo"
        got = draw_cards(self._pile, self._discard, SLOTS, self._generator)
        self._drawn = got["drawn"]
        self._pile, self._discard = got["drawPile"], got["discardPile"]
        data = {"cards": list(self._drawn), "reshuffled": got["reshuffled"]}
        self._write("drawTwo", data, f"[{', '.join(self._drawn)}]")

    def _leave_draw_two(self) -> None:
        if self._drawn:
            self._state = "choose"
        else:
            self._winner, self._reason = "draw", "noCards"
            self._enter_end_turn()

    def _leave_maybe_target(self) -> None:
        if self._card.needs_target and self._card.can_play(self.context) is None:  # needsTarget
            self._state = "selectTarget"
        else:
            self._enter_resolve()

    def _enter_resolve(self) -> None:
        self._state = "resolve"
        ops = self._effect()
        fizzled = ops is None
        if self.settings.allow_reselect:
            self._discard = [*self._discard, *self._drawn]
        else:
            self._discard = [*self._discard, self._card.id]
        data = {"card": self._card.id, "ops": ops or [], "fizzled": fizzled}
        self._write("resolve", data, f"{self._card.id} {'fizzled' if fizzled else 'applied'}")

    def _effect(self) -> list[Op] | None:
        """What the card has done; None when it fizzles: unplayable, or its operations cannot be done."""
        if self._card.can_play(self.context) is not None:
            return None
        ops = self._card.effect(self.context, self._target, self._generator)
        try:
            self._apply(ops)
        except SkillGomokuError:  # a card of a third party; those of §3 are never refused here
            return None
        return ops

    def _apply(self, ops: list[Op]) -> None:
        before = {
            "board": {"size": len(self._cells), "cells": self._cells},
            "status": {"skipNextTurns": self._skips},
            "lastMove": self._last_move,
        }
        after = apply_ops(before, ops)
        self._cells = after["board"]["cells"]
        self._skips = after["status"]["skipNextTurns"]
        self._last_move = after["lastMove"]

    def _enter_check_win(self) -> None:
        self._state = "checkWin"
        found = scan_wins(self._cells, self._player, self.settings.policy)
        self._winner, self._reason = found["winner"], found["reason"]
        shown = "none" if self._winner is None else str(self._winner)
        self._write("checkWin", {"winner": self._winner}, shown)

    def _leave_check_win(self) -> None:
        if self.settings.confirm_end and self._winner is None:
            self._state = "confirm"
        else:
            self._enter_end_turn()

    def _enter_end_turn(self) -> None:
        self._state = "endTurn"
        self._emit({"event": "turnEnded", "turn": self._number})
        self._player = 3 - self._player
        limit = self.settings.max_turns
        if self._winner is None and limit is not None and self._number >= limit:
            self._winner, self._reason = "draw", "turnLimit"

    def _next_turn(self) -> None:
        self._number += 1
        self._clear_turn()
        self._state = "maybeSkip"
        self._emit(self._turn_started())

    # --- events -----------------------------------------------------------------------

    def _accept(self, event: Mapping[str, Any]) -> list[Json] | Code:
        handlers: dict[str, Callable[[Mapping[str, Any]], Code | None]] = {
            "CHOOSE_CARD": self._choose,
            "SELECT_TARGET": self._select,
            "ADD_TARGET": self._add_target,
            "CONFIRM_TARGETS": self._confirm_targets,
            "END_TURN": self._end_turn,
            "AFTER_ANIMATION": self._after_animation,
        }
        kept, self._last_events = self._last_events, []
        refused = handlers[event["type"]](event)
        if refused is not None:
            self._last_events = kept
            return refused
        self._run()
        return self._last_events

    def _choose(self, event: Mapping[str, Any]) -> Code | None:
        again = self.settings.allow_reselect and self._state == "selectTarget"
        if self._state != "choose" and not again:
            return Code.WrongState
        slot = self.read_choice(event)
        if isinstance(slot, Code):
            return slot
        self._index, self._chosen, self._target = slot, self._drawn[slot], None
        self._added = []
        other = self._drawn[1 - slot] if len(self._drawn) == SLOTS else None
        if other is not None and not self.settings.allow_reselect:
            self._discard = [*self._discard, other]
        data = {"card": self._chosen, "index": slot, "discarded": other}
        self._write("choose", data, str(self._chosen))
        self._state = "maybeTarget"
        return None

    def _select(self, event: Mapping[str, Any]) -> Code | None:
        if self._state != "selectTarget" or self._card.several is not None:
            return Code.WrongState
        target = event.get("target")
        refused = self._card.validate_target(self.context, target)  # targetValid
        if refused is not None:
            return refused
        self._set_target(plain_target(target))
        return None

    def _set_target(self, target: Any) -> None:
        self._target = target
        text = json.dumps(target, separators=(",", ":"), sort_keys=True)
        self._write("selectTarget", {"target": target}, text)
        self._enter_resolve()

    def _add_target(self, event: Mapping[str, Any]) -> Code | None:
        several = self._card.several if self._state == "selectTarget" else None
        if several is None:
            return Code.WrongState
        refused = self._card.validate_target(self.context, event.get("target"))
        if refused is not None:
            return refused
        target = plain_target(event.get("target"))
        if target in self._added:
            return Code.DuplicateTarget
        if len(self._added) == several[1]:
            return Code.TooManyTargets
        self._added = [*self._added, target]
        return None

    def _confirm_targets(self, event: Mapping[str, Any]) -> Code | None:
        several = self._card.several if self._state == "selectTarget" else None
        if several is None:
            return Code.WrongState
        if len(self._added) < several[0]:
            return Code.TooFewTargets
        self._set_target(list(self._added))
        return None

    def _end_turn(self, event: Mapping[str, Any]) -> Code | None:
        if self._state != "confirm":
            return Code.WrongState
        self._enter_end_turn()
        return None

    def _after_animation(self, event: Mapping[str, Any]) -> Code | None:
        if not self.settings.paced or self._state not in PACED:
            return Code.WrongState
        self._step()
        return None

    @property
    def _card(self) -> CardDefinition:
        return self.registry.require(self._chosen)

    # --- log --------------------------------------------------------------------------

    def _write(self, tag: str, data: Json, text: str) -> None:
        last = self.log[-1] if self.log else None
        at = last["at"] + 1 if last is not None and last["turn"] == self._number else 1
        entry: Entry = {
            "seq": last["seq"] + 1 if last is not None else 1,
            "turn": self._number,
            "player": self._player,
            "at": at,
            "tag": tag,
            "message": f"{tag}: {text}",
            "data": clone(data),
        }
        self.log.append(entry)
        self._emit(log_event(entry))

    def _emit(self, event: Json) -> None:
        self._last_events.append(event)

    # --- facts for Face ---------------------------------------------------------------

    @property
    def cells(self) -> Cells:
        """The board."""
        return [list(row) for row in self._cells]

    @property
    def current_player(self) -> int:
        """Whose turn it is."""
        return self._player

    @property
    def piles(self) -> tuple[list[str], list[str]]:
        """Draw pile and discard pile."""
        return list(self._pile), list(self._discard)

    @property
    def skips(self) -> dict[str, int]:
        """Turns each player will be frozen for."""
        return dict(self._skips)

    @property
    def turn(self) -> Json:
        """The running turn."""
        turn = {
            "number": self._number,
            "state": self._state,
            "drawn": list(self._drawn),
            "chosen": self._chosen,
            "chosenIndex": self._index,
            "target": clone(self._target),
        }
        if self._added and self._target is None:
            turn["added"] = clone(self._added)
        return turn

    @property
    def last_move(self) -> Json | None:
        """The last stone placed, while it lies there."""
        return None if self._last_move is None else dict(self._last_move)

    @property
    def outcome(self) -> Json:
        """winner, reason, winningLines."""
        lines = winning_lines(self._cells) if self._reason in ("five", "simultaneousFive") else []
        return {"winner": self._winner, "reason": self._reason, "winningLines": lines}

    @property
    def generator_json(self) -> Json:
        """The state of chance."""
        return self._generator.to_json()

    # --- action numbers ---------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """§8 the legal action numbers, ascending."""
        if self._winner is not None or (self.settings.paced and self._state in PACED):
            return []
        end_turn = CELL + len(self._cells) ** 2
        if self._state == "confirm":
            return [end_turn]
        if self._state == "choose":
            return self._legal_slots()
        slots = self._legal_slots() if self.settings.allow_reselect else []
        several = self._card.several
        if several is not None and len(self._added) == several[1]:
            targets = []
        else:
            targets = [a for a in self._target_actions() if self._fits(a)]
        confirm = [end_turn + 1] if several is not None and len(self._added) >= several[0] else []
        return [*slots, *targets, *confirm]

    def _legal_slots(self) -> list[int]:
        codes = [self.can_play(card) for card in self._drawn]
        playable = [i for i, code in enumerate(codes) if code is None]
        return playable or list(range(len(codes)))

    def _target_actions(self) -> list[int]:
        if self._card.target.get("kind") == "player":
            return [OPPONENT]
        return list(range(CELL, CELL + len(self._cells) ** 2))

    def _fits(self, action: int) -> bool:
        target = self._target_of(action)
        return self._card.validate_target(self.context, target) is None and target not in self._added

    def _target_of(self, action: int) -> Json:
        if action == OPPONENT:
            own = self._card.target.get("relation") == "self"
            return {"kind": "player", "player": self._player if own else 3 - self._player}
        y, x = divmod(action - CELL, len(self._cells))
        return {"kind": "cell", "point": {"x": x, "y": y}}

    def _event_of(self, action: int) -> Json:
        end_turn = CELL + len(self._cells) ** 2
        if action < SLOTS:
            return {"type": "CHOOSE_CARD", "index": action}
        if action >= end_turn:
            return {"type": "END_TURN" if action == end_turn else "CONFIRM_TARGETS"}
        kind = "SELECT_TARGET" if self._card.several is None else "ADD_TARGET"
        return {"type": kind, "target": self._target_of(action)}


def plain_target(target: Any) -> Json:
    """A valid target value with its known fields only, so that a log holds nothing else."""
    kind = target["kind"]
    if kind == "cell":
        return {"kind": kind, "point": {"x": target["point"]["x"], "y": target["point"]["y"]}}
    if kind == "player":
        return {"kind": kind, "player": target["player"]}
    raise SkillGomokuError(Code.InvalidTarget)
