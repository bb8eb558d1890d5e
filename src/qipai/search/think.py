"""`think`: what the search sees at a position, ranked and in words.

from qipai.core import get
from qipai.search import think

game = get("xianqi")
print(think(game, game.new(words=(1, 2, 3, 4)), seat=0, budget=2000).text())
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from qipai.core import Game, Search, State

from .loops import OWN, Policies
from .searcher import MOST, Found, Searcher, check_decides

DIGITS = 6  # of the figures in JSON


@dataclass(frozen=True)
class Choice:
    """One legal action: how often it was tried, and what it earned."""

    action: int
    text: str
    visits: int
    mean: float | None  # None where it was never tried
    error: float | None  # None below two visits


@dataclass(frozen=True)
class Thought:
    """All legal actions, best first, and the line that is expected."""

    game: str
    seat: int
    simulations: int
    best: int
    choices: tuple[Choice, ...]
    line: tuple[tuple[int, str], ...]  # seats and their actions in words

    def to_json(self) -> dict[str, Any]:
        """Return JSON data."""
        return {
            "game": self.game,
            "seat": self.seat,
            "simulations": self.simulations,
            "best": self.best,
            "choices": [vars(choice) for choice in self.choices],
            "line": [{"seat": seat, "text": text} for seat, text in self.line],
        }

    def text(self) -> str:
        """Return the thought as text for a terminal."""
        width = max(6, *(len(choice.text) for choice in self.choices))
        lines = [
            f"{self.game}, seat {self.seat}: {self.simulations} simulations",
            f"{'action':{width}} {'mean payoff':>12} {'error':>9} {'visits':>9}",
        ]
        for choice in self.choices:
            mean = "" if choice.mean is None else f"{choice.mean:+.3f}"
            error = "" if choice.error is None else f"{choice.error:.3f}"
            mark = " *" if choice.action == self.best else ""
            lines.append(f"{choice.text:{width}} {mean:>12} {error:>9} {choice.visits:>9}{mark}")
        lines.append("line: " + ", ".join(f"seat {seat} {text}" for seat, text in self.line))
        return "\n".join(lines)


def think(
    game: Game,
    state: State,
    seat: int,
    budget: int | None = None,
    *,
    milliseconds: float | None = None,
    seed: int = 0,
    threads: int = 1,
    settings: Search | None = None,
    policies: Policies = OWN,
) -> Thought:
    """Return what `budget` simulations say about the actions of `seat`, which decides in `state`.

    Without a budget it is that of the agent `search`; with `milliseconds` alone, as many as there is time
    for. The search never sees `state` itself: everything hidden from the seat is drawn again before. Raise
    `BadCount` for a budget that is no such number, `MatchOver` or `NotYourTurn` if `seat` does not decide.
    """
    check_decides(state, seat)
    words = [seed & 0xFFFFFFFF, (seed >> 32) & 0xFFFFFFFF, seat, 0x7417]
    searcher = Searcher(game, settings, threads=threads, policies=policies)
    if budget is None:
        budget = TIMED if milliseconds is not None else searcher.settings.simulations
    world = game.redrawn(state, seat, words)
    return thought_of(game, searcher.search(world, seat, budget, words, milliseconds))


TIMED = min(MOST, 1_000_000)  # simulations at most, where time is the limit


def thought_of(game: Game, found: Found) -> Thought:
    """Return what was found, ranked: the chosen action, then by visits and means."""
    means, errors = found.means().tolist(), found.errors().tolist()
    rows = [
        Choice(action, game.words.say(action), int(visits), _number(mean), _number(error))
        for action, visits, mean, error in zip(found.actions, found.visits, means, errors, strict=True)
    ]
    rows.sort(key=lambda row: (row.action != found.best, -row.visits, -(row.mean or 0.0), row.action))
    line = tuple((seat, game.words.say(action)) for seat, action in found.line)
    return Thought(game.name, found.seat, found.simulations, found.best, tuple(rows), line)


def _number(value: float) -> float | None:
    return None if math.isnan(value) else round(value, DIGITS)
