"""The parts of a `Game`: its rules, its words, and what only some games need.

Eight fields of `Rules` are mandatory, plus `view` and `determinize` unless the game declares perfect
information. Every other field has a default. `Game` itself only adds a name.
"""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from typing import Any

import numpy as np

from .errors import BadGame, BadText, short
from .message import Line, Messages, seat_value
from .option import Option
from .rule import is_rule, kinds_of, rule
from .state import HEADER, copy_state
from .state import State as Record

Event = dict[str, Any]

UNLIMITED = 2**31 - 1  # length in actions if no cap is known
COMPILED = ("deal", "start", "legal", "apply", "advance", "observe", "determinize", "partial")
# Kinds of features.
NUMBER = "number"
CATEGORY = "category"
FLAG = "flag"
SEATS = ("seat", "by", "to", "player", "winner")  # keys of an event that name a seat


@dataclass(frozen=True)
class Feature:
    """A named slice of an observation: where it starts, how long it is, what it contains.

    `kind` is NUMBER (an ordered quantity), CATEGORY (numbers that stand for names) or FLAG (0 or 1), and
    every value is from `low` to `high`. `shape` says that the slice is a board of rows and columns, or
    planes of boards. `groups` are ranges of values that belong together, such as the suits of tiles.
    Without any of this, a feature contains numbers from -128 to 127.
    """

    name: str
    start: int
    length: int
    about: str
    kind: str = NUMBER
    low: int = -128
    high: int = 127
    shape: tuple[int, ...] = ()
    groups: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        if self.kind == FLAG:
            object.__setattr__(self, "low", 0)
            object.__setattr__(self, "high", 1)

    def fault(self) -> str:
        """Return what is wrong with the type of the feature, or ""."""
        if self.kind not in (NUMBER, CATEGORY, FLAG):
            return f"kind {short(self.kind)} must be one of {NUMBER}, {CATEGORY}, {FLAG}"
        if not -128 <= self.low <= self.high <= 127:
            return f"the range {self.low} to {self.high} does not fit int8"
        if self.shape and (len(self.shape) not in (2, 3) or math.prod(self.shape) != self.length):
            return f"the shape {self.shape} does not hold {self.length} entries"
        if not all(self.low <= a <= b <= self.high for a, b in self.groups):
            return "a group of values is outside the range"
        return ""


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


class Undeclared(IntEnum):
    """The phases of a game that declares none; they are not checked."""


# --- rules ----------------------------------------------------------------------------


@rule
def stay(s):  # type: ignore[no-untyped-def]
    """Do nothing: the default of `start` and `advance`."""


@rule
def hide_nothing(s, seat):  # type: ignore[no-untyped-def]
    """Leave everything as it is: the `determinize` of a game of perfect information."""


def inherit_nothing(s: Record) -> dict[str, Any]:
    """Return the options that the next hand of a series inherits: none."""
    return {}


