"""Redrawn worlds are the worlds that a viewer's history allows, and nothing in them reveals the true one.

Three comparisons, of thousands of worlds each:

- **Deals.** The deal of a random game is itself a world that fits what a viewer sees of it. So deals, and the
  worlds redrawn from them, must be alike over many games.
- **Histories.** Worlds are dealt again (in a short game) or redrawn at an earlier decision (in a long one)
  and played through the same history: the viewer's own actions, and any actions of the others
  that show it the same observations. The worlds that survive are those that `determinize` has to draw from.
  If the others could have done in all of them what they did, each has to be as likely.
- **Sights.** Redrawn for the viewer, all worlds that it cannot tell apart must give the same. A difference
  would tell an agent which world is the true one.

Worlds are compared by what all viewers observe in them, now and some random actions later, because two
states may contain the same world in different order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game, State, copy_state
from qipai.core.state import HEADER

from . import world_loops as loops
from .drawer import (
    DEAL,
    ENOUGH,
    PLAY,
    PLAY_OTHERS,
    REDRAW_OTHERS,
    TRY,
    Drawer,
    History,
    Worlds,
    make_history,
)
from .play import feature_at
from .report import Case, Failure, Property
from .run import Run, running
from .samples import SURE, Clause, Table, largest_gap, never_found
from .tape import deals_like
from .told import as_text

SETTINGS = 6  # maximum number of settings whose deals are compared
HISTORIES = 8  # minimum number of games whose histories are compared
PLAIN_SETTINGS, PLAIN_HISTORIES = 2, 3  # the same if rules are not compiled
LONGEST = 2000  # maximum actions of a game that is analysed
EARLY = 12  # plies of a history that begins with the deal
REDRAWS = 40  # worlds redrawn from each of two to find what is never redrawn
OTHERS = 6  # worlds compared with the true one in that way
DETOURS = 12  # worlds with moments more or less than the true one that are compared
FEW = 4  # values of a number of the state that are looked at

Which = NDArray[np.intp]


def check_worlds(run: Run) -> None:
    """Compare redrawn worlds with deals, and with the worlds that a history allows."""
    with run.compiling():
        drawer = Drawer(run)
    number = 0
    most = PLAIN_SETTINGS if drawer.plain else SETTINGS
    chosen = range(0, len(run.settings), -(-len(run.settings) // most))
    for setting in chosen:
        seats = run.settings[setting][1]
        for viewer in range(-1, seats) if setting == 0 else (number % seats,):
            run.tick(number, len(chosen) + seats, "deals and redrawn worlds")
            _check_deals(run, drawer, setting, viewer, number)
            number += 1
    games = min(run.games, PLAIN_HISTORIES if drawer.plain else HISTORIES + run.games // 2000)
    for k in range(games):
        run.tick(k, games, "worlds of a history")
        for history, case in histories(run, k):
            with run.guard(Property.WORLDS, "drawing worlds", case):
                Position(run, drawer, history, case, number).check()
            number += 1


# --- deals ------------------------------------------------------------------------------


def _check_deals(run: Run, drawer: Drawer, setting: int, viewer: int, number: int) -> None:
    """Compare deals with redrawn ones, and deals that the viewer cannot tell apart with each other."""
    options, seats = run.settings[setting]
    blank = run.blanks[setting]
    case = Case(run.seed, number, options, seats, (*drawer.words(number, DEAL), 0))
    with run.guard(Property.WORLDS, f"redrawing deals for seat {viewer}", case):
        rows = drawer.deal_rows(blank) if setting == 0 and viewer <= 0 else drawer.rows
        dealt = drawer.deals(blank, rows, number)
        dealt = dealt[dealt["seat"] >= 0]
        first, others = deals_like(run.game, blank, viewer, case.words)
        if is_secret(drawer, dealt, viewer, number) or (others["seat"] != first["seat"]).any():
            return  # the seat to move is hidden, and so is which moment this is
        if len(dealt) >= ENOUGH:
            _compare_deals(run, drawer, dealt, viewer, number, case)
        shown = as_text(run.game.rules.view(first, viewer))
        others = others[[as_text(run.game.rules.view(s, viewer)) == shown for s in others]]
        if len(others):
            history = make_history(run.game, viewer, [first], [], 0, 0)
            Position(run, drawer, history, case, number).check_sights(others, others[:0])
            run.count(Property.SIGHT, len(others))


def is_secret(drawer: Drawer, worlds: Worlds, viewer: int, number: int) -> bool:
    """Return whether worlds that look the same to `viewer` ask different seats."""
    size = drawer.game.observation_size
    some = worlds[: drawer.rows]
    if not len(some):
        return False
    seen = drawer.looks(some, number, PLAY)[:, (viewer + 1) * size : (viewer + 2) * size]
    _, group = np.unique(seen, axis=0, return_inverse=True)
    pairs = np.unique(np.stack([group.ravel(), some["seat"]], 1), axis=0)
    return len(pairs) > int(group.max()) + 1


def _compare_deals(run: Run, drawer: Drawer, dealt: Worlds, viewer: int, number: int, case: Case) -> None:
    again = drawer.redrawn(dealt, viewer, number)
    gap = largest_gap(*tables(drawer, dealt, again, number))
    if gap.size > SURE:
        place = place_name(run.game, gap.column, dealt)
        message = f"over {len(dealt)} deals such as this, worlds redrawn for seat {viewer} are not like deals"
        run.fail(Property.WORLDS, f"{message}: {place} differs by {gap.size:.0f} standard deviations", case)
    run.count(Property.WORLDS, len(dealt))


# --- histories --------------------------------------------------------------------------


def histories(run: Run, number: int) -> Iterator[tuple[History, Case]]:
    """Yield histories of a random game: its deal, one up to an early decision, one between two decisions."""
    case = run.case(number)
    states, actions = _played(run, case, number)
    if not actions:
        return
    viewer = number % (case.seats + 1) - 1
    yield make_history(run.game, viewer, states, actions, 0, 0), case
    later = _decisions(states[: len(actions)])
    for plies, from_deal in (([p for p in later if p <= EARLY], True), (later, False)):
        if not plies:
            continue
        end = plies[(7 * number + 3) % len(plies)]
        viewer = int(states[end]["seat"])
        before = [ply for ply in range(end) if int(states[ply]["seat"]) == viewer]
        start = 0 if from_deal or not before else before[-1]
        history = make_history(run.game, viewer, states, actions, start, end)
        yield history, replace(case, actions=actions[:end])


def _decisions(states: list[State]) -> list[int]:
    """Return plies at which a seat decides and another one did before; in a game of one seat, all of them."""
    later = range(1, len(states))
    found = [ply for ply in later if int(states[ply]["seat"]) != int(states[ply - 1]["seat"])]
    return found or list(later)


def _played(run: Run, case: Case, number: int) -> tuple[list[State], list[int]]:
    """Return the states and actions of a random game, up to its end or as far as it is looked at."""
    s = case.replay(run.game)
    rng = run.chooser(number)
    states = [copy_state(s)]
    actions: list[int] = []
    while running(s) and len(actions) < LONGEST:
        actions.append(run.choose(s, rng, case))
        run.game.rules.apply(s, actions[-1])
        states.append(copy_state(s))
    return states, actions


class Position:
    """The end of a history: the true world, and others that the viewer cannot tell from it."""

    def __init__(self, run: Run, drawer: Drawer, history: History, case: Case, number: int) -> None:
        self.run = run
        self.game = run.game
        self.drawer = drawer
        self.history = history
        self.case = case
        self.number = number
        self.viewer = history.viewer
        self.redraws = False  # the worlds were redrawn at an earlier decision, and not dealt again
        self.exact = False  # every world is as likely as its random numbers, whatever the others intended

    def check(self) -> None:
        """Find worlds with the same history; compare them with redrawn ones."""
        worlds, paths = self._find()
        straight = paths[:, loops.DETOURS] == 0
        asked = self._told_alike(np.flatnonzero(~straight)[:DETOURS], paths)
        alike = np.flatnonzero(straight)
        try:
            self._check_all(worlds, alike, asked)
        except Failure:
            # The observations are equal, but a view or an event may reveal more: compare each world.
            same = self._told_alike(alike, paths)
            if len(same) == len(alike):
                raise
            self._check_all(worlds, same, asked)
        self.run.count(Property.WORLDS, len(alike))
        self.run.count(Property.SIGHT, len(alike) + len(asked))

    def _find(self) -> tuple[Worlds, NDArray[np.int32]]:
        """Return worlds that fit, dealt again if that is possible, and their paths."""
        drawer, history = self.drawer, self.history
        blank = self.game.blank(self.case.options, self.case.seats)
        found = drawer.many(blank, 0), drawer.paths[:0]
        if history.dealt:
            found = drawer.find(history, blank, False, self.number)
        if len(found[0]) < ENOUGH and history.actions:
            self.redraws = True
            found = drawer.find(history, blank, True, self.number)
        free = drawer.tally[loops.HIDDEN] == 0 and drawer.tally[loops.BLOCKED] == 0
        self.exact = bool(free) and not history.hidden
        return found

    def _check_all(self, worlds: Worlds, alike: Which, asked: Which) -> None:
        """Check what an agent is given and, if all worlds that fit can be found, which ones are drawn."""
        others = worlds[np.concatenate([asked, alike])]
        if not self.history.waits and (others["seat"] != self.history.end["seat"]).any():
            return  # the seat to move is hidden, and so is which moment this is
        if len(others):
            self.check_sights(others, worlds[alike])
        if len(alike) >= ENOUGH and not len(asked):
            self._check_drawn(worlds[alike])

    # --- what an agent is given -----------------------------------------------------------

    def check_sights(self, others: Worlds, sample: Worlds) -> None:
        """Check that the true world and `others`, redrawn for the viewer, are the same.

        `sample` are worlds drawn at random from those that fit, to see what a number tells.
        """
        kept = self._kept(others)
        for column, values in kept.items():
            if entry_of(self.game, column)[0] in HEADER:
                self._fail_sight(column, values)
        if self._is_same(others):
            return
        drawer, number = self.drawer, self.number
        given = drawer.redrawn(self._true(drawer.rows), self.viewer, number)
        again = drawer.redrawn(np.resize(others, drawer.rows), self.viewer, number, REDRAW_OTHERS)
        gap = largest_gap(drawer.looks(given, number, PLAY), drawer.looks(again, number, PLAY_OTHERS))
        for column, values in kept.items():
            if gap.size > SURE or self._tells(column, sample):
                self._fail_sight(column, values)
        if gap.size > SURE:
            place = place_name(self.game, gap.column, given)
            message = f"seat {self.viewer} cannot tell some worlds apart, but redrawn for it they differ"
            self.run.fail(Property.SIGHT, f"{message} in {place}", self.case)

    def _is_same(self, others: Worlds) -> bool:
        """Return whether all worlds redrawn with the same chance give the same numbers."""
        rows = min(len(others), self.drawer.rows)
        both = (self.drawer.redrawn(w, self.viewer, self.number) for w in (self._true(rows), others[:rows]))
        one, other = (entries(self.game, worlds) for worlds in both)
        return np.array_equal(one, other)

    def _true(self, rows: int) -> Worlds:
        return self.drawer.many(self.history.end, rows)

    def _kept(self, others: Worlds) -> dict[int, tuple[int, int]]:
        """Return what is always one thing in the true world redrawn, and another in another world redrawn."""
        found: dict[int, tuple[int, int]] = {}
        one = entries(self.game, self.drawer.redrawn(self._true(REDRAWS), self.viewer, self.number))
        for world in self._unlike(others):
            again = self.drawer.many(world, REDRAWS)
            again = self.drawer.redrawn(again, self.viewer, self.number, REDRAW_OTHERS)
            other = entries(self.game, again)
            still = (one == one[0]).all(0) & (other == other[0]).all(0)
            for column in np.flatnonzero(still & (one[0] != other[0])):
                found.setdefault(int(column), (int(one[0][column]), int(other[0][column])))
        return found

    def _unlike(self, others: Worlds) -> Iterator[State]:
        """Yield some worlds that differ from the true one, those of another length first."""
        order = np.argsort(others["ply"] == self.history.end["ply"], kind="stable")
        true = entries(self.game, self._true(1))
        found = 0
        for i in order:
            if found < OTHERS and not np.array_equal(entries(self.game, others[i : i + 1]), true):
                found += 1
                yield others[i]

    def _tells(self, column: int, sample: Worlds) -> bool:
        """Return whether a number tells something about the worlds in which it is found.

        Which of several equal cards it is does not, for example.
        """
        if len(sample) < ENOUGH:
            return False
        values = entries(self.game, sample)[:, column]
        looks = self.drawer.looks(sample, self.number, PLAY)
        common, counts = np.unique(values, return_counts=True)
        for value in common[np.argsort(-counts)][:FEW]:
            here = values == value
            if min(here.sum(), (~here).sum()) < ENOUGH // 10:
                continue
            if largest_gap(looks[here], looks[~here]).size > SURE:
                return True
        return False

    def _fail_sight(self, column: int, values: tuple[int, int]) -> None:
        name = entry_name(self.game, column)
        said = f"{name} is always {values[0]} in one and {values[1]} in the other"
        message = f"seat {self.viewer} cannot tell two worlds apart, but redrawn for it {said}"
        how = "redraw it, clear it, or set it from what the seat knows, for agents see it"
        self.run.fail(Property.SIGHT, f"{message}: {how}", self.case)

    # --- which worlds are drawn -----------------------------------------------------------

    def _check_drawn(self, worlds: Worlds) -> None:
        """Check that the worlds that fit and those redrawn from the true one are the same, and as likely."""
        given = self.drawer.redrawn(self._true(len(worlds)), self.viewer, self.number)
        fits, drawn = tables(self.drawer, worlds, given, self.number, self._is_plain(worlds, given))
        way = "redrawn at an earlier decision" if self.redraws else "dealt again"
        found = f"seat {self.viewer}: {len(worlds)} worlds, {way}, show the same history"
        for one, other, what in (
            (drawn, fits, "drawn, but are not among them"),
            (fits, drawn, "never drawn"),
        ):
            clauses = never_found(one, other)
            if clauses is not None:
                said = " and ".join(self._say(clause, worlds) for clause in clauses)
                self.run.fail(Property.WORLDS, f"{found}; worlds in which {said} are {what}", self.case)
        gap = largest_gap(fits, drawn)
        if self.exact and gap.size > SURE:
            place = place_name(self.game, gap.column, worlds)
            message = f"{found}; in redrawn ones {place} differs by {gap.size:.0f} standard deviations"
            self.run.fail(Property.WORLDS, message, self.case)

    def _is_plain(self, worlds: Worlds, given: Worlds) -> bool:
        """Return whether the worlds agree in everything that is never redrawn.

        Otherwise their numbers cannot be compared: some cards are alike, and each world has its own of them.
        """
        one, other = entries(self.game, worlds), entries(self.game, given)
        return not ((other == other[0]).all(0) & (one != other[0]).any(0)).any()

    def _say(self, clause: Clause, worlds: Worlds) -> str:
        verb = "is" if clause.holds else "is not"
        return f"{place_name(self.game, clause.column, worlds)} {verb} {clause.value}"

    # --- what was told --------------------------------------------------------------------

    def _told_alike(self, which: Which, paths: NDArray[np.int32]) -> Which:
        """Return the worlds in which the viewer was told and shown the same as in the true one."""
        if not len(which):
            return which
        true = self._told(copy_state(self.history.start), list(self.history.actions))
        same = [i for i in which if self._told(*self._path(paths[i])) == true]
        return np.array(same, np.intp)

    def _path(self, path: NDArray[np.int32]) -> tuple[State, list[int]]:
        """Return the state with which a try began, and its actions."""
        words = (*self.drawer.words(self.number, TRY), int(path[loops.BEGUN]))
        if self.redraws:
            s = self.game.redrawn(self.history.start, self.viewer, words)
        else:
            s = self.game.new(self.case.options, self.case.seats, words)
        return s, path[loops.ACTIONS :][: path[loops.LENGTH]].tolist()

    def _told(self, s: State, actions: list[int]) -> list[str]:
        """Return the views of the viewer where it decides and at the end, and the events it was told."""
        game, viewer = self.game, self.viewer
        told: list[str] = []
        for action in actions:
            if int(s["seat"]) == viewer:
                told.append(as_text(game.rules.view(s, viewer)))
            told += [as_text(event) for event in game.rules.narrate(s, action, viewer)]
            game.rules.apply(s, action)
        told.append(as_text(game.rules.view(s, viewer)))
        return told


# --- worlds as numbers --------------------------------------------------------------------


def tables(
    drawer: Drawer, one: Worlds, other: Worlds, number: int, with_fields: bool = True
) -> tuple[Table, Table]:
    """Return what shows in two samples of worlds, now and later, and their fields of one number.

    A field that is constant in `other` is left out: a redrawn world may clear what is no longer needed.
    """
    game = drawer.game
    looks = drawer.looks(one, number, PLAY), drawer.looks(other, number, PLAY_OTHERS)
    if not with_fields:
        return looks
    scalars = [f for f in known_fields(game) if not game.rules.State[f].shape and f != "ply"]
    scalars = [f for f in scalars if (other[f] != other[f][0]).any()]
    found = []
    for worlds, table in zip((one, other), looks, strict=True):
        numbers = [worlds[f].astype(np.int64) for f in scalars]
        found.append(np.hstack([table, *(n[:, None] for n in numbers)]))
    return found[0], found[1]


def place_name(game: Game, column: int, worlds: Worlds) -> str:
    """Return the name of a column of `tables`."""
    if column < 0:
        return "something in several places at once"
    size = game.observation_size
    when, rest = divmod(column, (int(worlds[0]["seats"]) + 1) * size)
    if when > 1:
        return "a field of one number"
    later = " some random actions later" if when else ""
    return f"what seat {rest // size - 1} observes in {feature_at(game, rest % size)}{later}"


def known_fields(game: Game) -> list[str]:
    """Return the fields that an agent is given: all except the generator and scratch space."""
    return [name for name in game.rules.State.names or () if name not in ("rng", *game.rules.scratch)]


def entries(game: Game, worlds: Worlds) -> NDArray[np.int64]:
    """Return everything that an agent is given, one column per number."""
    columns = [worlds[f].reshape(len(worlds), -1) for f in known_fields(game)]
    return np.hstack([c.astype(np.int64) for c in columns])


def entry_name(game: Game, column: int) -> str:
    """Return the name of a column of `entries`."""
    name, at = entry_of(game, column)
    shape = game.rules.State[name].shape
    if not shape:
        return name
    return f"{name}[{', '.join(str(int(i)) for i in np.unravel_index(at, shape))}]"


def entry_of(game: Game, column: int) -> tuple[str, int]:
    """Return the field that a column of `entries` belongs to, and which number of it that is."""
    for name in known_fields(game):
        size = int(np.prod(game.rules.State[name].shape, dtype=int))
        if column < size:
            return name, column
        column -= size
    raise IndexError(column)
