"""Rate limits: token buckets, and under which key an address is counted."""

from __future__ import annotations

import time
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

MOST = 20_000  # buckets kept; full ones are dropped first
SITE = 64  # bits of an IPv6 address that name a site; it chooses the others itself


@lru_cache(4096)
def counted(address: str) -> str:
    """Return what limits count an address as: IPv6 as its /64, of which one client has all addresses."""
    try:
        found = unmapped(address)
    except ValueError:  # not an IP address: a socket file
        return address
    if isinstance(found, IPv4Address):
        return str(found)
    return str(IPv6Network((int(found), SITE), strict=False))


def unmapped(address: str) -> IPv4Address | IPv6Address:
    """Return an address, read; IPv4 inside of IPv6 as IPv4. Raise `ValueError` if it is not an address."""
    found = ip_address(address)
    return (found.version == 6 and found.ipv4_mapped) or found


class Bucket:
    """Holds at most `burst` tokens and gains `rate` per second; every request takes one."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._left = burst
        self._at = time.monotonic()

    def take(self, amount: float = 1) -> bool:
        """Take tokens; return False if there were too few."""
        self._fill()
        if self._left < amount:
            return False
        self._left -= amount
        return True

    @property
    def full(self) -> bool:
        """Whether no token was taken recently."""
        self._fill()
        return self._left >= self.burst

    def _fill(self) -> None:
        now = time.monotonic()
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now


class Buckets:
    """One bucket per key, such as an address. The memory it takes is bounded."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate = rate
        self.burst = burst
        self._buckets: dict[str, Bucket] = {}

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, key: str, amount: float = 1) -> bool:
        """Take tokens from the bucket of `key`; return False if there were too few."""
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= MOST:
                self._drop()
            bucket = self._buckets[key] = Bucket(self.rate, self.burst)
        return bucket.take(amount)

    def _drop(self) -> None:
        """Forget full buckets, which a new one replaces without a difference; then the oldest, up to half."""
        left = [(key, bucket) for key, bucket in self._buckets.items() if not bucket.full]
        self._buckets = dict(left[-(MOST // 2) :])
