"""The fields of a dataclass with their defaults and comments, group by group, from its source."""

from __future__ import annotations

import ast
import inspect
from dataclasses import MISSING, Field, fields
from typing import Any, NamedTuple


class Group(NamedTuple):
    """Fields below one comment: the comment, and the name, default and comment of each field."""

    title: str
    rows: list[tuple[str, str, str]]


def groups_of(kind: type, mark: str, first: str) -> list[Group]:
    """Return the groups of a dataclass; a line that begins with `mark` opens one, `first` is before all of them."""
    lines = inspect.getsource(kind).splitlines()
    body = ast.parse("\n".join(lines)).body[0]
    assert isinstance(body, ast.ClassDef)
    defaults = {one.name: _default(one) for one in fields(kind)}
    found, last = [Group(first, [])], 0
    for node in body.body:
        if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
            continue
        for line in lines[last : node.lineno - 1]:
            if line.strip().startswith(mark):
                found.append(Group(line.strip().removeprefix(mark).strip(), []))
        last = node.end_lineno or node.lineno
        about = next((a for line in lines[node.lineno - 1 : last] if (a := line.partition("  # ")[2])), "")
        found[-1].rows.append((node.target.id, defaults[node.target.id], about))
    return found


def _default(field: Field[Any]) -> str:
    default, factory = field.default, field.default_factory
    if default is not MISSING:
        return repr(default)
    return "" if factory is MISSING else repr(factory())
