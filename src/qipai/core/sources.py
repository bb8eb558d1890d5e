"""A digest over the source of a module and of everything it imports."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import platform
import sys
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np

_config: Any = numba.config
OPT = 1  # LLVM level: half the compile time of the default, no measurable loss of speed


NOT_OURS = {*sys.stdlib_module_names, "numpy", "numba", "llvmlite"}  # covered by their versions instead


_DIGESTS: dict[str, str] = {}


def source_digest(module: str) -> str:
    """Return a digest of everything that can change what the rules of `module` compile to.

    It covers the source of the module and of every module that it imports, directly or not,
    and the versions and flags of the tools.
    """
    if module not in _DIGESTS:
        flags = (
            f"python {platform.python_version()} numba {numba.__version__} "
            f"llvmlite {llvmlite.__version__} numpy {np.__version__} opt {OPT} "
            f"bounds {_config.BOUNDSCHECK} debug {_config.DEBUG}"
        )
        digest = hashlib.sha256(flags.encode())
        for path in sorted(_import_closure(module)):
            digest.update(f"{path.name}\0".encode() + path.read_bytes() + b"\0")
        _DIGESTS[module] = digest.hexdigest()[:24]
    return _DIGESTS[module]


def _import_closure(module: str) -> set[Path]:
    """Return the source files of `module` and its imports, except the standard library and the tools."""
    skipped = NOT_OURS - {module.partition(".")[0]}
    seen: dict[str, Path] = {}
    todo = [module]
    while todo:
        name = todo.pop()
        if name in seen or name.partition(".")[0] in skipped:
            continue
        path = _source(name)
        if path is not None:
            seen[name] = path
            todo.extend(_imported(name, path))
    return set(seen.values())


@cache
def _imported(name: str, path: Path) -> list[str]:
    """Return what the module `name` imports; both names if one may be a module or a name in a module."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parent = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*parent, base] if base else parent)
            found.append(base)
            found.extend(f"{base}.{alias.name}" for alias in node.names)
    return found


def _source(name: str) -> Path | None:
    loaded = sys.modules.get(name)
    found = getattr(loaded, "__file__", None)
    if found is None:
        try:
            spec = importlib.util.find_spec(name)
        except Exception:  # a name in a module, or a package that cannot be imported here
            return None
        found = spec.origin if spec is not None else None
    path = Path(found) if found else None
    return path if path is not None and path.suffix == ".py" and path.exists() else None
