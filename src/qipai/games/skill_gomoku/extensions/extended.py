"""The rules of one extended match: plain variants with some functions replaced."""

from __future__ import annotations

from typing import Any

from qipai.core import State

from .. import rules, view
from ..api.book import Json
from ..api.cards import BASE_CARDS, CardDefinition, CardRegistry, Context
from ..api.clone import clone
from ..api.codes import SkillGomokuError
from ..api.document import read_target
from ..api.lines import put_cells, winning_lines
from ..reference import Generator, Sfc32
from ..state import CARDS, NONE, OPPONENT, RESOLVE
from .chance import chance_from
from .ops import apply_ops
from .wide import PLAIN, plain, wide_book

throw_away = plain()(rules.throw_away)
MOST_SKIPS = 1 << 62


class Extended:
    """The parts of an extended match outside its state: cards, a pinned generator, targets and operations."""

    def __init__(
        self, registry: CardRegistry, states: tuple[str, ...], reselect: bool, generator: Generator | None
    ) -> None:
        others = [card for card in registry if not any(card is base for base in BASE_CARDS)]
        self._others: list[CardDefinition] = others  # numbered from CARDS on
        self._generator = generator
        self.target: Any = None  # of a card of a third party, while the state says that there is one
        self._ops: list[Json] = []
        swap: dict[Any, Any] = {rules.playable: self._can_play, rules.needs_target: self._takes_target}
        swap |= {} if generator is None else chance_from(generator)
        swap |= {rules.throw_away: throw_both} if reselect else {}
        self._throw_away, self._apply_card = map(plain(swap), (rules.throw_away, rules.apply_card))
        make = plain({**swap, rules.apply_card: self._apply})
        # a base card missing from the registry keeps its number, under a name that no document can have
        base = (card.id if registry.get(card.id) is card else f"({card.id})" for card in BASE_CARDS)
        ids = (*base, *(card.id for card in others))
        self.book = wide_book(
            make,
            ids=ids,
            states=states,
            target=self._target_of,
            ops=self._ops_of,
            put_target=self._put_target,
        )

    def kept(self) -> tuple[Any, ...]:
        """Return what a turn changes outside the state, for `put_back`."""
        return self.target, self._ops, None if self._generator is None else dict(vars(self._generator))

    def put_back(self, kept: tuple[Any, ...]) -> None:
        """Restore what has changed since `kept`."""
        self.target, self._ops, generator = kept
        if self._generator is not None:
            vars(self._generator).update(generator)

    def card(self, number: int) -> CardDefinition | None:
        """Return the definition of a third party's card; None for a base card."""
        return self._others[number - CARDS] if number >= CARDS else None

    def _can_play(self, s: State, number: int) -> bool:
        card = self.card(int(number))
        return bool(PLAIN.playable(s, number)) if card is None else card.can_play(context_of(s)) is None

    def _takes_target(self, number: int) -> bool:
        card = self.card(int(number))
        return bool(PLAIN.needs_target(number)) if card is None else card.needs_target

    def _apply(self, s: State) -> None:
        """Apply the chosen card; one of a third party by its operations."""
        card = self.card(int(s["card"]))
        if card is None:
            self._apply_card(s)
            return
        self._ops = []
        if s["fizzled"] == 0 and not self._apply_ops(s, card):
            s["fizzled"] = 1
        self._throw_away(s, s["card"])
        s["logged"] += 1

    def _apply_ops(self, s: State, card: CardDefinition) -> bool:
        """Apply the card's operations; return False, and leave the board unchanged, if one is impossible."""
        context = context_of(s)
        target = self.target if s["target"] != 0 else None
        if self._generator is None:
            own = Sfc32(s["rng"].tolist())
            ops = card.effect(context, target, own)
            s["rng"] = own.words
        else:
            ops = card.effect(context, target, self._generator)
        before = {
            "board": {"size": len(context.cells), "cells": context.cells},
            "status": {"skipNextTurns": dict(context.skips)},
            "lastMove": view.last_move_of(s),
        }
        try:
            after = apply_ops(before, ops)
        except SkillGomokuError:
            return False
        put_board(s, after)
        self._ops = clone(ops)
        return True

    def _target_of(self, s: State) -> Any:
        """Return the target of a third party's card; None leaves it to the state."""
        return clone(self.target) if s["card"] >= CARDS and s["target"] != 0 else None

    def _put_target(self, s: State, target: Any) -> None:
        self.target = read_target(target)
        s["target"] = OPPONENT

    def _ops_of(self, s: State) -> list[Json] | None:
        return clone(self._ops) if s["card"] >= CARDS else None


def throw_both(s: State, card: int) -> None:
    """Discard both drawn cards at `resolve`, in drawn order, and none before (`allowReselect`)."""
    if s["phase"] == RESOLVE:
        for drawn in s["drawn"].tolist():
            if drawn != NONE:
                throw_away(s, drawn)


def put_board(s: State, after: Json) -> None:
    """Set board, last move and skip counters from the document form; with a line of five, request a scan."""
    cells, last = after["board"]["cells"], after["lastMove"]
    put_cells(s, cells)
    s["last"] = NONE if last is None else last["y"] * len(cells) + last["x"]
    s["scan"] = 1 if winning_lines(cells) else 0
    for player, skips in after["status"]["skipNextTurns"].items():
        s["skips"][int(player) - 1] = min(skips, MOST_SKIPS)


def context_of(s: State) -> Context:
    """Return the context for a card of the mover."""
    return Context(view.cells_of(s), int(s["mover"]) + 1, view.skips_of(s))
