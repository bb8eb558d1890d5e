"""States that are given from outside, made ready for compiled code or refused by name.

Rules trust their states, so what is given must come from the rules of its game. That cannot be checked in
full; the type of the records and their headers can, and what a mix-up of games or files would give is
refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.core import Game, new_states
from qipai.core.errors import BadBatch, BadOption, BadState, short
from qipai.core.state import States


def given_states(game: Game, states: Any, n: int | None, seats: int | None) -> States:
    """Return a copy of `states`, one record per lane; raise `BadState` or `BadBatch` if they do not fit.

    `states` is one state, a sequence of them, or an array of records in main memory or on a GPU. With `n`
    there are as many as that, or one that serves for all; with `seats` they are played by so many, else all
    by the same number.
    """
    found = _records(game, states)
    if n is not None and len(found) not in (1, n):
        raise BadBatch(f"load takes one state or {n} of them, not {len(found)}")
    if not len(found):
        raise BadBatch(f"{game.name}: no states are given")
    _check_headers(game, found, seats)
    _check_options(game, found)
    made = new_states(game.rules.State, len(found) if n is None else n)
    made[:] = found
    return made


def _records(game: Game, states: Any) -> Any:
    """Return the states as an array of records of this game."""
    if hasattr(states, "copy_to_host"):  # of a batch on a GPU
        states = states.copy_to_host()
    if isinstance(states, list | tuple):
        for k, state in enumerate(states):
            _check_dtype(game, state, f"state {k} of the list")
        found = new_states(game.rules.State, len(states))
        for k, state in enumerate(states):
            found[k] = state
        return found
    _check_dtype(game, states, "what was given")
    if isinstance(states, np.void):
        return np.frombuffer(states.tobytes(), game.rules.State)
    if states.ndim > 1:
        raise BadBatch(f"states come in one row, not in an array {states.shape}")
    return np.atleast_1d(states)


def _check_dtype(game: Game, states: Any, what: str) -> None:
    if not isinstance(states, np.ndarray | np.void) or states.dtype.names is None:
        raise BadState(f"{game.name}: {what} is {short(states)}, not a state")
    if states.dtype != game.rules.State:
        raise BadState(
            f"{game.name}: {what} has the fields of another game, or of another version of its rules"
        )


def _check_headers(game: Game, found: Any, seats: int | None) -> None:
    """Raise `BadState` for the first state whose header no state of the game can have."""
    rules = game.rules
    low, high = rules.seats if seats is None else (seats, seats)
    phases = np.isin(found["phase"], [int(p) for p in rules.phases]) if len(rules.phases) else True
    faults = (
        ((found["seats"] < low) | (found["seats"] > high), f"is not played by {_range(low, high)} seats"),
        (found["seats"] != found["seats"][0], "is played by another number of seats than the first"),
        (
            (found["seat"] < -1) | (found["seat"] >= found["seats"]),
            "has a seat to decide that does not exist",
        ),
        (np.logical_not(phases), "is in a phase that the game does not have"),
        (found["ply"] < 0, "has a negative number of plies"),
        ((found["cut"] < 0) | (found["cut"] > 1), "is cut neither with 0 nor 1"),
    )
    for wrong, words in faults:
        if np.any(wrong):
            raise BadState(f"{game.name}: state {int(np.argmax(wrong))} {words}")


def _check_options(game: Game, found: Any) -> None:
    """Raise `BadState` for options that the game cannot have, such as a board of another size."""
    rules = game.rules
    columns = [found[option.name].astype(np.int64) for option in rules.options]
    if not columns:
        return
    rows = np.stack([*columns, found["seats"].astype(np.int64)], 1)
    different = rows[:1] if (rows == rows[0]).all() else np.unique(rows, axis=0)
    for *numbers, seats in different.tolist():
        given = {option.name: number for option, number in zip(rules.options, numbers, strict=True)}
        try:
            for option in rules.options:
                option.read(option.show(given[option.name]))
            if rules.check is not None:
                rules.check(given, seats)
        except BadOption as error:
            raise BadState(f"{game.name}: a state has options that this game does not: {error}") from error


def _range(low: int, high: int) -> str:
    return str(low) if low == high else f"{low} to {high}"
