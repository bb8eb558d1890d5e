"""The state record: the header that every game shares, and the one allocator.

Engines know only the header. A state is a `numpy.record` inside a recarray, because
only then does `s.seat` read the same plain and compiled.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from .errors import BadGame

NOBODY = -1  # as a seat: the match is over
WATCHER = -1  # as a viewer: someone who holds no seat

UNIT = 16  # bytes; a state is a whole number of them
HEADER = ("rng", "ply", "payoff", "phase", "seat", "seats", "cut")
Field = tuple[Any, ...]
State = np.record
States = np.recarray[Any, Any]


def header(seats: int) -> list[Field]:
    """Return the fields with which every state begins, for at most `seats` seats."""
    return [
        ("rng", np.uint32, (4,)),  # the generator; only core.rng touches it
        ("ply", np.int32),  # actions applied so far; never shown to a client
        ("payoff", np.int32, (seats,)),  # by seat; final when seat == NOBODY
        ("phase", np.int8),  # a member of the game's Phase
        ("seat", np.int8),  # who decides now, or NOBODY
        ("seats", np.int8),  # how many play
        ("cut", np.int8),  # 1 when a cap ended the match
    ]


def state_dtype(fields: list[Field]) -> np.dtype[Any]:
    """The aligned dtype of a game's state; refuses names that a numpy.record keeps for itself.

    It is a whole number of 16 bytes, the most that one instruction of a GPU moves.
    """
    for field in fields:
        name = field[0]
        if hasattr(np.record, name):
            raise BadGame(f"a state field cannot be called {name!r}: numpy.record has that attribute")
    dtype = np.dtype(fields, align=True)
    for name in dtype.names or ():
        if dtype[name].base.names is not None:
            raise BadGame(f"state field {name!r} is a record inside the record; keep states flat")
    layout: dict[str, Any] = {
        "names": dtype.names,
        "formats": [dtype[name] for name in dtype.names or ()],
        "offsets": [dtype.fields[name][1] for name in dtype.names or ()] if dtype.fields else [],
        "itemsize": -(-dtype.itemsize // UNIT) * UNIT,
    }
    wide: np.dtype[Any] = np.dtype(layout, align=True)  # type: ignore[call-overload]
    return wide


def new_states(dtype: np.dtype[Any], n: int) -> States:
    """`n` zeroed states, as a recarray."""
    return np.zeros(n, dtype).view(np.recarray)


def new_state(dtype: np.dtype[Any]) -> State:
    """One zeroed state; changes show in place."""
    return new_states(dtype, 1)[0]  # type: ignore[no-any-return]


def copy_state(s: State) -> State:
    """An independent copy."""
    fresh = new_states(s.dtype, 1)
    fresh[0] = s
    return fresh[0]  # type: ignore[no-any-return]


def fields_of(s: State, leave_out: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the named fields as Python numbers and lists."""
    return {name: s[name].tolist() for name in s.dtype.names or () if name not in leave_out}


def digest(s: State, leave_out: tuple[str, ...] = ()) -> str:
    """SHA-256 over the named fields in canonical form (padding and scratch left out)."""
    text = json.dumps(fields_of(s, leave_out), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def same(a: State, b: State, leave_out: tuple[str, ...] = ()) -> bool:
    """Whether two states are equal in every named field."""
    return all(np.array_equal(a[n], b[n]) for n in a.dtype.names or () if n not in leave_out)
