"""`Pool`, the interface of workers, and `open_pool`, which makes one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, Self, TypeVar

from qipai.core.errors import BadCount

Result = TypeVar("Result")

TRIES = 3  # how often a task is started before it fails, because each time its worker was lost
AHEAD = 4  # tasks started or finished per worker before their results are due


# (the task, what the worker said it was doing, what became of it): the result of a task without a worker
Lost = Callable[[tuple[Any, ...], str, str], Result]


class Pool(Protocol):
    """Workers that run functions on tasks."""

    workers: int

    def stream(
        self,
        function: Callable[..., Result],
        tasks: Iterable[tuple[Any, ...]],
        *,
        ahead: int | None = None,
        lost: Lost[Result] | None = None,
    ) -> Iterator[Result]:
        """Yield `function(*task)` for every task, in the order of the tasks, as soon as each is known.

        `function` and tasks are pickled; `function` is found by its name on the other side. Tasks are taken
        from the iterable as workers become free, at most `ahead` (4 per worker) before their result is due,
        so it may be endless. An exception of `function` is raised when the result would have been due. Only
        one stream at a time; if the caller stops reading it, the started tasks end without being read.

        A task whose worker is lost runs again; after three losses `LostWorker` is raised, or the result is
        what `lost` returns. With `lost`, a worker of this machine that takes longer than it said (`doing`) is
        ended, and its task is lost at once.
        """
        ...

    def close(self) -> None:
        """End the workers."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None: ...


def open_pool(workers: int | None = None, address: str | None = None) -> Pool:
    """Return a pool of processes of this machine, or of a Ray cluster if an address is given.

    `workers` is how many tasks run at the same time (default: all cores). With one worker and no address
    tasks run in this process. An address is that of a running cluster (`ray://head:10001`, `head:6379`), or
    `auto` for the one that this machine belongs to.
    """
    if workers is not None and workers < 1:
        raise BadCount(f"workers must be a whole number from 1, not {workers}")
    if address is not None:
        from .remote import RayPool

        return RayPool(address, workers)
    from .local import Here, Processes

    count = workers or os.cpu_count() or 1
    return Here() if count == 1 else Processes(count)
