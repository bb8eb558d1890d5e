"""The comparison of two checkouts: what is left out of version 2 of an observation, and what is compared."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from qipai.core import get
from qipai.sim import Batch

FOLDER = Path(__file__).parents[2] / "benchmarks"

# Rules are changed for good in the process that asks for version 1, so it is one of its own.
SHORTER = """
import numpy as np
from compare import first_version
from qipai.core import get

full = get(NAME)
s = full.new()
for ply in range(40):
    if s["seat"] < 0:
        break
    actions = full.legal_actions(s)
    full.rules.apply(s, actions[ply % len(actions)])
seats = range(-1, int(s["seats"]))


def seen(game, seat):
    out = np.full(game.observation_size, 99, np.int8)
    game.rules.observe(s, seat, out)
    return out.tolist()


both = [seen(full, seat) for seat in seats]
first = first_version(NAME)
print(first.rules.observation_version, first.observation_size)
print(all(seen(first, seat) == row[: first.observation_size] for seat, row in zip(seats, both)))
print(len({tuple(row[first.observation_size :]) for row in both}) > 1)
"""


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the script."""
    monkeypatch.syspath_prepend(FOLDER)
    return import_module("compare")


@pytest.mark.parametrize("name", ["nana", "paipai_rensa"])
def test_the_first_version_of_an_observation_is_the_beginning_of_the_second(
    name: str, script: ModuleType
) -> None:
    assert get(name).rules.observation_version == 2
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([str(FOLDER), *sys.path])}
    program = SHORTER.replace("NAME", repr(name))
    run = subprocess.run(
        [sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=300
    )
    assert run.stdout.split("\n")[:3] == [f"1 {script.FIRST[name]}", "True", "True"], run.stderr


def test_every_observation_of_a_later_version_is_listed(script: ModuleType) -> None:
    later = {name for name in script.GAMES if get(name).rules.observation_version > 1}
    assert later == set(script.ADDED) == set(script.FIRST)


def test_the_digest_leaves_out_what_only_one_checkout_has(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = Batch("nana", 2, seed=1)
    before = script.digest_of("nana", batch)
    batch.obs[1, 149] += 1
    assert script.digest_of("nana", batch) != before
    batch.obs[1, 149] -= 1
    batch.obs[1, 150] += 1
    assert script.digest_of("nana", batch) == before
    batch.state["turn"] += 1
    assert script.digest_of("nana", batch) != before
    monkeypatch.setattr(script, "NEW", {"nana": ("turn",)})
    without = script.digest_of("nana", batch)
    batch.state["turn"] += 1
    assert script.digest_of("nana", batch) == without
