"""The interface between a batch and a device: its arrays, and the operations on them."""

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
    choice: Any  # uint32 (n, 4): the lanes' streams for random choices


class Engine(Protocol):
    """Runs the loops on one kind of device; the results are the same on all of them."""

    def allocate(self, blank: State) -> Arrays:
        """Return arrays for every lane, each state a copy of `blank`."""
        ...

    def reset(self, a: Arrays, low: int, high: int) -> bool:
        """Seed and deal every lane; return False if some lane found no deal with a decision."""
        ...

    def step(self, a: Arrays, actions: Any) -> None:
        """Apply one action per lane."""
        ...

    def put(self, a: Arrays, states: Any) -> None:
        """Set every state, forget the last step, and fill mask, observation and seat."""
        ...

    def redraw(self, a: Arrays, viewers: Any) -> None:
        """Redraw what each lane's viewer (int8) cannot know, from the lane's stream of choice."""
        ...

    def reset_chosen(self, a: Arrays, chosen: Any, seed: tuple[int, int] | None) -> None:
        """Deal again where `chosen` (uint8) is not 0: from the seed's words, or from the lane's generator."""
        ...

    def step_kept(self, a: Arrays, actions: Any) -> None:
        """Apply one action in each lane that is not over, without a new deal."""
        ...

    def rollout_kept(self, a: Arrays, steps: int) -> tuple[int, int, Any]:
        """Make random decisions without a new deal; return decisions, games ended, and payoffs."""
        ...

    def choose(self, a: Arrays) -> Any:
        """Return a random legal action per lane."""
        ...

    def rollout(self, a: Arrays, steps: int, observe: bool) -> int:
        """Make random decisions and return the number of games ended."""
        ...

    def observe(self, a: Arrays) -> None:
        """Fill mask, observation and seat for the current states; zero and nobody if a game is over."""
        ...

    def observe_all(self, a: Arrays, seen: Any) -> None:
        """Fill `seen` (made by `rows`) with every seat's observation, each lane's seat to move first."""
        ...

    def rows(self, count: int) -> Any:
        """Return new rows for observations, int8 (count, L)."""
        ...

    def save(self, a: Arrays) -> dict[str, Any]:
        """Return the arrays in main memory by name, and whatever else `load` needs."""
        ...

    def load(self, a: Arrays, saved: dict[str, Any]) -> None:
        """Fill the arrays with what `save` returned."""
        ...

    def check(self) -> None:
        """Raise `IllegalAction` for a step with illegal actions that could not raise by itself."""
        ...


def no_action(game: Game, who: str) -> BadGame:
    """Return the error for rules that leave somebody without an action (`check_game` would have found it)."""
    return BadGame(f"{game.name}: {who} no legal action, though the game is not over")
