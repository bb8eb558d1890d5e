"""The state record: the header that every game shares, and the functions that allocate states.

Engines only know the header. A state is a `numpy.record`, because only then does `s.seat` read the
same in plain and compiled code.

NumPy's own record looks up every attribute in Python, and a compiled function that receives one
spends 6 microseconds on a description of its fields. A single state is therefore a record of a
class made for its dtype (`_StateClass`): the same memory, read and passed on by C code alone.
The states of a batch stay a plain recarray, which is passed as a whole.
"""

from __future__ import annotations

import copyreg
import hashlib
import json
from operator import itemgetter, methodcaller
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import BadGame

NOBODY = -1  # as a seat: the hand is over
WATCHER = -1  # as a viewer: a person without a seat

UNIT = 16  # bytes; the size of a state is a multiple of this
HEADER = ("rng", "ply", "payoff", "phase", "seat", "seats", "cut")
Field = tuple[Any, ...]
State = np.record
States = np.recarray[Any, Any]


def header(seats: int) -> list[Field]:
    """Return the fields that every state begins with, for at most `seats` seats."""
    return [
        ("rng", np.uint32, (4,)),  # the generator; only core.rng accesses it
        ("ply", np.int32),  # actions applied so far; never shown to a client
        ("payoff", np.int32, (seats,)),  # by seat; final when seat == NOBODY
        ("phase", np.int8),  # a member of the game's Phase
        ("seat", np.int8),  # who decides now, or NOBODY
        ("seats", np.int8),  # number of players
        ("cut", np.int8),  # 1 when a cap ended the match
    ]


def state_dtype(fields: list[Field]) -> np.dtype[Any]:
    """Return the aligned dtype of a game's state; raise for field names that numpy.record reserves.

    Its size is a multiple of 16 bytes, the most that one GPU instruction moves.
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
    """Return `n` zeroed states as a recarray."""
    return np.zeros(n, dtype).view(np.recarray)


def new_state(dtype: np.dtype[Any]) -> State:
    """Return one zeroed state."""
    return np.ndarray((), single_dtype(dtype), bytearray(dtype.itemsize))[()]  # type: ignore[return-value]


def copy_state(s: State) -> State:
    """Return an independent copy."""
    dtype = _SINGLE_OF_CLASS.get(type(s)) or single_dtype(s.dtype)
    return _array((), dtype, _memory_of(s, dtype))[()]  # type: ignore[return-value]


def rows(s: State, n: int) -> NDArray[Any]:
    """Return `n` zeroed states of the type of `s`, as a plain array for compiled functions."""
    dtype = _dtype_of(s)
    return np.ndarray(n, dtype, bytearray(n * dtype.itemsize))


def one_of(s: State) -> NDArray[Any]:
    """Return an array of one state, a copy of `s`."""
    dtype = _SINGLE_OF_CLASS.get(type(s)) or single_dtype(s.dtype)
    return _array(1, dtype, _memory_of(s, dtype))


# --- the class of a single state ----------------------------------------------------------

_bytes_of = np.void.tobytes
_array = np.ndarray


class _StateClass(type):
    """The metaclass of state classes, which have no importable names and are pickled by their dtype."""


def _dtype_of(s: State) -> np.dtype[Any]:
    found = _SINGLE_OF_CLASS.get(type(s))
    return single_dtype(s.dtype) if found is None else found


def _memory_of(s: State, dtype: np.dtype[Any]) -> bytearray:
    """Return a copy of the memory of `s`.

    A state that was made here is all that its memory holds, and that memory is copied in a fifth of the time
    that NumPy takes to hand its bytes out.
    """
    held = getattr(s.base, "base", None)
    if type(held) is bytearray and len(held) == dtype.itemsize:
        return held.copy()
    return bytearray(_bytes_of(s))


def _write(s: State, name: str, value: Any) -> None:
    """Write a field by attribute; no other attribute can be set."""
    if name not in _SINGLE_OF_CLASS[type(s)].fields:  # type: ignore[operator]
        raise AttributeError(f"a state has no field {name!r}")
    s[name] = value


def _reduced(s: State) -> tuple[Any, tuple[np.dtype[Any], bytes]]:
    return _restored, (np.dtype((np.void, s.dtype)), _bytes_of(s))


def _restored(dtype: np.dtype[Any], held: bytes) -> State:
    """Return a pickled state. NumPy's own function returns one whose fields are read-only."""
    return np.ndarray((), single_dtype(dtype), bytearray(held))[()]  # type: ignore[return-value]


# Keyed by dtype and alignment, which the comparison of dtypes ignores.
_SINGLE: dict[tuple[np.dtype[Any], bool], np.dtype[Any]] = {}
_SINGLE_OF_CLASS: dict[type, np.dtype[Any]] = {}


def single_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype of single states: one object per layout, which Numba recognises quickly."""
    key = (dtype, dtype.isalignedstruct)
    found = _SINGLE.get(key)
    if found is None:
        body: dict[str, Any] = {name: property(itemgetter(name)) for name in dtype.names or ()}
        body |= {
            "__slots__": (),
            "__doc__": "One state of a game.",
            "__getattribute__": np.void.__getattribute__,
            "__getitem__": np.void.__getitem__,
            "__setattr__": _write,
            "__reduce__": _reduced,
            "data": property(methodcaller("reshape", 1)),  # the buffer that compiled functions require
        }
        made = np.dtype((_StateClass("State", (np.record,), body), dtype))
        found = _SINGLE.setdefault(key, made)
        _SINGLE_OF_CLASS[found.type] = found
    return found


def _class_of(dtype: np.dtype[Any]) -> type:
    return single_dtype(dtype).type


def _pickled(kind: type) -> tuple[Any, tuple[np.dtype[Any]]]:
    return _class_of, (np.dtype((np.void, _SINGLE_OF_CLASS[kind])),)


copyreg.pickle(_StateClass, _pickled)


# --- comparing ----------------------------------------------------------------------------


def fields_of(s: State, leave_out: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return the named fields as Python numbers and lists."""
    return {name: s[name].tolist() for name in s.dtype.names or () if name not in leave_out}


def digest(s: State, leave_out: tuple[str, ...] = ()) -> str:
    """Return the SHA-256 of the named fields in canonical form (without padding and scratch fields)."""
    text = json.dumps(fields_of(s, leave_out), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def same(a: State, b: State, leave_out: tuple[str, ...] = ()) -> bool:
    """Return whether two states are equal in every named field."""
    return all(np.array_equal(a[n], b[n]) for n in a.dtype.names or () if n not in leave_out)
