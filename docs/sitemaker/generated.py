"""The pages that are written from the code: which they are, and whether they are up to date."""

from __future__ import annotations

from pathlib import Path

from . import commands, errors, guides, layouts, play, settings, training, wire
from .markdown import wrap

ROOT = Path(__file__).parents[2]


def pages() -> dict[str, str]:
    """Return every generated page, by its path in the repository."""
    found = {
        "docs/errors.md": errors.page(),
        "docs/reference/cli.md": commands.page(),
        "docs/reference/wire.md": wire.page(),
        "docs/operate/settings.md": settings.page(),
        "docs/training/settings.md": training.page(),
        **layouts.pages(),
        **play.pages(),
        **guides.pages(),
    }
    return {path: _tidy(path, text) for path, text in found.items()}


def _tidy(path: str, text: str) -> str:
    """Return the page with one newline at its end; English prose is wrapped, which has spaces between words."""
    english = path.endswith(".md") and not path.startswith(("docs/zh/", "docs/ja/"))
    return (wrap(text) if english else text).rstrip("\n") + "\n"


def stale() -> list[str]:
    """Return the generated pages that differ from what the code says now."""
    return [path for path, text in pages().items() if _read(ROOT / path) != text]


def write() -> list[str]:
    """Write the pages that have changed, and return their paths."""
    changed = {path: text for path, text in pages().items() if _read(ROOT / path) != text}
    for path, text in changed.items():
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(text, encoding="utf-8")
    return list(changed)


def _read(path: Path) -> str | None:
    return path.read_text("utf-8") if path.is_file() else None
