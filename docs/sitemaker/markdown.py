"""Small helpers to write Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NOTICE = "<!-- Written by `make pages` from {source}. Do not edit by hand. -->"


def notice(source: str) -> str:
    """Return the comment that opens every generated page."""
    return NOTICE.format(source=source)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; pipes inside cells are escaped."""
    lines = [_row(head), "|" + "---|" * len(head)]
    return "\n".join([*lines, *(_row(row) for row in rows)])


def _row(cells: Sequence[object]) -> str:
    texts = [str(cell).replace("\n", " ").replace("|", r"\|") for cell in cells]
    return "|" + "|".join(f" {text} " if text else " " for text in texts) + "|"


def sentence(text: str) -> str:
    """Return the text as a sentence: a capital first, a full stop last."""
    text = " ".join(text.split())
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?。" else ".")
