"""The weights of `sharp`'s network (windows.py says what they mean), from the file beside this one."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from . import windows


def load_weights() -> NDArray[np.float64]:
    """A fresh network with the shipped weights."""
    return _shipped().copy()


@cache
def _shipped() -> NDArray[np.float64]:
    text = files(__package__).joinpath("sharp.json").read_text(encoding="utf-8")
    return network(json.loads(text))


def network(doc: dict[str, list[float]]) -> NDArray[np.float64]:
    """The network of a document with `linear`, `bias`, `first`, `first_bias` and `second`."""
    net = np.zeros(windows.NET)
    net[windows.LINEAR : windows.LINEAR + windows.INPUTS] = doc["linear"]
    net[windows.BIAS] = doc["bias"][0]
    net[windows.FIRST : windows.FIRST + windows.HIDDEN * windows.INPUTS] = doc["first"]
    net[windows.FIRST_BIAS : windows.FIRST_BIAS + windows.HIDDEN] = doc["first_bias"]
    net[windows.SECOND : windows.SECOND + windows.HIDDEN] = doc["second"]
    return net
