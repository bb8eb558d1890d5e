"""Print TypeScript types for every message of the protocol: `python front/wire_types.py src/qipai`.

The models are imported without the packages around them, so that a wheel can be built without NumPy
and Numba.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import types
import typing
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

UNIONS = ("FromClient", "FromServer")
PLAIN = {int: "number", float: "number", str: "string", bool: "boolean", type(None): "null", Any: "unknown"}


def load_wire(package: Path) -> ModuleType:
    """Import `server/wire.py` of the package in this folder, and nothing else of it."""
    for name, folder in (("qipai", package), ("qipai.server", package / "server")):
        module = ModuleType(name)
        module.__path__ = [str(folder)]
        sys.modules[name] = module
    return importlib.import_module("qipai.server.wire")


def typescript(wire: ModuleType) -> str:
    """Return one interface per message, and a union for each direction."""
    parts = ["// Written by `python front/wire_types.py` from the server's own models. Not edited by hand.\n"]
    parts += [_interface(model, wire) for model in models(wire)]
    for name in UNIONS:
        members = get_args(get_args(getattr(wire, name))[0])
        parts.append(f"export type {name} = {' | '.join(m.__name__ for m in members)};\n")
    parts.append("".join(f"export const {name} = {value};\n" for name, value in _limits(wire)))
    return "\n".join(parts)


def models(wire: ModuleType) -> list[type[BaseModel]]:
    """Return every message of the schema, in the order of its file."""
    base: type[BaseModel] = wire.Message
    classes = [value for value in vars(wire).values() if inspect.isclass(value)]
    return [c for c in dict.fromkeys(classes) if issubclass(c, base) and c is not base]


def _limits(wire: ModuleType) -> list[tuple[str, int]]:
    return [(name, value) for name, value in vars(wire).items() if name.isupper() and isinstance(value, int)]


def _interface(model: type[BaseModel], wire: ModuleType) -> str:
    lines = [f"/** {' '.join((model.__doc__ or '').split())} */", f"export interface {model.__name__} {{"]
    hints = typing.get_type_hints(model, include_extras=True)
    sent = model.__name__ in _asked(wire)
    for name, field in model.model_fields.items():
        # The page may omit values that have a default; the server always sends them.
        mark = "?" if sent and not field.is_required() else ""
        lines.append(f"  {name}{mark}: {_type(hints[name])};")
    return "\n".join([*lines, "}", ""])


def _asked(wire: ModuleType) -> set[str]:
    """Return the messages that the page sends."""
    union = get_args(get_args(wire.FromClient)[0])
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
    print(typescript(load_wire(Path(sys.argv[1]))), end="")
