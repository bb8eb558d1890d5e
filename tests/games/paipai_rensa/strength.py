"""How strong the bots are against the CPU, in points of margin; also a command.

python -m tests.games.paipai_rensa.strength builder 200
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from qipai.core import Player, State, agents_of, copy_state
from qipai.core.agent import agent_words, sight
from qipai.games.paipai_rensa import GAME
from qipai.games.paipai_rensa.bots import Budget, Builder
from qipai.games.paipai_rensa.state import PLACE


def games(budget: Budget, count: int, seed: int = 0) -> list[int]:
    """Return margins of a builder with some budget."""
    found = []
    for k in range(count):
        s = deal(k, seed)
        bot, words = Builder(GAME, agent_words(GAME, seed, 2 * k), budget), agent_words(GAME, seed, 2 * k + 1)
        while int(s["seat"]) >= 0:
            GAME.rules.apply(s, bot.act(sight(GAME, s, 0, words)))
        found.append(int(s["payoff"][0]))
    return found


def deal(number: int, seed: int) -> State:
    """Deal `number` of a series."""
    return GAME.new(words=(number, seed, 0xBEEF, 1))


def match(name: str, count: int, seed: int = 0, first: int = 0) -> dict[str, Any]:
    """Play `count` games of an agent; return the mean margin with its 95 % interval, and placement times."""
    assert name in agents_of(GAME)
    margins, times, rows = [], [], []
    for k in range(first, first + count):
        s = deal(k, seed)
        player = Player(GAME, name, seed, k)
        while int(s["seat"]) >= 0:
            before = copy_state(s)
            started = time.perf_counter()
            actions = player.move(s)
            if int(before["phase"]) == PLACE:
                times.append(time.perf_counter() - started)
            for action in actions:
                GAME.rules.apply(s, action)
        margins.append(int(s["payoff"][0]))
        rows.append([int(s[f]) for f in ("score", "cpu_score", "player_wins", "holds", "longest", "n_lost")])
    half = 1.96 * float(np.std(margins, ddof=1)) / count**0.5 if count > 1 else 0.0
    means = np.mean(rows, axis=0)
    return {
        "games": count,
        "mean": round(float(np.mean(margins))),
        "low": round(float(np.mean(margins)) - half),
        "high": round(float(np.mean(margins)) + half),
        "worst": min(margins),
        "player": round(float(means[0])),
        "cpu": round(float(means[1])),
        "hands": round(float(means[2]), 2),
        "holds": round(float(means[3]), 1),
        "longest_chain": round(float(means[4]), 1),
        "lost_tiles": round(float(means[5]), 2),
        "ms_mean": round(1000 * float(np.mean(times)), 1),
        "ms_99": round(1000 * float(np.quantile(times, 0.99)), 1),
    }


if __name__ == "__main__":
    print(match(sys.argv[1], int(sys.argv[2])))
