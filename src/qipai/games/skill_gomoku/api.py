"""The named API: `SkillGomokuMatch`, over the compiled rules wherever they can play the match.

Extensions (§13), cards of third parties and sizes the compiled rules do not have go to
the plain `TurnMachine`. Both show the same face and, on the base game, the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import State, copy_state
from qipai.core.errors import BadLayout

from . import observe, record, view
from .board import Cells
from .cards import CardRegistry, base_registry
from .codes import Code, SkillGomokuError
from .deck import IDS, build_deck, ensure_place_top
from .document import read_log
from .face import Entry, Face, Json
from .machine import PACED, TurnMachine
from .naive_planes import planes_from_view
from .reference import Mulberry32, Sfc32, core_generator, seed_state
from .settings import Settings, read_settings

LAYOUT_KEYS = ("board", "currentPlayer", "deck", "status", "turn", "lastMove", "winner", "reason")


class CompiledMachine(Face):
    """The turn machine's face over a record of the compiled rules."""

    def __init__(
        self, settings: Settings, layout: Mapping[str, Any], words: list[int], log: list[Entry]
    ) -> None:
        from . import game

        self.registry = base_registry()
        self.settings = settings
        self.log = log
        self._game = game(settings.options())
        self._game.compile()
        self._s: State = self._game.blank(settings.options())
        self._s["rng"] = words
        assert self._game.rules.lay_out is not None
        self._game.rules.lay_out(self._s, layout)
        self._last_events = []
        self._follow(None)

    def _follow(self, action: int | None) -> None:
        """Make an action (or begin), and take the log from the narration."""
        events = list(view.trace(self._s, action))
        self._last_events = [*self._last_events, *events]
        for event in events:
            if "tag" in event:
                self.log.append({k: v for k, v in event.items() if k != "event"})

    def _accept(self, event: Mapping[str, Any]) -> list[Json] | Code:
        action = self._read_choice(event) if event["type"] == "CHOOSE_CARD" else self._read_target(event)
        if isinstance(action, Code):
            return action
        self._last_events = []
        self._follow(action)
        return self._last_events

    def _read_choice(self, event: Mapping[str, Any]) -> int | Code:
        return self.read_choice(event) if self.state == "choose" else Code.WrongState

    def _read_target(self, event: Mapping[str, Any]) -> int | Code:
        if event["type"] != "SELECT_TARGET" or self.state != "selectTarget":
            return Code.WrongState
        target = event.get("target")
        refused = self.registry.require(self.turn["chosen"]).validate_target(self.context, target)
        if refused is not None:
            return refused
        assert isinstance(target, Mapping)
        if target["kind"] == "player":
            return record.OPPONENT
        return record.CELL + int(target["point"]["y"]) * len(self.cells) + int(target["point"]["x"])

    def _event_of(self, action: int) -> Json:
        if action <= record.RIGHT:
            return {"type": "CHOOSE_CARD", "index": action}
        if action == record.OPPONENT:
            return {"type": "SELECT_TARGET", "target": {"kind": "player", "player": 3 - self.current_player}}
        y, x = divmod(action - record.CELL, len(self.cells))
        return {"type": "SELECT_TARGET", "target": {"kind": "cell", "point": {"x": x, "y": y}}}

    @property
    def cells(self) -> Cells:
        """The board."""
        return view.cells_of(self._s)

    @property
    def current_player(self) -> int:
        """Whose turn it is."""
        return int(self._s["mover"]) + 1

    @property
    def piles(self) -> tuple[list[str], list[str]]:
        """Draw pile and discard pile."""
        return view.piles_of(self._s)

    @property
    def skips(self) -> dict[str, int]:
        """Turns each player will be frozen for."""
        return view.skips_of(self._s)

    @property
    def turn(self) -> Json:
        """The running turn."""
        return view.turn_of(self._s)

    @property
    def last_move(self) -> Json | None:
        """The last stone placed, while it lies there."""
        return view.last_move_of(self._s)

    @property
    def outcome(self) -> Json:
        """winner, reason, winningLines."""
        return view.outcome_of(self._s)

    @property
    def generator_json(self) -> Json:
        """The core's generator: four words."""
        return {"algorithm": "sfc32", "state": self._s["rng"].tolist()}

    def legal_actions(self) -> list[int]:
        """The legal action numbers, ascending."""
        return view.legal_of(self._s)

    def observation(self, seat: int) -> NDArray[np.float64]:
        """The planes of §9 for a seat."""
        return observe.planes(self._game.observation_of(self._s, seat))


