"""Options of a game: integers in the state, names everywhere else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .errors import BadOption, short
from .state import State

SWITCH = {"off": 0, "on": 1}


@dataclass(frozen=True)
class Option:
    """One option: a state field of the same name, its default, and the values it may have.

    An option has either `choices` (name -> integer) or a range `low..high`, of which `allowed` may leave
    only some numbers. `is_seat` marks a range of seats, in which -1 means a random seat. The texts that
    players read are in the game's messages: `option.NAME` describes it, `option.NAME.CHOICE` names a value.
    Where the lowest number of a range is no amount ("no limit"), it is named like a choice. `expert`
    keeps an option off the rules page for players; a new table offers it after the others.
    An `added` option came in a later version: at its default, heads and digests leave it out, so that
    records written before remain valid.
    """

    name: str
    default: int
    choices: Mapping[str, int] | None = None
    low: int = 0
    high: int = 0
    is_seat: bool = False
    allowed: tuple[int, ...] = ()  # the only numbers of the range; empty: all of it
    expert: bool = False
    added: bool = False

    def read(self, value: Any) -> int:
        """Return the integer for `value`, a choice or an integer; raise `BadOption` if it is invalid."""
        if self.choices is not None:
            if isinstance(value, str) and value in self.choices:
                return self.choices[value]
            if isinstance(value, bool) and self.choices == SWITCH:
                return int(value)
            known = ", ".join(self.choices)
            raise BadOption(f"option {self.name}: {short(value)} is not one of {known}")
        if isinstance(value, int) and not isinstance(value, bool) and self.low <= value <= self.high:
            if self.allowed and value not in self.allowed:
                known = ", ".join(str(number) for number in self.allowed)
                raise BadOption(f"option {self.name}: {value} is not one of {known}")
            return value
        raise BadOption(
            f"option {self.name}: {short(value)} is not a whole number from {self.low} to {self.high}"
        )

    def fault(self, field: np.dtype[Any]) -> str:
        """Return what is wrong with the option for this field of the state, or ""."""
        if field.shape or field.kind not in "iu":
            return f"its field is {field}, not a whole number"
        if self.choices is None:
            values, known = [self.low, self.high], f"a number from {self.low} to {self.high}"
            is_known = self.low <= self.default <= self.high
            if self.allowed:
                values, known = [*values, *self.allowed], f"one of {self.allowed}"
                is_known = self.default in self.allowed and all(self.low <= n <= self.high for n in values)
        else:
            values, known = list(self.choices.values()), f"a value of {', '.join(self.choices)}"
            is_known = self.default in values
        if not is_known:
            return f"its default {short(self.default)} is not {known}"
        fits = np.iinfo(field)
        wide = [value for value in values if not fits.min <= value <= fits.max]
        return f"{short(wide[0])} does not fit its field, {field}" if wide else ""

    def show(self, number: int) -> str | int:
        """Return the external form of the integer in the state."""
        if self.choices is not None:
            for name, value in self.choices.items():
                if value == number:
                    return name
        return number


def unwritten(options: tuple[Option, ...], s: State) -> tuple[str, ...]:
    """Return the options that heads and digests of `s` leave out: added ones at their defaults."""
    return tuple(o.name for o in options if o.added and int(s[o.name]) == o.default)


def read_options(options: tuple[Option, ...], given: Mapping[str, Any] | None) -> dict[str, int]:
    """Return all options as integers: the defaults, overridden by `given`."""
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise BadOption(f"options must be a mapping from name to value, not {type(given).__name__}")
    known = {o.name: o for o in options}
    for name in given:
        if name not in known:
            raise BadOption(f"unknown option {short(name)}; known: {', '.join(known) or 'none'}")
    return {o.name: o.read(given[o.name]) if o.name in given else o.default for o in options}
