"""A phone plays each game by touch alone: every tap is a touch on the screen, where a finger reaches it."""

from __future__ import annotations

import time
from typing import Any

import pytest

from .conftest import Visit
from .driver import GAMES, next_hand

pytestmark = pytest.mark.slow
MOVES = 12  # of a long game; a shorter one is played to its end
PATIENCE = 120.0  # seconds, on a busy machine


def tap(page: Any) -> str | None:
    """Tap what may be done now; return the position in which it was tapped, or None if there is nothing."""
    spot = page.evaluate("() => qipaiDriver.target()")
    if spot is None:
        page.wait_for_timeout(30)
        return None
    assert "covered" not in spot, f"no finger reaches {spot['covered']}"
    tick = page.get_attribute(".stage", "data-tick")
    page.touchscreen.tap(spot["x"], spot["y"])
    page.wait_for_timeout(60)
    return str(tick)


@pytest.mark.parametrize("game", GAMES)
def test_a_phone_plays_by_touch_alone(game: str, visit: Visit) -> None:
    page = visit(width=390, height=844, touch=True).go()
    page.tap(f"article[data-game={game}] .start")
    page.wait_for_selector(f".stage[data-game={game}]")
    positions: set[str | None] = set()  # a move leads to another one
    end = time.monotonic() + PATIENCE
    while len(positions) <= MOVES:
        assert time.monotonic() < end, f"stuck after {len(positions)} positions"
        positions |= {tap(page)} - {None}
        if page.query_selector(".after [data-ready]"):
            if page.query_selector(".stage [role=dialog]"):
                page.tap(".stage [role=dialog] button >> nth=-1")
            next_hand(page, touch=True)
            if len(positions) >= 2:  # a hand of Xianqi may be over with fewer
                break
