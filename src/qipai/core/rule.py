"""`rule`, the one decorator of compiled code, and everything that compiles it.

A rule is a plain Python function over a state record, integers and flat arrays. Here:
the decorator, the signatures (one a function), the on-disk cache, and the variants
`plain`, `compiled` and `checked` of one and the same source. Not here: any game.

Parameters are typed by name (`s` a state, `mask` bytes, `out` int8, `rng` uint32 words,
anything else int64), or as the decorator says: `@rule(cards="i1[:]")`.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import platform
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import RLock
from types import CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba import types

from .cache import cache_root, prune, use
from .errors import BadGame
from .explain import check_outside, failed

try:
    import fcntl
except ImportError:  # Windows: no lock, as in Numba itself
    fcntl = None  # type: ignore[assignment]

Function = Callable[..., Any]
Progress = Callable[[int, int, str], None]

_config: Any = numba.config

OPT = 1  # LLVM level: half the compile time of the default, no measurable loss
VARIANTS = ("compiled", "checked", "plain")
NOT_OURS = {*sys.stdlib_module_names, "numpy", "numba", "llvmlite"}  # digested by their versions

# What a parameter may be. "state" is the game's record, "states" an array of them.
KINDS: dict[str, Any] = {
    "i8": types.int64,
    "u8": types.uint64,
    "f8": types.float64,
    "u1[:]": types.uint8[::1],
    "i1[:]": types.int8[::1],
    "i2[:]": types.int16[::1],
    "i4[:]": types.int32[::1],
    "u4[:]": types.uint32[::1],
    "i8[:]": types.int64[::1],
    "f8[:]": types.float64[::1],
    "u1[:,:]": types.uint8[:, ::1],
    "i1[:,:]": types.int8[:, ::1],
    "i4[:,:]": types.int32[:, ::1],
    "u4[:,:]": types.uint32[:, ::1],
    "i8[:,:]": types.int64[:, ::1],
    "f8[:,:]": types.float64[:, ::1],
    "state": None,
    "states": None,
}
BY_NAME = {"s": "state", "mask": "u1[:]", "out": "i1[:]", "rng": "u4[:]"}


class _Info:
    """What is known of one rule: its place in definition order and its parameters' kinds."""

    def __init__(self, order: int, function: FunctionType, kinds: dict[str, str]) -> None:
        self.order = order
        self.code = function.__code__  # kept alive: its id is the key
        self.kinds = _kinds(function, kinds)


# By the id of the code object, which all variants share; its hash changes under a profiler.
_RULES: dict[int, _Info] = {}
_READY: dict[tuple[str, tuple[int, ...]], list[Any]] = {}  # keeps what its ids stand for
_LOCK = RLock()  # Numba's dispatchers are opened and closed; one thread at a time
_DIGESTS: dict[str, str] = {}


def rule(function: Function | None = None, /, **kinds: str) -> Any:
    """Compile `function` (nogil, cached, closed to one signature by `compile_rules`).

    With NUMBA_DISABLE_JIT=1 the function is returned as it is.
    """
    if function is None:
        return lambda f: rule(f, **kinds)
    assert isinstance(function, FunctionType)
    _RULES[id(function.__code__)] = _Info(len(_RULES), function, kinds)
    return _jit(function, checked=False)


def plain_function(fn: Any) -> FunctionType:
    """The Python function behind a rule, compiled or not."""
    found = getattr(fn, "py_func", fn)
    if not isinstance(found, FunctionType):
        raise BadGame(f"{fn!r} is not a rule")
    return found


def is_rule(fn: Any) -> bool:
    """Whether `fn` is a function made by `rule` (or a variant of one)."""
    code = getattr(getattr(fn, "py_func", fn), "__code__", None)
    return isinstance(code, CodeType) and id(code) in _RULES


def reachable(functions: Iterable[Any]) -> list[Any]:
    """Every rule that `functions` call, themselves included: callees first, else in definition order.

    So a rule is compiled when all that it calls is closed, and none of them is compiled
    again for the types that this one caller happens to have.
    """
    found: dict[int, Any] = {}
    entered: set[int] = set()

    def visit(fn: Any) -> None:
        python = plain_function(fn)
        key = id(python.__code__)
        if key in entered:
            return
        if key not in _RULES:
            raise BadGame(f"{python.__qualname__} is called by a rule and is not one")
        entered.add(key)
        for callee in sorted(filter(is_rule, _globals_used(python)), key=_order):
            visit(callee)
        found[key] = fn

    for fn in sorted((f for f in functions if f is not None), key=_order):
        visit(fn)
    return list(found.values())


