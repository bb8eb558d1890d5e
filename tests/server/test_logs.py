"""Logs are JSON lines; an error shows its location, not its input."""

from __future__ import annotations

import json
import logging

import pytest

from qipai.server.logs import BURST, LOG, JsonLines, log, set_up


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


def test_an_event_that_repeats_does_not_fill_the_disk(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So 935,414 lines were once written in 55 seconds, about connections that could not be accepted."""
    now = [100.0]
    monkeypatch.setattr("qipai.server.http.limits.time.monotonic", lambda: now[0])
    root, own = logging.getLogger(), LOG.handlers
    before = root.handlers
    try:
        set_up()
        for number in range(20_000):
            logging.getLogger("asyncio").error("socket.accept() out of system resource\nsocket: %d", number)
        log("table/opened", table="a")  # another event
        now[0] += 1.0
        logging.getLogger("asyncio").error("socket.accept() out of system resource\nsocket: %d", 0)
    finally:
        root.handlers, LOG.handlers = before, own
    lines = [json.loads(text) for text in capsys.readouterr().err.splitlines()]
    assert len(lines) == BURST + 2
    assert lines[-2]["event"] == "table/opened" and lines[-1]["dropped"] == 20_000 - BURST
