"""Random games in a compiled loop: every cheap promise, at every ply of every game."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from qipai.core import Game, State, new_states, seed_words
from qipai.core.compiling import compile_rules, rules_digest
from qipai.core.explain import where
from qipai.core.variant import Variant

from . import loops
from .report import Case, Property
from .run import Run
from .watch import Stuck, Watch

LONGEST = 1 << 20  # maximum actions stored for a game that declares no cap

# The texts of the fault numbers of the loops; {one} and {two} are the details.
FAULTS = {
    loops.TOO_LONG: (Property.LENGTH, "still going on after {length} actions"),
    loops.BAD_SEAT: (Property.HEADER, "seat is {one}"),
    loops.BAD_PHASE: (Property.HEADER, "phase is {one}, which is no member"),
    loops.BAD_PLY: (Property.HEADER, "ply is {one}"),
    loops.BAD_CUT: (Property.HEADER, "cut is {one}"),
    loops.BAD_PAYOFF: (Property.HEADER, "the payoff of seat {one} is {two}, beyond 2^30"),
    loops.BAD_SEATS: (Property.HEADER, "seats became {one}"),
    loops.MASK_EMPTY: (Property.MASK, "empty while a seat decides"),
    loops.MASK_COUNT: (Property.MASK, "legal returned {one}, and {two} are set"),
    loops.MASK_VALUE: (Property.MASK, "entry {one} is {two} after legal (7: not written)"),
    loops.MASK_BEYOND: (Property.MASK, "entry {one} beyond the last action is {two}"),
    loops.LEGAL_WRITES: (Property.PURE, "legal changed the state at {field}"),
    loops.OBSERVE_WRITES: (Property.PURE, "observe for seat {one} changed the state at {field}"),
    loops.OBSERVE_GAP: (Property.OBSERVATION, "observe for seat {one} does not write entry {two}, {feature}"),
    loops.OBSERVE_RANGE: (
        Property.OBSERVATION,
        "observe wrote {one} to entry {two}, beyond the range of {feature}",
    ),
    loops.PARTIAL_SEAT: (Property.COMPOUND, "seat {one} is in the middle of a move, and seat {two} decides"),
    loops.PARTIAL_VALUE: (Property.COMPOUND, "partial answered {one}: 0 or 1"),
}
LOOPS = ("play_out", "play_on", "deal_again")
EACH_PLY = (Property.HEADER, Property.MASK, Property.OBSERVATION, Property.BOUNDS)
OFTEN = 256  # games between two lines of progress


class Player:
    """The loops with one game's functions in them, and the memory they work on."""

    def __init__(self, game: Game, variant: str, watch: Watch | None = None) -> None:
        self.game = game
        self.watch = watch if variant != "plain" else None  # a plain rule can be stopped as any Python
        self.loops = self._make(variant)
        self.states = new_states(game.rules.State, 4)
        self.raw = self.states.view(np.ndarray).view(np.uint8).reshape(4, game.rules.State.itemsize)
        self.note = np.zeros(4, np.int64)
        self.log = np.zeros(min(game.rules.length, LONGEST) + 1, np.int32)
        self._mask = np.zeros(game.width, np.uint8)
        self._out = np.zeros(game.observation_size, np.int8)
        self._again = np.zeros(game.observation_size, np.int8)
        ranges = [(f.low, f.high) for f in game.rules.observation for _ in range(f.length)]
        self._bounds = np.ascontiguousarray(np.array(ranges, np.int8).reshape(-1, 2).T)
        self._members = np.zeros(128, np.uint8)
        declared = [int(p) for p in game.rules.phases]
        self._members[declared or slice(None)] = 1  # a game may declare no phases
        self.rng = np.zeros(4, np.uint32)

    def _make(self, variant: str) -> dict[str, Any]:
        parts = self.game.functions(variant)
        names = {n: getattr(parts, n) for n in ("deal", "legal", "apply", "observe")}
        names["partial"] = parts.partial or Variant(variant)(loops.never)
        tag = f"{self.game.name}-{self.game.rules.actions}-{rules_digest(names.values())}"
        make = Variant(variant, tag=tag, names={loops.__name__: names})
        made = {name: make(getattr(loops, name)) for name in LOOPS}
        if variant != "plain":
            label = f"testing/{self.game.name}/{self.game.rules.actions}/{variant}"
            compile_rules(list(made.values()), self.game.rules.State, label)
        return made

    def play_out(self, blank: State, words: tuple[int, int, int, int]) -> int:
        """Deal and play a whole game; return a fault number."""
        self.states[loops.GAME] = blank
        self.note[:] = 0
        return self._call("play_out", *self._memory(), *words[:3], *self._limits())

    def play_on(self, s: State, words: tuple[int, int, int, int]) -> int:
        """Play a copy of `s` to the end, choosing by `words`; return a fault number."""
        self.states[loops.GAME] = s
        self.note[:] = 0
        seed_words(self.rng, *words)
        return self._call("play_on", *self._memory(), *self._limits())

    def deal_again(self, blank: State, words: tuple[int, int, int, int]) -> int:
        """Deal over the last game and over a blank state; return the byte that differs, or -1."""
        self.states[loops.FRESH] = blank
        self.note[loops.RULE] = loops.DEAL
        return self._call("deal_again", self.states, self.raw, *words[:3])

    def _call(self, loop: str, *arguments: Any) -> int:
        """Run a loop, watched if nothing else could stop it."""
        call = partial(self.loops[loop], *arguments)
        return int(call() if self.watch is None else self.watch(call, self._at_work, lambda: self.ply))

    def _at_work(self) -> str:
        """Return the rule that was called last, and its action if it has one."""
        rule = loops.RULES[int(self.note[loops.RULE])]
        return f"{rule} of action {int(self.log[self.ply])}" if rule == "apply" else rule

    def _memory(self) -> tuple[Any, ...]:
        return (
            self.states,
            self.raw,
            self._mask,
            self._out,
            self._again,
            self._bounds,
            self._members,
            self.log,
            self.note,
            self.rng,
        )

    def _limits(self) -> tuple[int, int]:
        return self.game.rules.actions, self.game.rules.length

    @property
    def actions(self) -> list[int]:
        """The actions of the last game up to where it stopped."""
        found: list[int] = self.log[: self.ply].tolist()
        return found

    @property
    def ply(self) -> int:
        """How far the last game came."""
        return int(self.note[loops.PLY])

    def say(self, fault: int) -> tuple[Property, str]:
        """Return the property that a fault number breaks, and how."""
        prop, text = FAULTS[fault]
        one, two = int(self.note[loops.ONE]), int(self.note[loops.TWO])
        message = text.format(
            one=one,
            two=two,
            length=self.game.rules.length,
            field=field_at(self.game.rules.State, two),
            feature=feature_at(self.game, two),
        )
        return prop, message


