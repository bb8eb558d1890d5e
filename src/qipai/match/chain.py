"""The hash chain of a match: changing, dropping, swapping or adding a move changes its last link.

The digest of a record is that of the final state, and different moves can lead to the same state. Link 0
covers the head, with the seed; link `n` covers link `n - 1` and move `n`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from .document import Move
from .keys import PREFIX


def first_link(head: Mapping[str, Any]) -> str:
    """Return link 0, from the head of a match."""
    return sha256(PREFIX + b"chain" + _canonical(head)).hexdigest()


def next_link(link: str, number: int, move: Move) -> str:
    """Return the link of the `number`-th move, from 1, after the link before it."""
    seat, actions = move
    # as `_canonical` would write it, but faster
    text = f'{{"actions":[{",".join(map(str, actions))}],"move":{number},"seat":{seat}}}'
    return sha256(bytes.fromhex(link) + text.encode()).hexdigest()


def links(head: Mapping[str, Any], moves: Iterable[Move]) -> Iterator[str]:
    """Yield link 0 and the link of every move."""
    link = first_link(head)
    yield link
    for number, move in enumerate(moves, 1):
        link = next_link(link, number, move)
        yield link


def last_link(head: Mapping[str, Any], moves: Iterable[Move]) -> str:
    """Return the last link, which stands for all moves."""
    link = ""
    for found in links(head, moves):
        link = found
    return link


def _canonical(doc: Mapping[str, Any]) -> bytes:
    """Return JSON with sorted keys and without spaces."""
    return json.dumps(doc, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()
