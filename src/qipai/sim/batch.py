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

from qipai.core import WATCHER, Game, State, get
from qipai.core.errors import (
    BadBatch,
    BadCount,
    BadPickle,
    BadSeats,
    BadSeed,
    BadStream,
    IllegalAction,
    NoDecision,
    NoDevice,
    short,
)

from .cpu import CpuEngine
from .engine import Engine
from .given import given_states

MAX_LANES = 1 << 28
_OWN: Any = object()  # as a seed: each lane's own generator


@dataclass(frozen=True)
class Rollout:
    """What a rollout did: decisions made, games ended."""

    decisions: int
    games: int


class Batch:
    """`n` games side by side, each dealt again when it ends, or kept at its end with `redeal=False`.

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

    With `redeal=False` a lane whose game ends stays over until `reset` or `load`: its seat is -1, its mask
    empty, its state final, and `obs` is the end as the seat that acted last may know it. Steps leave it
    alone, whatever its action, with reward, done and cut 0.

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
        redeal: bool = True,
    ) -> None:
        self.game = game if isinstance(game, Game) else get(game, options)
        self.redeal = bool(redeal)
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
        try:
            self._arrays = self._engine.allocate(blank)
        except MemoryError as error:
            raise BadBatch(f"{n} lanes of {self.game.name} do not fit into memory") from error
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
        kept = {"game": self.game, "device": self.device, "threads": self._asked, "arrays": arrays}
        return {**kept, "redeal": self.redeal}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Continue from what `__getstate__` returned; raise `BadPickle` if the game has other shapes here."""
        self.game = kept["game"]
        self.redeal = kept.get("redeal", True)
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

    def reset(self, seed: int = _OWN, *, mask: Any = None) -> None:
        """Seed every lane again and deal; with `mask`, only the lanes where it is not 0.

        Without a seed all lanes start from seed 0, but lanes chosen by a mask go on with their own
        generator: so `reset(mask=batch.seat < 0)` deals as the batch would have done itself. `mask` has one
        truth or 0 or 1 per lane; on a GPU it may lie there, as uint8, such as `done`.
        """
        own = seed is _OWN
        words = seed_pair(0 if own else seed)
        if mask is not None:
            if self.device == "cpu" or not hasattr(mask, "__cuda_array_interface__"):
                mask = whole_mask(mask, self.n)
            self._engine.reset_chosen(self._arrays, mask, None if own else words)
        elif not self._engine.reset(self._arrays, *words):
            raise NoDecision(f"{self.game.name}: with these options no deal leads to a decision")

    def load(self, states: Any) -> None:
        """Set the state of every lane: `states` is one state for all, or one per lane; fill the other arrays.

        They are states of this game with as many seats as the batch has, which its rules have made: only
        their headers are checked (`BadState`). A state comes with its options and its generator, which the
        lane's next deal goes on with. So lanes that are loaded with one state have one chance in common
        until `redraw`. `reward`, `done` and `cut` are 0 afterwards.
        """
        self._engine.put(self._arrays, given_states(self.game, states, self.n, self.reward.shape[1]))

    def redraw(self, seat: Any) -> None:
        """Draw a new world in every lane: everything that `seat` cannot know, and all chance to come.

        `seat` is one seat for all lanes, or one per lane, and -1 is a watcher. A lane's four generator
        words come from its stream of random choice, and its world is `game.redrawn(state, seat, words)`.
        Lanes that are over stay as they are. Worlds are drawn on the CPU; on a GPU the states go there and
        back.
        """
        viewers = whole_seats(seat, self.n, self.reward.shape[1])
        self._engine.redraw(self._arrays, viewers)

    def playout(self, limit: int | None = None) -> Any:
        """Play every lane to its end with random decisions, and return the payoffs, int32 (n, seats).

        The lanes stay over afterwards, as with `redeal=False`. A lane that makes `limit` decisions and is
        not over stops there, with the payoffs as they stand; the default is the most that a game of these
        rules can take.
        """
        if limit is None:
            limit = self.game.rules.length
        if not _is_whole(limit) or not 0 <= limit < 1 << 31:
            raise BadCount(f"limit must be a whole number from 0 to 2^31 - 1, not {short(limit)}")
        return self._engine.rollout_kept(self._arrays, int(limit))[2]

    def step(self, actions: Any) -> None:
        """Apply one action per lane, deal finished games again, and fill mask and observation.

        On the CPU an illegal action raises `IllegalAction`, which names the first such lane, and nothing
        changes. On a GPU the step does not wait for the result: a lane whose action is illegal
        stays unchanged, and `check` or the next `rollout` raises. Actions in GPU memory must be
        int32. With `redeal=False` nothing is dealt again, and the actions of lanes that
        are over are ignored.
        """
        if self.device == "cpu" or not hasattr(actions, "__cuda_array_interface__"):
            actions = whole_actions(actions, self.n)
        if self.redeal:
            self._engine.step(self._arrays, actions)
        else:
            self._engine.step_kept(self._arrays, actions)

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
        an action; the lanes have advanced by then. With `redeal=False` a lane stops at the end of its
        game, only decisions that were made are counted, and the arrays are written once, at the end.
        """
        if not _is_whole(steps) or not 0 <= steps < 1 << 31:
            raise BadCount(f"steps must be a whole number from 0 to 2^31 - 1, not {short(steps)}")
        if not self.redeal:
            decisions, games, _ = self._engine.rollout_kept(self._arrays, int(steps))
            return Rollout(decisions, games)
        games = self._engine.rollout(self._arrays, int(steps), observe)
        return Rollout(decisions=int(steps) * self.n, games=games)


def whole_actions(actions: Any, n: int, who: str = "step") -> NDArray[np.int32]:
    """Return `actions` as `n` int32 numbers; raise `BadBatch` unless there is one whole number per lane.

    An int32 array that compiled code accepts is returned as it is. Anything else is copied: a slice, another
    type, a read-only array (every JAX array).
    """
    try:
        given = np.asarray(actions)
    except (TypeError, ValueError, RuntimeError) as error:  # RuntimeError: another library's deleted array
        raise BadBatch(f"{who} takes {n} whole numbers, not {short(actions)}") from error
    if given.shape != (n,) or given.dtype.kind not in "iu":
        raise BadBatch(f"{who} takes {n} whole numbers, not {given.dtype} {given.shape}")
    if given.dtype == np.int32 and given.flags.carray:  # contiguous, aligned, writeable
        return given
    if given.dtype != np.int32 and not -1 <= given.min() <= given.max() < 1 << 31:
        raise IllegalAction("an action is out of range")
    return np.array(given, np.int32, order="C")


def whole_mask(mask: Any, n: int) -> NDArray[np.uint8]:
    """Return `mask` as `n` bytes of 0 or 1; raise `BadBatch` if it is not one truth, 0 or 1 per lane."""
    given = _array_of(mask)
    if given is None or given.shape != (n,) or given.dtype.kind not in "biu":
        raise BadBatch(f"a mask of lanes has {n} entries, each true or false, not {_said(mask, given)}")
    if given.dtype.kind != "b" and not np.isin(given, (0, 1)).all():
        raise BadBatch("a mask of lanes holds only 0 and 1; it is not a list of lanes")
    return np.array(given, np.uint8, order="C")


def whole_seats(seat: Any, n: int, seats: int) -> NDArray[np.int8]:
    """Return one viewer per lane as int8; raise `BadSeats` if one is neither a seat nor a watcher."""
    given = _array_of(seat)
    if given is None or given.shape not in ((), (n,)) or given.dtype.kind not in "iu":
        raise BadSeats(f"redraw takes one seat, or {n} of them, not {_said(seat, given)}")
    if given.size and not WATCHER <= int(given.min()) <= int(given.max()) < seats:
        raise BadSeats(f"a viewer is a seat from 0 to {seats - 1} or a watcher, -1")
    return np.array(np.broadcast_to(given, (n,)), np.int8, order="C")


def seed_pair(seed: Any) -> tuple[int, int]:
    """Return the two words of a seed, the low one first; raise `BadSeed` if it is invalid."""
    if not _is_whole(seed) or not 0 <= seed < 1 << 64:
        raise BadSeed("a batch's seed must be a whole number from 0 to 2^64 - 1")
    return int(seed) & 0xFFFFFFFF, int(seed) >> 32


def _array_of(values: Any) -> NDArray[Any] | None:
    """Return the values as an array in main memory, or None if they are not an array."""
    if hasattr(values, "copy_to_host"):  # of a batch on a GPU
        values = values.copy_to_host()
    try:
        return np.asarray(values)
    except (TypeError, ValueError, RuntimeError):
        return None


def _said(values: Any, given: NDArray[Any] | None) -> str:
    return short(values) if given is None or given.dtype.kind == "O" else f"{given.dtype} {given.shape}"


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
