"""Pickled environments and deep copies continue like the original, in this process and in another."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai.core import agents_of, copy_state, get, new_states
from qipai.core.errors import BadPickle
from qipai.envs import WuhanMahjongEnv, aec, single, vector
from qipai.envs.kept import own
from qipai.envs.learner import Learners

from .toy import LAPS
from .twins import SLOW

# Every kind of environment, as it is made.
KINDS: dict[str, Callable[[], Any]] = {
    "aec": lambda: aec(LAPS, seats=3, seed=5),
    "aec with options": lambda: aec("skill_gomoku", {"board_size": 9}, seed=5),
    "wuhan_mahjong": lambda: WuhanMahjongEnv(action_format="flat", training_phase=2),
    "single": lambda: single(LAPS, seat="rotate", seats=3, seed=5, illegal="random"),
    "vector": lambda: vector(LAPS, 6, [SLOW, "random"], "rotate", seats=3, seed=5, space="box"),
    "threads": lambda: vector(LAPS, 600, seats=2, seed=5, threads=2, autoreset="SAME_STEP", space="box"),
    "bot": lambda: vector("xianqi", 2, "heuristic", seed=5, space="box"),
}


def begin(env: Any) -> Any:
    """Return the environment a few decisions into an episode."""
    env.reset(seed=8)
    if hasattr(env, "learners"):
        env.action_space.seed(8)
    trace(env, 4)
    return env


def trace(env: Any, steps: int) -> str:
    """Play on and return a digest of everything that was told on the way."""
    told = sha256()
    rng = np.random.default_rng(steps)
    with np.printoptions(threshold=sys.maxsize):
        for _ in range(steps):
            told.update(repr(turn(env, rng)).encode())
        told.update(repr(env.action_space.sample() if hasattr(env, "learners") else "").encode())
    return told.hexdigest()


def turn(env: Any, rng: np.random.Generator) -> Any:
    """Make one random decision and return what was told."""
    if hasattr(env, "learners"):
        masks = np.atleast_2d(env.action_masks())
        if not masks.any():
            return env.reset()
        actions = np.argmax(rng.random(masks.shape) * masks, axis=1)
        return env.step(
            actions if masks.shape[0] > 1 else -1 if env.convention.illegal == "random" else actions[0]
        )
    if not env.agents:
        return env.reset()
    seen, *rest = env.last()
    over = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
    env.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    return seen, rest


def through_pickle(env: Any) -> Any:
    """Return what comes out of a pickle."""
    return pickle.loads(pickle.dumps(env))


def through_shared_memory(env: Any) -> Any:
    """Return what comes out of a pickle whose arrays lie in memory that may not be written to."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(env, protocol=5, buffer_callback=buffers.append)
    return pickle.loads(data, buffers=[bytes(b.raw()) for b in buffers])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("through", [through_pickle, through_shared_memory, deepcopy])
def test_a_copy_goes_its_own_way_from_the_same_point(kind: str, through: Callable[[Any], Any]) -> None:
    env = begin(KINDS[kind]())
    twin, other = through(env), through(env)
    later = trace(twin, 20)
    assert trace(env, 20) == later and trace(other, 20) == later
    assert trace(env, 5) == trace(twin, 5)


@pytest.mark.parametrize("kind", KINDS)
def test_an_environment_is_pickled_before_its_first_reset_too(kind: str) -> None:
    twin = begin(through_pickle(KINDS[kind]()))
    assert trace(twin, 3) == trace(begin(KINDS[kind]()), 3)


RESUME = """
import pickle, sys
from tests.envs.test_kept import trace
for path in sys.argv[1:]:
    with open(path, "rb") as file:
        print(trace(pickle.load(file), 6))
"""


def test_another_process_goes_on_as_this_one_does(tmp_path: Path) -> None:
    kinds = ["aec", "bot", "vector"]
    envs = [begin(KINDS[kind]()) for kind in kinds]
    for kind, env in zip(kinds, envs, strict=True):
        (tmp_path / kind).write_bytes(pickle.dumps(env))
    done = subprocess.run(
        [sys.executable, "-c", RESUME, *(str(tmp_path / kind) for kind in kinds)],
        cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.split() == [trace(env, 6) for env in envs], done.stderr


def test_what_an_agent_needs_is_made_before_it_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    memo: list[Any] = []
    monkeypatch.setattr("qipai.games.wuhan_mahjong.bots.heuristic._memo", memo)
    env = vector("wuhan_mahjong", 2, "heuristic", seed=5, space="box")
    env.reset()
    data = pickle.dumps(env)
    memo.clear()  # as in a process that has made no such agent
    trace(pickle.loads(data), 2)
    assert memo


def test_an_opponent_of_the_game_goes_by_its_name_and_another_as_it_is() -> None:
    heuristic = agents_of(get("xianqi"))["heuristic"]
    learners = Learners("xianqi", 2, [SLOW, heuristic], 0, None, 3, 0)
    assert learners.__getstate__()["_specs"] == [SLOW, "heuristic"]
    assert through_pickle(learners)._specs == [SLOW, heuristic]


def test_an_environment_of_a_game_without_a_name_is_refused_by_name() -> None:
    with pytest.raises(BadPickle, match="laps cannot be pickled: it is not registered"):
        pickle.dumps(aec(replace(LAPS), seats=2))
    deepcopy(aec(replace(LAPS), seats=2))


def test_values_are_copied_where_compiled_code_writes_to_them() -> None:
    s = new_states(LAPS.rules.State, 1)[0]
    s["ply"] = 3
    kept = own(pickle.loads(pickle.dumps(s)))
    kept["ply"] += 1
    assert (s["ply"], kept["ply"]) == (3, 4) and copy_state(kept)["ply"] == 4
    frozen = np.arange(3)
    frozen.flags.writeable = False
    assert own(frozen).flags.writeable and own("text") == "text"
