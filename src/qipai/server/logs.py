"""Structured logs: one JSON object per line on standard error. Never a token, a seed or a hand."""

from __future__ import annotations

import json
import logging
import sys
import time
from typing import Any

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


def log(event: str, level: int = logging.INFO, fault: BaseException | None = None, **fields: Any) -> None:
    """Log an event with its fields."""
    LOG.log(level, event, exc_info=fault, extra={"fields": fields})


def set_up(level: int = logging.INFO) -> None:
    """Send log lines to standard error, including those of other packages."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    LOG.handlers = [handler]
    logging.getLogger().handlers = [handler]
    LOG.propagate = False
    LOG.setLevel(level)
