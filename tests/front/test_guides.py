"""The rules pages for players: drawn examples in each language, and house rules that can be tried."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from .conftest import Visit
from .driver import GAMES
from .test_looks import findings, fits

pytestmark = pytest.mark.slow
TABLES = Path(__file__).parents[2] / "front" / "src" / "tables"
LOOKS = {"zh": (390, 844, "dark"), "en": (1280, 900, "light"), "ja": (768, 1024, "dark")}


@pytest.mark.parametrize("lang", LOOKS)
@pytest.mark.parametrize("game", GAMES)
def test_a_rules_page_draws_every_example(game: str, lang: str, visit: Visit, shots: Path) -> None:
    width, height, theme = LOOKS[lang]
    page = visit(lang=lang, width=width, height=height, theme=theme).go(f"/rules/{game}")
    page.wait_for_selector("figure[data-example]")
    shown = page.eval_on_selector_all("figure", "all => all.map((one) => one.dataset.example)")
    examples = json.loads((TABLES / game / "guide.json").read_text("utf-8"))
    assert sorted(shown) == sorted(examples)
    for figure in page.query_selector_all("figure"):
        assert "{" not in figure.inner_text()
        assert figure.query_selector(".piece, .board") is not None
    assert fits(page)
    if list(LOOKS)[GAMES.index(game) % len(LOOKS)] == lang:  # each game in one language: axe takes its time
        page.wait_for_load_state("networkidle")
        page.screenshot(path=shots / f"rules-{game}-{lang}.png", full_page=True)
        assert findings(page) == []


def test_house_rules_can_be_tried_from_the_page(visit: Visit) -> None:
    page = visit(lang="en").go("/rules/nana")
    page.select_option(".house select >> nth=0", label="simple: connected trios do not win")
    page.click("[data-try]")
    page.wait_for_selector(".stage[data-game=nana] [data-card]")
    page.keyboard.press("g")
    page.wait_for_selector(".stage [role=dialog]")
    assert "simple" in page.inner_text(".stage [role=dialog]").lower()


def test_the_numbered_rules_are_linked_and_lead_back(visit: Visit) -> None:
    page = visit(lang="zh").go("/rules/xianqi")
    page.click("a[href='/spec/xianqi']")
    page.wait_for_selector(".prose table")
    page.click("a[href='/rules/xianqi']")
    page.wait_for_selector("figure[data-example]")


def test_a_part_of_the_page_can_be_jumped_to(visit: Visit) -> None:
    page = visit(lang="en", width=390, height=844).go("/rules/skill_gomoku")
    page.click("nav button >> text=Common questions")
    page.wait_for_function(
        "() => document.querySelectorAll('.prose > h2')[4].getBoundingClientRect().top < 300"
    )
