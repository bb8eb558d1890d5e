"""What several tests of the server need."""

from __future__ import annotations

import time
from types import SimpleNamespace

import pytest

from qipai.server.http import limits


@pytest.fixture
def no_refill(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock of the rate limits, so that a slow machine gives nothing back meanwhile."""
    stopped = time.monotonic()
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: stopped))
