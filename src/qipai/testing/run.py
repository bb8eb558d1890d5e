"""One run of the check: the settings, the games by number, and the results."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from qipai.core import NOBODY, Game, Option, State, pick, seed_words
from qipai.core.errors import BadGame, BadOption
from qipai.core.explain import where
from qipai.core.progress import Progress

from .loops import CHANCE, CHOICE
from .pieces import PieceBook
from .report import Case, Failure, Property, Report
from .watch import Stuck, Watch

FEW = 8  # options with at most this many values are tried completely
WALKS = 20  # minimum number of games checked action by action
CLOSE = 24  # plies of such a game that are all checked; later ones less and less often
LOOKS = 400  # minimum number of close checks in total


class Run:
    """The state that all stages of a check share."""

    def __init__(
        self,
        game: Game,
        games: int,
        seed: int,
        options: Sequence[Mapping[str, Any]] | None,
        seats: Sequence[int] | None,
        variant: str,
        parity_games: int,
        progress: Progress | None,
    ) -> None:
        self.game = game
        self.games = games
        self.seed = seed
        self.variant = variant
        self.parity_games = parity_games
        self.settings = make_settings(game, options, seats)
        self.blanks = [game.blank(chosen, count) for chosen, count in self.settings]
        self.usual = self._usual()
        self.walks = min(games, max(WALKS, 2 * len(self.settings), games // 100))
        self.share = 1.0  # share of the possible moments that are checked closely
        self.report = Report(game.name, settings=len(self.settings))
        self.watch = Watch()
        self.pieces = PieceBook()
        self._progress = progress

    def _usual(self) -> list[int]:
        """Return the settings with the first option set: every second game is played with one of them."""
        first = self.settings[0][0]
        return [i for i, (options, _) in enumerate(self.settings) if options == first]

    # --- the book -------------------------------------------------------------------

    def count(self, prop: Property, n: int = 1) -> None:
        """Record that `prop` was checked `n` times and held."""
        self.report.counts[prop] = self.report.counts.get(prop, 0) + n

    def fail(self, prop: Property, message: str, case: Case | None = None) -> NoReturn:
        """Record that `prop` does not hold."""
        raise Failure(prop, message, case)

    def require(self, holds: bool, prop: Property, message: str, case: Case | None = None) -> None:
        """Count `prop` when it holds, fail it when not."""
        if not holds:
            self.fail(prop, message, case)
        self.count(prop)

    @contextmanager
    def guard(self, prop: Property, what: str, case: Case | None = None) -> Iterator[None]:
        """Turn everything that the game's code raises into a failure of `prop`."""
        try:
            yield
        except Failure:
            raise
        except Exception as error:
            message = f"{what} raised {type(error).__name__}: {error}{where(error)}"
            raise Failure(prop, message, case) from error

    @contextmanager
    def compiling(self) -> Iterator[None]:
        """Report rules that do not compile as a failure, with the message of the error."""
        try:
            yield
        except BadGame as error:
            raise Failure(Property.COMPILE, str(error)) from error
        except Exception as error:
            raise Failure(Property.COMPILE, f"{type(error).__name__}: {error}{where(error)}") from error
        self.count(Property.COMPILE)

    def watched(self, call: Callable[[], Any], name: str, case: Case) -> Any:
        """Return what a compiled rule returns; a rule that hangs is a failure."""
        try:
            return self.watch(call, lambda: name, lambda: 0)
        except Stuck as stuck:
            self.fail(Property.LENGTH, str(stuck), case)

    def tick(self, done: int, total: int, name: str) -> None:
        """Report the progress of the run."""
        if self._progress is not None:
            self._progress(done, total, name)

    # --- games by number ------------------------------------------------------------

    def setting(self, number: int) -> int:
        """Return the setting of game `number`: every second one has the usual options."""
        if number % 2 == 0:
            return self.usual[number // 2 % len(self.usual)]
        return number // 2 % len(self.settings)

    def case(self, number: int) -> Case:
        """Return the start of game `number`."""
        options, seats = self.settings[self.setting(number)]
        return Case(self.seed, number, options, seats, self.words(number, CHANCE))

    def words(self, number: int, stream: int) -> tuple[int, int, int, int]:
        """Return the generator words of game `number` for one purpose."""
        return self.seed & 0xFFFFFFFF, self.seed >> 32 & 0xFFFFFFFF, number & 0xFFFFFFFF, stream

    def pace(self) -> None:
        """Spread the close checks over the walks, once the usual length of a game is known."""
        plies = self.report.decisions / max(1, self.report.games)
        a_walk = plies if plies < CLOSE else CLOSE * (1 + math.log(plies / CLOSE))
        self.share = min(1.0, max(LOOKS, self.games // 5) / max(1.0, self.walks * a_walk))

    def is_time(self, case: Case, share: float | None = None) -> bool:
        """Return whether to check closely here."""
        if (case.ply + case.number) % max(1, case.ply // CLOSE) != 0:
            return False
        chance = (case.number * 7919 + case.ply * 104729) % 1009 / 1009
        return chance < (self.share if share is None else share)

    def chooser(self, number: int) -> NDArray[np.uint32]:
        """Return the generator that chooses the actions of game `number`."""
        self.game.compile()
        rng = np.zeros(4, np.uint32)
        seed_words(rng, *self.words(number, CHOICE))
        return rng

    def choose(self, s: State, rng: NDArray[np.uint32], case: Case) -> int:
        """Return a random legal action; fail if the game is too long or stuck."""
        if case.ply >= self.game.rules.length:
            self.fail(Property.LENGTH, f"still going on after {self.game.rules.length} actions", case)
        mask = self.game.mask(s)
        if not mask.any():
            self.fail(Property.MASK, f"empty for seat {int(s['seat'])}", case)
        return int(pick(rng, mask, int(np.count_nonzero(mask))))


def viewers(s: State) -> range:
    """Return every seat of the game, and the watcher (-1)."""
    return range(-1, int(s["seats"]))


def running(s: State) -> bool:
    """Return whether a seat still decides."""
    return int(s["seat"]) != NOBODY


def make_settings(
    game: Game,
    options: Sequence[Mapping[str, Any]] | None,
    seats: Sequence[int] | None,
) -> list[tuple[Mapping[str, Any], int]]:
    """Return option sets with seat counts; by default the defaults, and every other value of each option."""
    low, high = game.rules.seats
    counts = range(low, high + 1) if seats is None else seats
    found: list[tuple[Mapping[str, Any], int]] = []
    for chosen in default_options(game) if options is None else options:
        for count in counts:
            try:
                game.blank(chosen, count)
            except BadOption:
                if options is not None or not chosen:
                    raise
                continue  # a combination that the game refuses by name
            found.append((dict(chosen), count))
    return found


def default_options(game: Game) -> list[dict[str, Any]]:
    """Return the defaults, then each option's other values, one at a time."""
    found: list[dict[str, Any]] = [{}]
    for option in game.rules.options:
        found.extend({option.name: v} for v in values_of(option) if v != option.show(option.default))
    return found


def values_of(option: Option) -> list[str | int]:
    """Return the values of an option to try: all of them, or the ends and the middle of a long range."""
    if option.choices is not None:
        return list(option.choices)
    if option.high - option.low < FEW:
        return list(range(option.low, option.high + 1))
    return [option.low, option.low + 1, (option.low + option.high) // 2, option.high]
