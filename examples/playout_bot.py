"""A bot of your own in the arena: it draws worlds that fit what it sees, and plays each action out at random.

    pip install qipai
    python examples/playout_bot.py                                   # at Xianqi, against random and heuristic
    python examples/playout_bot.py --game nana --worlds 4 --deals 20
    qipai play xianqi --bots examples/playout_bot.py:SPEC            # at a table

It knows no game: what is hidden is drawn by the game's own `determinize`, and the rules say the rest.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import numpy as np

from qipai import arena
from qipai.core import NOBODY, AgentSpec, Game, Sight, State, copy_state


class PlayoutBot:
    """Takes the action with the best mean payoff over random playouts."""

    def __init__(self, game: Game, words: Any, worlds: int = 16) -> None:
        """Keep the settings; `words` are four numbers that seed this agent: a contest can be repeated."""
        self._chance = random.Random(int.from_bytes(np.asarray(words).tobytes(), "little"))
        self._worlds = worlds

    def act(self, sight: Sight) -> int:
        """Return a legal action. `sight.state` is one possible world; `redrawn` makes others."""
        legal = [int(action) for action in np.flatnonzero(sight.mask)]
        if len(legal) == 1:
            return legal[0]
        totals = dict.fromkeys(legal, 0)
        for _ in range(self._worlds):
            words = [self._chance.getrandbits(32) for _ in range(4)]
            world = sight.game.redrawn(sight.state, sight.seat, words)
            for action in legal:  # all of them in the same world: the luck of the draw is the same
                totals[action] += self._play_out(sight.game, copy_state(world), sight.seat, action)
        return max(legal, key=lambda action: totals[action])

    def _play_out(self, game: Game, s: State, seat: int, action: int) -> int:
        """Return what `seat` gets if it makes `action` and everyone plays at random from then on."""
        game.rules.apply(s, action)
        while int(s["seat"]) != NOBODY:
            game.rules.apply(s, self._chance.choice(game.legal_actions(s)))
        return int(s["payoff"][seat])


SPEC = AgentSpec("playouts", 1, PlayoutBot)


def contest(game: str, worlds: int, opponents: list[str], deals: int, seed: int) -> arena.Standings:
    """Let the bot play each deal in every seating against `opponents`."""
    mine = AgentSpec("playouts", 1, lambda game, words: PlayoutBot(game, words, worlds))
    return arena.run(game, [mine, *opponents], deals=deals, seed=seed)


def main(argv: list[str] | None = None) -> arena.Standings:
    """Run one contest per opponent and print the standings; return the last."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--game", default="xianqi")
    parser.add_argument("--worlds", type=int, default=16, help="worlds per decision")
    parser.add_argument("--opponents", default="random,heuristic", help="one contest for each")
    parser.add_argument("--deals", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    for opponent in args.opponents.split(","):
        found = contest(args.game, args.worlds, [opponent], args.deals, args.seed)
        print(found.text(), end="\n\n")
    return found


if __name__ == "__main__":
    main()
