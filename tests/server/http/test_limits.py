"""A bucket that fills with time."""

from __future__ import annotations

import pytest

from qipai.server.http.limits import Bucket


def test_a_bucket_empties_and_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("qipai.server.http.limits.time.monotonic", lambda: now[0])
    bucket = Bucket(rate=2.0, burst=3)
    for _ in range(2):
        assert [bucket.full, *(bucket.take() for _ in range(4))] == [True, True, True, True, False]
        now[0] += 0.5
        assert [bucket.take(), bucket.take(), bucket.full] == [True, False, False]
        now[0] += 60.0
