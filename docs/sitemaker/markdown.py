"""Small helpers to write Markdown."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

WIDTH = 120  # of a line of prose
WHOLE = ("|", "<", "!", "#")  # tables, comments and tags, pictures, headings: never wrapped
ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s+")  # of a list
CODE = re.compile(r"`[^`]+`")
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


def wrap(text: str) -> str:
    """Return a page with its long paragraphs wrapped; code, tables, headings and pictures stay as they are."""
    blocks: list[list[str]] = []
    fence, joins = False, False  # whether a line continues the paragraph before it
    for line in text.split("\n"):
        mark = line.lstrip().startswith("```")
        whole = fence or mark or not line.strip() or line.startswith((*WHOLE, "    "))
        if joins and not whole and ITEM.match(line) is None:
            blocks[-1].append(line)
        else:
            blocks.append([line])
        fence ^= mark
        joins = not whole
    return "\n".join(
        _paragraph(lines) if max(map(len, lines)) > WIDTH else "\n".join(lines) for lines in blocks
    )


def _paragraph(lines: Sequence[str]) -> str:
    first = lines[0]
    if first.startswith(WHOLE) or len(first.split()) < 2:
        return "\n".join(lines)
    item = ITEM.match(first)
    indent = " " * len(item[0] if item else "")
    text = " ".join([first, *(line.strip() for line in lines[1:])])
    text = CODE.sub(lambda code: code[0].replace(" ", "\0"), text)  # code stays on one line
    wrapped = textwrap.fill(
        text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return wrapped.replace("\0", " ")
