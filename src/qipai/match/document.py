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
from .shares import Share, Shares

FORMAT = "qipai/1"
HEAD_KEYS = ("format", "game", "rules", "options", "seats", "layout", "seed")
MORE_KEYS = ("shares",)  # which a head may have
SHARES_KEYS = ("seed", "commitment", "seats")
SHARE_KEYS = ("seat", "commitment", "reveal")
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
    shares: Shares | None = field(default=None, repr=False)  # None: the host drew the seed alone


def write_head(opening: Opening) -> dict[str, Any]:
    """Return the head of a match as JSON. It contains the seed: keep it from players while the match runs."""
    shares = {} if opening.shares is None else {"shares": opening.shares.to_json()}
    return {
        "format": FORMAT,
        "game": opening.game.name,
        "rules": opening.game.rules.version,
        "options": opening.options(),
        "seats": opening.seats,
        "layout": copied(opening.layout),
        "seed": opening.seed.hex(),
        **shares,
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
    seed = bytes.fromhex(read_hex(doc["seed"], "'seed'"))
    shares = read_shares(doc["shares"]) if "shares" in doc else None
    return Head(game, rules, options, seats, layout, seed, shares)


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


def read_shares(doc: Any) -> Shares:
    """Return the shares of a seed; whether the seed follows from them is checked later."""
    if type(doc) is not dict:
        raise BadRecord("'shares' is a mapping")
    check_keys(doc, SHARES_KEYS, "'shares'")
    if type(doc["seats"]) is not list:
        raise BadRecord("'shares': 'seats' must be a list")
    found = [_read_share(item) for item in doc["seats"]]
    seats = [share.seat for share in found]
    if seats != sorted(set(seats)) or any(seat > 127 for seat in seats):
        raise BadRecord("'shares': the seats are in ascending order")
    seed = bytes.fromhex(read_hex(doc["seed"], "'shares': 'seed'"))
    return Shares(seed, read_hex(doc["commitment"], "'shares': 'commitment'"), tuple(found))


def _read_share(doc: Any) -> Share:
    if type(doc) is not dict:
        raise BadRecord("a share is a mapping")
    check_keys(doc, SHARE_KEYS, "a share")
    seat, given, reveal = read_number(doc["seat"], "the seat of a share"), doc["commitment"], doc["reveal"]
    if given is None and reveal is not None:
        raise BadRecord(f"the share of seat {seat} has no commitment")
    return Share(
        seat,
        None if given is None else read_hex(given, "the commitment of a share"),
        None if reveal is None else bytes.fromhex(read_hex(reveal, "'reveal'")),
    )
