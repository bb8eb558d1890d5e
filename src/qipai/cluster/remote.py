"""`RayPool`: tasks on a Ray cluster. Ray is imported here and nowhere else, and only on demand."""

from __future__ import annotations

import logging
import re
import socket
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Self

from qipai.core.errors import LostWorker, MissingExtra, NoCluster, short

from .pool import AHEAD, TRIES, Lost, Result

PROBE = 5.0  # seconds to wait for an address


def connect(address: str) -> tuple[Any, bool]:
    """Connect to the cluster at an address; return the module `ray`, and whether it was connected here."""
    try:
        import ray
    except ImportError as error:
        raise MissingExtra("a cluster needs Ray: pip install 'qipai[ray]'") from error
    if ray.is_initialized():
        return ray, False
    probe(address)
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, namespace="qipai")
    except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
        raise NoCluster(f"no Ray cluster answers at {short(address)}: {str(error)[:200]}") from error
    return ray, True


def probe(address: str) -> None:
    """Raise `NoCluster` if nothing listens at HOST:PORT; Ray itself would try for minutes."""
    place = re.fullmatch(r"(?:ray://)?([^:/]+):([0-9]{1,5})", address)
    if place is None:
        return
    try:
        socket.create_connection((place[1], int(place[2])), timeout=PROBE).close()
    except (OSError, OverflowError) as error:
        raise NoCluster(f"no Ray cluster answers at {short(address)}: {error}") from error


def cores(ray: Any) -> int:
    """Return how many cores the cluster offers."""
    return int(ray.cluster_resources().get("CPU", 0))


def call(function: Callable[..., Any], task: tuple[Any, ...]) -> Any:
    """Run one task; on a worker."""
    return function(*task)


class RayPool:
    """Tasks on the cores of a Ray cluster, one core each.

    Worker processes stay alive between tasks, so that what one task compiled or read is there for the next.
    """

    def __init__(self, address: str, workers: int | None = None) -> None:
        self.ray, self._own = connect(address)
        self.workers = workers or cores(self.ray)
        if self.workers < 1:
            raise NoCluster(f"the cluster at {short(address)} offers no core")
        options = {"num_cpus": 1, "max_retries": TRIES - 1, "scheduling_strategy": "SPREAD"}
        self._call = self.ray.remote(call).options(**options)

    def stream(
        self,
        function: Callable[..., Result],
        tasks: Iterable[tuple[Any, ...]],
        *,
        ahead: int | None = None,
        lost: Lost[Result] | None = None,
    ) -> Iterator[Result]:
        """Yield `function(*task)` for every task, in the order of the tasks."""
        limit = max(1, ahead if ahead is not None else AHEAD * self.workers)
        numbered = enumerate(tasks)
        order: deque[tuple[int, tuple[Any, ...], Any]] = deque()
        try:
            while True:
                for number, task in islice(numbered, limit - len(order)):
                    order.append((number, task, self._call.remote(function, task)))
                if not order:
                    return
                yield self._result(*order.popleft(), lost)
        finally:
            for _, _, reference in order:
                self.ray.cancel(reference)

    def _result(self, number: int, task: tuple[Any, ...], reference: Any, lost: Lost[Any] | None) -> Any:
        failures = self.ray.exceptions
        try:
            return self.ray.get(reference)
        except failures.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, Exception) else error) from error
        except failures.RayError as error:
            if lost is not None:
                return lost(task, "", f"its worker was lost {TRIES} times")
            raise LostWorker(f"task {number} lost its worker {TRIES} times") from error

    def close(self) -> None:
        """Leave the cluster; its workers stay for others."""
        if self._own:
            self.ray.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
