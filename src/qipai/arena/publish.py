"""The folder of a ladder: its games, the figures that follow from them, and a page."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from qipai.core.errors import BadContest

from .files import read_lines
from .ladder import FORMAT, read_file
from .report import Report, page, report_of

GAMES, FIGURES, PAGE = "games.jsonl", "ladder.json", "index.html"


def report_of_file(path: Path) -> Report:
    """Return the report of a file of games, whose SHA-256 is part of it."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    ladder, deals = read_file(path)
    return report_of(ladder, deals, head=read_lines(path, FORMAT)[0], sha256=digest)


def figures(report: Report) -> str:
    """Return the text of the file of figures."""
    return json.dumps(report.to_json(), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def publish(folder: Path) -> Report:
    """Write figures and page from the games in a folder, and return the report."""
    report = report_of_file(folder / GAMES)
    (folder / FIGURES).write_text(figures(report), "utf-8")
    (folder / PAGE).write_text(page(report), "utf-8")
    return report


def check_figures(path: Path) -> str:
    """Return what is wrong with the figures next to a file of games, "" if they follow from it.

    The digest of the games is compared first: a file that was changed anywhere is not that of the figures.
    Without figures there is nothing to compare.
    """
    found = path.with_name(FIGURES)
    if not found.exists():
        return ""
    try:
        data = json.loads(found.read_bytes())
        digest = data["sha256"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        return f"{FIGURES} cannot be read: {error!r}"
    if digest != hashlib.sha256(path.read_bytes()).hexdigest():
        return f"{path.name} is not the file that {FIGURES} was made from: its SHA-256 differs"
    try:
        report = report_of_file(path)
    except BadContest as error:
        return str(error)
    return (
        ""
        if figures(report).encode() == found.read_bytes()
        else f"{FIGURES} does not follow from {path.name}"
    )
