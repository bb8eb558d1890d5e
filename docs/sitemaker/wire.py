"""The page of wire messages, from the models in `qipai.server.wire`."""

from __future__ import annotations

import ast
import inspect
import re
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from qipai.server import wire

from .markdown import notice, table

HEAD = """# Wire messages

What the page and the server send each other, as JSON. `src/qipai/server/wire.py` defines every message; unknown keys and wrong
types are refused (`message/bad`). `python front/wire_types.py` prints the same messages as TypeScript, and a running server
describes its HTTP part at `/api/openapi.json`. The addresses are listed on the page [The server](../server.md#addresses).

A client opens `/ws/table/<id>?since=<version>&hand=<hand>`, receives `table`, the last lines of `chat` and `state`, and then
sends requests. Each request may carry a number `ref`; the answer is `done` or `refused` with the same `ref`.
"""

SECTIONS = (
    ("From client to server", wire.FromClient),
    ("From server to client", wire.FromServer),
)


COMMON = {"ref": "a number of the client's choice, repeated in the answer"}
BOUNDS = ("ge", "le", "min_length", "max_length")  # least and most by turns, as pydantic calls them


def models() -> dict[str, type[BaseModel]]:
    """Return every message and every part of one, by name, in the order of the file."""
    found = {
        name: value
        for name, value in vars(wire).items()
        if inspect.isclass(value) and issubclass(value, wire.Message) and value is not wire.Message
    }
    return dict(sorted(found.items(), key=lambda item: inspect.getsourcelines(item[1])[1]))


def page() -> str:
    """Return the page as Markdown."""
    parts = [notice("`src/qipai/server/wire.py`"), "", HEAD]
    left = models()
    comments = _comments()
    for title, union in SECTIONS:
        parts += [f"## {title}", ""]
        for model in get_args(get_args(union)[0]):
            left.pop(model.__name__)
            parts += _section(model, comments)
    parts += ["## HTTP bodies and parts of messages", ""]
    for model in left.values():
        parts += _section(model, comments)
    return "\n".join(parts)


def _section(model: type[BaseModel], comments: dict[tuple[str, str], str]) -> list[str]:
    kind = model.model_fields.get("type")
    name = f"`{get_args(kind.annotation)[0]}` ({model.__name__})" if kind else model.__name__
    rows = []
    for key, field in model.model_fields.items():
        if key == "type":
            continue
        default = "required" if field.is_required() else f"`{field.default!r}`"
        about = COMMON.get(key) or comments.get((model.__name__, key), "")
        meaning = "; ".join(said for said in (about, _limits(field)) if said)
        rows.append((f"`{key}`", f"`{_type(model, key)}`", default, meaning))
    parts = [f"### {name}", "", " ".join((model.__doc__ or "").split()), ""]
    size = 4 if any(row[-1] for row in rows) else 3  # no column without an entry
    head = ("key", "type", "default", "meaning")
    return [*parts, table(head[:size], [row[:size] for row in rows]), ""] if rows else parts


def _limits(field: FieldInfo) -> str:
    """Return the limits of a field in words, "" if it has none."""
    found = {kind: getattr(one, kind) for one in field.metadata for kind in BOUNDS if hasattr(one, kind)}
    unit = "" if "ge" in found or "le" in found else " characters" if field.annotation is str else " entries"
    low, high = (next((found[k] for k in kinds if k in found), None) for kinds in (BOUNDS[::2], BOUNDS[1::2]))
    if low is None:
        return "" if high is None else f"at most {high:,}{unit}"
    return f"at least {low}{unit}" if high is None else f"{low} to {high:,}{unit}"


def _tree() -> ast.Module:
    return ast.parse(inspect.getsource(wire))


def _type(model: type[BaseModel], key: str) -> str:
    """Return the annotation of a field as the source has it, short."""
    for node in _tree().body:
        if isinstance(node, ast.ClassDef) and node.name == model.__name__:
            for line in node.body:
                if isinstance(line, ast.AnnAssign) and getattr(line.target, "id", "") == key:
                    text = ast.unparse(line.annotation)
                    return re.sub(r"Annotated\[(.+?), Field\(.*\)\]$", r"\1", text)
    return ""


def _comments() -> dict[tuple[str, str], str]:
    """Return the comment behind each field."""
    lines = inspect.getsource(wire).splitlines()
    found: dict[tuple[str, str], str] = {}
    for node in _tree().body:
        if not isinstance(node, ast.ClassDef):
            continue
        for line in node.body:
            if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                _, mark, text = lines[(line.end_lineno or line.lineno) - 1].partition("  # ")
                if mark:
                    found[node.name, line.target.id] = text.strip()
    return found


def all_types() -> list[str]:
    """Return the `type` of every message."""
    kinds: list[Any] = [m.model_fields.get("type") for m in models().values()]
    return [get_args(kind.annotation)[0] for kind in kinds if kind]
