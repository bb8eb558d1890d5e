"""`Batch`: thousands of games at once, with the same interface on every device.

The arrays `state, mask, obs, seat, reward, done, cut` are owned by the batch and written
in place by `reset`, `step`, `rollout` and `observe`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game, State, get
from qipai.core.errors import (
    BadBatch,
    BadCount,
    BadPickle,
    BadSeed,
    BadStream,
    IllegalAction,
    NoDecision,
    NoDevice,
    short,
)

from .cpu import CpuEngine
from .engine import Engine

MAX_LANES = 1 << 28


@dataclass(frozen=True)
class Rollout:
    """What a rollout did: decisions made, games ended."""

    decisions: int
    games: int


class Batch:
    """`n` games side by side, each dealt again when it ends.

    state   recarray (n,)            the true states
    mask    uint8 (n, game.width)    legal actions of the next decision
    obs     int8 (n, L)              the observation of the seat to move
    seat    int8 (n,)                the seat to move
    reward  int32 (n, seats)         change of payoff in the last step
    done    uint8 (n,)               1 if the game ended in that step; mask, obs and seat then
                                     belong to the new deal
    cut     uint8 (n,)               1 if a cap ended it

    With device="cuda" the arrays are in GPU memory and support `__cuda_array_interface__` and
    DLPack (`state` only the former); work is launched on `stream`.

    A pickled batch, or a deep copy, continues from the same states with the same random numbers, on the same
    kind of device. On a GPU the arrays are copied through main memory, and the copy uses the default stream.
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        seed: int = 0,
        device: str = "cpu",
        *,
        options: Mapping[str, Any] | None = None,
        seats: int | None = None,
        threads: int | None = None,
        stream: Any = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else get(game, options)
        if not _is_whole(n) or not 1 <= n <= MAX_LANES:
            raise BadBatch(f"a batch has 1 to {MAX_LANES} lanes, not {short(n)}")
        if threads is not None and (not _is_whole(threads) or threads < 1):
            raise BadCount(f"threads must be a whole number from 1, not {short(threads)}")
        blank = self.game.blank(options, seats)
        self._open(blank, int(n), device, threads, stream)
        self.reset(seed)

    def _open(self, blank: State, n: int, device: str, threads: int | None, stream: Any) -> None:
        """Make the engine and its arrays; every state is a copy of `blank`."""
        self.n = n
        self.device = device
        self._asked = threads
        self._engine = _engine(self.game, self.n, device, threads, stream)
        self._arrays = self._engine.allocate(blank)
        self._all: Any = None  # rows for `observe_all`, allocated by its first call
        self.state = self._arrays.state
        self.mask = self._arrays.mask
        self.obs = self._arrays.obs
        self.seat = self._arrays.seat
        self.reward = self._arrays.reward
        self.done = self._arrays.done
        self.cut = self._arrays.cut

    def __getstate__(self) -> dict[str, Any]:
        """Return the game, the settings of the batch, and its arrays in main memory."""
        arrays = self._engine.save(self._arrays)
        return {"game": self.game, "device": self.device, "threads": self._asked, "arrays": arrays}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Continue from what `__getstate__` returned; raise `BadPickle` if the game has other shapes here."""
        self.game = kept["game"]
        arrays = kept["arrays"]
        states = arrays["state"]
        if states.dtype != self.game.rules.State:
            raise BadPickle(f"{self.game.name}: the pickled states do not have the fields of this game's")
        self._open(states[0], len(states), kept["device"], kept["threads"], None)
        for name, array in vars(self._arrays).items():
            if arrays[name].shape != array.shape:
                raise BadPickle(
                    f"{self.game.name}: the pickled {name} is {arrays[name].shape}, not {array.shape}"
                )
        self._engine.load(self._arrays, arrays)

    @property
    def threads(self) -> int:
        """Number of threads that share the lanes (1 on a GPU, where each lane has its own)."""
        return getattr(self._engine, "threads", 1)

    def reset(self, seed: int = 0) -> None:
        """Seed every lane again and deal."""
        if not _is_whole(seed) or not 0 <= seed < 1 << 64:
            raise BadSeed("a batch's seed must be a whole number from 0 to 2^64 - 1")
        if not self._engine.reset(self._arrays, int(seed) & 0xFFFFFFFF, int(seed) >> 32):
            raise NoDecision(f"{self.game.name}: with these options no deal leads to a decision")

    def step(self, actions: Any) -> None:
        """Apply one action per lane, deal finished games again, and fill mask and observation.

        On the CPU an illegal action raises `IllegalAction`, which names the first such lane, and nothing
        changes. On a GPU the step does not wait for the result: a lane whose action is illegal
        stays unchanged, and `check` or the next `rollout` raises. Actions in GPU memory must be
        int32.
        """
        if self.device == "cpu" or not hasattr(actions, "__cuda_array_interface__"):
            actions = whole_actions(actions, self.n)
        self._engine.step(self._arrays, actions)

    def check(self) -> None:
        """Raise `IllegalAction` if an action since the last call was illegal. Waits for a GPU."""
        self._engine.check()

    def observe(self) -> None:
        """Fill mask, observation and seat again, after `state` was written from outside.

        If a game is over, they are all zero, zero and -1 (nobody). `step` does not accept such a lane, and
        `rollout` leaves it unchanged.
        """
        self._engine.observe(self._arrays)

    def observe_all(self) -> Any:
        """Return the observations of all seats, int8 (n * seats, L); zeros if a game is over.

        A lane has `seats` rows, starting with the seat to move. The first call allocates the array and every
        call overwrites it. It is meant for training: a critic may know what a player may not.
        """
        if self._all is None:
            self._all = self._engine.rows(self.n * self.reward.shape[1])
        self._engine.observe_all(self._arrays, self._all)
        return self._all

    def sample(self) -> Any:
        """Return a random legal action per lane (int32), from its own stream; -1 if its game is over."""
        return self._engine.choose(self._arrays)

    def rollout(self, steps: int, observe: bool = False) -> Rollout:
        """Make `steps` random decisions per lane in one compiled loop.

        With `observe`, mask and observation are written at every decision, not only at
        the end. The games are the same either way. Raises `BadGame` if faulty rules leave a seat without
        an action; the lanes have advanced by then.
        """
        if not _is_whole(steps) or not 0 <= steps < 1 << 31:
            raise BadCount(f"steps must be a whole number from 0 to 2^31 - 1, not {short(steps)}")
        games = self._engine.rollout(self._arrays, int(steps), observe)
        return Rollout(decisions=int(steps) * self.n, games=games)


def whole_actions(actions: Any, n: int) -> NDArray[np.int32]:
    """Return `actions` as `n` int32 numbers; raise `BadBatch` unless there is one whole number per lane.

    An int32 array that compiled code accepts is returned as it is. Anything else is copied: a slice, another
    type, a read-only array (every JAX array).
    """
    try:
        given = np.asarray(actions)
    except (TypeError, ValueError, RuntimeError) as error:  # RuntimeError: another library's deleted array
        raise BadBatch(f"step takes {n} whole numbers, not {short(actions)}") from error
    if given.shape != (n,) or given.dtype.kind not in "iu":
        raise BadBatch(f"step takes {n} whole numbers, not {given.dtype} {given.shape}")
    if given.dtype == np.int32 and given.flags.carray:  # contiguous, aligned, writeable
        return given
    if given.dtype != np.int32 and not -1 <= given.min() <= given.max() < 1 << 31:
        raise IllegalAction("an action is out of range")
    return np.array(given, np.int32, order="C")


def _is_whole(value: Any) -> bool:
    """Return whether the value is a whole number of Python or NumPy."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _engine(game: Game, n: int, device: str, threads: int | None, stream: Any) -> Engine:
    if device == "cpu":
        if stream is not None:
            raise BadStream("only a batch on a GPU has a stream; this one is on the CPU")
        return CpuEngine(game, n, threads)
    if device == "cuda":
        from .cuda.engine import CudaEngine

        return CudaEngine(game, n, stream)
    raise NoDevice(f"unknown device {str(device)[:20]!r}: use 'cpu' or 'cuda'")
