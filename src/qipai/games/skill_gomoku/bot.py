"""Skill Gomoku's agents: `heuristic`, the original's own, and `sharp`, which looks ahead by the odds.

Both read the determinized record that every agent is given: of the cards they use only
what is no secret, how many of each kind are unseen. Their chance is their own.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import AgentSpec, Game, Sight, State, compile_rules

from . import heuristic, policy, record, windows
from .weights import load_weights

PLAYS = 2 * windows.WIDEST + 4


class HeuristicAgent:
    """The best own play by a static score (§15)."""

    def __init__(self, game: Game, words: NDArray[np.uint32]) -> None:
        game.compile()
        compile_rules([heuristic.choose_play], game.rules.State, "skill_gomoku/heuristic")
        self._board = np.zeros(record.CELLS, np.int8)
        self._cells = np.zeros(heuristic.MOST, np.int16)
        self._words = np.zeros(4, np.uint32)

    def act(self, sight: Sight) -> int:
        """A slot, or a target."""
        return int(heuristic.choose_play(sight.state, self._board, self._cells, self._words))


class SharpAgent:
    """Expectimax over the cards that are left (policy.py), within a budget of judged positions."""

    def __init__(
        self,
        game: Game,
        words: NDArray[np.uint32],
        *,
        budget: int = 100_000,
        depth: int = 3,
        width: int = 12,
        samples: int = 48,
        inner: tuple[int, int, int] = (8, 5, 4),
        weights: NDArray[np.float64] | None = None,
    ) -> None:
        game.compile()
        compile_rules([windows.lay_windows, policy.search], game.rules.State, "skill_gomoku/sharp")
        self._own = words.copy()
        self._ws = np.zeros(windows.WORK, np.int32)
        self._net = load_weights() if weights is None else weights.copy()
        self._plan = np.zeros(PLAYS, np.int32)
        self._values = np.zeros(PLAYS)
        self._settings = (depth, width, samples)
        self._ws[windows.BUDGET] = budget
        self._ws[windows.PLACES], self._ws[windows.TAKES], self._ws[windows.SAMPLES] = inner
        self._size = 0
        self._planned: tuple[bytes, int] | None = None  # after the choice: position and target

    def act(self, sight: Sight) -> int:
        """The best play by the search: its slot, and then the target found with it."""
        s = sight.state
        if s["phase"] == record.SELECT_TARGET and self._planned is not None:
            position, target = self._planned
            self._planned = None
            if position == _position(s) and sight.mask[target]:
                return target
        best = self.plays(s)[0][0]
        slot, target = divmod(best, 1000)
        if s["phase"] == record.SELECT_TARGET:
            return target
        self._planned = (_position(s), target) if target >= record.OPPONENT else None
        return slot

    def plays(self, s: State) -> list[tuple[int, float]]:
        """Every play looked at (slot * 1000 + target action) and its worth, best first."""
        if self._size != int(s["board_size"]):
            self._size = int(s["board_size"])
            windows.lay_windows(self._ws, self._size)
        words = self._own.copy()  # the same position always gets the same chance
        n = int(policy.search(s, self._ws, self._net, words, self._plan, self._values, *self._settings))
        return [(int(p), float(v)) for p, v in zip(self._plan[:n], self._values[:n], strict=True)]


def _position(s: State) -> bytes:
    """What stays the same between choosing a card and aiming it."""
    return bytes(s["board"].tobytes()) + int(s["turn"]).to_bytes(8, "little")


def make_sharp(game: Game, words: NDArray[np.uint32]) -> Any:
    """`sharp` as it plays by default."""
    return SharpAgent(game, words)


AGENTS = (
    AgentSpec(
        name="heuristic",
        level=1,
        make=HeuristicAgent,
        about={"en": "the best own play by a static score, no looking ahead", "zh": "静态评分选最佳一步"},
    ),
    AgentSpec(
        name="sharp",
        level=2,
        make=make_sharp,
        about={"en": "looks some turns ahead by the odds of the cards left", "zh": "按余牌概率向前搜索"},
    ),
)
