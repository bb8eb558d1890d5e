"""Xianqi's named API: the one exception it raises, and its codes (§6.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qipai.core import QipaiError

INVALID_CONFIG = "ENGINE_INVALID_CONFIG"
INVALID_STATE = "ENGINE_INVALID_STATE"
INVALID_PHASE = "ENGINE_INVALID_PHASE"
VERSION_CONFLICT = "ENGINE_VERSION_CONFLICT"
INVALID_ACTION_INDEX = "ENGINE_INVALID_ACTION_INDEX"
INVALID_COVER_LIST = "ENGINE_INVALID_COVER_LIST"
INVALID_SEAT = "ENGINE_INVALID_SEAT"
INVALID_ACTION = "ENGINE_INVALID_ACTION"  # a listed action that cannot be made; never raised

CODES = (
    INVALID_CONFIG,
    INVALID_STATE,
    INVALID_PHASE,
    VERSION_CONFLICT,
    INVALID_ACTION_INDEX,
    INVALID_COVER_LIST,
    INVALID_SEAT,
    INVALID_ACTION,
)


class EngineError(QipaiError, ValueError):
    """A call to the Xianqi engine failed, and nothing has changed. Its text is its code.

    `message` says what was wrong, `detail` where; neither reveals a card.
    """

    code = "ENGINE_ERROR"

    def __init__(self, code: str, message: str = "", detail: Mapping[str, Any] | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.message = message or code
        self.detail = dict(detail or {})

    def to_json(self) -> dict[str, str]:
        """Return the code and the message; the text of this error is its code."""
        return {"code": self.code, "message": self.message}


class InvalidState(EngineError, AssertionError):
    """`load_state` rejected a document; older callers expect an AssertionError."""

    code = INVALID_STATE

    def __init__(self, message: str = "", detail: Mapping[str, Any] | None = None) -> None:
        super().__init__(INVALID_STATE, message, detail)


def config_error(message: str, **detail: Any) -> EngineError:
    """Return the error of an invalid configuration or option."""
    return EngineError(INVALID_CONFIG, message, detail)
