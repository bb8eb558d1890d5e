"""`Standings`, the result of a contest: means and rates with 95 % intervals, as text and as JSON.

The unit of every interval is the deal: the seatings of one deal share their cards, so a
deal counts as one observation, the mean over its seatings. Sums are whole
numbers, so that the figures do not depend on the order in which they arrive.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from .play import Contest, Tally

# Student's t, two-sided 95 %, for 1 to 30 degrees of freedom
T95 = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
Z95 = 1.959964
DIGITS = 6  # decimals of the figures in JSON


@dataclass(frozen=True)
class Estimate:
    """A mean over deals; it lies within `half` of the true one with 95 % confidence."""

    mean: float
    half: float | None  # None for a single deal, which has no spread


@dataclass(frozen=True)
class Row:
    """One agent. A game counts once for every seat that the agent held in it."""

    agent: str
    games: int
    chips: Estimate  # payoff per game
    won: Estimate  # share of games with a payoff above 0
    even: float  # share with 0
    lost: float  # share below 0
    cut: float  # share ended by a cap, whatever the payoff


@dataclass(frozen=True)
class Pair:
    """How much better `agent` did than `other` on the same deals."""

    agent: str
    other: str
    chips: Estimate


@dataclass(frozen=True)
class Standings:
    """The results of a contest, and everything needed to repeat it."""

    game: str
    version: int  # rules version
    seats: int
    options: dict[str, str | int]
    seed: int
    deals: int
    games: int
    seatings: tuple[tuple[str, ...], ...]
    rows: tuple[Row, ...]  # in the order in which the agents were named
    pairs: tuple[Pair, ...]

    def to_json(self) -> dict[str, Any]:
        """Return JSON data; the same contest always gives the same data."""
        return asdict(self)

    def text(self) -> str:
        """Return the standings as text for a terminal."""
        width = max(8, *(len(row.agent) for row in self.rows))
        lines = [
            f"{self.game} (rules version {self.version}), {self.seats} seats: {self.deals} deals, "
            f"each in {len(self.seatings)} seating(s), {self.games} games, seed {self.seed}",
            f"{'agent':{width}} {'games':>8}  {'chips/game (95 %)':>19}  {'won (95 %)':>15}"
            f"  {'even':>6}  {'lost':>6}  {'cut':>6}",
        ]
        for row in self.rows:
            won = f"{100 * row.won.mean:.1f} ± {_half(row.won, 100, 1)} %"
            lines.append(
                f"{row.agent:{width}} {row.games:>8}  {_signed(row.chips):>19}  {won:>15}"
                f"  {100 * row.even:>4.1f} %  {100 * row.lost:>4.1f} %  {100 * row.cut:>4.1f} %"
            )
        lines += [f"{p.agent} over {p.other}: {_signed(p.chips)} chips per game" for p in self.pairs]
        return "\n".join(lines)


def standings_of(contest: Contest, tallies: Sequence[Tally]) -> Standings:
    """Return the standings of a contest from its tallies, one per deal, in order."""
    names = [spec.name for spec in contest.agents]
    held = [sum(seating.count(k) for seating in contest.seatings) for k in range(len(names))]
    rows = []
    for k, name in enumerate(names):
        total = held[k] * len(tallies)
        rows.append(
            Row(
                agent=name,
                games=total,
                chips=estimate([t.chips[k] for t in tallies], held[k]),
                won=estimate([t.won[k] for t in tallies], held[k]),
                even=round(sum(t.even[k] for t in tallies) / total, DIGITS),
                lost=round(sum(t.lost[k] for t in tallies) / total, DIGITS),
                cut=round(sum(t.cut[k] for t in tallies) / total, DIGITS),
            )
        )
    pairs = []
    for a, b in combinations(range(len(names)), 2):
        gaps = [t.chips[a] * held[b] - t.chips[b] * held[a] for t in tallies]
        pairs.append(Pair(names[a], names[b], estimate(gaps, held[a] * held[b])))
    return Standings(
        game=contest.game.name,
        version=contest.game.rules.version,
        seats=int(contest.blank["seats"]),
        options=contest.game.options_of(contest.blank),
        seed=contest.seed,
        deals=len(tallies),
        games=len(tallies) * len(contest.seatings),
        seatings=tuple(tuple(names[k] for k in seating) for seating in contest.seatings),
        rows=tuple(rows),
        pairs=tuple(pairs),
    )


def estimate(sums: Sequence[int], each: int) -> Estimate:
    """Return the mean per game of `sums`, one per deal, with `each` games per deal."""
    n, total = len(sums), sum(sums)
    mean = total / (n * each)
    if n == 1:
        return Estimate(round(mean, DIGITS), None)
    spread = n * sum(x * x for x in sums) - total * total  # n (n - 1) times the variance
    half = t95(n - 1) * math.sqrt(spread / (n - 1)) / (n * each)
    return Estimate(round(mean, DIGITS), round(half, DIGITS))


def t95(freedom: int) -> float:
    """Return Student's t, two-sided 95 %."""
    if freedom <= len(T95):
        return T95[freedom - 1]
    first = (Z95**3 + Z95) / 4
    second = (5 * Z95**5 + 16 * Z95**3 + 3 * Z95) / 96
    return Z95 + first / freedom + second / freedom**2  # its expansion; accurate to 0.0002 from here on


def _half(value: Estimate, scale: int, digits: int) -> str:
    return "?" if value.half is None else f"{scale * value.half:.{digits}f}"


def _signed(value: Estimate) -> str:
    return f"{value.mean:+.3f} ± {_half(value, 1, 3)}"
