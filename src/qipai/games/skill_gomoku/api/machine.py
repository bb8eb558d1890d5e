"""`TurnMachine`: the turn machine under the names of the specification, over the rules.

It only translates. Events become actions, the rules apply them to the state, and `view.py` turns the
state into documents, events and log entries. The machine itself stores two things: the pauses of §13 between
two steps of the rules (`confirmEnd`, `paced`), and the targets collected for a card that takes several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from qipai.core import NOBODY, State, copy_state
from qipai.core.errors import BadLayout

from .. import view
from ..extensions.extended import Extended
from ..extensions.wide import wide_record
from ..layout import lay_out_by
from ..reference import Mulberry32, Sfc32, core_generator, seed_state
from ..state import CARDS, CELL, CHECK_WIN, CHOOSE, IDS, NO_WINNER, OPPONENT, PLACE, RIGHT, Phase
from .book import STANDARD, Rulebook
from .cards import BASE_CARDS, REFUSALS, CardDefinition, CardRegistry, action_of, base_registry
from .clone import clone
from .codes import Code, SkillGomokuError
from .deck import build_deck, ensure_place_top
from .document import Loaded, bad, plain_target, read_document
from .interface import Json, MachineInterface
from .lines import Cells
from .settings import PACED, read_settings


class TurnMachine(MachineInterface):
    """One match. `send` takes events, `act` action numbers; refused ones change nothing.

    `pinned` keeps the original's generator in play, for games that the specification gives number by number.
    """

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
        read = read_settings({**(settings or {}), "seed": seed}, self.registry.ids)
        dealer = Mulberry32(seed_state(seed))
        deck = dealer.shuffle(build_deck(read.counts, self.registry.ids))
        topped = read.place_top and IDS[PLACE] in deck
        layout = {"deck": {"drawPile": ensure_place_top(deck) if topped else deck}, "topped": topped}
        self._lay_out(Loaded(read, layout, dealer if pinned else core_generator(dealer.state)))
        shown = {**read.to_json(), "seed": None}
        self._last_events = [
            {"event": "matchStarted", "settings": shown},
            {"event": "turnStarted", "turn": 1, "player": read.first_player},
        ]
        self._run()

    @classmethod
    def load(cls, doc: Any, *, registry: CardRegistry | None = None, pinned: bool = False) -> TurnMachine:
        """Return a machine in the state of `doc` (§14), advanced to where it waits."""
        made = cls.__new__(cls)
        made.registry = base_registry() if registry is None else registry
        made._lay_out(read_document(doc, made.registry, pinned))
        made._last_events = []
        made._run()
        return made

    # --- setting up -------------------------------------------------------------------

    def _lay_out(self, loaded: Loaded) -> None:
        """Choose the rules and set up the position; raise InvalidConfig if it is invalid."""
        self.settings, self.log = loaded.settings, loaded.log
        self._generator = loaded.generator
        self._extended: Extended | None = None
        self._added: list[Json] = []  # targets of a card that takes several, until confirmed
        self._confirming = loaded.state == "confirm"
        if not self._lay_out_compiled(loaded):
            self._lay_out_extended(loaded)
        self._added = [self._read_added(target) for target in loaded.added]
        if loaded.lines and loaded.lines != self.outcome["winningLines"]:
            raise bad("winningLines do not match the board")

    def _lay_out_compiled(self, loaded: Loaded) -> bool:
        """Set up the match for the compiled rules; return False if they cannot play it."""
        settings = loaded.settings
        if isinstance(loaded.generator, Mulberry32) or not (settings.compilable and is_base(self.registry)):
            return False
        from .. import game

        own = game(settings.options())
        own.compile()
        self._book: Rulebook = replace(STANDARD, states=settings.states)
        self._s: State = own.blank(settings.options())
        self._s["rng"] = loaded.generator.words
        try:
            lay_out_by(self._book, self._s, loaded.layout)
        except BadLayout:
            return False  # invalid, or more cards, turns or skips than the compiled state can hold
        return True

    def _lay_out_extended(self, loaded: Loaded) -> None:
        settings, generator = loaded.settings, loaded.generator
        pinned = generator if isinstance(generator, Mulberry32) else None
        self._extended = Extended(self.registry, settings.states, settings.allow_reselect, pinned)
        self._book = self._extended.book
        self._s = wide_record(settings.board_size, loaded.cards)
        for name, value in settings.numbers().items():
            self._s[name] = value
        if isinstance(generator, Sfc32):
            self._s["rng"] = generator.words
        try:
            lay_out_by(self._book, self._s, loaded.layout)
        except BadLayout as error:
            raise bad(str(error)) from error

    def _read_added(self, target: Any) -> Json:
        if self.state != "selectTarget" or self._card.several is None:
            raise bad("only a card that takes several targets adds them")
        if self._card.validate_target(self.context, target) is not None:
            raise bad("an added target is not valid")
        return plain_target(target)

    # --- the machine ------------------------------------------------------------------

    def _run(self) -> None:
        """Take the automatic steps, until an event is needed or the game is over."""
        while not self._waits():
            self._step()
        if self.over:
            self._last_events.append(view.ended(self._s))

    def _waits(self) -> bool:
        if self._s["seat"] != NOBODY or self._confirming or self.over:
            return True
        return self.settings.paced and self.state in PACED

    def _step(self) -> None:
        s = self._s
        if self.settings.confirm_end and s["phase"] == CHECK_WIN and s["winner"] == NO_WINNER:
            self._confirming = True
        else:
            self._tell(view.step(s, self._book))

    def _tell(self, events: list[Json]) -> None:
        """Store the events, and the log entries among them."""
        for event in events:
            if "tag" in event:
                self._number(event)
                self.log.append({key: clone(value) for key, value in event.items() if key != "event"})
            self._last_events.append(event)

    def _number(self, event: Json) -> None:
        """Assign a number to an entry within its turn; the state does not count changed choices (§13)."""
        last = self.log[-1] if self.log else None
        if self.settings.allow_reselect:
            event["at"] = last["at"] + 1 if last is not None and last["turn"] == event["turn"] else 1

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
        with self._whole_or_nothing():
            kept, self._last_events = self._last_events, []
            refused = handlers[event["type"]](event)
            if refused is not None:
                self._last_events = kept
                return refused
            self._run()
        return self._last_events

    @contextmanager
    def _whole_or_nothing(self) -> Iterator[None]:
        """Restore everything if a card of a third party fails in the middle of a turn."""
        if self._extended is None:  # the compiled rules call no third-party code
            yield
            return
        state, told = copy_state(self._s), len(self.log)
        kept = self._last_events, self._added, self._confirming, self._extended.kept()
        try:
            yield
        except BaseException:
            self._s = state
            del self.log[told:]
            self._last_events, self._added, self._confirming, extended = kept
            self._extended.put_back(extended)
            raise

    def _choose(self, event: Mapping[str, Any]) -> Code | None:
        again = self.settings.allow_reselect and self.state == "selectTarget"
        if self.state != "choose" and not again:
            return Code.WrongState
        slot = self.read_choice(event)
        if isinstance(slot, Code):
            return slot
        self._s["phase"] = CHOOSE
        self._added = []
        self._tell(view.make(self._s, slot, self._book))
        return None

    def _select(self, event: Mapping[str, Any]) -> Code | None:
        if self.state != "selectTarget" or self._card.several is not None:
            return Code.WrongState
        target = event.get("target")
        if self._is_base_card:
            action = action_of(target, len(self.cells), self.current_player)
            if action is not None and action in view.legal_of(self._s, self._book):
                self._tell(view.make(self._s, action, self._book))
                return None
        refused = self._card.validate_target(self.context, target)
        if refused is None:
            self._aim(plain_target(target))
        return refused

    def _aim(self, target: Any) -> None:
        """Play a card of a third party at its target; the state only records that there is one."""
        assert self._extended is not None
        self._extended.target = target
        self._tell(view.make(self._s, OPPONENT, self._book))

    def _add_target(self, event: Mapping[str, Any]) -> Code | None:
        several = self._card.several if self.state == "selectTarget" else None
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
        several = self._card.several if self.state == "selectTarget" else None
        if several is None:
            return Code.WrongState
        if len(self._added) < several[0]:
            return Code.TooFewTargets
        self._aim(self._added)
        self._added = []
        return None

    def _end_turn(self, event: Mapping[str, Any]) -> Code | None:
        if not self._confirming:
            return Code.WrongState
        self._confirming = False
        self._tell(view.step(self._s, self._book))
        return None

    def _after_animation(self, event: Mapping[str, Any]) -> Code | None:
        if not self.settings.paced or self.state not in PACED:
            return Code.WrongState
        self._step()
        return None

    @property
    def _card(self) -> CardDefinition:
        """The chosen card."""
        return self.registry.require(self._book.ids[int(self._s["card"])])

    @property
    def _is_base_card(self) -> bool:
        return bool(self._s["card"] < CARDS)

    def can_play(self, card: str) -> Code | None:
        """Return None if the current player could play this card now, or why not."""
        number = self._book.number(card)
        if number >= CARDS:
            return self.registry.require(card).can_play(self.context)
        return None if self._book.playable(self._s, number) else REFUSALS[number]

    # --- facts for MachineInterface ----------------------------------------------------

    @property
    def compiled(self) -> bool:
        """Whether the compiled rules play this match."""
        return self._extended is None

    @property
    def record(self) -> State:
        """A copy of the state record, for the server alone."""
        return copy_state(self._s)

    @property
    def over(self) -> bool:
        """Whether the last turn has ended."""
        return view.is_over(self._s, self._book)

    @property
    def state(self) -> str:
        """The name of the turn machine's state."""
        return "confirm" if self._confirming else Phase(int(self._s["phase"])).name

    @property
    def cells(self) -> Cells:
        """The board."""
        return view.cells_of(self._s)

    @property
    def current_player(self) -> int:
        """The player to move."""
        return int(self._s["mover"]) + 1

    @property
    def piles(self) -> tuple[list[str], list[str]]:
        """Draw pile and discard pile."""
        return view.piles_of(self._s, self._book)

    @property
    def skips(self) -> dict[str, int]:
        """Turns for which each player will be frozen."""
        return view.skips_of(self._s)

    @property
    def turn(self) -> Json:
        """The current turn."""
        turn = {**view.turn_of(self._s, self._book), "state": self.state}
        if self._added:
            turn["added"] = clone(self._added)
        return turn

    @property
    def last_move(self) -> Json | None:
        """The last stone placed, if it is still there."""
        return view.last_move_of(self._s)

    @property
    def outcome(self) -> Json:
        """winner, reason, winningLines."""
        return view.outcome_of(self._s)

    @property
    def generator_json(self) -> Json:
        """The state of the generator: the original's number if pinned, else the four words of the state."""
        if isinstance(self._generator, Mulberry32):
            return self._generator.to_json()
        return {"algorithm": "sfc32", "state": self._s["rng"].tolist()}

    # --- action numbers ---------------------------------------------------------------

    def legal_actions(self) -> list[int]:
        """Return the legal action numbers, ascending (§8)."""
        if self._confirming:
            return [self._last_action]
        if self.state != "selectTarget":
            return view.legal_of(self._s, self._book)
        again = self._slots() if self.settings.allow_reselect else []
        targets = view.legal_of(self._s, self._book) if self._is_base_card else self._targets()
        return [*again, *targets]

    @property
    def _last_action(self) -> int:
        """END_TURN, after the cells; CONFIRM_TARGETS follows it."""
        return CELL + self.settings.board_size**2

    def _slots(self) -> list[int]:
        drawn = enumerate(view.drawn_of(self._s, self._book))
        return [slot for slot, card in drawn if self.can_play(card) is None]

    def _targets(self) -> list[int]:
        """Return the actions that aim a card of a third party, and the one that confirms its targets."""
        several, context = self._card.several, self.context
        confirm = [self._last_action + 1] if several is not None and len(self._added) >= several[0] else []
        if several is not None and len(self._added) == several[1]:
            return confirm
        player = self._card.target.get("kind") == "player"
        actions = [OPPONENT] if player else range(CELL, self._last_action)
        targets = [(action, self._target_of(action)) for action in actions]
        fitting = [
            action
            for action, target in targets
            if target not in self._added and self._card.validate_target(context, target) is None
        ]
        return [*fitting, *confirm]

    def _target_of(self, action: int) -> Json:
        if action == OPPONENT:
            own = self._card.target.get("relation") == "self"
            return {"kind": "player", "player": self.current_player if own else 3 - self.current_player}
        return {"kind": "cell", "point": view.point(self._s, action - CELL)}

    def _event_of(self, action: int) -> Json:
        if action <= RIGHT:
            return {"type": "CHOOSE_CARD", "index": action}
        if action >= self._last_action:
            return {"type": "END_TURN" if action == self._last_action else "CONFIRM_TARGETS"}
        kind = "SELECT_TARGET" if self._card.several is None else "ADD_TARGET"
        return {"type": kind, "target": self._target_of(action)}


def is_base(registry: CardRegistry) -> bool:
    """Return whether these are exactly the five base cards."""
    own = zip(registry, BASE_CARDS, strict=False)
    return len(registry) == len(BASE_CARDS) and all(card is base for card, base in own)
