"""Simulations a second of one core: our search and OpenSpiel's on the same games, Kuhn and Leduc poker.

    python benchmarks/search.py                        # ours alone
    python benchmarks/search.py --peer PYTHON          # and OpenSpiel's, in an interpreter that has it

`PYTHON` is the interpreter of an environment with `pip install open_spiel`. Both sides search the first
decision with uniform playouts and one thread, in turns, several times; processor seconds count, and the
median is printed. Ours are the tree, and the flat search for short budgets, which has none. Of OpenSpiel
there are its C++ bots, MCTS and ISMCTS, and its Python ISMCTS. Its MCTS is given the true state and draws no
worlds: it searches another problem, and is there because it is the fastest that it has.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time

GAMES = ("kuhn_poker", "leduc_poker")
ROUNDS = 5
SIMULATIONS = 200_000

PEER = """
import json, sys, time
import numpy as np
import pyspiel
from open_spiel.python.algorithms import ismcts, mcts

name, kind, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
game = pyspiel.load_game(name)
state = game.new_initial_state()
while state.is_chance_node():
    state.apply_action(state.legal_actions()[1])
if kind == "python ISMCTS":
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, np.random.RandomState(7)), 1.4, times)
    run = lambda: bot.get_policy(state)
else:
    rollouts = pyspiel.RandomRolloutEvaluator(1, 7)
    final = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
    if kind == "C++ ISMCTS":
        bot = pyspiel.ISMCTSBot(7, rollouts, 1.4, times, -1, final, False, False)
        run = lambda: bot.get_policy(state)
    else:
        bot = pyspiel.MCTSBot(game, rollouts, 1.4, times, 1000, False, 7, False)
        run = lambda: bot.mcts_search(state)
start = time.process_time()
run()
print(json.dumps(times / (time.process_time() - start)))
"""
KINDS = {"C++ ISMCTS": SIMULATIONS, "C++ MCTS": SIMULATIONS, "python ISMCTS": 2000}


def ours(name: str, simulations: int = SIMULATIONS, flat: bool = False) -> float:
    """Return the simulations a second of our search with uniform playouts, with a tree or `flat`."""
    from qipai.core import Search, get
    from qipai.search import Policies, Searcher
    from qipai.search.playing import choose_any, prefer_none, stand

    game = get(name)
    policies = Policies(playout=choose_any, opponent=choose_any, prior=prefer_none, value=stand)
    searcher = Searcher(game, Search(flat=flat), policies=policies)
    s = game.new(words=(1, 2, 3, 4))
    searcher.search(s, int(s["seat"]), simulations, (1, 2, 3, 4))
    start = time.process_time()
    searcher.search(s, int(s["seat"]), simulations, (1, 2, 3, 5))
    return simulations / (time.process_time() - start)


def theirs(python: str, name: str, kind: str) -> float:
    """Return the simulations a second of one of OpenSpiel's bots, in a separate process."""
    command = [python, "-c", PEER, name, kind, str(KINDS[kind])]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(json.loads(found.stdout))


def main() -> int:
    """Measure in turns and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--peer", metavar="PYTHON", help="an interpreter with open_spiel")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    rows = []
    for name in GAMES:
        rates: dict[str, list[float]] = {}
        for _ in range(given.rounds):
            rates.setdefault("qipai", []).append(ours(name))
            rates.setdefault("qipai, flat", []).append(ours(name, flat=True))
            for kind in KINDS if given.peer else ():
                rates.setdefault(kind, []).append(theirs(given.peer, name, kind))
        own = statistics.median(rates["qipai"])
        for who, found in rates.items():
            rate = statistics.median(found)
            rows.append(
                {"game": name, "search": who, "per_second": round(rate), "ratio": round(own / rate, 2)}
            )
    if given.json:
        print(json.dumps(rows, indent=1))
    else:
        print(f"{'game':<14} {'search':<16} {'simulations/s':>14}  ours over theirs")
        for r in rows:
            print(f"{r['game']:<14} {r['search']:<16} {r['per_second']:>14,}  {r['ratio']:>8.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
