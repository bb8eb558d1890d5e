"""Time `copy_state` and `Game.redrawn`, called from Python, by processor time.

    python benchmarks/copies.py [GAME ...] [--seconds 0.5] [--rounds 5]

Positions are a quarter, half and three quarters into a game of random moves. Every rate is the best of the
rounds, in million calls per processor second, on one core. "Batch" is `Batch.redraw` on one thread, which
draws the same worlds in a compiled loop. Where OpenSpiel is installed, `State.clone` of Kuhn and Leduc poker
and of its other games with hidden cards is timed in the same way.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from qipai import Batch
from qipai.core import State, copy_state, get, names, pick, seed_words

PEERS = ("kuhn_poker", "leduc_poker", "liars_dice", "tic_tac_toe")
LANES = 4096


def positions(name: str) -> list[State]:
    """Return three positions of a game of random moves."""
    game = get(name)
    game.compile()
    words = np.zeros(4, np.uint32)
    seed_words(words, 1, 2, 3, 4)
    s = copy_state(Batch(game, 1, 5).state[0])
    found = []
    while s["seat"] >= 0:
        found.append(copy_state(s))
        mask = game.mask(s)
        game.rules.apply(s, int(pick(words, mask, int(mask.sum()))))
    return [found[len(found) * k // 4] for k in (1, 2, 3)]


def rate(call: Callable[[], Any], seconds: float, rounds: int, worth: int = 1) -> float:
    """Return million calls per processor second, each counted `worth` times."""
    best = 0.0
    for _ in range(rounds):
        done, began = 0, time.process_time()
        while time.process_time() - began < seconds / rounds:
            for _ in range(max(1, 1000 // worth)):
                call()
            done += max(1, 1000 // worth) * worth
        best = max(best, done / (time.process_time() - began) / 1e6)
    return best


def of_game(name: str, seconds: float, rounds: int) -> tuple[float, float, float]:
    """Return the rates of `copy_state`, `redrawn` and `Batch.redraw`, each a mean over the positions."""
    game = get(name)
    batch = Batch(game, LANES, threads=1)
    found = []
    for s in positions(name):
        seat = int(s["seat"])
        batch.load(s)
        found.append(
            (
                rate(lambda s=s: copy_state(s), seconds, rounds),  # type: ignore[misc]
                rate(lambda s=s, seat=seat: game.redrawn(s, seat, (1, 2, 3, 4)), seconds, rounds),  # type: ignore[misc]
                rate(lambda seat=seat: batch.redraw(seat), seconds, rounds, LANES),  # type: ignore[misc]
            )
        )
    a, b, c = np.mean(found, axis=0).tolist()
    return a, b, c


def peers(seconds: float, rounds: int) -> None:
    """Print the rates of OpenSpiel's `clone`."""
    try:
        import pyspiel  # type: ignore[import-not-found]
    except ImportError:
        print("\nOpenSpiel is not installed: pip install open_spiel")
        return
    print("\n| OpenSpiel | clone, M/s |\n|---|---|")
    for name in PEERS:
        state = pyspiel.load_game(name).new_initial_state()
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        print(f"| {name} | {rate(state.clone, seconds, rounds):.2f} |", flush=True)


def main() -> int:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", help="default: all")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each figure")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    print("| game | bytes | copy_state, M/s | redrawn, M/s | Batch.redraw, M/s |\n|---|---|---|---|---|")
    for name in args.games or names():
        rates = " | ".join(f"{x:.2f}" for x in of_game(name, args.seconds, args.rounds))
        print(f"| {name} | {get(name).rules.State.itemsize} | {rates} |", flush=True)
    peers(args.seconds, args.rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
