"""Two ladders of the same agents with different seeds: whether the second keeps the order of the first."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from qipai.core.errors import BadContest, short

from .files import read_lines
from .ladder import FORMAT, read_file
from .ladder import ratings_of as rated

SAME = ("game", "rules", "observation", "seats", "options")  # of the heads
SEPARATED = 0.01  # p value below which two agents count as separated


@dataclass(frozen=True)
class Swap:
    """Two agents that a ladder separates, and another puts in the opposite order."""

    agent: str  # above `other` on the first ladder
    other: str
    points: float  # by which it is above there
    doubt: float  # its p value there
    again: float  # points by which it is below on the second ladder
    doubt_again: float  # its p value there

    def text(self) -> str:
        """Return the line that tells it."""
        return (
            f"{self.agent} is {self.points:.0f} points above {self.other} (p = {self.doubt:.2g}),"
            f" then {self.again:.0f} below (p = {self.doubt_again:.2g})"
        )


@dataclass(frozen=True)
class Comparison:
    """How many pairs of agents a ladder separates, and those of them whose order another does not keep."""

    pairs: int
    separated: int
    swaps: tuple[Swap, ...]

    def text(self) -> str:
        """Return the result as text for a terminal."""
        kept = self.separated - len(self.swaps)
        lines = [swap.text() for swap in self.swaps]
        lines.append(
            f"{self.separated} of {self.pairs} pairs are separated (p < {SEPARATED}),"
            f" and {kept} of these keep their order"
        )
        return "\n".join(lines)


def compare(path: Path, again: Path) -> Comparison:
    """Compare the order of the agents in two files of games.

    Raise `BadContest` if they are not ladders of the same game and agents, or have the same seed.
    """
    heads = [read_lines(one, FORMAT)[0] for one in (path, again)]
    for name in SAME:
        if heads[0].get(name) != heads[1].get(name):
            raise BadContest(f"{again.name} is of another ladder: its {name} is {short(heads[1].get(name))}")
    ladders, ratings, numbers = [], [], []
    for file in (path, again):
        ladder, deals = read_file(file)
        found, agents = rated(ladder, deals)
        ladders.append(ladder)
        ratings.append(found)
        numbers.append({ladder.agents[agent]: k for k, agent in enumerate(agents)})
    if ladders[0].seed == ladders[1].seed:
        raise BadContest(f"both ladders have the seed {ladders[0].seed}: that is no other sample")
    if set(numbers[0]) != set(numbers[1]):
        odd = ", ".join(sorted(set(numbers[0]) ^ set(numbers[1])))
        raise BadContest(f"agents that are not rated on both ladders: {odd}")
    for name in numbers[0]:
        for part in ("plays", "weights"):
            if heads[0][part].get(name) != heads[1][part].get(name):
                raise BadContest(f"{name} is another agent on the second ladder: its {part} differ")
    first, second = ratings
    separated, swaps = 0, []
    for one, two in combinations(numbers[0], 2):
        a, b = numbers[0][one], numbers[0][two]
        if (doubt := first.doubt(a, b)) >= SEPARATED:
            continue
        separated += 1
        better, worse = (one, two) if first.points[a] > first.points[b] else (two, one)
        c, d = numbers[1][better], numbers[1][worse]
        if second.points[c] <= second.points[d]:
            gap, back = (
                abs(float(first.points[a] - first.points[b])),
                float(second.points[d] - second.points[c]),
            )
            swaps.append(Swap(better, worse, gap, doubt, back, second.doubt(c, d)))
    return Comparison(len(numbers[0]) * (len(numbers[0]) - 1) // 2, separated, tuple(swaps))
