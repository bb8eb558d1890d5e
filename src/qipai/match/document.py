"""The written form of a match: its head and its moves, checked piece by piece.

Shared by `Match.dump`/`Match.load` and the record files. Anything malformed raises `BadRecord`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from qipai.core.errors import BadRecord, short

from .jsonable import NotJson, copied, json_copy
from .opening import Opening

FORMAT = "qipai/1"
HEAD_KEYS = ("format", "game", "rules", "options", "seats", "layout", "seed")
HEX = re.compile(r"[0-9a-f]{64}")
ACTION_LIMIT = 1 << 31

Move = tuple[int, tuple[int, ...]]  # a seat and its actions


@dataclass(frozen=True)
class Head:
    """What a match is made from, as written; not yet checked against the game."""

    game: str
    rules: int
    options: dict[str, Any]
    seats: int
    layout: dict[str, Any] | None = field(repr=False)
    seed: bytes = field(repr=False)


def write_head(opening: Opening) -> dict[str, Any]:
    """Return the head of a match as JSON. It contains the seed: keep it from players while the match runs."""
    return {
        "format": FORMAT,
        "game": opening.game.name,
        "rules": opening.game.rules.version,
        "options": opening.options(),
        "seats": opening.seats,
        "layout": copied(opening.layout),
        "seed": opening.seed.hex(),
    }


def read_document(
    doc: Any, keys: tuple[str, ...], what: str, optional: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return a checked copy of `doc`, which must have these keys and may have the optional ones."""
    if not isinstance(doc, Mapping):
        raise BadRecord(f"{what} must be a mapping, not {short(doc)}")
    try:
        found: dict[str, Any] = json_copy(doc)
    except NotJson as error:
        raise BadRecord(f"{what}: {error}") from error
    check_keys(found, keys, what, optional)
    return found


def check_keys(
    doc: Mapping[str, Any], keys: tuple[str, ...], what: str, optional: tuple[str, ...] = ()
) -> None:
    """Raise `BadRecord` for a missing or an unknown key."""
    for key in keys:
        if key not in doc:
            raise BadRecord(f"{what} lacks {key!r}")
    for key in doc:
        if key not in keys and key not in optional:
            raise BadRecord(f"{what} has an unknown key {short(key)}")


def read_head(doc: Mapping[str, Any]) -> Head:
    """Return the head from a document that `read_document` has checked."""
    if doc["format"] != FORMAT:
        raise BadRecord(f"the format is {short(doc['format'])}, not {FORMAT!r}")
    game, options, layout = doc["game"], doc["options"], doc["layout"]
    if type(game) is not str:
        raise BadRecord("'game' is a name")
    if type(options) is not dict:
        raise BadRecord("'options' is a mapping")
    if layout is not None and type(layout) is not dict:
        raise BadRecord("'layout' must be a mapping or null")
    rules = read_number(doc["rules"], "'rules'")
    seats = read_number(doc["seats"], "'seats'")
    return Head(game, rules, options, seats, layout, bytes.fromhex(read_hex(doc["seed"], "'seed'")))


def read_number(value: Any, what: str) -> int:
    """Return a whole number from 0 that fits 31 bits, or raise `BadRecord`."""
    if type(value) is not int or not 0 <= value < ACTION_LIMIT:
        raise BadRecord(f"{what} must be a whole number from 0, not {short(value)}")
    return value


def read_hex(value: Any, what: str) -> str:
    """Return 64 lower-case hexadecimal digits. The error does not repeat them, as they may be secret."""
    if type(value) is not str or HEX.fullmatch(value) is None:
        raise BadRecord(f"{what} is 64 hexadecimal digits")
    return value


def read_move(seat: Any, actions: Any, number: int) -> Move:
    """Return a seat and its actions; whether they are legal is checked later."""
    if type(actions) is not list or not actions:
        raise BadRecord(f"move {number}: the actions must be a list of whole numbers")
    found = tuple(read_number(a, f"move {number}: an action") for a in actions)
    return read_number(seat, f"move {number}: the seat"), found
