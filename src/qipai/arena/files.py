"""Files of results: a head that says what is played, then one JSON line per result, to be resumed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TextIO

from qipai.core.errors import BadContest, short

VERSION = "qipai"  # entry of a head that may differ: the version of the program


def open_lines(path: Path, head: dict[str, Any]) -> list[Any]:
    """Return the results that a file holds; write a new file if there is none.

    A last line that was cut off is removed. Raise `BadContest` if the file has another head.
    """
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(head) + "\n", "utf-8")
        return []
    text = path.read_text("utf-8")
    whole, _, rest = text.rpartition("\n")
    if rest:
        path.write_text(whole + "\n", "utf-8")
    found, rows = read_lines(path, str(head["format"]))
    wanted = json.loads(json.dumps(head))
    for name in {**found, **wanted}:
        if name != VERSION and found.get(name) != wanted.get(name):
            raise BadContest(
                f"{path.name} was played with other {name}: {short(json.dumps(found.get(name)))}"
            )
    return rows


def read_lines(path: Path, form: str) -> tuple[dict[str, Any], list[Any]]:
    """Return head and results of a file; raise `BadContest` if it is not of the format `form`."""
    try:
        lines = path.read_text("utf-8").splitlines()
        head = json.loads(lines[0])
        if head.get("format") != form:
            raise ValueError(f"its format is not {form}")
        return head, [json.loads(line) for line in lines[1:]]
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise BadContest(f"{path.name} cannot be read: {error}") from error


def add_line(file: TextIO, row: Any) -> None:
    """Write one result, so that it is kept if the program ends now."""
    file.write(json.dumps(row, separators=(",", ":")) + "\n")
    file.flush()
