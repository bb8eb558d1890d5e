"""Conformance vectors: files of inputs and expected results, run against any registered game.

A file is `{"game": NAME, "vectors": [{"id", "kind", "rules"?, "input", "expect"}, ...]}`.
The game's `run_vector(kind, input, rules)` computes a result, which is compared with
`expect` here. Nothing here names a game.

If a shuffle decides an order that a vector cannot know, the result says so under `order_free`: for the key
of a list, the index from which its entries may be any entries of all these lists, in any order.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from qipai.core import Game, QipaiError, get
from qipai.core.errors import BadVectors

TOLERANCE = 1e-9
PATHS = "_paths"  # expect.new_state_paths: dotted paths into the result's new_state
ORDER_FREE = "order_free"  # {"drawn": 1, "drawPile": 0}: from these indices on, a shuffle decides
_FRACTION = re.compile(r"[+-]?\d{1,30}/\d{1,30}")
_MISSING = object()

Run = Callable[..., dict[str, Any]]


@dataclass(frozen=True)
class Vector:
    """One input and its expected result."""

    id: str
    kind: str
    rules: Any
    input: dict[str, Any]
    expect: dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """The outcome of one vector: without differences it passes."""

    vector: Vector
    differences: tuple[str, ...]


# --- files ----------------------------------------------------------------------------


def read_file(path: str | Path) -> tuple[str, list[Vector]]:
    """Return the game's name and the vectors of a file; raise `BadVectors` if it is malformed."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadVectors(f"{path}: cannot be read: {_reason(error)}") from error
    try:
        data = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BadVectors(f"{path}: not JSON: {error}") from error
    if not isinstance(data, dict) or not isinstance(data.get("game"), str):
        raise BadVectors(f"{path}: a file of vectors must be an object with 'game' and 'vectors'")
    items = data.get("vectors")
    if not isinstance(items, list):
        raise BadVectors(f"{path}: 'vectors' must be a list")
    return data["game"], [_read_vector(item, f"{path}: vector {i}") for i, item in enumerate(items)]


def _read_vector(item: Any, where: str) -> Vector:
    if not isinstance(item, dict):
        raise BadVectors(f"{where} is not an object")
    for key, kind in (("id", str), ("kind", str), ("input", dict), ("expect", dict)):
        if not isinstance(item.get(key), kind):
            raise BadVectors(f"{where}: {key!r} is missing or not {'text' if kind is str else 'an object'}")
    return Vector(item["id"], item["kind"], item.get("rules"), item["input"], item["expect"])


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or "not UTF-8 text"


# --- running --------------------------------------------------------------------------


def run_file(path: str | Path) -> Iterator[Outcome]:
    """Run a file's vectors one by one."""
    name, vectors = read_file(path)
    run = runner(get(name))
    for vector in vectors:
        try:
            yield Outcome(vector, tuple(check(run, vector)))
        except BadVectors as error:
            raise BadVectors(f"{path}: {vector.id}: {error}") from error


def runner(game: Game) -> Run:
    """Return the game's `Checks.run_vector`; raise `BadVectors` if it has none."""
    if game.checks.run_vector is None:
        raise BadVectors(f"{game.name} offers no vectors: its Checks have no run_vector")
    return game.checks.run_vector


def check(run: Run, vector: Vector) -> list[str]:
    """Return the differences between the result of `run` and what is expected."""
    given = copy.deepcopy(vector.input)
    try:
        result = run(vector.kind, given, vector.rules)
    except BadVectors:
        raise
    except QipaiError as error:
        result = {"error_code": error.code}
    except Exception as error:  # a crash is a failed vector, not the end of the run
        return [f"raised {type(error).__name__}: {error}"]
    found = compare_answer(vector.expect, result)
    if given != vector.input:
        found.append("the input was changed")
    refused = "error_code" in result or result.get("ok") is False
    if (refused or "results" in result) and result.get("unchanged", True) is not True:
        found.append("refused, but something changed")
    return found


# --- comparing ------------------------------------------------------------------------


def compare_answer(expect: dict[str, Any], result: dict[str, Any]) -> list[str]:
    """Compare every key of `expect` with the result."""
    free = result.get(ORDER_FREE, {})
    found = _compare_shuffled({key: wanted for key, wanted in expect.items() if key in free}, result)
    for key, wanted in expect.items():
        if key in free:
            continue
        if key == "accept":
            found += _compare_accept(wanted, result.get("action", _MISSING))
        elif key == "best":
            found += _compare_best(wanted, result.get("best", _MISSING))
        elif key.endswith(PATHS) and isinstance(wanted, dict) and key not in result:
            whole = result.get(key[: -len(PATHS)], _MISSING)
            for path, value in wanted.items():
                found += compare(value, _follow(whole, path), f"{key[: -len(PATHS)]}.{path}")
        else:
            found += compare(wanted, result.get(key, _MISSING), key)
    if found and "error_code" in result and "error_code" not in expect:
        found.insert(0, f"refused: {result['error_code']}")
    return found


