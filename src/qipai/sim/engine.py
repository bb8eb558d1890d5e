"""What a batch needs of a device: its arrays, and what is done to them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from qipai.core import Game, State
from qipai.core.errors import BadGame


@dataclass(frozen=True)
class Arrays:
    """The arrays of a batch, on its device; `Batch` documents their shapes."""

    state: Any
    mask: Any
    obs: Any
    seat: Any
    reward: Any
    done: Any
    cut: Any
    choice: Any  # uint32 (n, 4): the lanes' streams of random choice


class Engine(Protocol):
    """A device's way of running the loops; the results are the same on every one."""

    def allocate(self, blank: State) -> Arrays:
        """Arrays for every lane, each state a copy of `blank`."""
        ...

    def reset(self, a: Arrays, low: int, high: int) -> bool:
        """Seed and deal every lane; False when some lane found no deal with a decision."""
        ...

    def step(self, a: Arrays, actions: Any) -> None:
        """One action a lane."""
        ...

    def choose(self, a: Arrays) -> Any:
        """A random legal action a lane."""
        ...

    def rollout(self, a: Arrays, steps: int, observe: bool) -> int:
        """Random decisions; returns games ended."""
        ...

    def observe(self, a: Arrays) -> None:
        """Mask, observation and seat of the states as they are; zero and nobody where a game is over."""
        ...

    def observe_all(self, a: Arrays, seen: Any) -> None:
        """Every seat's observation, into rows that `rows` made; of each lane the deciding seat's first."""
        ...

    def rows(self, count: int) -> Any:
        """New rows of observations, int8 (count, L)."""
        ...

    def save(self, a: Arrays) -> dict[str, Any]:
        """Return the arrays in main memory, by name, and what else `load` needs."""
        ...

    def load(self, a: Arrays, saved: dict[str, Any]) -> None:
        """Fill the arrays with what `save` returned."""
        ...

    def check(self) -> None:
        """IllegalAction for a step whose actions were not all legal and that could not say so itself."""
        ...


def no_action(game: Game, who: str) -> BadGame:
    """The refusal of rules that leave somebody without an action, where `check_game` was not asked."""
    return BadGame(f"{game.name}: {who} no legal action, though the game is not over")
