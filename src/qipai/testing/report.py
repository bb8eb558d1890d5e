"""The results of a check: the properties, the case in which one failed, the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from qipai.core import Game, State


class Property(StrEnum):
    """The promises of the contract that are checked, by name."""

    COMPILE = "compile"
    LENGTH = "length"
    MASK = "mask"
    HEADER = "header"
    BOUNDS = "bounds"
    PURE = "pure"
    OBSERVATION = "observation"
    COMPOUND = "compound"
    DEAL = "deal"
    PIECES = "pieces"
    ZERO_SUM = "zero sum"
    SUCCESSOR = "successor"
    JSON = "json"
    SECRET_OBSERVE = "secrecy of observe"
    SECRET_VIEW = "secrecy of view"
    SECRET_DRAW = "secrecy of draw"
    SECRET_NARRATE = "secrecy of narrate"
    DETERMINIZE = "determinize"
    WORLDS = "worlds"
    SIGHT = "sight"
    TWINS = "twins"
    TEXT = "text"
    PARITY = "parity"
    BATCH = "batch"
    EDGES = "edges"
    EXAMPLES = "examples"
    REFUSAL = "refusal"
    RECORD = "record"


ABOUT = {
    Property.COMPILE: "the rules compile, and answer with what the contract says",
    Property.LENGTH: "every match ends within the stated length",
    Property.MASK: "never empty, counted right, only 0 and 1, nothing beyond the actions",
    Property.HEADER: "seat, phase, ply, cut, payoff, seats and options stay in range",
    Property.BOUNDS: "no index out of range, and nothing else that raises",
    Property.PURE: "legal, observe, view, narrate and draw never write the state",
    Property.OBSERVATION: "every feature is written, at every moment, and fits",
    Property.COMPOUND: "an unfinished move stays with its seat and shows to no one else",
    Property.DEAL: "nothing of the last match is left in a new deal",
    Property.PIECES: "no piece is lost or made",
    Property.ZERO_SUM: "payoffs sum to zero where the game says so",
    Property.SUCCESSOR: "the next hand of a series can be made",
    Property.JSON: "views and events are plain JSON",
    Property.SECRET_OBSERVE: "equal in all worlds that a seat cannot tell apart",
    Property.SECRET_VIEW: "equal in all worlds that a seat cannot tell apart",
    Property.SECRET_DRAW: "equal in all worlds that a seat cannot tell apart",
    Property.SECRET_NARRATE: "tells no more than view and observe show afterwards",
    Property.DETERMINIZE: "worlds that fit: same pieces, same mask, and they play on",
    Property.WORLDS: "redrawn worlds are those that a history allows, and as likely",
    Property.SIGHT: "what an agent is given is equal in all worlds that its seat cannot tell apart",
    Property.TWINS: "positions laid out by hand differ, and not to their seat",
    Property.TEXT: "actions read back, events are told, positions are drawn",
    Property.PARITY: "plain, compiled and checked give the same bytes",
    Property.BATCH: "lanes equal single games, whatever the threads",
    Property.EDGES: "no undeclared edge, no untaken one",
    Property.EXAMPLES: "every example replays legally",
    Property.REFUSAL: "bad input is refused by name and nothing changes",
    Property.RECORD: "a dumped match loads to the same state",
}


@dataclass
class Case:
    """A position in a game, or where it was when something happened: enough to reproduce it."""

    seed: int
    number: int  # number of the game in the run; -1 for a layout
    options: Mapping[str, Any]
    seats: int
    words: tuple[int, int, int, int]
    actions: list[int] = field(default_factory=list)  # grows with the game
    layout: Mapping[str, Any] | None = None
    secret: str = ""  # the seed of a Match, in hexadecimal: its keys are then used, not `words`

    @property
    def ply(self) -> int:
        """Actions made so far."""
        return len(self.actions)

    def replay(self, game: Game) -> State:
        """Return the state in which it happened."""
        if self.secret:
            return self._replay_match(game)
        s = game.new(self.options, self.seats, self.words, self.layout)
        for action in self.actions:
            game.rules.apply(s, action)
        return s

    def _replay_match(self, game: Game) -> State:
        from qipai.match.opening import open_match

        opening = open_match(game, self.options, self.seats, bytes.fromhex(self.secret), None)
        s = opening.first()
        for ply, action in enumerate(self.actions):
            opening.key(s, ply)
            game.rules.apply(s, action)
        return s

    def __str__(self) -> str:
        if self.secret:
            given = f"{dict(self.options)}, {self.seats}, bytes.fromhex('{self.secret}')"
            return f"ply {self.ply}; to replay: Match(game, {given}) and then the actions {self.actions}"
        start = f"seed {self.seed}, game {self.number}" if self.layout is None else "a layout"
        given = f"{dict(self.options)}, {self.seats}, {self.words}"
        if self.layout is not None:
            given += f", {dict(self.layout)}"
        return f"{start}, ply {self.ply}; to replay: game.new({given}) and then the actions {self.actions}"


class Failure(Exception):
    """One property that does not hold, and where."""

    def __init__(self, prop: Property, message: str, case: Case | None = None) -> None:
        super().__init__(message)
        self.property = prop
        self.message = message
        self.case = case

    def __str__(self) -> str:
        where = "" if self.case is None else f"\n    at {self.case}"
        return f"{self.property}: {self.message}{where}"


@dataclass
class Report:
    """What was checked: games, decisions, seconds, edges seen, and how often each property held."""

    game: str
    games: int = 0
    decisions: int = 0
    seconds: float = 0.0
    settings: int = 0  # option sets times seat counts
    edges: set[tuple[int, int]] = field(default_factory=set)
    counts: dict[Property, int] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    seen: dict[Property, str] = field(default_factory=dict)  # remarks
    skipped: dict[Property, str] = field(default_factory=dict)  # what was not checked, and why
    warnings: dict[Property, str] = field(default_factory=dict)  # what could not be checked properly

    def lines(self) -> list[str]:
        """Return the report as text: one line per property, with how often it was checked."""
        failed = {f.property for f in self.failures}
        rows = [
            f"{self.game}: {self.games:,} games, {self.decisions:,} decisions, "
            f"{self.settings} settings, {len(self.edges)} edges, {self.seconds:.1f} s"
        ]
        for prop in Property:
            count = self.counts.get(prop, 0)
            verdict = "FAILED" if prop in failed else "OK" if count else "-"
            verdict = "warn" if prop in self.warnings and prop not in failed else verdict
            verdict = "skip" if prop in self.skipped else verdict
            said = self.skipped.get(prop) or self.warnings.get(prop) or self.seen.get(prop)
            remark = f" ({said})" if said else ""
            rows.append(f"  {verdict:6} {prop:19} {count:>12,}  {ABOUT[prop]}{remark}")
        return rows


class ConformanceError(AssertionError):
    """A game breaks the contract. This is an assertion: the check was done, and this is its result."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.failures = tuple(report.failures)
        lines = "\n  ".join(str(f) for f in self.failures)
        super().__init__(f"{report.game} breaks the contract:\n  {lines}")
