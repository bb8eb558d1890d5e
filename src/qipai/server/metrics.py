"""Counters and gauges of one worker, in Prometheus' text format."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5)


@dataclass
class Metrics:
    """Plain numbers, incremented by the code that does the work."""

    started: float = field(default_factory=time.time)
    actions: int = 0
    hands: int = 0
    opened: int = 0  # tables opened
    messages_in: int = 0
    messages_out: int = 0
    refused: dict[str, int] = field(default_factory=dict)  # by code
    slow: int = 0  # clients disconnected for being too slow
    errors: int = 0
    act_sum: float = 0.0
    act_count: int = 0
    act_buckets: list[int] = field(default_factory=lambda: [0] * len(BUCKETS))

    def refuse(self, code: str) -> None:
        """Count a refused request."""
        self.refused[code] = self.refused.get(code, 0) + 1

    def acted(self, seconds: float) -> None:
        """Count a move that was stored and sent out this many seconds after its arrival."""
        self.act_sum += seconds
        self.act_count += 1
        for k, limit in enumerate(BUCKETS):
            if seconds <= limit:
                self.act_buckets[k] += 1

    def text(self, gauges: dict[str, float]) -> str:
        """Return all metrics, one line per number."""
        lines: list[str] = []
        counters = {
            "actions_total": (self.actions, "Moves stored durably"),
            "hands_total": (self.hands, "Hands dealt"),
            "tables_opened_total": (self.opened, "Tables opened"),
            "messages_in_total": (self.messages_in, "Messages from clients"),
            "messages_out_total": (self.messages_out, "Messages to clients"),
            "slow_clients_total": (self.slow, "Clients disconnected because their queue was full"),
            "errors_total": (self.errors, "Internal errors"),
        }
        for name, (value, about) in counters.items():
            _head(lines, name, "counter", about)
            lines.append(f"qipai_{name} {value}")
        _head(lines, "refused_total", "counter", "Requests refused, by code")
        lines += [f'qipai_refused_total{{code="{code}"}} {n}' for code, n in sorted(self.refused.items())]
        for name, number in gauges.items():
            _head(lines, name, "gauge", name.replace("_", " "))
            lines.append(f"qipai_{name} {number:g}")
        _head(lines, "act_seconds", "histogram", "Seconds from a move's arrival until it is sent to clients")
        for limit, n in zip(BUCKETS, self.act_buckets, strict=True):
            lines.append(f'qipai_act_seconds_bucket{{le="{limit:g}"}} {n}')
        lines.append(f'qipai_act_seconds_bucket{{le="+Inf"}} {self.act_count}')
        lines += [f"qipai_act_seconds_sum {self.act_sum:.6f}", f"qipai_act_seconds_count {self.act_count}"]
        return "\n".join(lines) + "\n"


def _head(lines: list[str], name: str, kind: str, about: str) -> None:
    lines += [f"# HELP qipai_{name} {about}", f"# TYPE qipai_{name} {kind}"]
