"""The games' ids in PettingZoo's registry (versions of it that have one, from 1.27).

An id is `qipai/NAME-vVERSION`, where the version is that of the game's rules, so that a
result names the rules it was reached under.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
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


def register_when_loaded() -> None:
    """Register now if PettingZoo is loaded, otherwise as soon as it is; never load it for this."""
    if "pettingzoo" in sys.modules:
        register_ids()
    else:
        sys.meta_path.insert(0, _AfterPettingZoo())


class _AfterPettingZoo(MetaPathFinder):
    """Finds PettingZoo as everyone else does, and has our ids registered after it has run."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The true spec, with `register_ids` behind its loader's last step."""
        if fullname != "pettingzoo":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            _follow(spec.loader)
        return spec


def _follow(loader: Any) -> None:
    run = loader.exec_module

    def run_and_register(module: ModuleType) -> None:
        run(module)
        register_ids()

    loader.exec_module = run_and_register
