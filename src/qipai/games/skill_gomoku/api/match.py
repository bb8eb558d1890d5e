"""`SkillGomokuMatch`: a turn machine with records and observations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import State

from ..extensions.planes import planes_from_view
from ..observe import planes
from .cards import CardRegistry
from .codes import Code, SkillGomokuError
from .interface import Json
from .log import Entry
from .machine import TurnMachine
from .settings import PACED


class SkillGomokuMatch:
    """One match: `send` events or `act` by number, `view`, `dump`, `load`, `replay`.

    `seed` deals as the original deals; `settings` are those of §2, by name.
    """

    def __init__(
        self,
        seed: int | str,
        settings: Mapping[str, Any] | None = None,
        *,
        registry: CardRegistry | None = None,
    ) -> None:
        self.engine = TurnMachine(seed, settings, registry=registry)

    @classmethod
    def load(cls, doc: Any, *, registry: CardRegistry | None = None) -> SkillGomokuMatch:
        """Return the match of a dumped state (§14); raise InvalidConfig if it is invalid."""
        made = cls.__new__(cls)
        made.engine = TurnMachine.load(doc, registry=registry)
        return made

    @classmethod
    def replay(cls, record: Any, *, registry: CardRegistry | None = None) -> SkillGomokuMatch:
        """Return the match that a record {game, version, settings, actions} leads to (§14.3)."""
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
        """End the animations, because a record only contains what players did (§13)."""
        while self.engine.settings.paced and self.state in PACED:
            self.send({"type": "AFTER_ANIMATION"})

    @property
    def compiled(self) -> bool:
        """Whether the compiled rules play this match."""
        return self.engine.compiled

    @property
    def state(self) -> str:
        """The name of the turn machine's state."""
        return self.engine.state

    @property
    def log(self) -> list[Entry]:
        """The whole log, for the server only."""
        return list(self.engine.dump()["log"])

    def send(self, event: Any) -> Json:
        """Handle one event: return `{"ok": true, "events": ...}`, or a refusal that changes nothing."""
        return self.engine.send(event)

    def act(self, action: Any) -> Json:
        """Make one action by its number; returns the same as `send`."""
        return self.engine.act(action)

    def events(self, viewer: int | str | None = None) -> list[Json]:
        """Return what the last accepted event led to, as `viewer` may know it ("server": everything)."""
        return self.engine.events(viewer)

    def legal_actions(self) -> list[int]:
        """Return the legal action numbers, ascending."""
        return self.engine.legal_actions()

    def view(self, viewer: int | None = None) -> Json:
        """Return what a player (1, 2) or a spectator (None) may see."""
        if viewer is not None and (isinstance(viewer, bool) or viewer not in (1, 2)):
            raise SkillGomokuError(Code.InvalidConfig, "a viewer is 1, 2 or None")
        return self.engine.view(viewer)

    def dump(self) -> Json:
        """Return the whole state as JSON, for the server only."""
        return self.engine.dump()

    def observation(self, player: int | None = None) -> NDArray[np.float64]:
        """Return the planes (32, N, N) of §9 as `player` (default: the one to act) sees them."""
        who = self.engine.current_player if player is None else player
        if isinstance(who, bool) or who not in (1, 2):
            raise SkillGomokuError(Code.InvalidConfig, "an observer is 1 or 2")
        if self.compiled and not self.engine.settings.paced:
            from .. import game

            own = game(self.engine.settings.options())
            return planes(own.observation_of(self.engine.record, who - 1))
        return planes_from_view(self.engine.view(who))

    @property
    def record(self) -> State:
        """A copy of the state of the compiled rules, for the server only."""
        if not self.compiled:
            raise SkillGomokuError(Code.InvalidConfig, "this match is not played by the compiled rules")
        return self.engine.record
