"""Pools of this machine: `Processes`, and `Here`, which runs tasks in this process."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from multiprocessing.reduction import ForkingPickler
from time import monotonic
from typing import Any, Self

from qipai.core.errors import LostWorker

from .doing import doing, new_board, read_board, use_board
from .pool import AHEAD, TRIES, Lost, Result

POLL = 0.25  # seconds between two looks at what workers are doing
CALM = 5  # niceness of workers relative to their parent, which may be launching work on a GPU


class Here:
    """A pool without workers: each task runs when its result is read."""

    workers = 1

    def stream(
        self,
        function: Callable[..., Result],
        tasks: Iterable[tuple[Any, ...]],
        *,
        ahead: int | None = None,
        lost: Lost[Result] | None = None,
    ) -> Iterator[Result]:
        """Yield `function(*task)` for every task."""
        for task in tasks:
            yield function(*task)

    def close(self) -> None:
        """Do nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


@dataclass
class Job:
    """A task in progress: its number, what to call, how often it was started, and its outcome."""

    number: int
    call: tuple[Callable[..., Any], tuple[Any, ...]]
    tries: int = 0
    wanted: bool = True  # False once nobody reads the stream any more
    done: bool = False
    result: Any = None
    error: BaseException | None = None
    lost: Lost[Any] | None = None  # what to yield instead of an error if the worker is lost


@dataclass
class Worker:
    """A process, our end of its pipe, what it says it is doing, and its current job."""

    process: SpawnProcess
    pipe: Connection[Any, Any]
    board: Any
    job: Job | None = None
    changes: int = 0  # of the board, when it was last looked at
    since: float = 0.0  # when they were first seen

    def overdue(self, now: float) -> float:
        """Return the time limit that the worker has exceeded, or 0."""
        changes, seconds, _ = read_board(self.board)
        if changes != self.changes:
            self.changes, self.since = changes, now
        return seconds if seconds > 0 and now - self.since > seconds else 0.0


@dataclass
class Processes:
    """A pool of fresh processes with one thread each: forking one that uses a GPU is not safe."""

    workers: int
    _live: list[Worker] = field(default_factory=list)

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
        order: deque[Job] = deque()  # not yielded yet
        waiting: deque[Job] = deque()  # not started yet, or to be started again
        try:
            while True:
                for number, task in islice(numbered, limit - len(order)):
                    order.append(Job(number, (function, task), lost=lost))
                    waiting.append(order[-1])
                if not order:
                    return
                self._begin(waiting)
                while not order[0].done:
                    self._hear(waiting)
                    self._begin(waiting)
                job = order.popleft()
                if job.error is not None:
                    raise job.error
                yield job.result
        finally:
            for job in order:
                job.wanted = False

    def _begin(self, waiting: deque[Job]) -> None:
        """Hand jobs to free workers; start a worker if there is none."""
        while waiting:
            free = next((worker for worker in self._live if worker.job is None), None)
            if free is None:
                if len(self._live) >= self.workers:
                    return
                free = start()
                self._live.append(free)
            job = waiting.popleft()
            job.tries += 1
            try:
                free.pipe.send(job.call)
                free.job = job
            except ConnectionError:
                free.job = job
                self._lost(free, waiting)

    def _hear(self, waiting: deque[Job]) -> None:
        """Wait until a worker answers, or is gone; end those that exceed their time limit."""
        watched = any(worker.job is not None and worker.job.lost is not None for worker in self._live)
        ready = wait([worker.pipe for worker in self._live], POLL if watched else None)
        for worker in [worker for worker in self._live if worker.pipe in ready]:
            try:
                good, found = worker.pipe.recv()
            except (EOFError, ConnectionError):
                self._lost(worker, waiting)
                continue
            job, worker.job = worker.job, None
            if job is not None:
                job.done = True
                job.result, job.error = (found, None) if good else (None, found)
        if watched:
            self._end_overdue(waiting)

    def _end_overdue(self, waiting: deque[Job]) -> None:
        """End workers whose current step takes longer than it may; their tasks do not run again."""
        now = monotonic()
        for worker in list(self._live):
            if worker.job is None or worker.job.lost is None or not (limit := worker.overdue(now)):
                continue
            worker.process.kill()
            worker.job.tries = TRIES
            self._lost(worker, waiting, f"it did not answer within {limit:g} seconds")

    def _lost(self, worker: Worker, waiting: deque[Job], why: str = "") -> None:
        """Forget a worker that is gone, and put its job first in line, or give it up."""
        self._live.remove(worker)
        worker.pipe.close()
        worker.process.join()
        code = worker.process.exitcode
        job = worker.job
        if job is None or not job.wanted:
            return
        if job.tries < TRIES:
            waiting.appendleft(job)
            return
        job.done = True
        if job.lost is None:
            job.error = LostWorker(f"task {job.number} lost its worker {job.tries} times")
            return
        why = why or f"its process ended with code {code}, {job.tries} times"
        try:
            job.result = job.lost(job.call[1], read_board(worker.board)[2], why)
        except Exception as error:
            job.error = error

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        for worker in self._live:
            worker.process.terminate()
        for worker in self._live:
            worker.process.join()
            worker.pipe.close()
        self._live.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def start() -> Worker:
    """Start a worker."""
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")  # read when the new process loads NumPy
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    board = new_board(context)
    process = context.Process(target=work, args=(theirs, board), daemon=True)
    process.start()
    theirs.close()  # so that the end of the process ends the pipe
    return Worker(process, ours, board)


def work(pipe: Connection[Any, Any], board: Any) -> None:
    """Run what comes through the pipe until it ends; the main function of a worker."""
    use_board(board)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent receives it, and ends its workers
    os.nice(CALM)
    while True:
        try:
            data = pipe.recv_bytes()
        except (EOFError, ConnectionError):
            return
        doing("")
        try:
            function, task = ForkingPickler.loads(data)
            answer: tuple[bool, Any] = True, function(*task)
        except SystemExit as error:
            answer = False, RuntimeError(f"a task called sys.exit({error.code!r})")
        except Exception as error:
            answer = False, error
        doing("")
        try:
            pipe.send(answer)
        except ConnectionError:
            return
        except Exception as error:  # what cannot be pickled
            kind = "result" if answer[0] else "error"
            text = f"the {kind} of a task cannot be sent: {type(error).__name__}: {error}; {answer[1]!r:.200}"
            pipe.send((False, RuntimeError(text)))
