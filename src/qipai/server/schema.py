"""TypeScript for every message, from the models themselves: `python -m qipai.server.schema`."""

from __future__ import annotations

import inspect
import types
import typing
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from . import messages

UNIONS = ("FromClient", "FromServer")
PLAIN = {int: "number", float: "number", str: "string", bool: "boolean", type(None): "null", Any: "unknown"}


def typescript() -> str:
    """One interface a message, and a union for each direction."""
    parts = [
        "// Written by `python -m qipai.server.schema` from the server's own models. Not edited by hand.\n"
    ]
    parts += [_interface(model) for model in models()]
    for name in UNIONS:
        members = get_args(get_args(getattr(messages, name))[0])
        parts.append(f"export type {name} = {' | '.join(m.__name__ for m in members)};\n")
    parts.append("".join(f"export const {name} = {value};\n" for name, value in _limits()))
    return "\n".join(parts)


def models() -> list[type[BaseModel]]:
    """Every message of the schema, in the order of its file."""
    found = [
        value
        for value in vars(messages).values()
        if inspect.isclass(value) and issubclass(value, messages.Message) and value is not messages.Message
    ]
    return list(dict.fromkeys(found))


def _limits() -> list[tuple[str, int]]:
    return [
        (name, value) for name, value in vars(messages).items() if name.isupper() and isinstance(value, int)
    ]


def _interface(model: type[BaseModel]) -> str:
    lines = [f"/** {' '.join((model.__doc__ or '').split())} */", f"export interface {model.__name__} {{"]
    hints = typing.get_type_hints(model, include_extras=True)
    sent = model.__name__ in _asked()
    for name, field in model.model_fields.items():
        # What the page sends may leave out what has a default; what it is sent always has it.
        mark = "?" if sent and not field.is_required() else ""
        lines.append(f"  {name}{mark}: {_type(hints[name])};")
    return "\n".join([*lines, "}", ""])


def _asked() -> set[str]:
    """Messages that the page makes."""
    union = get_args(get_args(messages.FromClient)[0])
    return {m.__name__ for m in union} | {"NewTable", "NewGuest"}


def _type(hint: Any) -> str:
    if hint in PLAIN:
        return PLAIN[hint]
    if inspect.isclass(hint) and issubclass(hint, BaseModel):
        return hint.__name__
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _type(args[0])
    if origin is Literal:
        return " | ".join(f'"{a}"' if isinstance(a, str) else str(a).lower() for a in args)
    if origin in (Union, types.UnionType):
        return " | ".join(_type(a) for a in args)
    if origin is list:
        inner = _type(args[0])
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is tuple:
        return f"[{', '.join(_type(a) for a in args)}]"
    if origin is dict:
        return f"Record<string, {_type(args[1])}>"
    raise TypeError(f"no TypeScript for {hint!r}")


if __name__ == "__main__":
    print(typescript(), end="")
