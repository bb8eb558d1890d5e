"""A stand-in for `numba.cuda` in plain Python: every thread of a block is a Python thread.

It has what `qipai.sim.cuda` and its kernels ask for. The kernels run as they are written;
only the rules that they call are the CPU's compiled ones. Memory that a device does not
clear is filled with garbage here, and a block whose threads do not all reach the same
barriers fails.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, SimpleNamespace
from typing import Any

import numba
import numpy as np

from qipai.core import Game, pick, seed_words
from qipai.core.rule import plain_function

PATIENCE = 20.0  # seconds at a barrier before a block counts as stuck
RUBBISH = 0xA5


class Diverged(AssertionError):
    """The threads of a block did not meet at the same barriers."""


class DeviceArray:
    """An array on the stand-in's device; the kernels get the memory itself."""

    def __init__(self, memory: Any) -> None:
        self.memory = memory
        self.shape = memory.shape
        self.dtype = memory.dtype

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {**self.memory.__array_interface__, "version": 3, "stream": None}

    def copy_to_host(self, stream: Any = 0) -> Any:
        """Return a copy."""
        return self.memory.copy()

    def copy_to_device(self, other: Any, stream: Any = 0) -> None:
        """Fill from main memory."""
        self.memory[...] = getattr(other, "memory", other)


@dataclass(frozen=True)
class Stream:
    """A stream by its address; here everything runs immediately."""

    address: int

    @property
    def handle(self) -> int:
        """The address, as in Numba."""
        return self.address

    def synchronize(self) -> None:
        """Do nothing: everything has finished."""


class Here(threading.local):
    """The position of the running thread; set by the launch."""

    thread: int
    block: int
    size: int
    syncs: int
    asked: int  # shared arrays it has asked for
    shared: list[Any]
    votes: list[bool]
    lock: threading.Lock
    barrier: threading.Barrier


