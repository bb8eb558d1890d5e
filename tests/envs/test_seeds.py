"""Seeds: any whole number below 2^64, of Python or NumPy, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.core.errors import BadSeed
from qipai.envs import aec, single, vector
from qipai.envs.seeds import checked_seed

from .toy import LAPS


@pytest.mark.parametrize("seed", [0, 7, (1 << 64) - 1, np.int8(3), np.uint64((1 << 64) - 1)])
def test_a_whole_number_below_two_to_the_64_is_a_seed(seed: Any) -> None:
    assert checked_seed(seed) == int(seed) and type(checked_seed(seed)) is int


@pytest.mark.parametrize("seed", [-1, 1 << 64, True, 1.0, "1", None, [1]])
def test_nothing_else_is_one(seed: Any) -> None:
    with pytest.raises(BadSeed, match="an environment's seed must be a whole number"):
        checked_seed(seed)


def test_every_environment_refuses_alike() -> None:
    for make in (lambda: aec(LAPS, seed=-1), lambda: single(LAPS, seed=-1), lambda: vector(LAPS, 2, seed=-1)):
        with pytest.raises(BadSeed, match="an environment's seed must be a whole number"):
            make()