def compile_rules(
    functions: Sequence[Any],
    record: np.dtype[Any],
    label: str,
    progress: Progress | None = None,
) -> None:
    """Make `functions` ready for states of dtype `record`.

    The first time, every rule they reach is compiled once, callees first, and then closed,
    so that an int8 here and a literal there share one signature. When all `functions` are
    in the cache, they alone are loaded.
    """
    wanted = _compilable(functions)
    key = (label, tuple(id(f) for f in wanted))
    if not wanted or key in _READY:
        return  # plain, or done before
    with _LOCK:
        _compile(wanted, record, progress)
        _READY[key] = wanted


def are_kept(functions: Iterable[Any], record: np.dtype[Any]) -> bool:
    """Whether all of them are in the cache for states of dtype `record`, so that nothing need be compiled."""
    return all(_kept(fn, signature(fn, record)) for fn in _compilable(functions))


def _compilable(functions: Iterable[Any]) -> list[Any]:
    """Those that are there and not plain."""
    return [f for f in functions if f is not None and hasattr(f, "compile")]


def _compile(wanted: list[Any], record: np.dtype[Any], progress: Progress | None) -> None:
    kept = are_kept(wanted, record)
    todo = wanted if kept else reachable(wanted)
    for i, fn in enumerate(todo):
        if progress is not None:
            progress(i, len(todo), plain_function(fn).__name__)
        with _settings(plain_function(fn)), _alone(fn):
            fn.disable_compile(False)
            try:
                fn.compile(signature(fn, record))
            except (OSError, MemoryError, BadGame):
                raise  # of the machine, or said already
            except Exception as error:
                python = plain_function(fn)
                raise failed(python, _RULES[id(python.__code__)].kinds, record, error) from error
            finally:
                fn.disable_compile(bool(fn.signatures))  # one that failed cannot be closed
    if progress is not None:
        progress(len(todo), len(todo), "")
    if not kept:
        prune()


def signature(fn: Any, record: np.dtype[Any]) -> tuple[Any, ...]:
    """The one signature of a rule for states of dtype `record`."""
    state = numba.from_dtype(np.dtype(record))
    special = {"state": state, "states": types.Array(state, 1, "C")}
    info = _RULES[id(plain_function(fn).__code__)]
    return tuple(special.get(k) or KINDS[k] for k in info.kinds)


class Variant:
    """Copies of rules, all of one kind, with some of their callees exchanged.

    The source is the same; only the wrapping differs (`plain`: none; `checked`: bounds
    checks; `compiled`: as `rule` does). `swap` puts another function in the place of a
    rule (plain runs record transitions so); `names`, by module, fills names in (the
    simulator's loops get a game's functions so); `wrap` is a decorator for a kind of its
    own (device functions).
    """

    def __init__(
        self,
        kind: str,
        swap: dict[Any, Any] | None = None,
        tag: str = "",
        names: dict[str, dict[str, Any]] | None = None,
        wrap: Callable[[FunctionType], Any] | None = None,
    ) -> None:
        if kind not in VARIANTS and wrap is None:
            raise ValueError(f"variant {kind!r}: one of {', '.join(VARIANTS)}")
        self.kind = kind
        self.tag = tag
        self._wrap = wrap
        self._names = names or {}
        self._swap = {id(plain_function(k).__code__): v for k, v in (swap or {}).items()}
        self._made: dict[int, Any] = {}
        self._spaces: dict[int, dict[str, Any]] = {}

    def __call__(self, fn: Any) -> Any:
        """The copy of rule `fn`."""
        if fn is None:
            return None
        python = plain_function(fn)
        key = id(python.__code__)
        if key in self._swap:
            return self._swap[key]
        if self.kind == "compiled" and python.__module__ not in self._names:
            return fn  # already what is wanted
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
                self._made[key] = _jit(copy, self.kind == "checked", self.tag)
        return self._made[key]

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


