"""`Game`: the description that a game package provides, and the calls that every layer makes on it.

A game is a name and its parts (`core/parts.py`). Engines use the compiled functions of
`game.rules` directly; the methods here are the convenient, allocating form for Match,
environments, bots and tests.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from threading import RLock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from . import calls
from .compiling import are_kept, compile_rules, entry_of, rules_digest
from .errors import BadGame, BadLayout, BadSeats, BadState, short
from .explain import check_number
from .jit import runs_plain
from .message import FALLBACK
from .option import Option, read_options
from .parts import (
    COMPILED,
    Checks,
    Device,
    Event,
    Levels,
    Rules,
    Search,
    Terminal,
    Windows,
    Words,
    no_drawing,
    takes_names,
)
from .progress import Progress, progress_line
from .rng import next_word, pick, seed_words
from .state import NOBODY, State, new_state, one_of, single_dtype
from .variant import Variant

if TYPE_CHECKING:
    from .agent import AgentSpec

T = TypeVar("T")
_MAKING = RLock()  # one thread at a time fills in a game's templates
GUIDE = 'help(qipai.core.Rules), and the page "The contract of a game" of the documentation'


class _kept_once_compiled(Generic[T]):
    """A property whose value is kept as soon as the game is compiled, as `cached_property` keeps it."""

    def __init__(self, function: Callable[[Game], T]) -> None:
        self.function = function
        self.__doc__ = function.__doc__

    def __get__(self, game: Game, owner: type[Game] | None = None) -> T:
        value = self.function(game)
        if game.compiled:
            game.__dict__[self.function.__name__] = value
        return value


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
    search: Search = field(default_factory=Search)
    levels: Levels = field(default_factory=Levels)
    terminal: Terminal = field(default_factory=Terminal)
    checks: Checks = field(default_factory=Checks)
    agents: tuple[AgentSpec, ...] = ()

    def __new__(cls, *args: Any, **given: Any) -> Game:
        """Reject the fields that `Game` had before it was split into parts, and say where they moved."""
        moved = {name: part for name in given if (part := _part_of(name))}
        if moved:
            places = "; ".join(f"{name} belongs to {part}" for name, part in moved.items())
            raise BadGame(f"Game is made of parts now: {places}. See {GUIDE}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        if not isinstance(self.rules, Rules):
            raise BadGame(f"{self.name}: rules must be a Rules, not {short(self.rules)}. See {GUIDE}")
        try:
            self.rules.check_shape()
            self.device.check_shape()
            self.search.check_shape()
            self.levels.check_shape()
        except BadGame as error:
            raise BadGame(f"{self.name}: {error}") from None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game by name, because its rules are code; raise `BadPickle` if it has none."""
        from .registry import reference  # imported late: the registry imports this module

        return reference(self)

    def __copy__(self) -> Game:
        """Return the game itself, because it is immutable."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        """Return the game itself, because it is immutable."""
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
        """Hash of everything a trained net depends on: name, versions, actions and every feature."""
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

    @property
    def package(self) -> str | None:
        """The package of the game's message files, README and weights; None if its texts come from none."""
        return self.words.messages.package

    # --- words ----------------------------------------------------------------------

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the game is available in."""
        return self.words.messages.languages or (FALLBACK,)

    def title(self, lang: str = FALLBACK) -> str:
        """Return the game's name in a language; fall back to English, then to its registered name."""
        return self.words.messages.find("title", lang) or self.name

    def option_about(self, name: str, lang: str = FALLBACK) -> str:
        """Return the description of an option."""
        return self.words.messages.find(f"option.{name}", lang) or name

    def choice_name(self, option: str, choice: str, lang: str = FALLBACK) -> str:
        """Return the display name of a value of an option."""
        find = self.words.messages.find
        return find(f"option.{option}.{choice}", lang) or find(f"choice.{choice}", lang) or choice

    def names_lowest(self, option: Option) -> bool:
        """Return whether the lowest number of a range is no amount: "no limit", or "as the deck says"."""
        return not option.choices and bool(self.words.messages.find(f"option.{option.name}.{option.low}"))

    def agent_name(self, name: str, lang: str = FALLBACK) -> str:
        """Return the display name of an agent."""
        return self.words.messages.find(f"bot.{name}", lang) or name

    def agent_about(self, name: str, lang: str = FALLBACK) -> str:
        """Return the description of how an agent plays."""
        return self.words.messages.find(f"bot.{name}.about", lang) or ""

    def tell(
        self, event: Event, lang: str = FALLBACK, names: Sequence[str] | None = None, viewer: int = -1
    ) -> str:
        """Return an event as a sentence, or "" for an event that is not logged.

        Seats are called by `names`, or by number; the viewer's own seat is "you".
        """
        line = self.words.line(event)
        return "" if line is None else self.words.messages.tell(line, lang, names, viewer)

    def label(
        self, action: int, seat: int, seats: int, lang: str = FALLBACK, names: Sequence[str] | None = None
    ) -> str:
        """Return the text for the button of an action: the game's label for `seat`, or `say`.

        Seats appear under their `names`, or by number; `seat` itself is "you".
        """
        line = self.words.label(action, seat, seats)
        return self.words.say(action) if line is None else self.words.messages.tell(line, lang, names, seat)

    def drawing(self, s: State, seat: int, lang: str = FALLBACK, names: Sequence[str] | None = None) -> str:
        """Return the position as text as `seat` sees it: the game's drawing, or its view as data.

        Seats appear under their `names` if the drawing takes them.
        """
        if self.words.draw is not no_drawing:
            given = {"names": names} if takes_names(self.words.draw) else {}
            return self.words.draw(s, seat, lang, **given)
        return "\n".join(f"{key}: {value}" for key, value in self.rules.view(s, seat).items())

    # --- functions ------------------------------------------------------------------

    def compile(self, progress: Progress | None = None) -> None:
        """Build the compiled functions or load them from the cache. A second call costs nothing.

        This does nothing in a thread that runs rules as plain Python until they are compiled.
        """
        if "ready" not in self._memo and not runs_plain():
            functions = self._entries()
            compile_rules(functions, self.rules.State, self.name, progress)
            _check_answers(self.rules)
            check_number(self.device.act, "1 when the long step is due, else 0", truth=True)
            compile_rules([next_word, seed_words, pick], self.rules.State, "rng")
            compile_rules(self._templates(), self.rules.State, f"{self.name}/calls")
            self._memo["ready"] = True

    @property
    def kept(self) -> bool:
        """Whether the rules are already compiled, or in the cache."""
        return "ready" in self._memo or are_kept([*self._entries(), *self._templates()], self.rules.State)

    @property
    def compiled(self) -> bool:
        """Whether the rules are compiled in this process."""
        return "ready" in self._memo

    @_kept_once_compiled
    def calls(self) -> Calls:
        """Return the single calls of `core/calls.py`, compiled unless rules run as plain Python meanwhile."""
        self.compile()
        return self._filled()

    def _templates(self) -> list[Any]:
        """Return the functions of `calls`, compiled or not."""
        return [getattr(self._filled(), name) for name in calls.CALLS]

    def _filled(self) -> Calls:
        """Return `calls` with the game's functions in their slots, compiled or not."""
        with _MAKING:
            if "calls" not in self._memo:
                rules = self.rules
                names = {name: getattr(rules, name) for name in ("legal", "apply", "determinize")}
                names["partial"] = rules.partial or calls.never
                # One cache folder per game and rules version, as for the loops of a batch.
                tag = f"{self.name}-{rules.actions}-{rules_digest(names.values())}"
                make = Variant("compiled", tag=tag, names={calls.__name__: names}, entries=calls.CALLS)
                self._memo["calls"] = Calls(*(make(getattr(calls, name)) for name in calls.CALLS))
            made: Calls = self._memo["calls"]
            return made

    def functions(self, variant: str = "compiled", swap: dict[Any, Any] | None = None) -> Functions:
        """Return the functions as `compiled`, `checked` (with bounds checks) or `plain` Python."""
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
        """Return a state with seats and options set and nothing dealt."""
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
        """Return a state at its first decision, dealt from generator words or set up from `layout`."""
        self.compile()
        s = self.blank(options, seats)
        self.key(s, words)
        if layout is None:
            self.rules.deal(s)
        else:
            self.place(s, layout)
        return s

    def place(self, s: State, layout: Mapping[str, Any]) -> None:
        """Set up a custom deal or position and advance to its first decision."""
        if self.rules.lay_out is None:
            raise BadLayout(f"{self.name} does not support custom deals")
        if not isinstance(layout, Mapping):
            raise BadLayout(f"a layout must be a mapping, not {type(layout).__name__}")
        self.rules.lay_out(s, layout)
        self.rules.start(s)

    def key(self, s: State, words: Sequence[int]) -> None:
        """Set the generator from four 32-bit words."""
        self.compile()
        seed_words(s["rng"], *(int(w) for w in words))

    def options_of(self, s: State) -> dict[str, str | int]:
        """Return the options of a state in their external form."""
        return {o.name: o.show(int(s[o.name])) for o in self.rules.options}

    # --- asking ---------------------------------------------------------------------

    def mask(self, s: State) -> NDArray[np.uint8]:
        """Return the 0/1 mask of legal actions, padded; all zero when nobody decides."""
        self.compile()
        mask = np.zeros(self.width, np.uint8)
        if s["seat"] != NOBODY:
            self.rules.legal(s, mask)
        return mask

    def legal_actions(self, s: State) -> list[int]:
        """Return the legal actions of the seat to move, in ascending order."""
        found: list[int] = self.mask(s).nonzero()[0].tolist()
        return found

    def observation_of(self, s: State, seat: int) -> NDArray[np.int8]:
        """Return the observation of `seat` (or of a watcher)."""
        self.compile()
        out = np.zeros(self.observation_size, np.int8)
        self.rules.observe(s, seat, out)
        return out

    def unfinished(self, s: State) -> bool:
        """Return whether the seat to move is in the middle of a move of several actions."""
        return self.rules.partial is not None and s["seat"] != NOBODY and bool(self.rules.partial(s))

    def ends_move(self, after: State, seat: int) -> bool:
        """Return whether the action of `seat` that led to `after` completed its move.

        A move is one action, or several if `partial` says that the seat is still in the middle of one.
        It is complete as soon as another seat decides, nobody decides, or nothing is unfinished. `Match`,
        `Draft` and bots all use this definition.
        """
        return int(after["seat"]) != seat or not self.unfinished(after)

    def redrawn(self, s: State, seat: int, words: Sequence[int]) -> State:
        """Return a copy in which everything hidden from `seat` is drawn again with `words`."""
        redraw, dtype = self._redraw
        w0, w1, w2, w3 = words
        copy = one_of(s)
        if copy.dtype is not dtype:
            raise BadState(f"{self.name}: a state of another game, or of another version of its rules")
        redraw(copy, seat, w0, w1, w2, w3)
        return copy[0]  # type: ignore[no-any-return]

    @_kept_once_compiled
    def _redraw(self) -> tuple[Any, np.dtype[Any]]:
        """Return the machine code of `calls.redraw`, and the type of the states that it takes."""
        return entry_of(self.calls.redraw), single_dtype(self.rules.State)


def _check_answers(functions: Rules | Functions) -> None:
    """Raise `BadGame` if a compiled rule that should return a number does not."""
    check_number(functions.legal, "how many actions are legal")
    check_number(functions.partial, "1 in the middle of a move, else 0", truth=True)


def compile_game(game: Game, progress: Progress | None = None) -> None:
    """Compile a game, with a progress line if standard error is a terminal."""
    game.compile(progress or progress_line(game.title()))


_MOVED = {
    **{
        f.name: part.__name__
        for part in (Rules, Words, Windows, Device, Search, Terminal, Checks)
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
    """Return the phases and their declared edges as a Mermaid diagram."""
    ends = [edge for edge in game.rules.labels if -1 in edge]
    edges = [*(e for e in ends if e[0] == -1), *game.rules.edges, *(e for e in ends if e[1] == -1)]
    lines = ["stateDiagram-v2"]
    for a, b in edges:
        one, other = ("[*]" if p == -1 else _phase_name(game, p) for p in (a, b))
        label = game.rules.labels.get((a, b), "")
        lines.append(f"    {one} --> {other}" + (f": {label}" if label else ""))
    return "\n".join(lines)
