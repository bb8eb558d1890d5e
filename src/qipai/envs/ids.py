"""The games' ids in the registries of Gymnasium and PettingZoo (which has one from version 1.27).

An id is `qipai/NAME-vVERSION` with the version of the game's rules, so that a
result names the rules that it was obtained with.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from threading import local
from types import ModuleType
from typing import Any

from qipai.core import QipaiError, get, names

ENTRY_POINT = "qipai.envs:aec"


def register_ids() -> list[str]:
    """Add every registered game that can be loaded to PettingZoo's registry, and return the ids.

    Repeated calls change nothing. If the installed version has no registry, nothing happens.
    Call it again after `qipai.core.register`.
    """
    try:
        from pettingzoo import aec_registry, register
    except ImportError:
        return []
    ids = []
    for name in names():
        try:
            ids.append((f"qipai/{name}-v{get(name).rules.version}", name))
        except QipaiError:  # a broken package must not disable the others
            continue
    for id_, name in ids:
        if id_ not in aec_registry:
            register("aec", id_, entry_point=ENTRY_POINT, kwargs={"game": name})
    return [id_ for id_, _ in ids]


def when_loaded(library: str, register: Callable[[], object]) -> None:
    """Call `register` now if the library is loaded, otherwise as soon as it is; never import the library."""
    if sys.modules.get(library) is not None:
        register()
    else:
        sys.meta_path.insert(0, _After(library, register))


class _After(MetaPathFinder):
    """Import hook that registers our ids after the library has been imported.

    It stays until then: others ask only whether there is such a library (`importlib.util.find_spec`).
    """

    def __init__(self, library: str, register: Callable[[], object]) -> None:
        self._library = library
        self._register = register
        self._asking = local()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the true spec, with `register` called after its loader."""
        if fullname != self._library or getattr(self._asking, "now", False):
            return None
        self._asking.now = True
        try:
            spec = find_spec(fullname)
        finally:
            self._asking.now = False
        if spec is not None and spec.loader is not None:
            self._follow(spec.loader)
        return spec

    def _follow(self, loader: Any) -> None:
        run = loader.exec_module

        def run_and_register(module: ModuleType) -> None:
            run(module)
            with suppress(ValueError):
                sys.meta_path.remove(self)
            with suppress(ImportError, QipaiError):  # the library itself is imported and stays so
                self._register()

        loader.exec_module = run_and_register
