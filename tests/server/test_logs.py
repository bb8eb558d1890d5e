"""Logs are JSON lines; an error shows its location, not its input."""

from __future__ import annotations

import json
import logging

from qipai.server.logs import JsonLines


def line(event: str, fault: BaseException | None = None, **fields: object) -> dict[str, object]:
    info = (type(fault), fault, fault.__traceback__) if fault is not None else None
    record = logging.LogRecord("qipai.server", logging.INFO, "", 0, event, (), info)
    record.fields = fields
    found: dict[str, object] = json.loads(JsonLines().format(record))
    return found


def test_a_line_holds_the_event_and_its_fields() -> None:
    found = line("table/opened", table="abc", game="nana")
    assert (found["event"], found["table"], found["level"]) == ("table/opened", "abc", "info")


def test_a_fault_is_named_without_its_words() -> None:
    try:
        raise ValueError("a secret")
    except ValueError as error:
        found = line("socket/fault", error)
    assert found["fault"] == "ValueError" and "where" in found
    assert "secret" not in json.dumps(found)


def test_lines_of_other_packages_are_told_without_what_they_are_about() -> None:
    record = logging.LogRecord("uvicorn.error", logging.ERROR, "", 0, "broken: %s\nmore", ("a secret",), None)
    found = json.loads(JsonLines().format(record))
    assert (found["event"], found["text"]) == ("uvicorn.error", "broken: %s")
