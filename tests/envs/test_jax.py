"""JAX shares memory with a batch, and steps it without side effects."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from qipai.core import names
from qipai.core.errors import BadBatch
from qipai.envs.jax import SHARED, Steps, Told, views
from qipai.sim import Batch

LANES = (1, 3, 70, 256)


def check_shared(name: str, n: int) -> int:
    """Return how many arrays of a batch JAX reads in the same memory, which is all that `views` names."""
    batch = Batch(name, n, seed=1)
    found = views(batch)
    for field in SHARED:
        ours, theirs = getattr(batch, field), getattr(found, field)
        assert theirs.unsafe_buffer_pointer() == ours.ctypes.data and ours.ctypes.data % 64 == 0
        assert theirs.shape == ours.shape and theirs.dtype == ours.dtype
    return len(found)


@pytest.mark.parametrize("n", LANES)
@pytest.mark.parametrize("name", names())
def test_arrays_are_in_the_same_memory(name: str, n: int) -> None:
    assert check_shared(name, n) == 5


def test_a_step_shows_through() -> None:
    batch = Batch("xianqi", 8, seed=1)
    found = views(batch)
    kept = jnp.array(found.obs, copy=True)
    batch.step(batch.sample())
    assert np.array_equal(np.asarray(found.obs), batch.obs) and not np.array_equal(kept, found.obs)


@pytest.mark.parametrize(
    ("into", "shares"),
    [(jax.device_put, True), (jnp.asarray, False), (jnp.array, False), (jax.jit(lambda x: x), False)],
    ids=["device_put", "asarray", "array", "jit"],
)
def test_what_jax_makes_of_an_array_is_a_copy_or_shares_memory_as_the_page_says(
    into: Any, shares: bool
) -> None:
    batch = Batch("xianqi", 70, seed=1)
    assert (into(batch.obs).unsafe_buffer_pointer() == batch.obs.ctypes.data) is shares


def check_parity(name: str, games: int, n: int = 8, seed: int = 3) -> int:
    """Return how many decisions `games` games take: masks, rewards and ends are those of a batch."""
    steps, batch = Steps(name, n), Batch(name, n, seed)
    step = jax.jit(steps.step)
    told = steps.reset(seed)
    ended = decisions = 0
    while ended < games:
        assert all(np.array_equal(getattr(told, field), getattr(batch, field)) for field in SHARED)
        actions = batch.sample()
        told = step(told.states, jnp.asarray(actions))
        batch.step(actions)
        ended += int(batch.done.sum())
        decisions += n
    return decisions


@pytest.mark.parametrize("name", names())
def test_pure_steps_are_those_of_a_batch(name: str) -> None:
    assert check_parity(name, 2) >= 2


def check_legal(name: str, steps: int, n: int = 20) -> int:
    """Return how many actions a compiled policy chose, with JAX's generator; an illegal one fails."""
    lanes = Steps(name, n)

    def turn(key: Any, told: Told) -> tuple[Any, Told]:
        key, used = jax.random.split(key)
        logits = jnp.where(told.mask != 0, 0.0, -jnp.inf)
        return key, lanes.step(told.states, jax.random.categorical(used, logits))

    compiled = jax.jit(turn)
    key, told, made = jax.random.key(1), lanes.reset(1), 0
    while made < steps:
        key, told = compiled(key, told)
        made += n
    jax.block_until_ready(told)
    return made


@pytest.mark.parametrize("name", names())
def test_a_compiled_policy_chooses_legal_actions(name: str) -> None:
    assert check_legal(name, 200) >= 200


def test_a_state_can_be_stepped_again() -> None:
    steps = Steps("xianqi", 4)
    first = steps.reset(1)
    actions = jnp.argmax(first.mask, axis=1)
    one, other = steps.step(first.states, actions), steps.step(first.states, actions)
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))
    with pytest.raises(BadBatch):
        steps.step(first.states, actions[:2])


def test_an_illegal_action_fails() -> None:
    steps = Steps("xianqi", 2)
    first = steps.reset(1)
    with pytest.raises(Exception, match="not legal"):
        jax.block_until_ready(steps.step(first.states, jnp.argmin(first.mask[:, :40], axis=1)))
