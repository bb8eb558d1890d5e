"""The interface of a turn machine of Skill Gomoku: events in, state JSON, views, log, errors.

`MachineInterface` is the outside of a turn machine. `machine.TurnMachine` implements the inside with the
rules;
the naive twin in the tests does so independently. What a viewer may see (§10) is decided here, once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from .cards import CardRegistry, Context
from .clone import clone
from .codes import MESSAGES, Code
from .lines import Cells
from .log import Entry
from .settings import Settings

Json = dict[str, Any]
VERSION = 1
EVENTS = ("CHOOSE_CARD", "SELECT_TARGET", "END_TURN", "ADD_TARGET", "CONFIRM_TARGETS", "AFTER_ANIMATION")
SERVER = "server"  # a viewer who sees everything


def refuse(code: Code, message: str = "") -> Json:
    """Return a refusal as JSON."""
    return {"ok": False, "error": {"code": str(code), "message": message or MESSAGES[code]}}


class MachineInterface(ABC):
    """One match of two players, as the named API shows it."""

    settings: Settings
    registry: CardRegistry
    log: list[Entry]

    # --- the inside, as facts ---------------------------------------------------------

    @property
    @abstractmethod
    def cells(self) -> Cells:
        """The board."""

    @property
    @abstractmethod
    def current_player(self) -> int:
        """The player to move; already the other one once the game is over."""

    @property
    @abstractmethod
    def piles(self) -> tuple[list[str], list[str]]:
        """Draw pile and discard pile, tops last."""

    @property
    @abstractmethod
    def skips(self) -> dict[str, int]:
        """Turns for which each player will be frozen."""

    @property
    @abstractmethod
    def turn(self) -> Json:
        """number, state, drawn, chosen, chosenIndex, target."""

    @property
    @abstractmethod
    def last_move(self) -> Json | None:
        """The last stone placed, if it is still there."""

    @property
    @abstractmethod
    def outcome(self) -> Json:
        """winner, reason, winningLines."""

    @property
    @abstractmethod
    def generator_json(self) -> Json:
        """The state of the generator."""

    @abstractmethod
    def legal_actions(self) -> list[int]:
        """Return the legal action numbers, ascending; empty once the game is over."""

    @abstractmethod
    def _accept(self, event: Mapping[str, Any]) -> list[Json] | Code:
        """Carry out the event (its type and player are checked), or return why not."""

    @abstractmethod
    def _event_of(self, action: int) -> Json:
        """Return the event of a legal action number."""

    # --- events -----------------------------------------------------------------------

    def send(self, event: Any) -> Json:
        """Handle one event (§11): return events the sender may see, or a refusal that changes nothing."""
        if self.over:
            return refuse(Code.GameOver)
        if not isinstance(event, Mapping) or not _known(event.get("type")):
            return refuse(Code.InvalidEvent)
        player = self.current_player
        sender = event.get("player", player)
        if type(sender) is not int or sender != player:
            return refuse(Code.NotYourTurn)
        done = self._accept(event)
        if isinstance(done, Code):
            return refuse(done)
        self._last_events = done
        return {"ok": True, "events": self.events(player)}

    def act(self, action: Any) -> Json:
        """Make one action by its number (§8); InvalidAction if it is not legal."""
        if self.over:
            return refuse(Code.GameOver)
        if type(action) is not int or action not in self.legal_actions():
            return refuse(Code.InvalidAction)
        return self.send(self._event_of(action))

    _last_events: list[Json]

    def events(self, viewer: int | str | None = None) -> list[Json]:
        """Return what the last accepted event (or the start) led to, as `viewer` may know it."""
        return self._redacted(self._last_events, viewer)

    def read_choice(self, event: Mapping[str, Any]) -> int | Code:
        """Return the slot that a CHOOSE_CARD names, playable or fizzling, or why there is none."""
        drawn = self.turn["drawn"]
        index, card = event.get("index"), event.get("cardId")
        if "index" in event and type(index) is not int:
            return Code.InvalidEvent
        if "index" not in event and "cardId" not in event:
            return Code.InvalidEvent
        if "index" not in event:
            if card not in drawn:
                return Code.CardNotDrawn
            index = drawn.index(card)
        assert isinstance(index, int)
        if not 0 <= index < len(drawn) or ("cardId" in event and card != drawn[index]):
            return Code.CardNotDrawn
        codes = [self.can_play(c) for c in drawn]
        refused = codes[index]
        return index if refused is None or None not in codes else refused

    def can_play(self, card: str) -> Code | None:
        """Return None if the current player could play this card now, or why not."""
        return self.registry.require(card).can_play(self.context)

    @property
    def context(self) -> Context:
        """The context for a card of the current player."""
        return Context(self.cells, self.current_player, self.skips)

    # --- state and views --------------------------------------------------------------

    @property
    def state(self) -> str:
        """The name of the turn machine's state."""
        return str(self.turn["state"])

    @property
    def over(self) -> bool:
        """Whether the last turn has ended; a paced machine may know the winner earlier."""
        return self.state == "endTurn" and self.outcome["winner"] is not None

    def dump(self) -> Json:
        """Return the whole state, for the server only (§14)."""
        draw_pile, discard_pile = self.piles
        return {
            "game": "skill_gomoku",
            "version": VERSION,
            "settings": self.settings.to_json(),
            "board": {"size": len(self.cells), "cells": self.cells},
            "currentPlayer": self.current_player,
            "deck": {"drawPile": draw_pile, "discardPile": discard_pile},
            "status": {"skipNextTurns": self.skips},
            "turn": self.turn,
            "lastMove": self.last_move,
            **self.outcome,
            "rng": self.generator_json,
            "log": clone(self.log),
        }

    def view(self, viewer: int | None = None) -> Json:
        """Return what a player (1, 2) or a spectator (None) may see (§10)."""
        draw_pile, discard_pile = self.piles
        turn, over = self.turn, self.over
        drawn = turn["drawn"]
        hidden = self.hides_drawn(viewer)
        counts = {card: draw_pile.count(card) for card in self.registry.ids}
        if hidden:
            for card in drawn:
                counts[card] += 1
        settings = self.settings.to_json()
        settings["seed"] = settings["seed"] if over else None
        to_act = None if over else self.current_player
        return {
            "game": "skill_gomoku",
            "version": VERSION,
            "viewer": viewer,
            "toAct": to_act,
            "settings": settings,
            "board": {"size": len(self.cells), "cells": self.cells},
            "currentPlayer": self.current_player,
            "deck": {"drawCount": len(draw_pile), "discardPile": discard_pile, "unseenCounts": counts},
            "status": {"skipNextTurns": self.skips},
            "turn": {**turn, "drawn": None, "drawnCount": len(drawn)} if hidden else turn,
            "lastMove": self.last_move,
            **self.outcome,
            "log": self._redacted(self.log, viewer),
            "legalActions": self.legal_actions() if to_act is not None and viewer == to_act else [],
        }

    def hides_drawn(self, viewer: int | str | None) -> bool:
        """Return whether the drawn cards of the current turn are secret from `viewer`."""
        return (
            viewer not in (self.current_player, SERVER)
            and self.settings.visibility == "private"
            and self.turn["state"] in ("drawTwo", "choose")
        )

    def _redacted(self, entries: list[Json], viewer: int | str | None) -> list[Json]:
        """Copy log entries or events, without the cards of an undecided turn."""
        out = clone(entries)
        if self.hides_drawn(viewer):
            number = self.turn["number"]
            for entry in out:
                if entry.get("tag") == "drawTwo" and entry["turn"] == number:
                    entry["message"] = f"drawTwo: [{', '.join('?' for _ in entry['data']['cards'])}]"
                    entry["data"]["cards"] = None
        return out


def _known(kind: Any) -> bool:
    return isinstance(kind, str) and kind in EVENTS
