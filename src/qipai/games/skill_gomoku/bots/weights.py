"""The weights of `sharp`'s network (explained in `evaluation.py`), read from `sharp.json`."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from . import evaluation


def load_weights() -> NDArray[np.float64]:
    """Return a new network with the shipped weights."""
    return _shipped().copy()


@cache
def _shipped() -> NDArray[np.float64]:
    text = files(__package__).joinpath("sharp.json").read_text(encoding="utf-8")
    return network(json.loads(text))


def network(doc: dict[str, list[float]]) -> NDArray[np.float64]:
    """Return the network of a document with `linear`, `bias`, `first`, `first_bias` and `second`."""
    net = np.zeros(evaluation.NET)
    net[evaluation.LINEAR : evaluation.LINEAR + evaluation.INPUTS] = doc["linear"]
    net[evaluation.BIAS] = doc["bias"][0]
    net[evaluation.FIRST : evaluation.FIRST + evaluation.HIDDEN * evaluation.INPUTS] = doc["first"]
    net[evaluation.FIRST_BIAS : evaluation.FIRST_BIAS + evaluation.HIDDEN] = doc["first_bias"]
    net[evaluation.SECOND : evaluation.SECOND + evaluation.HIDDEN] = doc["second"]
    return net
