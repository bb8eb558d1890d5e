"""The claim about edited records, at its stated count."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tests.match.tampering import GAMES, MOST, RECORDS, tamper
from tests.spread import spread, total

COUNT = 10_000  # records per game that are edited in every way


def proofs() -> list[tuple[str, Callable[[], dict[str, Any]]]]:
    """Return one proof per game."""
    return [(f"tampering_{game}", partial(tampering, game)) for game in GAMES]


def tampering(game: str) -> dict[str, Any]:
    """Edit one move of each record in every way, with the old hash chain and with one computed again."""
    share = COUNT // 20
    tally = total(spread(tamper, [(game, share, MOST * first) for first in range(0, COUNT, share)]))
    assert all(count >= COUNT for count in tally.values()), tally
    records = tally.pop(RECORDS)
    edits = {
        f"{kind}: noticed by chain and by signature": f"{count} of {count}" for kind, count in tally.items()
    }
    return {RECORDS: records, **edits}