def compare(wanted: Any, got: Any, path: str) -> list[str]:
    """Return where `got` differs from `wanted`; numbers within 1e-9, lists in order, objects key by key."""
    if got is _MISSING:
        return [f"{path}: expected {_short(wanted)}, got nothing"]
    if isinstance(wanted, dict) and isinstance(got, dict):
        found = [f"{path}.{key}: not expected, got {_short(got[key])}" for key in got if key not in wanted]
        for key, value in wanted.items():
            found += compare(value, got.get(key, _MISSING), f"{path}.{key}")
        return found
    if isinstance(wanted, list) and isinstance(got, list | tuple):
        if len(wanted) != len(got):
            return [f"{path}: expected {len(wanted)} entries, got {len(got)}: {_short(got)}"]
        pairs = zip(wanted, got, strict=True)
        return [line for i, (w, g) in enumerate(pairs) for line in compare(w, g, f"{path}.{i}")]
    if _same(wanted, got):
        return []
    return [f"{path}: expected {_short(wanted)}, got {_short(got)}"]


def _same(wanted: Any, got: Any) -> bool:
    if isinstance(wanted, bool) or isinstance(got, bool):
        return wanted is got
    one, two = _as_number(wanted), _as_number(got)
    if one is None or two is None:
        return (wanted is None and got is None) or (isinstance(wanted, str) and wanted == got)
    return abs(one - two) <= TOLERANCE


def _as_number(value: Any) -> Fraction | None:
    """Return a number, or a fraction written "a/b", exactly; None for anything else."""
    if isinstance(value, int | Fraction):
        return Fraction(value)
    if isinstance(value, float):
        return Fraction(value) if value - value == 0 else None
    if isinstance(value, str) and _FRACTION.fullmatch(value) and int(value.partition("/")[2]):
        return Fraction(value)
    return None


def _compare_accept(wanted: Any, got: Any) -> list[str]:
    if not isinstance(wanted, list):
        raise BadVectors("'accept' must be a list of actions")
    if got is _MISSING:
        return ["accept: the result has no action"]
    if any(not compare(one, got, "action") for one in wanted):
        return []
    return [f"action: {_short(got)} is not one of {_short(wanted)}"]


def _compare_best(wanted: Any, got: Any) -> list[str]:
    if not isinstance(wanted, list):
        raise BadVectors("'best' must be a list")
    if not isinstance(got, list | tuple) or not got:
        return ["best: the result has no best"]
    odd = [x for x in got if all(compare(one, x, "best") for one in wanted)]
    return [f"best: {_short(odd)} not among {_short(wanted)}"] if odd else []


def _compare_shuffled(expect: dict[str, Any], result: dict[str, Any]) -> list[str]:
    """Compare lists that share shuffled entries: in order up to an index, then in any order."""
    found: list[str] = []
    wanted: list[Any] = []
    got: list[Any] = []
    for key, place in result[ORDER_FREE].items() if expect else ():
        got += result[key][place:]
        if key not in expect:
            continue
        if not isinstance(expect[key], list) or len(expect[key]) != len(result[key]):
            found += compare(expect[key], result[key], key)
            continue
        found += compare(expect[key][:place], result[key][:place], key)
        wanted += expect[key][place:]
    return found or _compare_pool(wanted, got, " and ".join(expect))


def _compare_pool(wanted: list[Any], got: list[Any], path: str) -> list[str]:
    """Return a line for entries that are missing from the pool; each entry counts once."""
    left = list(got)
    missing = []
    for one in wanted:
        place = next((i for i, other in enumerate(left) if not compare(one, other, path)), None)
        if place is None:
            missing.append(one)
        else:
            del left[place]
    return [f"{path}: {_short(missing)} cannot result from a shuffle of {_short(got)}"] if missing else []


def _follow(value: Any, path: str) -> Any:
    """Return the part of `value` at a dotted path; numbers are indices of lists."""
    for step in re.findall(r"[^.\[\]]+", path):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list | tuple) and step.isdecimal() and int(step) < len(value):
            value = value[int(step)]
        else:
            return _MISSING
    return value


def _short(value: Any) -> str:
    try:
        text = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= 120 else text[:117] + "..."