@dataclass(frozen=True, eq=False)
class Rules:
    """The functions of a game and the shapes of their arrays.

    `deal`, `start`, `legal`, `apply`, `advance`, `observe`, `determinize` and `partial` are rules
    (compiled); the others are plain Python. The page "The contract of a game" says what each must do.
    """

    State: np.dtype[Any]
    seats: tuple[int, int]  # fewest, most
    actions: int
    observation: tuple[Feature, ...]

    deal: Any
    legal: Any
    apply: Any
    observe: Any

    perfect_information: bool = False  # nothing is hidden from anyone
    view: Callable[[Record, int], dict[str, Any]] = None  # type: ignore[assignment]  # unless perfect information
    determinize: Any = None  # required unless perfect information
    narrate: Callable[[Record, int, int], list[Event]] = None  # type: ignore[assignment]  # by default: the view changed
    public_events: bool = False  # `narrate` tells everyone the same, so it is called once per action

    version: int = 1  # changes only when play changes
    observation_version: int = 1  # changes when `observe` writes something else
    length: int = UNLIMITED  # maximum number of actions in a match
    start: Any = stay
    advance: Any = stay
    partial: Any = None  # rule(s) -> 1 while a move of several actions is unfinished
    # rule(s, mask, n, rng, work) -> a legal action: a fast policy for playouts; `Search.work` is its scratch
    playout: Any = None
    phases: type[IntEnum] = Undeclared
    edges: tuple[tuple[int, int], ...] = ()
    labels: Mapping[tuple[int, int], str] = field(default_factory=dict)  # labels of edges; -1 is [*]
    scratch: tuple[str, ...] = ()  # state fields without meaning between calls
    options: tuple[Option, ...] = ()
    # raises for invalid combinations of options
    check: Callable[[Mapping[str, int], int], None] | None = None
    # actions from this one on are the cells of the observation's boards, in order
    first_cell: int | None = None
    # symmetries of the board that leave the rules unchanged: 1, 2 (a half turn), 4 (all turns), 8 (mirrors)
    symmetries: int = 1
    lay_out: Callable[[Record, Mapping[str, Any]], None] | None = None
    successor: Callable[[Record], dict[str, Any]] = inherit_nothing
    # (blank state) -> every deal that chance can bring, as (weight, layout); for games with few deals
    chance: Callable[[Record], Sequence[tuple[int, Mapping[str, Any]]]] | None = None
    # (s, seat) -> a key of all that the seat has seen and done; None: the state does not hold that much
    information: Callable[[Record, int], str] | None = None

    def __post_init__(self) -> None:
        if self.perfect_information:
            self._default("view", OpenView)
            self._default("determinize", lambda rules: hide_nothing)
        self._default("narrate", ViewChanges)

    def _default(self, name: str, make: Callable[[Rules], Any]) -> None:
        """Fill in a missing function; a default inherited from another `Rules` is made again for this one."""
        found = getattr(self, name)
        if found is None or (isinstance(make, type) and isinstance(found, make)):
            object.__setattr__(self, name, make(self))

    def check_shape(self) -> None:
        """Raise `BadGame` if a function is missing or a shape is inconsistent. `Game` calls this."""
        for name in ("view", "determinize"):
            if getattr(self, name) is None:
                raise BadGame(
                    f"rules need {name}, unless perfect_information=True says that nothing is hidden"
                )
        names = self.State.names or ()
        if tuple(names[: len(HEADER)]) != HEADER:
            raise BadGame(f"a state must begin with the fields {', '.join(HEADER)}")
        for name in COMPILED:
            fn = getattr(self, name)
            if not is_rule(fn) and not (fn is None and name == "partial"):
                raise BadGame(f"{name} is not a rule")
        if self.playout is not None:
            _check_playout(self.playout)
        if self.chance is not None and self.lay_out is None:
            raise BadGame("chance lists deals as layouts, so it needs lay_out")
        for option in self.options:
            if option.name not in names:
                raise BadGame(f"option {option.name} is not a field of the state")
            fault = option.fault(self.State[option.name])
            if fault:
                raise BadGame(f"option {option.name}: {fault}")
        for name in self.scratch:
            if name not in names:
                raise BadGame(f"scratch field {name} is not in the state")
        at = 0
        for feature in self.observation:
            if feature.start != at or feature.length < 1:
                raise BadGame(f"observation feature {feature.name} does not start at {at}")
            if fault := feature.fault():
                raise BadGame(f"observation feature {feature.name}: {fault}")
            at += feature.length
        boards = {f.shape[-2:] for f in self.observation if f.shape}
        if len(boards) > 1:
            raise BadGame("all boards of an observation must have the same shape")
        if self.first_cell is not None and not (
            boards and 0 <= self.first_cell <= self.actions - math.prod(next(iter(boards)))
        ):
            raise BadGame(f"first_cell {self.first_cell} leaves some cells without an action")
        self._check_symmetries(next(iter(boards), ()))
        low, high = self.seats
        if not 1 <= low <= high <= self.State["payoff"].shape[0]:
            raise BadGame(f"seats {self.seats} do not fit the payoff field")

    def _check_symmetries(self, board: tuple[int, ...]) -> None:
        if self.symmetries not in (1, 2, 4, 8):
            raise BadGame(f"symmetries must be 1, 2, 4 or 8, not {short(self.symmetries)}")
        if self.symmetries > 1 and self.first_cell is None:
            raise BadGame("a game with symmetries needs first_cell, so that actions can be turned")
        if self.symmetries > 2 and board[0] != board[1]:
            raise BadGame("only a square board has more than 2 symmetries")

    @property
    def width(self) -> int:
        """Length of a mask: the actions, padded to a multiple of 32."""
        return -(-self.actions // 32) * 32

    @property
    def observation_size(self) -> int:
        """Length of an observation."""
        return sum(f.length for f in self.observation)


def _check_playout(fn: Any) -> None:
    """Raise `BadGame` for a playout policy that is no rule or takes other arguments than it is given."""
    if not is_rule(fn):
        raise BadGame("playout is not a rule")
    if kinds_of(fn) != ["state", "u1[:]", "i8", "u4[:]", "i8[:]"]:
        raise BadGame('playout takes s, mask, n, rng and work: @rule(work="i8[:]")')


class OpenView:
    """The view of a game of perfect information: every field except the generator."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def __call__(self, s: Record, seat: int) -> dict[str, Any]:
        """Return all fields of the state as JSON."""
        hidden = {"rng", *self._rules.scratch}
        return {name: s[name].tolist() for name in s.dtype.names or () if name not in hidden}


class ViewChanges:
    """The events of a game without `narrate`: one event whenever the viewer's view changes."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules

    def __call__(self, before: Record, action: int, seat: int) -> list[Event]:
        """Return one event if `seat` can see a difference, otherwise none."""
        rules = self._rules
        seen = rules.view(copy_state(before), seat)
        after = copy_state(before)
        rules.apply(after, action)
        return [{"event": "change"}] if rules.view(after, seat) != seen else []


# --- words ----------------------------------------------------------------------------


def say_number(action: int) -> str:
    """Return an action as text: its number."""
    return str(action)


def parse_number(text: str) -> int:
    """Return the action whose number `text` is; raise `BadText` otherwise."""
    words = text.strip() if isinstance(text, str) else ""
    if not (words.isascii() and words.isdigit() and len(words) < 10):
        raise BadText(f"{short(text)} is not the number of an action")
    return int(words)


def no_label(action: int, seat: int, seats: int) -> Line | None:
    """Return nothing: `Game.label` then shows the action as `say` writes it."""
    return None


def no_drawing(s: Record, seat: int, lang: str) -> str:
    """Return "", so that `Game.drawing` shows the view as data."""
    return ""


@dataclass(frozen=True, eq=False)
class Words:
    """What players read: sentences from the game's message files, and actions as text."""

    messages: Messages = field(default_factory=lambda: Messages({}))
    line: Callable[[Event], Line | None] = None  # type: ignore[assignment]  # by default `log.<event>`
    say: Callable[[int], str] = say_number
    parse: Callable[[str], int] = parse_number  # the inverse of `say`; BadText
    label: Callable[[int, int, int], Line | None] = no_label  # (action, seat, seats): on the seat's button
    draw: Callable[..., str] = no_drawing  # (s, seat, lang) or (s, seat, lang, names): as a seat sees it
    # by language; default: the README files of the package
    rules_text: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        line: Any = self.line
        if line is None:
            object.__setattr__(self, "line", EventLine(self.messages))


@cache
def takes_names(draw: Callable[..., str]) -> bool:
    """Return whether a drawing has a parameter `names` for the names of the seats."""
    try:
        return "names" in inspect.signature(draw).parameters
    except (TypeError, ValueError):  # built in: nobody can say
        return False


class EventLine:
    """The line of an event that has a message named after it, `log.<event>`, with its fields as values."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    def __call__(self, event: Event) -> Line | None:
        """Return the line, or None for an event without a message."""
        key = f"log.{event.get('event')}"
        if self._messages.find(key) is None:
            return None
        return key, {name: _value(name, value) for name, value in event.items() if name != "event"}


def _value(name: str, value: Any) -> Any:
    if name in SEATS and isinstance(value, int):
        return seat_value(value)
    return value if isinstance(value, int | str) else json.dumps(value)


# --- what only some games have --------------------------------------------------------


def no_answer(s: Record) -> int | None:
    """Return None: no decision is an answer that must be hidden from others."""
    return None


def no_hold(event: Event) -> bool:
    """Return False: no event opens a window."""
    return False


def no_pause(before: Record, action: int, seat: int) -> Record | None:
    """Return None: no action opens a window."""
    return None


@dataclass(frozen=True)
class Windows:
    """How a table on the network hides which seats are asked (page "The contract of a game", "Windows")."""

    # the declining action if this decision is a hidden answer
    sealed: Callable[[Record], int | None] = no_answer
    held: Callable[[Event], bool] = no_hold  # whether a window may open after this event
    # the state shown to a seat that is not asked
    pause: Callable[[Record, int, int], Record | None] = no_pause


@dataclass(frozen=True)
class Device:
    """Hints for a GPU, where a warp is as slow as its slowest lane. They never change a byte of a state.

    A game with a rare long step may split `apply` into `act` and `rest`. `gather` is the number of
    lanes of a warp that must be waiting before they deal, or take that step, together.
    """

    gather: int = 1
    act: Any = None  # rule(s, action) -> 1 when the long step is due
    rest: Any = None  # rule(s): the long step; `apply` equals `act`, followed by `rest` if it is due

    def check_shape(self) -> None:
        """Raise `BadGame` if the hints are inconsistent. `Game` calls this."""
        if (self.act is None) != (self.rest is None):
            raise BadGame("act and rest are the two parts of apply; define both or neither")
        for name in ("act", "rest"):
            if getattr(self, name) is not None and not is_rule(getattr(self, name)):
                raise BadGame(f"{name} is not a rule")
        if not 1 <= self.gather <= 32:
            raise BadGame("gather must be a number of lanes from 1 to 32")


@dataclass(frozen=True)
class Guided:
    """How `search+net` plays a game that ships an mlp: the net's favourites, played out by the net."""

    simulations: int = 200
    place: int = 1  # as in `AgentSpec`
    offered: bool = False  # as an agent of the game; only where it is stronger than `net` and `search`
    width: int = 4  # actions of the net that are played out
    floor: float = 0.02  # an action less likely for the net than so much of its best is left out
    doubt: float = 0.0  # as in `Search`
    caution: float = 10.0
    cut: int = 0  # own decisions of a playout before the net judges the position; 0: to the end
    unit: float = 1.0  # payoff that the net calls 1
    heat: float = 0.0  # temperature of the net's choices in a playout; 0: always its best


@dataclass(frozen=True)
class Search:
    """How the search plays a game. All of it is optional, and none of it changes the rules.

    `prior` says which actions are worth a look, `value` what a position is worth without playing it out. Both
    read a world in which everything is known. `work` is int64 scratch of one thread: zero at first, kept
    from call to call, and never a reason for another answer.
    """

    simulations: int = 1000  # of the agent `search`
    place: int = 1  # of that agent among the game's bots
    named: tuple[tuple[str, int], ...] = ()  # further agents by name: their simulations
    flat: bool = False  # no tree: only the first action is searched, by sequential halving
    others: bool = True  # other seats are searched too; False: they play by the playout policy
    explore: float = 1.0  # weight of the uncertainty of an action
    lean: float = 1.0  # weight of `prior`
    width: int = 0  # actions of the highest prior that `flat` looks at; 0: all
    doubt: float = (
        1.0  # standard errors by which `flat` must find an action better than that of the highest prior
    )
    caution: float = 0.0  # the same, times the error in standard deviations of a payoff: fades with thought
    expand: int = 1  # visits of a leaf before it is expanded
    horizon: int = 2000  # actions of a playout before `value` ends it
    cut: int = 0  # own decisions of a playout of `flat` before `value` ends it; 0: no limit
    work: int = 0  # entries of `work`, for `Rules.playout`, `prior` and `value`
    prior: Any = (
        None  # rule(s, mask, n, work, weights): weights (actions,) >= 0 of the legal actions; 0: leave out
    )
    value: Any = None  # rule(s, rng, work, values): expected payoffs by seat; None: the payoffs as they stand
    guided: Guided = field(default_factory=Guided)

    def check_shape(self) -> None:
        """Raise `BadGame` if a hook is no rule or a number is out of range; `Game` asks."""
        for name in ("prior", "value"):
            if getattr(self, name) is not None and not is_rule(getattr(self, name)):
                raise BadGame(f"{name} is not a rule")
        counts = [self.simulations, *(count for _, count in self.named)]
        if min(counts) < 1 or min(self.width, self.horizon, self.work, self.cut) < 0 or self.expand < 1:
            raise BadGame("a search has at least one simulation, and no negative numbers")


@dataclass(frozen=True)
class Levels:
    """The levels that people choose from, weakest first, and what may be forgotten in a game of memory.

    A level is the description of an agent, such as `net~t1~o0.2` (bots/erring.py). `shown` and `forget` are
    plain Python.
    """

    agents: tuple[str, ...] = ()
    # function(s, seat): what the seat knows only because it was shown, by number; True: it was shown just now
    shown: Callable[[Any, int], dict[int, bool]] | None = None
    # function(s, facts): hide these again, in place
    forget: Callable[[Any, set[int]], None] | None = None

    def check_shape(self) -> None:
        """Raise `BadGame` if a level is no text, or only one of the functions is given; `Game` asks."""
        if not all(isinstance(text, str) and text for text in self.agents):
            raise BadGame("levels are texts that describe agents")
        if (self.shown is None) != (self.forget is None):
            raise BadGame("a game of memory has both `shown` and `forget`")


@dataclass(frozen=True)
class Terminal:
    """What the terminal loads for a game: names of modules, because they need `rich`."""

    screen: str | None = None  # "module:NAME" of its screen; None: the generic screen
    live: str | None = None  # "module" with run(args): real-time play in the terminal


def always_zero_sum(s: Record) -> bool:
    """Return True: chips change hands and none are created."""
    return True


@dataclass(frozen=True)
class Checks:
    """What `qipai.testing` and the documentation need to know about a game."""

    pieces: Callable[[Record], Any] | None = None  # what is conserved from the deal on
    zero_sum: Callable[[Record], bool] = always_zero_sum
    unit: str = "points"  # what payoffs are counted in
    payoffs: tuple[int, int] | None = None  # least and greatest payoff of a seat by the default options
    examples: tuple[Example, ...] = ()
    twins: tuple[Twins, ...] = ()
    run_vector: Callable[..., dict[str, Any]] | None = None  # runs one conformance vector of the game
