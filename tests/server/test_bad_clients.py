"""Bad clients are refused by name and change nothing; the full count is in proof.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.bad_clients import run


@pytest.mark.slow
def test_bad_messages_are_refused_by_name_and_change_nothing(tmp_path: Path) -> None:
    found = run(tmp_path, 2_000, seed=2)
    assert found["messages"] >= 2_000
    for code in ("message/bad", "message/size", "match/stale", "seat/none", "table/playing"):
        assert found[code] > 0
