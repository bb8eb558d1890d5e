"""Sampled games, action by action: pieces, views, events, words, and what each seat may know."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from qipai.core import WATCHER, Example, State, copy_state

from . import secrecy
from .pieces import pieces_of
from .play import Player
from .report import Case, Property
from .run import Run, running, viewers

PLAIN_TYPES = (str, int, float, bool, type(None))


class Walk:
    """One game in progress: the state, the case, and what must not change."""

    def __init__(self, run: Run, player: Player, start: Case) -> None:
        self.run = run
        self.player = player
        self.case = start
        with run.guard(Property.EXAMPLES if start.layout is not None else Property.HEADER, "new", start):
            self.state = start.replay(run.game)
        self.pieces = self._pieces()
        self.whole = self.state  # the last position between two moves,
        self.begun: list[int] = []  # and what was done since

    def _pieces(self) -> Any:
        if self.run.game.checks.pieces is None:
            return None
        with self.run.guard(Property.PIECES, "pieces", self.case):
            return pieces_of(self.run.game, self.state)

    def visit(self) -> None:
        """Check everything that holds at every moment."""
        run, s, case = self.run, self.state, self.case
        if run.game.checks.pieces is not None:
            now = self._pieces()
            run.require(now == self.pieces, Property.PIECES, f"{self.pieces} at first, {now} now", case)
        for seat in viewers(s):
            check_face(run, s, seat, case)
        if running(s):
            other = (case.number + case.ply) % (int(s["seats"]) + 1) - 1  # each viewer in turn
            for seat in {int(s["seat"]), other}:
                secrecy.check_seat(run, self.player, s, seat, case, self.whole, tuple(self.begun))

    def step(self, action: int, close: bool = True) -> None:
        """Check what is told of the action, then make the action."""
        run, before, case = self.run, self.state, self.case
        self.state = copy_state(before)
        with run.guard(Property.BOUNDS, "apply", case):
            run.game.rules.apply(self.state, action)
        if close or not running(self.state):
            for seat in viewers(before):
                check_told(run, before, action, seat, case)
            secrecy.check_compound(run, before, self.state, action, case)
        case.actions.append(action)
        self.begun.append(action)
        if not run.game.unfinished(self.state):
            self.whole, self.begun = self.state, []

    def finish(self) -> None:
        """Check what holds at the end: the options of the next hand can be played."""
        run, case = self.run, self.case
        with run.guard(Property.SUCCESSOR, "successor", case):
            inherits = run.game.rules.successor(self.state)
            run.game.blank({**case.options, **inherits}, case.seats)
            run.count(Property.SUCCESSOR)


def check_walks(run: Run) -> None:
    """Walk through the first games of the run, and every example."""
    with run.compiling():
        player = Player(run.game, run.variant, run.watch)
    for number in range(run.walks):
        run.tick(number, run.walks, "games action by action")
        walk = Walk(run, player, run.case(number))
        rng = run.chooser(number)
        while running(walk.state):
            close = run.is_time(walk.case)
            if close:
                walk.visit()
            walk.step(run.choose(walk.state, rng, walk.case), close)
        walk.visit()
        walk.finish()
    for example in run.game.checks.examples:
        walk_example(run, player, example)


def example_case(run: Run, example: Example) -> Case:
    """Return the start of an example."""
    seats = run.game.rules.seats[0] if example.seats is None else example.seats
    return Case(run.seed, -1, example.options, seats, (0, 0, 0, 1), layout=example.layout)


def walk_example(run: Run, player: Player, example: Example) -> None:
    """Check that the same promises hold in an example, which is a game too."""
    walk = Walk(run, player, example_case(run, example))
    walk.visit()
    for action in example.actions:
        legal = 0 <= action < run.game.rules.actions and bool(run.game.mask(walk.state)[action])
        run.require(legal, Property.EXAMPLES, f"{example.about}: action {action} is not legal", walk.case)
        walk.step(action)
        walk.visit()
    run.count(Property.EXAMPLES)


# --- what leaves the rules ------------------------------------------------------------


def check_face(run: Run, s: State, seat: int, case: Case) -> None:
    """Check that the view is JSON, the drawing text, and that neither changes the state."""
    game = run.game
    found = untouched(run, "view", s, case, partial(game.rules.view, s, seat))
    check_json(run, found, f"the view of seat {seat}", case)
    for lang in game.languages:
        text = untouched(run, "draw", s, case, partial(game.drawing, s, seat, lang))
        drawn = isinstance(text, str) and bool(text.strip())
        run.require(drawn, Property.TEXT, f"draw for seat {seat} in {lang} gave {text!r}", case)


def check_told(run: Run, before: State, action: int, seat: int, case: Case) -> None:
    """Check that events are JSON, that each has words or no line at all, and that telling changes nothing."""
    game = run.game
    events = untouched(run, "narrate", before, case, partial(game.rules.narrate, before, action, seat))
    check_json(run, events, f"what seat {seat} is told of {action}", case)
    if game.rules.public_events:
        alike = events == game.rules.narrate(before, action, WATCHER)
        run.require(
            alike, Property.SECRET_NARRATE, f"public_events, but seat {seat} is told other events", case
        )
    if not isinstance(events, list) or not all(isinstance(e, dict) for e in events):
        run.fail(Property.JSON, f"narrate gave {type(events).__name__}, not a list of events", case)
    for event in events:
        for lang in game.languages:
            with run.guard(Property.TEXT, f"tell of {event}", case):
                text = game.tell(event, lang)
                silent = game.words.line(event) is None
                told = isinstance(text, str) and (silent or bool(text.strip()))
                run.require(told, Property.TEXT, f"tell of {event} in {lang} gave {text!r}", case)


def untouched(run: Run, what: str, s: State, case: Case, call: Callable[[], Any]) -> Any:
    """Return the result of `call`, which must leave the state unchanged."""
    blame = {"view": Property.JSON, "narrate": Property.JSON}.get(what, Property.TEXT)
    saved = s.tobytes()
    with run.guard(blame, what, case):
        answer = call()
    run.require(s.tobytes() == saved, Property.PURE, f"{what} changed the state", case)
    return answer


def check_json(run: Run, value: Any, what: str, case: Case) -> None:
    """Check that a value consists of plain dicts, lists, text, numbers, booleans and null."""
    odd = odd_part(value)
    run.require(odd is None, Property.JSON, f"{what} holds {odd}", case)
    with run.guard(Property.JSON, f"writing {what}", case):
        json.dumps(value, allow_nan=False)


def odd_part(value: Any, path: str = "") -> str | None:
    """Return what is not plain JSON in `value`, and where."""
    if type(value) in PLAIN_TYPES:
        return None
    if type(value) is dict:
        for key, inner in value.items():
            if type(key) is not str:
                return f"the key {key!r} ({type(key).__name__}) at {path or 'the top'}"
            odd = odd_part(inner, f"{path}.{key}")
            if odd is not None:
                return odd
        return None
    if type(value) is list:
        found = (odd_part(inner, f"{path}[{i}]") for i, inner in enumerate(value))
        return next((odd for odd in found if odd is not None), None)
    return f"a {type(value).__module__}.{type(value).__name__} at {path or 'the top'}"
