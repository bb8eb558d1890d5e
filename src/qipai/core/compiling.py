"""Compile rules: each one once, callees first, loading from the cache what is already there."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np

from .cache import prune
from .errors import BadGame
from .explain import failed
from .jit import runs_plain, settings
from .progress import Progress
from .rule import kinds_of, plain_function, reachable, signature
from .sources import source_digest

try:
    import fcntl
except ImportError:  # Windows has no such lock; Numba does without it too
    fcntl = None  # type: ignore[assignment]


# the values keep alive the objects whose ids are in the keys
_READY: dict[tuple[str, tuple[int, ...]], list[Any]] = {}


_LOCK = RLock()  # Numba's dispatchers are opened and closed by one thread at a time


def compile_rules(
    functions: Sequence[Any],
    dtype: np.dtype[Any],
    label: str,
    progress: Progress | None = None,
) -> None:
    """Make `functions` ready for states of type `dtype`.

    The first time, every rule that they reach is compiled once, callees first, and then closed,
    so that an int8 here and a literal there share one signature. If all `functions` are in the
    cache, only these are loaded. Nothing happens in a thread that runs rules as plain Python meanwhile.
    """
    wanted = _compilable(functions)
    key = (label, tuple(id(f) for f in wanted))
    if not wanted or key in _READY:
        return  # plain functions, or already compiled
    if runs_plain():
        return
    with _LOCK:
        _compile(wanted, dtype, progress)
        _READY[key] = wanted


def are_kept(functions: Iterable[Any], dtype: np.dtype[Any]) -> bool:
    """Return whether all functions are cached for states of type `dtype`, so that nothing needs compiling."""
    return all(_kept(fn, signature(fn, dtype)) for fn in _compilable(functions))


def entry_of(fn: Any) -> Any:
    """Return the machine code of a compiled rule, or the rule itself where compilation is off.

    Calling it leaves out Numba's dispatcher, which looks at the type of every argument: a third of the time
    of a short call. Whole numbers may be Python's or NumPy's. Arrays must be exactly of the rule's types: the
    caller has to make sure of it.
    """
    made = list(getattr(fn, "overloads", {}).values())
    return made[0].entry_point if len(made) == 1 else fn


def rules_digest(functions: Iterable[Any]) -> str:
    """Return a digest of which rules these are and of the sources of everything they reach."""
    chosen = list(functions)
    modules = {plain_function(f).__module__ for f in reachable(chosen)}
    parts = [source_digest(m) for m in sorted(modules)] + [_identity(f) for f in chosen if f is not None]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _compilable(functions: Iterable[Any]) -> list[Any]:
    """Return the functions that are given (not None) and not plain."""
    return [f for f in functions if f is not None and hasattr(f, "compile")]


def _compile(wanted: list[Any], dtype: np.dtype[Any], progress: Progress | None) -> None:
    kept = are_kept(wanted, dtype)
    todo = wanted if kept else reachable(wanted)
    for i, fn in enumerate(todo):
        if progress is not None:
            progress(i, len(todo), plain_function(fn).__name__)
        with settings(plain_function(fn)), _alone(fn):
            fn.disable_compile(False)
            try:
                fn.compile(signature(fn, dtype))
            except (OSError, MemoryError, BadGame):
                raise  # the machine failed, or the error is already explained
            except Exception as error:
                python = plain_function(fn)
                raise failed(python, kinds_of(fn), dtype, error) from error
            finally:
                fn.disable_compile(bool(fn.signatures))  # a function that failed to compile cannot be closed
    if progress is not None:
        progress(len(todo), len(todo), "")
    if not kept:
        prune()


def _kept(fn: Any, types_of: tuple[Any, ...]) -> bool:
    """Return whether Numba will find `fn` in its cache, so that its callees are not needed.

    Numba keys code by processor and by the path and time of the source, so only Numba can tell.
    If it missed, the open callees would be compiled for whatever types they meet.
    """
    cache = fn._cache
    try:
        return cache._cache_file.load(cache._index_key(types_of, fn.targetctx.codegen())) is not None
    except AttributeError:  # another version of Numba, or no writable folder: check every rule
        return False


@contextmanager
def _alone(fn: Any) -> Iterator[None]:
    """Hold the lock on the cache files of `fn`: two processes that write at once can corrupt Numba's index.

    A process that had to wait finds what the other one compiled.
    """
    path = getattr(fn._cache, "cache_path", None)
    if path is None or fcntl is None:
        yield
        return
    Path(path).mkdir(parents=True, exist_ok=True)
    with open(Path(path) / ".lock", "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _identity(fn: Any) -> str:
    """Return what identifies a rule: two from one module, or one factory, must not share compiled loops."""
    python = plain_function(fn)
    cells = [repr(cell.cell_contents) for cell in python.__closure__ or ()]
    return " ".join([python.__module__, python.__qualname__, *cells])
