"""The page of the game says what the code says."""

from __future__ import annotations

from pathlib import Path

from qipai.games.nana import GAME

DOCS = Path(__file__).parents[3] / "docs"
PAGE = DOCS / "games" / "nana.md"


def test_every_feature_stands_on_the_page_with_its_place() -> None:
    text = (DOCS / "research" / "layouts" / "nana.md").read_text(encoding="utf-8")
    for feature in GAME.rules.observation:
        last = feature.start + feature.length - 1
        where = f"{feature.start}" if feature.length == 1 else f"{feature.start}-{last}"
        assert f"| {where} | `{feature.name}` | {feature.length} | {feature.kind}" in text
        assert f"| {feature.about} |" in text


def test_sizes_on_the_page_are_true() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert f"A state is {GAME.rules.State.itemsize} bytes, an action one of {GAME.rules.actions}" in text
    assert f"an observation {GAME.observation_size} bytes" in text
