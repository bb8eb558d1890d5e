"""`Game`: the record that a game package offers, and the plain calls every layer makes on it.

The compiled functions are used as they are by engines; the methods here are the
convenient, allocating form for Match, environments, bots and tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .compiling import are_kept, compile_rules
from .errors import BadGame, BadLayout, BadSeats, short
from .explain import check_number
from .option import Option, read_options
from .progress import Progress, progress_line
from .rng import next_word, pick, seed_words
from .rule import is_rule
from .state import HEADER, NOBODY, copy_state, new_state
from .state import State as Record
from .variant import Variant

if TYPE_CHECKING:
    from .agent import AgentSpec

Event = dict[str, Any]
COMPILED = ("deal", "start", "legal", "apply", "advance", "observe", "determinize", "partial")
PARTS = ("act", "rest")  # of apply


@dataclass(frozen=True)
class Feature:
    """A named run of an observation: where it starts, how long it is, what it says."""

    name: str
    start: int
    length: int
    about: str


@dataclass(frozen=True)
class Example:
    """A position and actions from it: for rare edges, documentation and tests."""

    about: str
    layout: Mapping[str, Any]
    actions: tuple[int, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: int | None = None


@dataclass(frozen=True)
class Twins:
    """Two layouts that differ only in what `seat` cannot see."""

    about: str
    seat: int
    one: Mapping[str, Any]
    other: Mapping[str, Any]
    options: Mapping[str, Any] = field(default_factory=dict)
    seats: int | None = None


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


def no_successor(s: Record) -> dict[str, Any]:
    """The next hand of a series inherits nothing."""
    return {}


def no_window(s: Record) -> int | None:
    """No decision of the game is an answer that others must not notice."""
    return None


def no_hold(event: Event) -> bool:
    """After no event of the game a window may open."""
    return False


def no_pause(before: Record, action: int, seat: int) -> Record | None:
    """No action of the game opens a window."""
    return None


@dataclass(frozen=True, eq=False)
class Game:
    """Everything qipai knows of a game. See docs/architecture.md for the contract."""

    name: str
    title: Mapping[str, str]  # by language
    version: int  # of the rules; moves only when play does
    seats: tuple[int, int]  # fewest, most
    actions: int
    observation: tuple[Feature, ...]
    length: int  # no match takes more actions than this
    State: np.dtype[Any]
    phases: type[IntEnum]
    edges: tuple[tuple[int, int], ...]

    deal: Any
    start: Any
    legal: Any
    apply: Any
    advance: Any
    observe: Any
    determinize: Any

    view: Callable[[Record, int], dict[str, Any]]
    narrate: Callable[[Record, int, int], list[Event]]
    tell: Callable[[Event, str], str]  # an event in words
    say: Callable[[int], str]  # an action as text
    parse: Callable[[str], int]  # and back; BadText
    draw: Callable[[Record, int, str], str]  # the table as a seat sees it

    partial: Any = None  # rule(s) -> 1 while a move of several actions is unfinished
    lay_out: Callable[[Record, Mapping[str, Any]], None] | None = None
    check: Callable[[Mapping[str, int], int], None] | None = None  # refuse option combinations
    successor: Callable[[Record], dict[str, Any]] = no_successor
    pieces: Callable[[Record], Any] | None = None  # what is conserved from the deal on
    zero_sum: Callable[[Record], bool] = lambda s: True

    # For a GPU, where all of a warp wait for the lane with the longest way. A game with a rare long step may
    # have `apply` in two parts; `gather` is how many lanes of 32 are waited for, there and before a deal.
    act: Any = None  # rule(s, action) -> 1 when the long step is due, and
    rest: Any = None  # rule(s), from there on: act, then rest where it is due, is `apply`
    gather: int = 1

    # Windows, for a table on the network (docs/architecture.md): the declining action where the present
    # decision is an answer that others must not notice; whether a window may open after an event; and
    # the record that shows a seat which is not asked the window after an action.
    sealed: Callable[[Record], int | None] = no_window
    held: Callable[[Event], bool] = no_hold
    pause: Callable[[Record, int, int], Record | None] = no_pause

    labels: Mapping[tuple[int, int], str] = field(default_factory=dict)  # of edges; -1 is [*]
    options: tuple[Option, ...] = ()
    scratch: tuple[str, ...] = ()  # state fields without meaning between calls
    examples: tuple[Example, ...] = ()
    twins: tuple[Twins, ...] = ()
    agents: tuple[AgentSpec, ...] = ()
    rules_text: Mapping[str, str] = field(default_factory=dict)  # by language
    run_vector: Callable[..., dict[str, Any]] | None = None
    live: str | None = None  # "module" with run(args): real-time play that takes over a terminal
    table: Any = None  # its screen at the terminal table: "module:NAME", loaded there, or the screen

    def __post_init__(self) -> None:
        names = self.State.names or ()
        if tuple(names[: len(HEADER)]) != HEADER:
            raise BadGame(f"{self.name}: a state begins with the fields {', '.join(HEADER)}")
        for name in COMPILED:
            fn = getattr(self, name)
            if fn is None and name == "partial":
                continue
            if not is_rule(fn):
                raise BadGame(f"{self.name}: {name} is not a rule")
        if (self.act is None) != (self.rest is None):
            raise BadGame(f"{self.name}: act and rest are the two parts of apply; a game has both or neither")
        for name in PARTS:
            if getattr(self, name) is not None and not is_rule(getattr(self, name)):
                raise BadGame(f"{self.name}: {name} is not a rule")
        if not 1 <= self.gather <= 32:
            raise BadGame(f"{self.name}: gather is a number of lanes from 1 to 32")
        if not self.title.get("en"):
            raise BadGame(f'{self.name}: the title has no "en", the language to fall back on')
        for option in self.options:
            if option.name not in names:
                raise BadGame(f"{self.name}: option {option.name} is not a field of the state")
            fault = option.fault(self.State[option.name])
            if fault:
                raise BadGame(f"{self.name}: option {option.name}: {fault}")
        for name in self.scratch:
            if name not in names:
                raise BadGame(f"{self.name}: scratch field {name} is not in the state")
        at = 0
        for feature in self.observation:
            if feature.start != at or feature.length < 1:
                raise BadGame(f"{self.name}: observation feature {feature.name} does not start at {at}")
            at += feature.length
        low, high = self.seats
        if not 1 <= low <= high <= self.State["payoff"].shape[0]:
            raise BadGame(f"{self.name}: seats {self.seats} do not fit the payoff field")

    # --- shapes ---------------------------------------------------------------------

    @property
    def width(self) -> int:
        """Length of a mask: the actions, padded to a multiple of 32."""
        return -(-self.actions // 32) * 32

    @property
    def observation_size(self) -> int:
        """Length of an observation."""
        return sum(f.length for f in self.observation)

    # --- functions ------------------------------------------------------------------

    def compile(self, progress: Progress | None = None) -> None:
        """Build (or load from the cache) the compiled functions. Costs nothing the second time."""
        if "ready" not in self._memo:
            functions = [getattr(self, name) for name in (*COMPILED, *PARTS)]
            compile_rules(functions, self.State, self.name, progress)
            _check_answers(self)
            compile_rules([next_word, seed_words, pick], self.State, "rng")
            self._memo["ready"] = True

    @property
    def kept(self) -> bool:
        """Whether its rules need not be compiled: done already, or in the cache."""
        functions = (getattr(self, name) for name in (*COMPILED, *PARTS))
        return "ready" in self._memo or are_kept(functions, self.State)

    def functions(self, variant: str = "compiled", swap: dict[Any, Any] | None = None) -> Functions:
        """The functions as `compiled`, `checked` (bounds) or `plain` Python."""
        if variant == "compiled" and not swap:
            self.compile()
            return Functions(*(getattr(self, name) for name in COMPILED))
        if (variant, "made") in self._memo and not swap:
            found: Functions = self._memo[variant, "made"]
            return found
        make = Variant(variant, swap)
        made = Functions(*(make(getattr(self, name)) for name in COMPILED))
        if variant != "plain":
            compile_rules([getattr(made, n) for n in COMPILED], self.State, f"{self.name}/{variant}")
            _check_answers(made)
        if not swap:
            self._memo[variant, "made"] = made
        return made

    @property
    def _memo(self) -> dict[Any, Any]:
        found = self.__dict__.get("_memory")
        if found is None:
            found = {}
            object.__setattr__(self, "_memory", found)
        return found

    # --- making states --------------------------------------------------------------

    def blank(self, options: Mapping[str, Any] | None = None, seats: int | None = None) -> Record:
        """A state with seats and options set and nothing dealt."""
        count = self.seats[0] if seats is None else seats
        low, high = self.seats
        if not isinstance(count, int) or isinstance(count, bool) or not low <= count <= high:
            raise BadSeats(f"{self.name} is played by {low} to {high} seats, not {short(count)}")
        numbers = read_options(self.options, options)
        if self.check is not None:
            self.check(numbers, count)
        s = new_state(self.State)
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
    ) -> Record:
        """A state at its first decision: dealt from generator words, or laid out as given."""
        self.compile()
        s = self.blank(options, seats)
        self.key(s, words)
        if layout is None:
            self.deal(s)
        else:
            self.place(s, layout)
        return s

    def place(self, s: Record, layout: Mapping[str, Any]) -> None:
        """Lay out a given deal or position and go to its first decision."""
        if self.lay_out is None:
            raise BadLayout(f"{self.name} does not take custom deals")
        if not isinstance(layout, Mapping):
            raise BadLayout(f"a layout is a mapping, not {type(layout).__name__}")
        self.lay_out(s, layout)
        self.start(s)

    def key(self, s: Record, words: Sequence[int]) -> None:
        """Set the generator from four 32-bit words."""
        self.compile()
        seed_words(s["rng"], *(int(w) for w in words))

    def options_of(self, s: Record) -> dict[str, str | int]:
        """The options of a state, in their outside form."""
        return {o.name: o.show(int(s[o.name])) for o in self.options}

    # --- asking ---------------------------------------------------------------------

    def mask(self, s: Record) -> NDArray[np.uint8]:
        """The 0/1 mask of legal actions, padded; all zero when nobody decides."""
        self.compile()
        mask = np.zeros(self.width, np.uint8)
        if s["seat"] != NOBODY:
            self.legal(s, mask)
        return mask

    def legal_actions(self, s: Record) -> list[int]:
        """The legal actions of the seat to decide, ascending."""
        return [int(a) for a in np.flatnonzero(self.mask(s))]

    def look(self, s: Record, seat: int) -> NDArray[np.int8]:
        """The observation of `seat` (or a watcher)."""
        self.compile()
        out = np.zeros(self.observation_size, np.int8)
        self.observe(s, seat, out)
        return out

    def unfinished(self, s: Record) -> bool:
        """Whether the seat to decide is in the middle of a move of several actions."""
        return self.partial is not None and s["seat"] != NOBODY and bool(self.partial(s))

    def redrawn(self, s: Record, seat: int, words: Sequence[int]) -> Record:
        """A copy in which everything hidden from `seat` is drawn anew from `words`."""
        copy = copy_state(s)
        self.key(copy, words)
        self.determinize(copy, seat)
        return copy


def _check_answers(functions: Game | Functions) -> None:
    """The compiled rules that answer with a number do."""
    check_number(functions.legal, "how many actions are legal")
    check_number(functions.partial, "1 in the middle of a move, else 0", truth=True)
    check_number(getattr(functions, "act", None), "1 when the long step is due, else 0", truth=True)


def compile_game(game: Game, progress: Progress | None = None) -> None:
    """Make a game ready, with a progress line where standard error is a terminal."""
    game.compile(progress or progress_line(game.title["en"]))


def diagram(game: Game) -> str:
    """The phases as a Mermaid picture, from the declared edges."""
    ends = [edge for edge in game.labels if -1 in edge]
    edges = [*(e for e in ends if e[0] == -1), *game.edges, *(e for e in ends if e[1] == -1)]
    lines = ["stateDiagram-v2"]
    for a, b in edges:
        one, other = ("[*]" if p == -1 else game.phases(p).name for p in (a, b))
        label = game.labels.get((a, b), "")
        lines.append(f"    {one} --> {other}" + (f": {label}" if label else ""))
    return "\n".join(lines)
