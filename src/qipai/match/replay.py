"""Replay a match step by step, from any of its stored forms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from qipai.core.errors import BadRecord, short

from .match import Match
from .record import RecordFile
from .step import Step
from .verify import restore


def replay(source: Match | RecordFile | Mapping[str, Any]) -> Iterator[Step]:
    """Return the actions of a match, a record file or a dumped match, as `Step`s.

    A step has `ply`, `seat`, `action`, `complete`, the states `before` and `after`, and
    `events(seat)`. If the match cannot be replayed, `BadRecord` is raised before the first step.
    """
    return as_match(source).steps()


def as_match(source: Match | RecordFile | Mapping[str, Any]) -> Match:
    """Return the match behind any of its forms."""
    if isinstance(source, Match):
        return source
    if isinstance(source, RecordFile):
        return restore(source)
    if isinstance(source, Mapping):
        return Match.load(source)
    raise BadRecord(f"only a match, a record file or a dumped match can be replayed, not {short(source)}")