class SkillGomokuMatch:
    """One match: `send` events or `act` by number, `view`, `dump`, `load`, `replay`.

    `seed` deals as the original deals; `settings` are those of §2 by their own names.
    """

    def __init__(
        self,
        seed: int | str,
        settings: Mapping[str, Any] | None = None,
        *,
        registry: CardRegistry | None = None,
    ) -> None:
        cards = base_registry() if registry is None else registry
        if settings is not None and not isinstance(settings, Mapping):
            raise SkillGomokuError(Code.InvalidConfig, "settings are an object")
        read = read_settings({**(settings or {}), "seed": seed}, cards.ids)
        self.engine: Face
        if not (read.compilable and is_base(cards)):
            self.engine = TurnMachine(seed, settings, registry=cards)
            return
        dealer = Mulberry32(seed_state(seed))
        deck = dealer.shuffle(build_deck(read.counts))
        topped = read.place_top and "Place" in deck
        layout = {"deck": {"drawPile": ensure_place_top(deck) if topped else deck}, "topped": topped}
        self.engine = CompiledMachine(read, layout, core_generator(dealer.state).words, [])
        opening: list[Json] = [
            {"event": "matchStarted", "settings": {**read.to_json(), "seed": None}},
            {"event": "turnStarted", "turn": 1, "player": read.first_player},
        ]
        self.engine._last_events = [*opening, *self.engine._last_events]

    @classmethod
    def load(cls, doc: Any, *, registry: CardRegistry | None = None) -> SkillGomokuMatch:
        """The match that a dumped state (§14) describes; InvalidConfig when it is none."""
        made = cls.__new__(cls)
        cards = base_registry() if registry is None else registry
        machine = TurnMachine.load(doc, registry=cards)
        made.engine = machine
        if machine.settings.compilable and is_base(cards):
            compiled = _compiled(doc, machine)
            made.engine = machine if compiled is None else compiled
        return made

    @classmethod
    def replay(cls, record: Any, *, registry: CardRegistry | None = None) -> SkillGomokuMatch:
        """§14.3 the match that a record {game, version, settings, actions} leads to."""
        if not isinstance(record, Mapping) or record.get("game") != "skill_gomoku":
            raise SkillGomokuError(Code.InvalidConfig, "this is not a record of skill_gomoku")
        settings = record.get("settings")
        if not isinstance(settings, Mapping) or record.get("version", 1) != 1:
            raise SkillGomokuError(Code.InvalidConfig, "a record has settings and version 1")
        actions = record.get("actions")
        if not isinstance(actions, list):
            raise SkillGomokuError(Code.InvalidConfig, "a record has a list of actions")
        own = {k: v for k, v in settings.items() if k != "seed"}
        match = cls(settings.get("seed", None), own, registry=registry)
        for i, action in enumerate(actions):
            match._animate()
            done = match.send(action) if isinstance(action, Mapping) else match.act(action)
            if not done["ok"]:
                code = Code(done["error"]["code"])
                raise SkillGomokuError(code, f"action {i} of the record: {done['error']['message']}")
        match._animate()
        return match

    def _animate(self) -> None:
        """§13 a record holds what players did: animations are over at once."""
        while self.engine.settings.paced and self.state in PACED:
            self.send({"type": "AFTER_ANIMATION"})

    @property
    def compiled(self) -> bool:
        """Whether the compiled rules play this match."""
        return isinstance(self.engine, CompiledMachine)

    @property
    def state(self) -> str:
        """The state of the turn machine, by its name."""
        return self.engine.state

    @property
    def log(self) -> list[Entry]:
        """The whole log, for the server alone."""
        return list(self.engine.dump()["log"])

    def send(self, event: Any) -> Json:
        """One event: `{"ok": true, "events": ...}` or a refusal, and then nothing has changed."""
        return self.engine.send(event)

    def act(self, action: Any) -> Json:
        """One action by its number; otherwise as `send`."""
        return self.engine.act(action)

    def events(self, viewer: int | str | None = None) -> list[Json]:
        """What the last accepted event led to, as `viewer` may know it ("server": all)."""
        return self.engine.events(viewer)

    def legal_actions(self) -> list[int]:
        """The legal action numbers, ascending."""
        return self.engine.legal_actions()

    def view(self, viewer: int | None = None) -> Json:
        """What a player (1, 2) or a spectator (None) may see."""
        if viewer is not None and (isinstance(viewer, bool) or viewer not in (1, 2)):
            raise SkillGomokuError(Code.InvalidConfig, "a viewer is 1, 2 or None")
        return self.engine.view(viewer)

    def dump(self) -> Json:
        """The whole state as JSON, for the server alone."""
        return self.engine.dump()

    def observation(self, player: int | None = None) -> NDArray[np.float64]:
        """The planes (32, N, N) of §9 as `player` (default: who acts) sees them."""
        who = self.engine.current_player if player is None else player
        if isinstance(who, bool) or who not in (1, 2):
            raise SkillGomokuError(Code.InvalidConfig, "an observer is 1 or 2")
        if isinstance(self.engine, CompiledMachine):
            return self.engine.observation(who - 1)
        return planes_from_view(self.engine.view(who))

    @property
    def record(self) -> State:
        """A copy of the record of the compiled rules, for the server alone."""
        if not isinstance(self.engine, CompiledMachine):
            raise SkillGomokuError(Code.InvalidConfig, "the plain machine plays this match")
        return copy_state(self.engine._s)


def is_base(registry: CardRegistry) -> bool:
    """Whether these are the five base cards and no others."""
    own = base_registry()
    return registry.ids == own.ids and all(registry.get(c) is own.get(c) for c in IDS)


def _compiled(doc: Mapping[str, Any], machine: TurnMachine) -> CompiledMachine | None:
    """The same state under the compiled rules, where its numbers fit the record."""
    layout = {key: doc[key] for key in LAYOUT_KEYS if doc.get(key) is not None}
    log = read_log(doc.get("log", []))
    layout["logged"] = log[-1]["seq"] if log else 0
    generator = TurnMachine.generator_of(doc)
    assert isinstance(generator, Sfc32)
    try:
        return CompiledMachine(machine.settings, layout, list(generator.words), log)
    except BadLayout:
        return None  # more cards, turns or skips than the record holds: the plain machine plays it