def progress_line(title: str) -> Progress:
    """A progress line on standard error; silent when that is not a terminal."""

    def show(done: int, total: int, name: str) -> None:
        if not sys.stderr.isatty() or total < 12:
            return
        end = "\r\033[K" if done == total else ""
        bar = "█" * (20 * done // total) + "░" * (20 - 20 * done // total)
        sys.stderr.write(f"\r\033[Kcompiling {title} {bar} {done}/{total} {name}{end}")
        sys.stderr.flush()

    return show


def source_digest(module: str) -> str:
    """A digest of everything that can change what the rules of `module` compile to.

    That is the source of the module and of every module that it imports, directly or not,
    with the versions and flags of the tools.
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


def rules_digest(functions: Iterable[Any]) -> str:
    """A digest of which rules these are and of the sources of all that they reach."""
    chosen = list(functions)
    modules = {plain_function(f).__module__ for f in reachable(chosen)}
    parts = [source_digest(m) for m in sorted(modules)] + [_identity(f) for f in chosen if f is not None]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


# --- helpers --------------------------------------------------------------------------


def _kinds(function: FunctionType, given: dict[str, str]) -> list[str]:
    names = list(inspect.signature(function).parameters)
    for name, kind in given.items():
        if name not in names or kind not in KINDS:
            raise BadGame(f"{function.__qualname__}: no parameter {name!r} of kind {kind!r}")
    return [given.get(name) or BY_NAME.get(name, "i8") for name in names]


def _jit(function: FunctionType, checked: bool, tag: str = "") -> Any:
    if _config.DISABLE_JIT:
        return function
    flags: dict[str, Any] = {"boundscheck": True} if checked else {}
    with _settings(function, f"checked{tag}" if checked else tag):
        return numba.njit(nogil=True, cache=True, **flags)(function)


@contextmanager
def _settings(function: FunctionType, tag: str = "") -> Iterator[None]:
    """Numba's process-wide settings as rules need them, put back afterwards."""
    before = _config.OPT, _config.CACHE_DIR
    _config.OPT = type(before[0])(OPT)
    _config.CACHE_DIR = str(_folder(function.__module__, tag))
    try:
        yield
    finally:
        _config.OPT, _config.CACHE_DIR = before


def _folder(module: str, tag: str) -> Path:
    return use(cache_root() / (source_digest(module) + (f"-{tag}" if tag else "")))


def _kept(fn: Any, types_of: tuple[Any, ...]) -> bool:
    """Whether Numba will find `fn` in its cache, so that nothing that it calls is looked at.

    Numba files code by processor and by the path and time of the source, so only Numba can
    say. Were it to miss, the open callees would be compiled for whatever types they meet.
    """
    cache = fn._cache
    try:
        return cache._cache_file.load(cache._index_key(types_of, fn.targetctx.codegen())) is not None
    except AttributeError:  # another Numba, or no folder to write to: look at every rule
        return False


@contextmanager
def _alone(fn: Any) -> Iterator[None]:
    """One process at a time on the files of `fn`: Numba's index can mix up two that write at once.

    Whoever waited finds what the other has compiled.
    """
    path = getattr(fn._cache, "cache_path", None)
    if path is None or fcntl is None:
        yield
        return
    Path(path).mkdir(parents=True, exist_ok=True)
    with open(Path(path) / ".lock", "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _order(fn: Any) -> int:
    """Where a rule stands in definition order; what is no rule comes first, to be refused."""
    info = _RULES.get(id(plain_function(fn).__code__))
    return -1 if info is None else info.order


def _identity(fn: Any) -> str:
    """Which rule this is: two of one module, or of one factory, must not share compiled loops."""
    python = plain_function(fn)
    cells = [repr(cell.cell_contents) for cell in python.__closure__ or ()]
    return " ".join([python.__module__, python.__qualname__, *cells])


def _globals_used(function: FunctionType) -> list[Any]:
    check_outside(function)
    for cell in function.__closure__ or ():
        if is_rule(cell.cell_contents):  # no variant could exchange it
            raise BadGame(f"{function.__qualname__}: a rule calls rules of a module, not of a closure")
    found = []
    for name in function.__code__.co_names:
        value = function.__globals__.get(name)
        if isinstance(value, ModuleType) and any(is_rule(v) for v in vars(value).values()):
            raise BadGame(f"{function.__qualname__}: import rules by name, not through module {name}")
        if value is not None:
            found.append(value)
    return found


def _import_closure(module: str) -> set[Path]:
    """Source files of `module` and of all it imports, but for the standard library and the tools."""
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
    """What the module `name` imports; where it may be a module or a name in one, both."""
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
        except Exception:  # a name in a module, or a package that does not import here
            return None
        found = spec.origin if spec is not None else None
    path = Path(found) if found else None
    return path if path is not None and path.suffix == ".py" and path.exists() else None
