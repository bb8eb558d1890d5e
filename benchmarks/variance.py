"""Measure by how much duplicate deals, and estimates without luck in poker, reduce the number of games.

    python benchmarks/variance.py                      # the five games, then Kuhn and Leduc poker
    python benchmarks/variance.py xianqi --deals 400   # one game, for a narrower interval

Of a game some deals are played in all their seatings, between two agents; `qipai.arena.variance` says how the
figures are made. Those of poker are exact, over all hands.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from qipai.arena.aivat import (
    Policy,
    Tree,
    duplicate_variance,
    hands,
    mean_and_variance,
    reply,
    tree_of,
    uniform,
    worths,
)
from qipai.arena.contest import contest_of
from qipai.arena.lanes import lanes_of
from qipai.arena.play import play_games
from qipai.arena.variance import saving
from qipai.core import get

CONTESTS = (  # game, seats, two agents that are quick to play
    ("xianqi", 3, ("heuristic", "random")),
    ("xianqi", 3, ("net", "heuristic")),
    ("nana", 2, ("net", "level5")),  # against `random` the net wins nearly every game
    ("nana", 3, ("net", "level5")),
    ("skill_gomoku", 2, ("heuristic", "random")),
    ("paipai_rensa", 1, ("net", "random")),
    ("wuhan_mahjong", 4, ("heuristic", "random")),
)
POKER = ("kuhn_poker", "leduc_poker")
TEMPERATURE = 1.0  # of the reply that plays against `random`


def table_of_games(names: Sequence[str], deals: int, seed: int) -> None:
    """Play the contests of some games and print a table."""
    print("| game | seats | agents | games | plain deals take more games (95 %) |")
    print("|---|---|---|---|---|")
    for name, seats, agents in CONTESTS:
        if name not in names:
            continue
        contest = contest_of(name, agents, deals, seed, None, seats)
        contest.game.compile()
        lanes = lanes_of(contest)
        games = lanes.games(0, deals) if lanes else [play_games(contest, deal) for deal in range(deals)]
        found = saving(contest, games)
        print(
            f"| {name} | {seats} | `{agents[0]}`, `{agents[1]}` | {deals * len(contest.seatings):,}"
            f" | {found.times:.2f} times ({found.low:.2f} to {found.high:.2f}) |",
            flush=True,
        )


def figures(tree: Tree, first: Policy, second: Policy) -> list[float]:
    """Return variances per game of one policy against another: plain deals, duplicates, and estimates.

    The estimates know the deal; the deal and the first policy; the deal and both. A game of a plain series
    has either policy at the first seat, in turns.
    """
    worth = worths(tree, uniform(tree))
    found: list[float] = []
    for known in ((False, False), (True, False), (True, True)):
        one = hands(tree, (first, second), known, worth)
        two = hands(tree, (second, first), known[::-1], worth)
        if not found:
            found.append(sum(mean_and_variance(part, estimate=False)[1] for part in (one, two)) / 2)
            found.append(duplicate_variance(one, two))
        found.append(sum(mean_and_variance(part)[1] for part in (one, two)) / 2)
    return found


def table_of_poker(names: Sequence[str]) -> None:
    """Print the exact figures of poker."""
    print("| game | plain | duplicates | luck of the deal | and of the reply | and of `random` |")
    print("|---|---|---|---|---|---|")
    for name in names:
        tree = tree_of(get(name))
        base = uniform(tree)
        found = figures(tree, reply(tree, base, TEMPERATURE), base)
        cells = [f"{value:.2f} ({found[0] / value:.2f} times)" for value in found]
        print(f"| {name} | {found[0]:.2f} | {' | '.join(cells[1:])} |", flush=True)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    known = sorted({name for name, _, _ in CONTESTS} | set(POKER))
    parser.add_argument("games", nargs="*", help=f"of {', '.join(known)} (default: all)")
    parser.add_argument("--deals", type=int, default=200, help="per contest (200)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    names = args.games or known
    if strange := set(names) - set(known):
        parser.error(f"no contest of {', '.join(sorted(strange))}")
    if any(name not in POKER for name in names):
        table_of_games(names, args.deals, args.seed)
    if poker := [name for name in POKER if name in names]:
        print()
        table_of_poker(poker)
    return 0


if __name__ == "__main__":
    sys.exit(main())
