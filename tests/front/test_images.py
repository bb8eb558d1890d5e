"""The pictures of README and site exist, are small, and show the current tables."""

from __future__ import annotations

from typing import Any

import pytest

from .images import IMAGES, LIMIT, NOTE, PICTURES, TABLES, digest, undrawn
from .terminal_shot import to_html


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_there_as_webp(name: str) -> None:
    head = (IMAGES / f"{name}.webp").read_bytes()[:12]
    assert head[:4] == b"RIFF" and head[8:] == b"WEBP"


def test_all_pictures_together_are_small() -> None:
    assert sum(path.stat().st_size for path in IMAGES.iterdir()) <= LIMIT


def test_the_pictures_show_the_tables_as_they_are_drawn_now() -> None:
    changed = (
        "front/src/tables has changed since docs/images was made: `make images`, and look at the pictures"
    )
    assert NOTE.read_text("utf-8").strip() == digest(), changed


def test_a_terminal_is_drawn_cell_by_cell() -> None:
    drawn = to_html("a\x1b[31m士\x1b[0m\n<b>")
    assert drawn.count("width:2ch") == 1 and "士" in drawn and "&lt;b&gt;" in drawn and drawn.startswith("a")
    assert "color:" in drawn


def test_a_character_that_no_font_draws_is_named(browser: Any) -> None:
    """The pictures had boxes in place of emoji once."""
    assert undrawn(browser, "a\U0010fffdb") == "\U0010fffd"


def test_a_change_of_a_drawing_changes_the_digest(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    (folder / "Board.svelte").write_text("<p>a</p>")
    (folder / "board.test.ts").write_text("a")
    monkeypatch.setattr(f"{digest.__module__}.TABLES", folder)
    before = digest()
    (folder / "board.test.ts").write_text("b")
    assert digest() == before
    (folder / "Board.svelte").write_text("<!-- a comment -->\n<p>a</p>")
    assert digest() == before
    (folder / "Board.svelte").write_text("<p>b</p>")
    assert digest() != before
    assert TABLES.is_dir()
