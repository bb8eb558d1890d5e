"""`Game`: the record that a game package offers, and the plain calls every layer makes on it.

A game is a name and its parts (`core/parts.py`). Engines use the compiled functions of
`game.rules` as they are; the methods here are the convenient, allocating form for Match,
environments, bots and tests.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import calls
from .compiling import are_kept, compile_rules, rules_digest
from .errors import BadGame, BadLayout, BadSeats, short
from .explain import check_number
from .message import FALLBACK
from .option import read_options
from .parts import COMPILED, Checks, Device, Event, Rules, Terminal, Windows, Words, no_drawing, takes_names
from .progress import Progress, progress_line
from .rng import next_word, pick, seed_words
from .state import NOBODY, State, new_state, one_of
from .variant import Variant

if TYPE_CHECKING:
    from .agent import AgentSpec

GUIDE = 'docs/architecture.md, "The contract of a game"'


@dataclass(frozen=True)
class Functions:
    """The compiled functions of a game in one variant."""

    deal: Any
    start: Any
    legal: Any
    apply: Any
    advance: Any
    observe: Any
    determinize: Any
    partial: Any


@dataclass(frozen=True)
class Calls:
    """The templates of `core/calls.py` with a game's functions in them."""

    take: Any
    redraw: Any


@dataclass(frozen=True, eq=False)
class Game:
    """Everything qipai knows about a game."""

    name: str
    rules: Rules
    words: Words = field(default_factory=Words)
    windows: Windows = field(default_factory=Windows)
    device: Device = field(default_factory=Device)
    terminal: Terminal = field(default_factory=Terminal)
    checks: Checks = field(default_factory=Checks)
    agents: tuple[AgentSpec, ...] = ()

    def __new__(cls, *args: Any, **given: Any) -> Game:
        """Refuse what was a field of `Game` before it had parts, and say where it went."""
        moved = {name: part for name in given if (part := _part_of(name))}
        if moved:
            places = "; ".join(f"{name} belongs to {part}" for name, part in moved.items())
            raise BadGame(f"Game is made of parts now: {places}. See {GUIDE}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        if not isinstance(self.rules, Rules):
            raise BadGame(f"{self.name}: rules is a Rules, not {short(self.rules)}. See {GUIDE}")
        try:
            self.rules.check_shape()
            self.device.check_shape()
        except BadGame as error:
            raise BadGame(f"{self.name}: {error}") from None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game by name, because its rules are code; raise `BadPickle` if it has none."""
        from .registry import reference  # which imports this module

        return reference(self)

    def __copy__(self) -> Game:
        """Return the game itself: it never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """Return the game itself."""
        return self

    # --- shapes ---------------------------------------------------------------------

    @property
    def width(self) -> int:
        """Length of a mask: the actions, padded to a multiple of 32."""
        return self.rules.width

    @property
    def observation_size(self) -> int:
        """Length of an observation."""
        return self.rules.observation_size

    @property
    def observation_digest(self) -> str:
        """A hash over what a trained net depends on: name, versions, actions and every feature."""
        if "digest" not in self._memo:
            rules = self.rules
            features = [
                [f.name, f.start, f.length, f.kind, f.low, f.high, f.shape, f.groups]
                for f in rules.observation
            ]
            said = [self.name, rules.version, rules.observation_version, rules.actions, features]
            text = json.dumps(said, separators=(",", ":"))
            self._memo["digest"] = hashlib.sha256(text.encode()).hexdigest()
        found: str = self._memo["digest"]
        return found

    # --- words ----------------------------------------------------------------------

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the game speaks."""
        return self.words.messages.languages or (FALLBACK,)

    def title(self, lang: str = FALLBACK) -> str:
        """Return the game's name in a language, else in English, else as it is registered."""
        return self.words.messages.find("title", lang) or self.name

    def option_about(self, name: str, lang: str = FALLBACK) -> str:
        """Return what an option does, in words."""
        return self.words.messages.find(f"option.{name}", lang) or name

    def choice_name(self, option: str, choice: str, lang: str = FALLBACK) -> str:
        """Return what a value of an option is called."""
        find = self.words.messages.find
        return find(f"option.{option}.{choice}", lang) or find(f"choice.{choice}", lang) or choice

    def agent_name(self, name: str, lang: str = FALLBACK) -> str:
        """Return what an agent is called."""
        return self.words.messages.find(f"bot.{name}", lang) or name

    def agent_about(self, name: str, lang: str = FALLBACK) -> str:
        """Return how an agent plays, in words."""
        return self.words.messages.find(f"bot.{name}.about", lang) or ""

    def tell(
        self, event: Event, lang: str = FALLBACK, names: Sequence[str] | None = None, viewer: int = -1
    ) -> str:
        """Return an event in words, "" for one that is not worth a line.

        Seats go by `names`, or by number; the viewer's own is "you".
        """
        line = self.words.line(event)
        return "" if line is None else self.words.messages.tell(line, lang, names, viewer)

    def label(
        self, action: int, seat: int, seats: int, lang: str = FALLBACK, names: Sequence[str] | None = None
    ) -> str:
        """Return what is written on the button of an action: the game's label for `seat`, else `say`.

        Seats go by `names`, or by number; `seat` itself is "you".
        """
        line = self.words.label(action, seat, seats)
        return self.words.say(action) if line is None else self.words.messages.tell(line, lang, names, seat)

    def drawing(self, s: State, seat: int, lang: str = FALLBACK, names: Sequence[str] | None = None) -> str:
        """Return the table as `seat` sees it: the game's drawing, else its view as data.

        Seats go by `names` if the drawing takes them.
        """
        if self.words.draw is not no_drawing:
            given = {"names": names} if takes_names(self.words.draw) else {}
            return self.words.draw(s, seat, lang, **given)
        return "\n".join(f"{key}: {value}" for key, value in self.rules.view(s, seat).items())

    # --- functions ------------------------------------------------------------------

    def compile(self, progress: Progress | None = None) -> None:
        """Build (or load from the cache) the compiled functions. Costs nothing the second time."""
        if "ready" not in self._memo:
            functions = self._entries()
            compile_rules(functions, self.rules.State, self.name, progress)
            _check_answers(self.rules)
            check_number(self.device.act, "1 when the long step is due, else 0", truth=True)
            compile_rules([next_word, seed_words, pick], self.rules.State, "rng")
            compile_rules(self._templates(), self.rules.State, f"{self.name}/calls")
            self._memo["ready"] = True

    @property
    def kept(self) -> bool:
        """Whether its rules need not be compiled: done already, or in the cache."""
        return "ready" in self._memo or are_kept([*self._entries(), *self._templates()], self.rules.State)

    @property
    def calls(self) -> Calls:
        """The single calls of `core/calls.py`, compiled."""
        memory = self.__dict__.get("_memory")
        if memory is None or "ready" not in memory:
            self.compile()
            memory = self._memo
        found: Calls = memory["calls"]
        return found

    def _templates(self) -> list[Any]:
        """Return the functions of `calls`, compiled or not."""
        if "calls" not in self._memo:
            rules = self.rules
            names = {name: getattr(rules, name) for name in ("legal", "apply", "determinize")}
            names["partial"] = rules.partial or calls.never
            # One cache folder for each game and version of its rules, as for the loops of a batch.
            tag = f"{self.name}-{rules.actions}-{rules_digest(names.values())}"
            make = Variant("compiled", tag=tag, names={calls.__name__: names})
            self._memo["calls"] = Calls(*(make(getattr(calls, name)) for name in calls.CALLS))
        made: Calls = self._memo["calls"]
        return [getattr(made, name) for name in calls.CALLS]

    def functions(self, variant: str = "compiled", swap: dict[Any, Any] | None = None) -> Functions:
        """The functions as `compiled`, `checked` (bounds) or `plain` Python."""
        if variant == "compiled" and not swap:
            self.compile()
            return Functions(*(getattr(self.rules, name) for name in COMPILED))
        if (variant, "made") in self._memo and not swap:
            found: Functions = self._memo[variant, "made"]
            return found
        make = Variant(variant, swap)
        made = Functions(*(make(getattr(self.rules, name)) for name in COMPILED))
        if variant != "plain":
            compile_rules([getattr(made, n) for n in COMPILED], self.rules.State, f"{self.name}/{variant}")
            _check_answers(made)
        if not swap:
            self._memo[variant, "made"] = made
        return made

    def _entries(self) -> list[Any]:
        """Return the functions that other code calls, compiled or not."""
        return [*(getattr(self.rules, name) for name in COMPILED), self.device.act, self.device.rest]

    @property
    def _memo(self) -> dict[Any, Any]:
        found = self.__dict__.get("_memory")
        if found is None:
            found = {}
            object.__setattr__(self, "_memory", found)
        return found

    # --- making states --------------------------------------------------------------

    def blank(self, options: Mapping[str, Any] | None = None, seats: int | None = None) -> State:
        """A state with seats and options set and nothing dealt."""
        count = self.rules.seats[0] if seats is None else seats
        low, high = self.rules.seats
        if not isinstance(count, int) or isinstance(count, bool) or not low <= count <= high:
            raise BadSeats(f"{self.name} is played by {low} to {high} seats, not {short(count)}")
        numbers = read_options(self.rules.options, options)
        if self.rules.check is not None:
            self.rules.check(numbers, count)
        s = new_state(self.rules.State)
        s["seats"] = count
        for name, value in numbers.items():
            s[name] = value
        return s

    def new(
        self,
        options: Mapping[str, Any] | None = None,
        seats: int | None = None,
        words: Sequence[int] = (0, 0, 0, 1),
        layout: Mapping[str, Any] | None = None,
    ) -> State:
        """A state at its first decision: dealt from generator words, or laid out as given."""
        self.compile()
        s = self.blank(options, seats)
        self.key(s, words)
        if layout is None:
            self.rules.deal(s)
        else:
            self.place(s, layout)
        return s

    def place(self, s: State, layout: Mapping[str, Any]) -> None:
        """Lay out a given deal or position and go to its first decision."""
        if self.rules.lay_out is None:
            raise BadLayout(f"{self.name} does not take custom deals")
        if not isinstance(layout, Mapping):
            raise BadLayout(f"a layout is a mapping, not {type(layout).__name__}")
        self.rules.lay_out(s, layout)
        self.rules.start(s)

    def key(self, s: State, words: Sequence[int]) -> None:
        """Set the generator from four 32-bit words."""
        self.compile()
        seed_words(s["rng"], *(int(w) for w in words))

    def options_of(self, s: State) -> dict[str, str | int]:
        """The options of a state, in their outside form."""
        return {o.name: o.show(int(s[o.name])) for o in self.rules.options}

    # --- asking ---------------------------------------------------------------------

    def mask(self, s: State) -> NDArray[np.uint8]:
        """The 0/1 mask of legal actions, padded; all zero when nobody decides."""
        self.compile()
        mask = np.zeros(self.width, np.uint8)
        if s["seat"] != NOBODY:
            self.rules.legal(s, mask)
        return mask

    def legal_actions(self, s: State) -> list[int]:
        """The legal actions of the seat to decide, ascending."""
        found: list[int] = self.mask(s).nonzero()[0].tolist()
        return found

    def observation_of(self, s: State, seat: int) -> NDArray[np.int8]:
        """Return the observation of `seat` (or a watcher)."""
        self.compile()
        out = np.zeros(self.observation_size, np.int8)
        self.rules.observe(s, seat, out)
        return out

    def unfinished(self, s: State) -> bool:
        """Whether the seat to decide is in the middle of a move of several actions."""
        return self.rules.partial is not None and s["seat"] != NOBODY and bool(self.rules.partial(s))

    def ends_move(self, after: State, seat: int) -> bool:
        """Return whether the action of `seat` that led to `after` was the last of its move.

        A move is one action, or several where `partial` says that the seat is still in the middle of one.
        It is complete as soon as somebody else decides, nobody does, or nothing is unfinished. `Match`,
        `Draft` and bots all ask here.
        """
        return int(after["seat"]) != seat or not self.unfinished(after)

    def redrawn(self, s: State, seat: int, words: Sequence[int]) -> State:
        """A copy in which everything hidden from `seat` is drawn anew from `words`."""
        w0, w1, w2, w3 = map(int, words)
        copy = one_of(s)
        self.calls.redraw(copy, int(seat), w0, w1, w2, w3)
        return copy[0]  # type: ignore[no-any-return]


def _check_answers(functions: Rules | Functions) -> None:
    """Raise `BadGame` for a compiled rule that should return a number and does not."""
    check_number(functions.legal, "how many actions are legal")
    check_number(functions.partial, "1 in the middle of a move, else 0", truth=True)


def compile_game(game: Game, progress: Progress | None = None) -> None:
    """Make a game ready, with a progress line where standard error is a terminal."""
    game.compile(progress or progress_line(game.title()))


_MOVED = {
    **{
        f.name: part.__name__
        for part in (Rules, Words, Windows, Device, Terminal, Checks)
        for f in fields(part)
    },
    "title": 'the message files, under the key "title"',
    "tell": "Words, where `line` names the message of an event",
    "table": "Terminal, where it is called screen",
}


def _part_of(name: str) -> str | None:
    """Return the part that a former field of `Game` belongs to."""
    return None if name in {f.name for f in fields(Game)} else _MOVED.get(name)


def _phase_name(game: Game, phase: int) -> str:
    return game.rules.phases(phase).name if len(game.rules.phases) else str(phase)


def diagram(game: Game) -> str:
    """The phases as a Mermaid picture, from the declared edges."""
    ends = [edge for edge in game.rules.labels if -1 in edge]
    edges = [*(e for e in ends if e[0] == -1), *game.rules.edges, *(e for e in ends if e[1] == -1)]
    lines = ["stateDiagram-v2"]
    for a, b in edges:
        one, other = ("[*]" if p == -1 else _phase_name(game, p) for p in (a, b))
        label = game.rules.labels.get((a, b), "")
        lines.append(f"    {one} --> {other}" + (f": {label}" if label else ""))
    return "\n".join(lines)
