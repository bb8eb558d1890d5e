"""A game of another package without a drawing is played to its end, part by part and in its own words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from qipai.skeleton.write import title_of, write_skeleton
from tests.skeleton.test_write import install

from .conftest import Server, Visit
from .driver import log_lines, next_hand, play_out, press_some, quick_game
from .test_looks import findings, fits

pytestmark = pytest.mark.slow
GAME = "four_prizes"


@pytest.fixture(scope="module")
def server(site: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server to which the game of `qipai new` is installed."""
    folder = tmp_path_factory.mktemp("described")
    install(write_skeleton(GAME, folder), folder / "site")
    found = Server(folder, folder / "site")
    found.start(compiled=False)
    yield found
    found.stop()


def test_a_game_without_a_drawing_is_played_in_its_own_words(visit: Visit, shots: Path) -> None:
    visitor = visit()
    page = visitor.page
    sent: list[dict[str, Any]] = []
    page.on("websocket", lambda line: line.on("framesent", lambda text: sent.append(json.loads(text))))
    visitor.go()
    card = page.locator(f"article[data-game={GAME}]")
    card.wait_for()
    assert title_of(GAME) in card.inner_text()
    assert card.locator("a[href^='/learn']").count() == 0  # there is no lesson
    assert page.locator("article[data-game=nana] a[href^='/learn']").count() == 1
    card.locator(".start").click()
    _put_two_away(page, shots)
    play_out(page)
    page.wait_for_selector("aside .log li:has-text('The game is over')")
    lines = log_lines(page)
    assert any(re.match(r"You put \d+ \d+ away\.", line) for line in lines)
    assert not any("event" in line or "{" in line for line in lines)
    assert "result of you: " in page.inner_text("[data-drawing]")
    page.screenshot(path=shots / "described-over.png")
    moves = [m["actions"] for m in sent if m["type"] == "act"]
    assert [len(actions) for actions in moves] == [2, 1, 1, 1, 1]
    assert all(m["picked"] == [] or len(m["picked"]) == 1 for m in sent if m["type"] == "describe")
    _turn_to_a_phone(page, shots)
    sent.clear()
    visitor.go()
    quick_game(page, "xianqi")
    assert press_some(page, 3) > 0  # a hand may be over after one
    kinds = {m["type"] for m in sent}
    assert kinds and "describe" not in kinds  # tables that draw the game never ask


def _put_two_away(page: Any, shots: Path) -> None:
    """Make a compound move, after taking it back once."""
    page.wait_for_selector("[data-pick]:enabled")
    assert page.locator("main .lesson, [data-action]").count() == 0
    cards = page.locator("[data-pick]").all_inner_texts()
    hand = re.search(r"your hand ([\d ]+) {3}put away -", page.inner_text("[data-drawing]"))
    assert hand is not None
    assert [card.split()[0] for card in cards] == hand[1].split()[:5]  # the highest has no second above it
    page.screenshot(path=shots / "described.png")
    for back in (True, False):
        page.locator("[data-pick]").first.click()
        page.wait_for_selector("[data-action]:enabled")
        lowest = hand[1].split()[0]
        assert f"put away {lowest}" in page.inner_text("[data-drawing]")
        assert page.locator("[data-action]").all_inner_texts() == hand[1].split()[1:]
        if back:
            page.screenshot(path=shots / "described-picked.png")
            page.click("[data-undo]")
            page.wait_for_selector("[data-pick]:enabled")
            assert "put away -" in page.inner_text("[data-drawing]")
    page.locator("[data-action]").first.click()
    page.wait_for_selector("[data-action]:enabled, .after")


def _turn_to_a_phone(page: Any, shots: Path) -> None:
    """Play the next hand on a small screen, with everything within reach."""
    next_hand(page)
    page.set_viewport_size({"width": 360, "height": 640})
    page.wait_for_selector("[data-pick]:enabled")
    page.screenshot(path=shots / "described-phone.png")
    assert fits(page) and findings(page) == []
    assert press_some(page, 2) == 2
    page.wait_for_selector("[data-action]:enabled")
