"""The generator and the planner that the spec pins (README §3): mulberry32, and weights in floats.

Orders made here are passed to the rules as custom deals. The compiled planner in
`planner.py` follows the same steps in integers on the core's generator.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from qipai.core.errors import BadSeed

from .config import read_config
from .tiles import SUITS, TILES, suit_of

WORD = 0xFFFFFFFF


class Mulberry32:
    """The generator of §3.1; `draws` counts the numbers taken."""

    def __init__(self, seed: int) -> None:
        if not isinstance(seed, int) or isinstance(seed, bool) or not -(1 << 63) <= seed < 1 << 64:
            raise BadSeed("a seed must be a whole number of at most 64 bits")
        self._t = seed & WORD
        self.draws = 0

    def random(self) -> float:
        """Return the next number in [0, 1)."""
        self.draws += 1
        self._t = t = (self._t + 0x6D2B79F5) & WORD
        r = ((t ^ (t >> 15)) * (t | 1)) & WORD
        r ^= (r + (((r ^ (r >> 7)) * (r | 61)) & WORD)) & WORD
        return ((r ^ (r >> 14)) & WORD) / 4294967296


class SuitPlanner:
    """The planner of §3.2-3.8: four shuffled buckets, decision A, weights B, the streak guard."""

    def __init__(
        self,
        seed: int = 0,
        config: Mapping[str, Any] | None = None,
        buckets: Sequence[Sequence[int]] | None = None,
    ) -> None:
        self.config = read_config(config)
        self.rng = Mulberry32(seed)
        self.window: list[bool] = []
        self.last_main: int | None = None
        self.streak = 0
        self._waiting: list[int] = []  # the second tile of a planned pair
        if buckets is None:
            self.buckets = [[t for t in range(TILES) if suit_of(t) == suit] for suit in range(SUITS)]
            for bucket in self.buckets:
                self._shuffle(bucket)
        else:
            self.buckets = [list(b) for b in buckets]

    def _shuffle(self, bucket: list[int]) -> None:
        for i in range(len(bucket) - 1, 0, -1):
            j = int(self.rng.random() * (i + 1))
            bucket[i], bucket[j] = bucket[j], bucket[i]

    # --- the parts of a decision ------------------------------------------------------

    def inventory(self) -> list[int]:
        """Return the tiles left by suit."""
        return [len(b) for b in self.buckets]

    def remaining(self) -> int:
        """Return how many tiles are not handed out yet (§3.8)."""
        return sum(self.inventory()) + len(self._waiting)

    def zoro_chance(self) -> float:
        """Return the chance of a zoro pair (§3.4, steps 3 and 4)."""
        c = self.config
        target = c["BIAS_ZORO_TARGET"]
        cur = sum(self.window) / len(self.window) if self.window else target
        p = target + c["BIAS_ZORO_FEEDBACK"] * (target - cur)
        return float(max(c["BIAS_ZORO_MIN"], min(c["BIAS_ZORO_MAX"], p)))

    def is_zoro(self, inv: Sequence[int]) -> bool:
        """Decide on a zoro pair (§3.4); draw only if there is something to decide."""
        if not self.config["BIAS_ENABLED"] or all(n < 2 for n in inv):
            return False
        return self.rng.random() < self.zoro_chance()

    def base_weights(self, inv: Sequence[int]) -> list[float]:
        """Return the weights before noise (§3.5, steps 1-3)."""
        c = self.config
        total = sum(inv)
        gamma = max(1, c["BIAS_REMAINING_GAMMA"])
        w = [(n / total) ** gamma if n > 0 else 0.0 for n in inv]
        if self.last_main is not None and self.streak >= c["BIAS_MAX_STREAK"]:
            w[self.last_main] *= c["BIAS_STREAK_PENALTY"]
        return w

    def weights(self, inv: Sequence[int]) -> list[float]:
        """Return the weights with noise, one draw for each above zero (§3.5)."""
        eps = self.config["BIAS_NOISE_EPS"]
        return [x + eps * self.rng.random() if x > 0 else x for x in self.base_weights(inv)]

    def pick(self, w: Sequence[float], forbidden: Collection[int] = ()) -> int | None:
        """Return a suit drawn by weight (§3.5); None, without a draw, when no suit is left."""
        found = [s for s in range(SUITS) if s not in forbidden and w[s] > 0]
        if not found:
            return None
        r = self.rng.random() * sum(w[s] for s in found)
        for s in found:
            r -= w[s]
            if r <= 0:
                return s
        return found[-1]

    # --- pairs ------------------------------------------------------------------------

    def next_pair(self) -> list[int]:
        """Return two tiles, axis first (§3.6); the last one alone, or nothing (§3.8)."""
        inv = self.inventory()
        if sum(inv) < 2:
            return self._last_tile(inv)
        zoro = self.is_zoro(inv)
        w = self.weights(inv)
        main = self._zoro_suit(w, inv) if zoro else None
        if main is not None:
            pair = [self.buckets[main].pop(), self.buckets[main].pop()]
        else:
            main = self._main_suit(w)
            second = self.pick(self.weights(inv), {main})
            pair = [self.buckets[main].pop()]
            pair.append(self.buckets[main if second is None else second].pop())
        self._remember(main, suit_of(pair[0]) == suit_of(pair[1]))
        return pair

    def draw(self) -> int | None:
        """Return the next tile; None when all are handed out."""
        if not self._waiting:
            self._waiting = self.next_pair()
        return self._waiting.pop(0) if self._waiting else None

    def _last_tile(self, inv: Sequence[int]) -> list[int]:
        if sum(inv) == 0:
            return []
        suit = self.pick(self.weights(inv))
        assert suit is not None
        return [self.buckets[suit].pop()]

    def _is_capped(self, main: int | None) -> bool:
        cap = self.config["BIAS_MAX_STREAK"] + 1
        return bool(
            self.config["BIAS_STREAK_HARD_CAP"]
            and main is not None
            and main == self.last_main
            and self.streak >= cap
        )

    def _zoro_suit(self, w: Sequence[float], inv: Sequence[int]) -> int | None:
        short = {s for s in range(SUITS) if inv[s] < 2}
        main = self.pick(w, short)
        if main is None or not self._is_capped(main):
            return main
        other = self.pick(w, short | {main})
        if other is not None:
            return other
        return None if any(inv[s] for s in range(SUITS) if s != main) else main

    def _main_suit(self, w: Sequence[float]) -> int:
        main = self.pick(w)
        assert main is not None
        if self._is_capped(main):
            other = self.pick(w, {main})
            return main if other is None else other
        return main

    def _remember(self, main: int, zoro: bool) -> None:
        self.window = [*self.window, zoro][-self.config["BIAS_WINDOW_PAIRS"] :]
        self.streak = self.streak + 1 if main == self.last_main else 1
        self.last_main = main


def supply(seed: int, config: Mapping[str, Any] | None = None) -> list[int]:
    """Return all 136 tile ids in supply order."""
    planner = SuitPlanner(seed, config)
    found = []
    while (tile := planner.draw()) is not None:
        found.append(tile)
    return found


def supply_figures(deck: Sequence[int]) -> dict[str, Any]:
    """Return the zoro pairs and the longest run of the main suit of a supply order."""
    pairs = [(suit_of(deck[i]), suit_of(deck[i + 1])) for i in range(0, len(deck) - 1, 2)]
    longest = run = 0
    for i, (main, _) in enumerate(pairs):
        run = run + 1 if i and main == pairs[i - 1][0] else 1
        longest = max(longest, run)
    zoro = sum(a == b for a, b in pairs)
    return {"pairs": len(pairs), "zoro": zoro, "zoro_rate": zoro / max(1, len(pairs)), "longest": longest}
