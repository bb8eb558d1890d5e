"""Rate limits: token buckets."""

from __future__ import annotations

import time

MOST = 20_000  # buckets kept; full ones are dropped first


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

    def take(self, key: str, amount: float = 1) -> bool:
        """Take tokens from the bucket of `key`; return False if there were too few."""
        bucket = self._buckets.get(key)
        if bucket is None:
            if len(self._buckets) >= MOST:
                self._drop()
            bucket = self._buckets[key] = Bucket(self.rate, self.burst)
        return bucket.take(amount)

    def _drop(self) -> None:
        """Forget full buckets, which a new one replaces without a difference; then the oldest half."""
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.full}
        if len(self._buckets) >= MOST:
            self._buckets = dict(list(self._buckets.items())[MOST // 2 :])
