"""Log entries (§10) and the events that mirror them."""

from __future__ import annotations

from typing import Any

Entry = dict[str, Any]
EVENT_OF_TAG = {
    "skip": "turnSkipped",
    "drawTwo": "cardsDrawn",
    "choose": "cardChosen",
    "selectTarget": "targetSelected",
    "resolve": "effectResolved",
    "checkWin": "winChecked",
}


def log_event(entry: Entry) -> dict[str, Any]:
    """Return the event that mirrors a log entry."""
    return {"event": EVENT_OF_TAG[entry["tag"]], **entry}
