"""Phases are real: the edges taken in plain games and examples are exactly the declared ones."""

from __future__ import annotations

from typing import Any

from qipai.core import Game, State, copy_state, goto
from qipai.core.game import Functions

from .report import Case, Property
from .run import Run, running
from .walk import example_case

PLAIN_GAMES = 300  # maximum, while an edge has not been taken
PLAIN_PLIES = 10_000  # maximum, in all of them
SHORT = 60  # plies of a long game that are played in every setting

Edge = tuple[int, int]


class Recorder:
    """Replaces `goto` in plain play and records every edge."""

    def __init__(self, declared: set[Edge]) -> None:
        self.declared = declared
        self.taken: dict[Edge, None] = {}
        self._at: int | None = None  # where goto left the machine
        self._dealing = False
        self.moved: Edge | None = None  # a change of phase that goto did not make

    def __call__(self, s: Any, phase: int) -> None:
        """Enter `phase`."""
        self.note(s)
        edge = (int(s.phase), int(phase))
        # A deal starts over from any state: its first step is an edge only if declared.
        if not self._dealing or edge in self.declared:
            self.taken[edge] = None
        self._dealing = False
        s.phase = phase
        self._at = int(phase)

    def begin(self, s: State, dealing: bool) -> None:
        """Start a new match: a deal over a blank state, or a layout."""
        self._at = int(s["phase"])
        self._dealing = dealing

    def note(self, s: Any) -> None:
        """Record a phase that is not the one goto entered last."""
        now = int(s["phase"])
        if self.moved is None and self._at is not None and now != self._at:
            self.moved = (self._at, now)


class PlainGame:
    """A game's plain functions with a recorder in them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.recorder = Recorder({(int(a), int(b)) for a, b in game.rules.edges})
        self.functions: Functions = game.functions("plain", swap={goto: self.recorder})

    def check(self, run: Run, s: State, case: Case) -> None:
        """Check that no undeclared edge was taken so far."""
        self.recorder.note(s)
        if self.recorder.moved is not None:
            run.fail(Property.EDGES, f"{self.name(self.recorder.moved)} was not made by goto", case)
        for edge in self.recorder.taken:
            if edge not in self.recorder.declared:
                run.fail(Property.EDGES, f"{self.name(edge)} is not declared", case)
        run.count(Property.EDGES)

    def missing(self) -> list[Edge]:
        """Return the declared edges that were not taken."""
        return sorted(self.recorder.declared - set(self.recorder.taken))

    def name(self, edge: Edge) -> str:
        """Return an edge as text."""
        members = {int(p): p.name for p in self.game.rules.phases}
        return " -> ".join(members.get(p, f"phase {p}") for p in edge)


def check_edges(run: Run) -> None:
    """Play examples, then plain games: one or more per setting, until every edge was taken."""
    with run.guard(Property.EDGES, "making plain functions"):
        plain = PlainGame(run.game)
    for example in run.game.checks.examples:
        case = example_case(run, example)
        with run.guard(Property.EXAMPLES, example.about, case):
            _play_example(run, plain, case, example.actions)
    plies = played = 0
    least = 2 * len(run.settings)  # games 0, 1, ... up to here use every setting
    for number in range(min(run.games, PLAIN_GAMES)):
        if number >= least and (plies > PLAIN_PLIES or not plain.missing()):
            break
        run.tick(number, least, "edges in plain games")
        limit = max(SHORT, PLAIN_PLIES // least) if number < least else run.game.rules.length
        plies += _play_plain(run, plain, number, limit)
        played += 1
    run.report.edges = set(plain.recorder.taken)
    missing = plain.missing()
    if missing:
        edges = ", ".join(plain.name(e) for e in missing)
        run.fail(Property.EDGES, f"never taken in {played} plain games and the examples: {edges}")


def _play_plain(run: Run, plain: PlainGame, number: int, limit: int) -> int:
    """Play one recorded game, or its first `limit` actions; return how many there were."""
    case = run.case(number)
    s = copy_state(run.blanks[run.setting(number)])
    run.game.key(s, case.words)
    plain.recorder.begin(s, dealing=True)
    rng = run.chooser(number)
    with run.guard(Property.EDGES, "deal (plain)", case):
        plain.functions.deal(s)
    plain.check(run, s, case)
    while running(s) and case.ply < limit:
        action = run.choose(s, rng, case)
        with run.guard(Property.EDGES, f"apply of {action} (plain)", case):
            plain.functions.apply(s, action)
        plain.check(run, s, case)
        case.actions.append(action)
    return case.ply


def _play_example(run: Run, plain: PlainGame, case: Case, actions: tuple[int, ...]) -> None:
    game = run.game
    s = game.blank(case.options, case.seats)
    game.key(s, case.words)
    if game.rules.lay_out is None:
        run.fail(Property.EXAMPLES, "the game takes no layouts", case)
    assert case.layout is not None
    game.rules.lay_out(s, case.layout)
    plain.recorder.begin(s, dealing=False)
    plain.functions.start(s)
    plain.check(run, s, case)
    for action in actions:
        if not running(s) or not 0 <= action < game.rules.actions or not game.mask(s)[action]:
            run.fail(Property.EXAMPLES, f"action {action} is not legal", case)
        plain.functions.apply(s, action)
        plain.check(run, s, case)
        case.actions.append(action)
    run.count(Property.EXAMPLES)
