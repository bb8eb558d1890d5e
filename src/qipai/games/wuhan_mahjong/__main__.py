"""A table for any mix of people and bots at one keyboard (§8.5): `python -m qipai.games.wuhan_mahjong`.

People take turns; each is shown only what its seat may see. Plain text, no extras.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import Agent, QipaiError, State, agents_of, make_agent, sight
from qipai.core.agent import agent_words
from qipai.core.errors import BadOption, BadText

from . import GAME
from .text import action_name, draw_view, parse, tell, waits_text
from .tiles import SEATS

HUMAN = "human"
WAITS = ("w", "waits", "听")
CURTAIN = "\n" * 60  # scrolls the last person's hand away before the next one looks
Ask = Callable[[str], str]
Show = Callable[[str], None]


class HotSeat:
    """One hand after another at one keyboard."""

    def __init__(
        self, seats: Sequence[str], seed: int, lang: str, ask: Ask = input, show: Show = print
    ) -> None:
        known = [HUMAN, *agents_of(GAME)]
        if len(seats) != SEATS or any(name not in known for name in seats):
            raise BadOption(f"--seats names {SEATS} of {', '.join(known)}, separated by commas")
        self.seats = list(seats)
        self.lang = lang
        self._ask, self._show = ask, show
        self._agents: dict[int, Agent] = {
            k: make_agent(GAME, name, seed, k) for k, name in enumerate(seats) if name != HUMAN
        }
        self._words: NDArray[np.uint32] = agent_words(GAME, seed, SEATS)
        self._seed = seed
        self._people = [k for k, name in enumerate(seats) if name == HUMAN]
        self._looking: int | None = None  # whose hand is on the screen
        self._told: dict[int, list[str]] = {}  # what has happened since each person last looked

    def play(self, hands: int) -> list[int]:
        """Play `hands` hands, linked by the dealer; the chips of each seat."""
        chips = [0] * SEATS
        options: dict[str, Any] = {}
        for number in range(hands):
            words = (self._seed & 0xFFFFFFFF, self._seed >> 32 & 0xFFFFFFFF, number, 1)
            s = GAME.new(options, words=words)
            self._hand(s)
            chips = [c + int(p) for c, p in zip(chips, s["payoff"], strict=True)]
            options = GAME.successor(s)
            self._show(draw_view(GAME.view(s, -1), self.lang))
            self._show(" ".join(f"{k}:{c:+d}" for k, c in enumerate(chips)))
        return chips

    def _hand(self, s: State) -> None:
        self._looking = None  # the last hand ended with all tiles open
        self._told = {k: [] for k in self._people}
        while int(s["seat"]) >= 0:
            seat = int(s["seat"])
            action = self._person(s, seat) if seat in self._people else self._bot(s, seat)
            watcher = self._people[0] if len(self._people) == 1 else -1
            for event in GAME.narrate(s, action, watcher):
                if event["event"] not in ("ask", "end"):
                    line = "  " + tell(event, self.lang)
                    self._show(line)
                    for told in self._told.values():
                        told.append(line)
            GAME.apply(s, action)

    def _bot(self, s: State, seat: int) -> int:
        return int(self._agents[seat].act(sight(GAME, s, seat, self._words)))

    def _person(self, s: State, seat: int) -> int:
        """Ask until the answer is legal."""
        if len(self._people) > 1 and self._looking != seat:
            if self._looking is not None:
                self._show(CURTAIN)
            self._ask(f"\n--- seat {seat} / {seat}号: Enter ---")
            for line in self._told[seat]:
                self._show(line)
        self._looking = seat
        self._told[seat].clear()
        view = GAME.view(s, seat)
        legal = view["legal"]
        self._show("\n" + draw_view(view, self.lang))
        for i, action in enumerate(legal):
            self._show(f"  {i + 1:>2}  {action_name(action, 'en'):<18} {action_name(action, 'zh')}")
        while True:
            typed = self._ask(f"[{seat}] > ").strip()
            if typed.lower() in WAITS:
                self._show(waits_text(view, self.lang))
                continue
            if typed.isdecimal() and 1 <= int(typed) <= len(legal):
                return int(legal[int(typed) - 1])
            try:
                action = parse(typed)
            except BadText as error:
                self._show(str(error))
                continue
            if action in legal:
                return action
            self._show("not legal here / 不能这样" if self.lang == "en" else "现在不能这样 / not legal here")


def main(argv: Sequence[str] | None = None) -> int:
    """Seat the players and play."""
    parser = argparse.ArgumentParser(prog="python -m qipai.games.wuhan_mahjong", description=__doc__)
    parser.add_argument("--seats", default="human,heuristic,heuristic,heuristic", help="four names, by seat")
    parser.add_argument("--hands", type=int, default=1, help="how many hands (default: 1)")
    parser.add_argument("--seed", type=int, default=None, help="the same number deals the same hands")
    parser.add_argument("--lang", choices=("en", "zh"), default="en")
    args = parser.parse_args(argv)
    seed = int(np.random.default_rng().integers(1 << 62)) if args.seed is None else abs(args.seed)
    try:
        HotSeat(args.seats.split(","), seed, args.lang).play(max(args.hands, 1))
    except QipaiError as error:
        print(f"{error} [{error.code}]", file=sys.stderr)
        return 2
    except (EOFError, KeyboardInterrupt):
        print()
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
