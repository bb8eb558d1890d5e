"""The games' ids in the registries of Gymnasium and PettingZoo (versions of it that have one, from 1.27).

An id is `qipai/NAME-vVERSION`, where the version is that of the game's rules, so that a
result names the rules it was reached under.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from qipai.core import QipaiError, get, names

ENTRY_POINT = "qipai.envs:aec"


def register_ids() -> list[str]:
    """Put every registered game that can be loaded into PettingZoo's registry; the ids.

    Nothing happens twice, and nothing at all where the installed version has no registry.
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
        except QipaiError:  # a broken package must not take the others down
            continue
    for id_, name in ids:
        if id_ not in aec_registry:
            register("aec", id_, entry_point=ENTRY_POINT, kwargs={"game": name})
    return [id_ for id_, _ in ids]


def when_loaded(library: str, register: Callable[[], object]) -> None:
    """Call `register` now if the library is loaded, otherwise as soon as it is; never load it for this."""
    if sys.modules.get(library) is not None:
        register()
    else:
        sys.meta_path.insert(0, _After(library, register))


class _After(MetaPathFinder):
    """Finds a library as everyone else does, and has our ids registered after it has run."""

    def __init__(self, library: str, register: Callable[[], object]) -> None:
        self._library = library
        self._register = register

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The true spec, with `register` behind its loader's last step."""
        if fullname != self._library:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            _follow(spec.loader, self._register)
        return spec


def _follow(loader: Any, register: Callable[[], object]) -> None:
    run = loader.exec_module

    def run_and_register(module: ModuleType) -> None:
        run(module)
        with suppress(ImportError, QipaiError):  # the library itself is loaded, and stays so
            register()

    loader.exec_module = run_and_register
