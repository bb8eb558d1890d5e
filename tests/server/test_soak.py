"""A soak in small: the run works and is measured; the full time is in proof.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.soak import check_flat, soak


@pytest.mark.slow
def test_bots_play_and_the_server_is_measured(tmp_path: Path) -> None:
    found = soak(f"sqlite:///{tmp_path}/server.db", tmp_path, tables=2, seconds=6, every=0.5)
    assert found["errors"] == 0 and len(found["samples"]) > 3
    assert all(memory > 0 and files > 0 for memory, files in found["samples"])


def test_growth_is_found() -> None:
    check_flat([(500, 40)] * 30)
    check_flat([(100, 10)] * 10 + [(500, 40)] * 20)
    with pytest.raises(AssertionError, match="MB"):
        check_flat([(500 + 10 * k, 40) for k in range(30)])
    with pytest.raises(AssertionError, match="open files"):
        check_flat([(500, 40 + 2 * k) for k in range(30)])
