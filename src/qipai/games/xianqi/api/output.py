"""Xianqi's named API: the results of calls, computed when they are read.

Most callers of `apply_action` read the legal actions and one hand. The whole state, the public
state and the other private states are therefore only computed on demand.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .position import Position


class _Later:
    """The placeholder of a value that has not been read."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "<computed when read>"


LATER: Any = _Later()
KEYS = ("new_state", "public_state", "private_state_by_seat", "legal_actions")
_ACTED = dict.fromkeys(KEYS, LATER)
_SETTLED = dict.fromkeys((*KEYS, "settlement"), LATER)


class Output(dict[str, Any]):
    """The output of §6.3: an object whose values belong to one position, however late they are computed.

    It is a `dict` to every caller that uses its methods, including `json` and `pickle`. C code that
    reads the memory of a dictionary directly finds placeholders, and must be given
    `dict(output)`.
    """

    __slots__ = ("_at", "_rows")

    def __init__(self, at: Position, rows: list[dict[str, int]] | None = None) -> None:
        super().__init__(_ACTED if rows is None else _SETTLED)
        self._at = at
        self._rows = rows

    def __getitem__(self, key: str) -> Any:
        value = dict.__getitem__(self, key)
        if value is LATER:
            value = self._made(key)
            self[key] = value
        return value

    def _made(self, key: str) -> Any:
        at = self._at
        if key == "legal_actions":
            return at.legal()
        if key == "private_state_by_seat":
            return {"0": at.private(0), "1": at.private(1), "2": at.private(2)}
        if key == "new_state":
            return at.state()
        if key == "public_state":
            return at.public()
        return {"final_state": at.state(), "chip_delta_by_seat": self._rows}

    def _whole(self) -> Output:
        """Compute all values and return self."""
        for key, value in super().items():
            if value is LATER:
                self[key] = self._made(key)
        return self

    # Methods that read values; `dict` itself uses __iter__ and __getitem__ if a subclass has an __iter__.

    def __iter__(self) -> Iterator[str]:
        return super().__iter__()

    def get(self, key: str, default: Any = None) -> Any:
        """Return the value of a key, or `default`."""
        if key in self:
            return self[key]
        return default

    def items(self) -> Any:
        """Return the keys with their values."""
        return dict.items(self._whole())

    def values(self) -> Any:
        """Return the values."""
        return dict.values(self._whole())

    def pop(self, key: str, *default: Any) -> Any:
        """Remove a key and return its value."""
        self.get(key)
        return super().pop(key, *default)

    def popitem(self) -> tuple[str, Any]:
        """Remove the last key and return it with its value."""
        self._whole()
        return super().popitem()

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Return the value of a key, setting it to `default` if there is none."""
        return self[key] if key in self else super().setdefault(key, default)

    def copy(self) -> dict[str, Any]:
        """Return a plain dictionary with the same values."""
        return dict(self)

    __copy__ = copy

    def __eq__(self, other: object) -> bool:
        return dict(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None

    def __or__(self, other: Any) -> Any:
        return dict(self) | other

    def __ror__(self, other: Any) -> Any:
        return other | dict(self)

    def __repr__(self) -> str:
        return repr(dict(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        return self.__reduce__()
