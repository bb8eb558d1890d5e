"""A bucket that fills with time, and what shares one."""

from __future__ import annotations

import pytest

from qipai.server.http import limits
from qipai.server.http.limits import Bucket, Buckets, counted


def test_a_bucket_empties_and_fills_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("qipai.server.http.limits.time.monotonic", lambda: now[0])
    bucket = Bucket(rate=2.0, burst=3)
    for _ in range(2):
        assert [bucket.full, *(bucket.take() for _ in range(4))] == [True, True, True, True, False]
        now[0] += 0.5
        assert [bucket.take(), bucket.take(), bucket.full] == [True, False, False]
        now[0] += 60.0


def test_buckets_for_a_million_addresses_take_bounded_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Full ones go first. An address that was refused a moment ago is still refused after many others."""
    now = [100.0]
    monkeypatch.setattr("qipai.server.http.limits.time.monotonic", lambda: now[0])
    monkeypatch.setattr(limits, "MOST", 100)
    buckets = Buckets(rate=1.0, burst=10)
    for number in range(50):
        assert buckets.take(f"quiet {number}")
    now[0] += 5.0
    assert buckets.take("greedy", 10) and not buckets.take("greedy")
    for number in range(1000):
        assert buckets.take(f"other {number}", 0)
        assert len(buckets) <= 100
    assert not buckets.take("greedy")


def test_making_room_for_new_addresses_is_rare(monkeypatch: pytest.MonkeyPatch) -> None:
    """With half of the buckets gone, the next look at all of them is as far away as half of them."""
    monkeypatch.setattr("qipai.server.http.limits.time.monotonic", lambda: 100.0)
    monkeypatch.setattr(limits, "MOST", 100)
    looks: list[Bucket] = []

    def full(bucket: Bucket) -> bool:
        looks.append(bucket)
        return bucket._left >= bucket.burst

    monkeypatch.setattr(Bucket, "full", property(full))
    buckets = Buckets(rate=1.0, burst=10)
    buckets.take("quiet", 0)  # one that is full: without it the oldest half would have to go
    for number in range(1000):
        assert buckets.take(f"other {number}")
        assert len(buckets) <= 100
    assert len(looks) <= 100 * 1000 / 50
    assert not all(buckets.take("other 999") for _ in range(10))  # the newest are kept


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("::1", "::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("/run/qipai.sock", "/run/qipai.sock"),
        ("", ""),
    ],
)
def test_one_site_is_one_address(address: str, key: str) -> None:
    """A client with IPv6 has 2^64 addresses, and IPv4 may be written inside of IPv6."""
    assert counted(address) == key
