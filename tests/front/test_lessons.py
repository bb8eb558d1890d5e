"""A guided first game of each: following the coach leads to the end, another move is answered kindly."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Visit
from .driver import GAMES

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", GAMES)
def test_following_the_coach_leads_to_the_end(game: str, visit: Visit, shots: Path) -> None:
    visitor = visit()
    page = visitor.page
    with page.expect_response(f"**/api/lessons/{game}") as answer:
        visitor.go(f"/learn/{game}")
    lesson = answer.value.json()
    page.wait_for_selector(".coach")
    page.wait_for_timeout(300)
    page.screenshot(path=shots / f"{game}-lesson.png")
    for number, step in enumerate(lesson["steps"]):
        page.wait_for_function("n => document.querySelector('[data-step]').dataset.step >= n", arg=number)
        if step["seat"] != lesson["seat"]:  # plays by itself, unless the coach speaks first
            if any(step["say"].values()):
                page.click("[data-onward]")
            continue
        page.wait_for_selector(".stage[data-asked=yes]")
        for _ in range(100):
            if page.get_attribute("[data-step]", "data-step") != str(number):
                break
            page.evaluate("actions => qipaiDriver.follow(actions)", step["actions"])
            page.wait_for_timeout(50)
    page.wait_for_selector("text=You know how to play!")


def test_another_move_than_the_coachs_is_answered_kindly(visit: Visit) -> None:
    visitor = visit()
    page = visitor.page
    with page.expect_response("**/api/lessons/nana") as answer:
        visitor.go("/learn/nana")
    (wanted,) = answer.value.json()["steps"][0]["actions"]
    page.wait_for_selector(".stage[data-asked=yes]")
    page.click(f".stage [data-action]:not([data-action='{wanted}']) >> nth=0")
    page.wait_for_selector("text=try the glowing one")
    assert page.get_attribute("[data-step]", "data-step") == "0"
