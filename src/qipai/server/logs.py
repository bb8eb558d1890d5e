"""Structured logs: one JSON object per line on standard error. Never a token, a seed or a hand."""

from __future__ import annotations

import json
import logging
import sys
import threading
import time
from typing import Any

from .http.limits import Bucket

RATE, BURST = 5.0, 100  # lines per second about one event, and at once
EVENTS = 500  # different events that are counted apart
LOG = logging.getLogger("qipai.server")


class JsonLines(logging.Formatter):
    """Formats `log("table/opened", table=...)` as one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the event, its fields and, for an error, where it happened."""
        line: dict[str, Any] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            **_event(record),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            error = record.exc_info[1]
            line["fault"] = type(error).__name__
            trace = error.__traceback__
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            if trace is not None:  # the location only: an error message may repeat its input
                line["where"] = f"{trace.tb_frame.f_code.co_name}:{trace.tb_lineno}"
        return json.dumps(line, ensure_ascii=False, default=str)


def _event(record: logging.LogRecord) -> dict[str, str]:
    """Return our own events by name; for other packages, the format string without its arguments."""
    if record.name == LOG.name:
        return {"event": record.getMessage()}
    return {"event": record.name, "text": (str(record.msg).splitlines() or [""])[0][:200]}


class Sparing(logging.Filter):
    """Drops lines about an event that is logged too often; the next line about it says how many."""

    def __init__(self) -> None:
        super().__init__()
        self._events: dict[str, tuple[Bucket, list[int]]] = {}
        self._lock = threading.Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write this line."""
        key = " ".join(_event(record).values())
        with self._lock:
            if key not in self._events and len(self._events) >= EVENTS:
                key = record.name
            bucket, dropped = self._events.setdefault(key, (Bucket(RATE, BURST), [0]))
            if not bucket.take():
                dropped[0] += 1
                return False
            if dropped[0]:
                record.fields = {**getattr(record, "fields", {}), "dropped": dropped[0]}
                dropped[0] = 0
        return True


def log(event: str, level: int = logging.INFO, fault: BaseException | None = None, **fields: Any) -> None:
    """Log an event with its fields."""
    LOG.log(level, event, exc_info=fault, extra={"fields": fields})


def set_up(level: int = logging.INFO) -> None:
    """Send log lines to standard error, including those of other packages."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(Sparing())
    LOG.handlers = [handler]
    logging.getLogger().handlers = [handler]
    LOG.propagate = False
    LOG.setLevel(level)
