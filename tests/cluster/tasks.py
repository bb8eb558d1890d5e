"""Functions that the workers of tests run; found by name from other processes."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

from qipai.core.errors import BadCount


def square(number: int) -> int:
    return number * number


def slow_first(number: int) -> int:
    """Take longest for the first tasks, so that results come in out of order."""
    time.sleep(0.2 if number == 0 else 0.0)
    return number


def who(number: int) -> int:
    return os.getpid()


def die_once(number: int, mark: str) -> int:
    """Kill the worker at task 3, the first time only."""
    if number == 3 and not Path(mark).exists():
        Path(mark).write_text("killed")
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def die_always(number: int) -> int:
    if number == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def refuse(number: int) -> int:
    if number == 2:
        raise BadCount("two is refused")
    return number


def unsendable(number: int) -> Any:
    return lambda: number


def where(number: int) -> str:
    """Return the node of a Ray cluster; slow enough that one node cannot do it all."""
    import ray

    time.sleep(0.5)
    return str(ray.get_runtime_context().get_node_id())


class Counter:
    """An actor that counts its calls."""

    def __init__(self, number: int, life: int) -> None:
        self.number, self.life, self.calls = number, life, 0

    def count(self, by: int) -> tuple[tuple[int, int, int], bytes]:
        self.calls += by
        return (self.number, self.life, self.calls), bytes([self.number]) * 1000

    def fail(self) -> tuple[int, int]:
        raise BadCount("it fails")

    def die(self, mark: str) -> tuple[int, int]:
        """Kill itself in place 1: always, or only the first time if `mark` names a file."""
        if self.number == 1 and not (mark and Path(mark).exists()):
            if mark:
                Path(mark).write_text("killed")
            os.kill(os.getpid(), signal.SIGKILL)
        return self.number, self.life
