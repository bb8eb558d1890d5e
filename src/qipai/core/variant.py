"""Variants of rules: plain, bounds-checked or compiled copies of one source, with names filled in."""

from __future__ import annotations

from collections.abc import Callable, Collection
from types import FunctionType
from typing import Any, NoReturn

from .errors import BadGame
from .jit import jit
from .rule import is_rule, plain_function

VARIANTS = ("compiled", "checked", "plain")


class Variant:
    """Copies of rules, all of one kind, with some of their callees replaced.

    The source is the same; only the wrapper differs (`plain`: none; `checked`: bounds
    checks; `compiled`: as `rule` does). `swap` replaces a rule by another function (plain
    runs use it to record transitions). `names`, by module, fills in names (the loops of the
    simulator receive a game's functions this way). `wrap` is a decorator for another kind
    (device functions). `entries` are the names of functions that are called from outside; with
    them the copies are tight code (`jit`), and all other functions become part of these.
    """

    def __init__(
        self,
        kind: str,
        swap: dict[Any, Any] | None = None,
        tag: str = "",
        names: dict[str, dict[str, Any]] | None = None,
        wrap: Callable[[FunctionType], Any] | None = None,
        entries: Collection[str] = (),
    ) -> None:
        if kind not in VARIANTS and wrap is None:
            raise ValueError(f"variant {kind!r}: must be one of {', '.join(VARIANTS)}")
        self.kind = kind
        self.tag = tag
        self._wrap = wrap
        self._entries = frozenset(entries)
        self._names = names or {}
        self._swap = {id(plain_function(k).__code__): v for k, v in (swap or {}).items()}
        self._made: dict[int, Any] = {}
        self._spaces: dict[int, dict[str, Any]] = {}

    def __call__(self, fn: Any) -> Any:
        """Return the copy of rule `fn`."""
        if fn is None:
            return None
        python = plain_function(fn)
        key = id(python.__code__)
        if key in self._swap:
            return self._swap[key]
        if self.kind == "compiled" and python.__module__ not in self._names:
            return fn  # already of this kind
        if key not in self._made:
            space = self._space(python.__globals__)
            copy = FunctionType(python.__code__, space, python.__name__, None, python.__closure__)
            copy.__qualname__ = python.__qualname__
            copy.__module__ = python.__module__
            if self._wrap is not None:
                self._made[key] = self._wrap(copy)
            elif self.kind == "plain":
                self._made[key] = copy
            else:
                self._made[key] = self._compiled(copy)
        return self._made[key]

    def _compiled(self, copy: FunctionType) -> Any:
        tight, inner = bool(self._entries), copy.__name__ not in self._entries
        return jit(copy, self.kind == "checked", self.tag, tight, inner)

    def _space(self, module: dict[str, Any]) -> dict[str, Any]:
        if id(module) not in self._spaces:
            space = dict(module)
            self._spaces[id(module)] = space
            given = self._names.get(module.get("__name__", ""), {})
            for name, value in module.items():
                if name in given:
                    space[name] = given[name]
                elif is_rule(value):
                    space[name] = self(value)
        return self._spaces[id(module)]


class Slot:
    """A name in a template that a `Variant` fills in with a game's function or shape."""

    def __init__(self, about: str) -> None:
        self.about = about

    def __call__(self, *arguments: Any) -> NoReturn:
        """Raise an error, because only a filled-in copy of the template can run."""
        raise BadGame(f"{self.about} is a slot of a template that was not filled in")

    def __repr__(self) -> str:
        return f"Slot({self.about!r})"