class Kernel:
    """What `cuda.jit` makes of a kernel: `kernel[blocks, threads](...)` runs it block after block."""

    def __init__(self, device: StandIn, function: Callable[..., None]) -> None:
        self.device = device
        self.function = function

    def __getitem__(self, configuration: tuple[int, ...]) -> Callable[..., None]:
        """Return the launch."""
        blocks, threads, stream = configuration

        def launch(*arguments: Any) -> None:
            given = [getattr(a, "memory", a) for a in arguments]
            self.device.launches.append((self.function.__name__, blocks, threads))
            self.device.streams.add(stream)
            for block in range(blocks):
                self._run(block, threads, given)

        return launch

    def _run(self, block: int, size: int, arguments: list[Any]) -> None:
        barrier, lock = threading.Barrier(size), threading.Lock()
        shared: list[Any] = []
        votes = [False] * size
        faults: list[BaseException] = []
        syncs = [0] * size

        def work(thread: int) -> None:
            here = self.device.here
            here.thread, here.block, here.size = thread, block, size
            here.syncs = here.asked = 0
            here.shared, here.votes, here.lock, here.barrier = shared, votes, lock, barrier
            try:
                self.function(*arguments)
            except BaseException as error:
                faults.append(error)
                barrier.abort()
            syncs[thread] = here.syncs

        threads = [threading.Thread(target=work, args=(k,)) for k in range(size)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        real = [error for error in faults if not isinstance(error, threading.BrokenBarrierError)]
        if real:
            raise real[0]
        if faults or len(set(syncs)) > 1:
            raise Diverged(f"{self.function.__name__}, block {block}: barriers met {sorted(set(syncs))}")


class StandIn:
    """The parts of `numba.cuda` that a batch of `game` uses."""

    def __init__(self, game: Game) -> None:
        game.compile()
        compiled = [
            game.rules.deal,
            game.rules.legal,
            game.rules.apply,
            game.device.act,
            game.device.rest,
            game.rules.observe,
            pick,
            seed_words,
        ]
        self._compiled = {id(plain_function(f).__code__): f for f in compiled if f is not None}
        self._record = game.rules.State
        self.here = Here()
        self.launches: list[tuple[str, int, int]] = []
        self.streams: set[Any] = set()
        self.shared = SimpleNamespace(array=self._shared)
        self.local = SimpleNamespace(array=self._local)
        self.atomic = SimpleNamespace(add=self._add, min=self._min)

    # --- on the host ------------------------------------------------------------------

    def jit(self, function: Any = None, device: bool = False, **flags: Any) -> Any:
        """Return a kernel, or with `device` the function itself (a game's rules: compiled for the CPU)."""
        if function is None:
            return self._device_function if device else self.jit
        return Kernel(self, function)

    def _device_function(self, function: FunctionType) -> Any:
        return self._compiled.get(id(function.__code__), function)

    def to_device(self, array: Any, stream: Any = 0) -> DeviceArray:
        """Return a copy on the device."""
        copy = np.array(array)
        return DeviceArray(copy.view(np.recarray) if copy.dtype.names else copy)

    def device_array(self, shape: Any, dtype: Any, stream: Any = 0) -> DeviceArray:
        """Return memory with arbitrary contents."""
        return DeviceArray(rubbish(shape, np.dtype(dtype)))

    def as_cuda_array(self, given: Any, sync: bool = True) -> DeviceArray:
        """Return another library's array without copying; a step reads it in the order of its own stream."""
        assert not sync
        return given if isinstance(given, DeviceArray) else DeviceArray(given.memory)

    def get_current_device(self) -> SimpleNamespace:
        """Return a current device."""
        return SimpleNamespace(compute_capability=(9, 0), id=0)

    def PTXSource(self, text: bytes) -> bytes:
        """Return a program to link with."""
        return text

    def external_stream(self, address: int) -> Stream:
        """Return a stream that another library made."""
        return Stream(address)

    # --- in a kernel ------------------------------------------------------------------

    @property
    def threadIdx(self) -> SimpleNamespace:
        """The index of the thread in its block."""
        return SimpleNamespace(x=self.here.thread)

    @property
    def blockIdx(self) -> SimpleNamespace:
        """The index of the block."""
        return SimpleNamespace(x=self.here.block)

    @property
    def blockDim(self) -> SimpleNamespace:
        """The number of threads in a block."""
        return SimpleNamespace(x=self.here.size)

    def grid(self, dimensions: int) -> int:
        """Return the global index of the thread."""
        assert dimensions == 1
        return self.here.block * self.here.size + self.here.thread

    def syncthreads(self) -> None:
        """Wait for the block."""
        self.here.syncs += 1
        self.here.barrier.wait(PATIENCE)

    def syncthreads_or(self, vote: bool) -> bool:
        """Wait for the block; return whether any thread votes yes."""
        return any(self._vote(vote))

    def syncthreads_count(self, vote: bool) -> int:
        """Wait for the block; return how many threads vote yes."""
        return sum(self._vote(vote))

    def any_sync(self, lanes: int, vote: bool) -> bool:
        """Return the vote of a warp, which is the block here."""
        return self.ballot_sync(lanes, vote) != 0

    def ballot_sync(self, lanes: int, vote: bool) -> int:
        """Return the threads of a warp that vote yes, as bits."""
        assert lanes == 0xFFFFFFFF and self.here.size == 32, "a warp of 32 threads, all of which take part"
        return sum(1 << k for k, said in enumerate(self._vote(vote)) if said)

    def syncwarp(self, lanes: int) -> None:
        """Wait for the warp; here for the whole block, of which no warp of ours goes on alone."""
        self._vote(False)

    def popc(self, bits: int) -> int:
        """Return how many bits are set."""
        return bits.bit_count()

    def _vote(self, vote: bool) -> list[bool]:
        self.here.votes[self.here.thread] = bool(vote)
        self.syncthreads()
        said = list(self.here.votes)
        self.syncthreads()
        return said

    def _shared(self, shape: Any, dtype: Any, alignment: int) -> Any:
        here = self.here
        with here.lock:
            if here.asked == len(here.shared):
                here.shared.append(rubbish(shape, self._dtype(dtype)))
            here.asked += 1
            return here.shared[here.asked - 1]

    def _local(self, shape: Any, dtype: Any, alignment: int | None = None) -> Any:
        return rubbish(shape, self._dtype(dtype))

    def _add(self, array: Any, index: int, value: int) -> None:
        with self.here.lock:
            array[index] += value

    def _min(self, array: Any, index: int, value: int) -> None:
        with self.here.lock:
            array[index] = min(int(array[index]), value)

    def _dtype(self, given: Any) -> np.dtype[Any]:
        if isinstance(given, numba.types.Record):
            return self._record
        return np.dtype(str(given))


def rubbish(shape: Any, dtype: np.dtype[Any]) -> Any:
    """Return an array of bytes that no game would write."""
    array = np.zeros(shape, dtype)
    array.view(np.uint8).reshape(-1)[:] = RUBBISH
    return array.view(np.recarray) if dtype.names else array


def record_copier(game: Game) -> Callable[[Any, Any], None]:
    """Return `copy_record` for records in main memory."""
    fields = game.rules.State.names or ()

    def copy_record(to: Any, source: Any) -> None:
        for name in fields:
            to[name] = source[name]

    return copy_record


def word_movers() -> dict[str, Any]:
    """Return four bytes at once; raise unless they begin at a multiple of four."""

    def get_word(rows: Any, lane: int, place: int) -> int:
        assert place % 4 == 0 and rows.strides[0] % 4 == 0
        return int(rows[lane].view(np.uint32)[place // 4])

    def put_word(out: Any, offset: int, value: int) -> None:
        assert offset % 4 == 0
        out.reshape(-1).view(np.uint8)[offset : offset + 4] = np.frombuffer(
            np.uint32(value).tobytes(), np.uint8
        )

    return {"get_word": get_word, "put_word": put_word}