def check_compile(run: Run) -> None:
    """Compile the rules as they are used everywhere, and as they are checked here."""
    for variant in ("compiled", run.variant):
        run.tick(0, 1, f"compiling ({variant})")
        with run.compiling():
            run.game.functions(variant)


def check_play(run: Run) -> None:
    """Play all games: the loop, then what only the end can show."""
    with run.compiling():
        player = Player(run.game, run.variant, run.watch)
    for number in range(run.games):
        if number % OFTEN == 0:
            run.tick(number, run.games, "random games")
        _play_one(run, player, run.blanks[run.setting(number)], run.case(number))
    run.pace()


def _play_one(run: Run, player: Player, blank: State, case: Case) -> None:
    game = run.game
    try:
        fault = player.play_out(blank, case.words)
    except Exception as error:
        case.actions = player.actions
        prop, message = blame(error)
        run.fail(prop, message + _found_plain(game, error, blank, case), case)
    case.actions = player.actions
    if fault != loops.FINE:
        run.fail(*player.say(fault), case)
    end = player.states[loops.GAME]
    decisions = player.ply
    run.report.games += 1
    run.report.decisions += decisions
    for prop in EACH_PLY:
        run.count(prop, decisions + 1)
    run.count(Property.LENGTH)
    run.count(Property.PURE, decisions + 1)
    check_end(run, end, blank, case)
    run.pieces.look(run, player.states[loops.START], end, case)
    try:
        at = player.deal_again(blank, case.words)
    except Exception as error:
        prop, message = blame(error)
        run.fail(prop, f"dealing over a used state: {message}", case)
    field = field_at(game.rules.State, at)
    run.require(at < 0, Property.DEAL, f"{field} depends on the match before", case)


def blame(error: Exception) -> tuple[Property, str]:
    """Return what an error in the rules breaks, and how: numbers that overflow do so only when plain."""
    if isinstance(error, Stuck):
        return Property.LENGTH, str(error)
    plain = isinstance(error, ArithmeticError | Warning)
    return Property.PARITY if plain else Property.BOUNDS, f"{type(error).__name__}: {error}{where(error)}"


def _found_plain(game: Game, error: Exception, blank: State, case: Case) -> str:
    """Play a game again, plain, for the line on which a compiled rule failed; "" if that does not find it."""
    if where(error) or isinstance(error, Stuck):
        return ""  # said already, or nothing that would come back
    try:
        Player(game, "plain").play_out(blank, case.words)
    except type(error) as again:
        return where(again)
    except Exception:
        return ""  # another fault: its line would mislead
    return ""


def check_end(run: Run, end: State, blank: State, case: Case) -> None:
    """Check that options are unchanged, and that payoffs are in range and sum to zero if they should."""
    game = run.game
    for option in game.rules.options:
        if end[option.name] != blank[option.name]:
            run.fail(Property.HEADER, f"option {option.name} changed in play", case)
    with run.guard(Property.ZERO_SUM, "zero_sum", case):
        if game.checks.zero_sum(end):
            payoff = end["payoff"].tolist()
            run.require(sum(payoff) == 0, Property.ZERO_SUM, f"the payoffs are {payoff}", case)
    if game.checks.payoffs is not None and all(end[o.name] == o.default for o in game.rules.options):
        low, high = game.checks.payoffs
        payoff = end["payoff"].tolist()
        fits = low <= min(payoff) and max(payoff) <= high
        run.require(fits, Property.HEADER, f"the payoffs are {payoff}, declared are {low} to {high}", case)


def field_at(dtype: np.dtype[Any], offset: int) -> str:
    """Return the state field that contains byte `offset`."""
    for name in dtype.names or ():
        kind, start = dtype.fields[name][:2]  # type: ignore[index]
        if start <= offset < start + kind.itemsize:
            return str(name)
    return "padding"


def feature_at(game: Game, entry: int) -> str:
    """Return the observation feature that contains `entry`, and which number of it that is."""
    for feature in game.rules.observation:
        if feature.start <= entry < feature.start + feature.length:
            return feature.name if feature.length == 1 else f"{feature.name}[{entry - feature.start}]"
    return "beyond the end"
