"""qipai's games for JAX on the CPU: arrays that share memory with a batch, and a step without side effects.

`views(batch)` costs nothing, but its arrays change with the next step, although JAX believes them to be
immutable. `Steps` copies instead: the states go in and come out, and it works under `jax.jit`.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from qipai.core import Game
from qipai.core.errors import BadBatch, MissingExtra, NoDevice
from qipai.sim import Batch

try:
    import jax
    import jax.numpy as jnp
except ModuleNotFoundError as error:
    raise MissingExtra("JAX is not installed: pip install 'qipai[toolbox]'") from error

SHARED = ("obs", "mask", "seat", "reward", "done")


class Views(NamedTuple):
    """A batch's arrays as JAX arrays in the same memory; shapes and types are those of `Batch`."""

    obs: Any
    mask: Any
    seat: Any
    reward: Any
    done: Any


def views(batch: Batch) -> Views:
    """Return the arrays of a batch without copying them.

    They are written in place by the batch. Finish all computations that read them (`block_until_ready`)
    before the next step, and keep only copies (`jnp.array(views.obs, copy=True)`).
    """
    if batch.device != "cpu":
        raise NoDevice("views are of a batch on the CPU; on a GPU use jax.dlpack.from_dlpack(batch.obs)")
    return Views(*(jnp.from_dlpack(getattr(batch, name), copy=False) for name in SHARED))


class Told(NamedTuple):
    """What a functional step returns: new states, and arrays as in `Batch`."""

    states: Any  # uint8 (n, bytes of a state)
    obs: Any
    mask: Any
    seat: Any
    reward: Any
    done: Any


class Steps:
    """`n` lanes of a game as pure functions: `reset(seed)` and `step(states, actions)`.

    The states are bytes. A call leaves its arguments as they are, so a state can be stepped again and again.
    Under `jit` the call is a callback to the host. An illegal action raises when it is called directly, and
    fails the computation under `jit`.
    """

    def __init__(
        self, game: Game | str, n: int, options: Mapping[str, Any] | None = None, seats: int | None = None
    ) -> None:
        self._batch = Batch(game, n, options=options, seats=seats, threads=1)
        self._lock = Lock()  # of the batch: JAX may call back from several threads
        size = self._batch.state.dtype.itemsize
        arrays = [getattr(self._batch, name) for name in SHARED]
        shapes = [jax.ShapeDtypeStruct(array.shape, array.dtype) for array in arrays]
        self._shapes = Told(jax.ShapeDtypeStruct((n, size), np.uint8), *shapes)
        self.n = n

    def reset(self, seed: int = 0) -> Told:
        """Return the first states of a seed."""
        with self._lock:
            self._batch.reset(seed)
            copied = self._copied()
        return Told(*(jnp.asarray(array) for array in copied))

    def step(self, states: Any, actions: Any) -> Told:
        """Return what follows from states (uint8) and one action per lane (whole numbers)."""
        try:
            states, actions = jnp.asarray(states), jnp.asarray(actions)
        except (TypeError, ValueError, OverflowError) as error:
            raise BadBatch("step takes arrays of states and actions") from error
        if states.shape != self._shapes.states.shape or actions.shape != (self.n,):
            raise BadBatch(f"step takes states {self._shapes.states.shape} and {self.n} actions")
        if states.dtype != jnp.uint8 or not jnp.issubdtype(actions.dtype, jnp.integer):
            raise BadBatch(f"step takes uint8 and whole numbers, not {states.dtype} and {actions.dtype}")
        told: Told = jax.pure_callback(self._step, self._shapes, states, actions, vmap_method="sequential")
        return told

    def _step(self, states: Any, actions: Any) -> Told:
        batch = self._batch
        chosen = np.asarray(actions).astype(object).clip(-1, np.iinfo(np.int32).max).astype(np.int32)
        with self._lock:
            batch.load(np.array(states).view(batch.state.dtype)[:, 0])
            batch.step(chosen)
            return self._copied()

    def _copied(self) -> Told:
        batch = self._batch
        states = np.frombuffer(batch.state.tobytes(), np.uint8).reshape(self._shapes.states.shape)
        return Told(states, *(getattr(batch, name).copy() for name in SHARED))
