"""The checked entry point: `Match` refuses bad input by name, stays unchanged, and its dumps load again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game, QipaiError, registry
from qipai.core.errors import (
    BadLayout,
    BadOption,
    BadRecord,
    BadSeats,
    IllegalAction,
    IncompleteMove,
    MatchOver,
    NotYourTurn,
    StaleVersion,
)
from qipai.core.explain import where

from .report import Case, Property
from .run import Run

if TYPE_CHECKING:
    from qipai.match import Match

MATCHES = 12
PLAYED_OUT = 3  # number of matches played to the end, however long
ENOUGH = 120  # actions of the others
SOME = 5  # illegal actions tried per decision
NOT_ACTIONS: tuple[Any, ...] = (-1, 1 << 40, True, None, "0", 1.5, [], [[0]], {})
NOT_SEATS: tuple[Any, ...] = (-1, -2, 99, True, None, "0", 0.0)


def check_doors(run: Run) -> None:
    """Play some matches, trying every refusal at every move and dumping them on the way and at the end."""
    _check_opening(run)
    total = min(run.walks, MATCHES)
    with lent(run.game):
        for number in range(total):
            run.tick(number, total, "matches")
            options, seats = run.settings[number * len(run.settings) // total]
            secret = hashlib.sha256(b"%d/%d" % (run.seed, number)).hexdigest()
            case = Case(run.seed, number, options, seats, (0, 0, 0, 0), secret=secret)
            with run.guard(Property.REFUSAL, "a match", case):
                _check_match(run, case, run.chooser(number))


@contextmanager
def lent(game: Game) -> Iterator[None]:
    """Register `game` under its name temporarily, because loading a dump looks it up there."""
    before = registry._added.get(game.name)
    registry._added[game.name] = game
    try:
        yield
    finally:
        if before is None:
            del registry._added[game.name]
        else:
            registry._added[game.name] = before


def _check_opening(run: Run) -> None:
    """Check that invalid arguments are refused."""
    from qipai.match import Match

    game = run.game
    _refused(run, lambda: Match(game, options={"no such option": 1}), BadOption, "an unknown option")
    _refused(run, lambda: Match(game, seats=game.rules.seats[1] + 1), BadSeats, "one seat too many")
    _refused(run, lambda: Match(game, seats=0), BadSeats, "a match without seats")
    _refused(run, lambda: Match(game, layout={"no such thing": 1}), BadLayout, "an unknown layout")


def _check_match(run: Run, case: Case, rng: NDArray[np.uint32]) -> None:
    from qipai.match import Match

    seed = bytes.fromhex(case.secret)
    match = Match(run.game, options=case.options, seats=case.seats, seed=seed)
    halfway = 1 + case.number % 5
    while not match.over and (case.number < PLAYED_OUT or case.ply < ENOUGH):
        close = run.is_time(case)
        if close:
            _check_refusals(run, match, case)
        actions = _random_move(run, match, rng, case)
        match.act(match.seat, actions)
        case.actions += actions
        for seat in range(-1, case.seats) if close else ():
            equal = match.view(seat) == run.game.rules.view(match.state, seat)
            run.require(equal, Property.RECORD, f"the match shows seat {seat} another view", case)
        halfway -= 1
        if halfway == 0:
            _check_record(run, match, case)
    _check_record(run, match, case)
    for seat in range(case.seats) if match.over else ():
        _still(run, match, case, partial(match.act, seat, 0), MatchOver, "an action after the end")


def _check_refusals(run: Run, match: Match, case: Case) -> None:
    """Try everything that must not be accepted here."""
    game, seat = run.game, match.seat
    legal = match.legal(seat)

    def refuse(call: Callable[[], Any], error: type[QipaiError], what: str) -> None:
        _still(run, match, case, call, error, what)

    for odd in NOT_SEATS:
        refuse(partial(match.act, odd, legal[0]), BadSeats, f"seat {odd!r}")
    for other in range(case.seats):
        if other != seat:
            refuse(partial(match.act, other, legal[0]), NotYourTurn, f"seat {other}")
    illegal = [a for a in range(game.rules.actions) if a not in legal]
    for bad in (*illegal[:: max(1, len(illegal) // SOME)], game.rules.actions, *NOT_ACTIONS):
        refuse(partial(match.act, seat, bad), IllegalAction, f"action {bad!r}")
    now = match.version(seat)
    stale: tuple[Any, ...] = (now + 1, now - 1, "0", True)
    for version in stale:
        refuse(partial(match.act, seat, legal[0], version), StaleVersion, f"version {version!r} for {now}")
    for action in legal[:SOME]:
        after = match.state
        game.rules.apply(after, action)
        if game.ends_move(after, seat):
            refuse(partial(match.act, seat, [action, action]), IllegalAction, f"two moves, {action}")
        else:
            refuse(partial(match.act, seat, [action]), IncompleteMove, f"half a move, {action}")


def _random_move(run: Run, match: Match, rng: NDArray[np.uint32], case: Case) -> list[int]:
    """Return a whole move, found on copies with the match's own keys."""
    s, seat = match.state, match.seat
    actions: list[int] = []
    while True:
        action = run.choose(s, rng, case)
        actions.append(action)
        run.game.rules.apply(s, action)
        if run.game.ends_move(s, seat):
            return actions


def _check_record(run: Run, match: Match, case: Case) -> None:
    """Check that a dump is JSON, loads to the same state, and is refused if it was changed."""
    with run.guard(Property.RECORD, "dump and load", case):
        doc = json.loads(json.dumps(match.dump()))
        again = type(match).load(doc)
        equal = again.state.tobytes() == match.state.tobytes()
        run.require(equal, Property.RECORD, "a dump loads to another state", case)
        run.require(again.dump() == match.dump(), Property.RECORD, "a loaded match dumps otherwise", case)
        for seat in range(-1, case.seats):
            equal = again.events(seat) == match.events(seat)
            run.require(equal, Property.RECORD, f"a loaded match tells seat {seat} something else", case)
    digest = doc["digest"]
    doc["digest"] = ("0" if digest[0] != "0" else "1") + digest[1:]
    _refused(run, lambda: type(match).load(doc), BadRecord, "a dump with another digest", case)


def _still(
    run: Run, match: Match, case: Case, call: Callable[[], Any], error: type[QipaiError], what: str
) -> None:
    """Check that `call` is refused and leaves the match unchanged."""
    before = match.state.tobytes(), match.moves, match.version(-1)
    _refused(run, call, error, what, case)
    after = match.state.tobytes(), match.moves, match.version(-1)
    run.require(before == after, Property.REFUSAL, f"the refusal of {what} changed the match", case)


def _refused(
    run: Run, call: Callable[[], Any], error: type[QipaiError], what: str, case: Case | None = None
) -> None:
    try:
        call()
    except error:
        run.count(Property.REFUSAL)
        return
    except Exception as other:
        said = f"{type(other).__name__} ({other}){where(other)}"
        message = f"{what} raised {said} and not {error.__name__}"
        run.fail(Property.REFUSAL, message, case)
    run.fail(Property.REFUSAL, f"{what} was accepted", case)
