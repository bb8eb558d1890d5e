"""The CUDA engine of a batch: device arrays, and the kernels of `cuda_kernels.py` with a game in them.

No game has code of its own here: its rules become device functions as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

import numba
import numpy as np

from qipai.core import Game, State, pick, seed_words
from qipai.core.errors import IllegalAction, NoDevice, short
from qipai.core.rule import Variant, is_rule, plain_function, reachable, signature

from . import cuda_kernels, kernels
from .dlpack import speaking
from .engine import Arrays

KERNELS = (
    "reset_kernel",
    "step_kernel",
    "choose_kernel",
    "rollout_kernel",
    "deliver_kernel",
    "rollout_observed_kernel",
)
HELPERS = ("deliver", "before", "after", "play", "is_gathered", "whole", "carry", "total")
FREE_BLOCK = 128  # threads a block of a kernel that needs no shared memory
CALLED = 300  # bytes of bytecode; a longer rule is called, not copied into every place that uses it
# A thread's registers at most. Not only a matter of speed, and neither is CALLED: the assembler may keep an
# address in a register of the warp across a call, where threads on another path overwrite it. Some pairs
# of these two numbers go wrong (benchmarks/README.md); benchmarks/gpu.py tells, also for another device.
REGISTERS: int | None = 168
SHARED = 48 * 1024  # bytes of shared memory that every block may have without asking

# By the game itself: an id may come back for another game.
_kernels: WeakKeyDictionary[Game, dict[str, Any]] = WeakKeyDictionary()


class CudaEngine:
    """Runs the kernels over device arrays.

    Everything is launched on one stream: the default one, or another library's. `step`
    does not wait for the device: a lane whose action is not legal stays as it is and is
    counted; `check` (and every call that waits anyway) raises for it.
    """

    def __init__(self, game: Game, n: int, stream: Any = None) -> None:
        self.cuda = load_cuda()
        self._stream = stream_of(stream, self.cuda)
        self.game = game
        self.n = n
        self._kernels = kernels_for(game, self.cuda)
        self._block = block_size(game)
        self._grid = -(-n // self._block)
        self._illegal = self._send(np.array([0, n], np.int32))  # how many, and the first
        self._ended = self._send(np.zeros(1, np.int64))

    def allocate(self, blank: State) -> Arrays:
        """Device arrays, and states that are copies of `blank`."""
        n, game = self.n, self.game
        state = np.zeros(n, game.State)
        state[:] = blank
        return Arrays(
            state=self._send(state),
            mask=self._new((n, game.width), np.uint8),
            obs=self._new((n, game.observation_size), np.int8),
            seat=self._new((n,), np.int8),
            reward=self._send(np.zeros((n, int(blank["seats"])), np.int32)),
            done=self._send(np.zeros(n, np.uint8)),
            cut=self._send(np.zeros(n, np.uint8)),
            choice=self._new((n, 4), np.uint32),
        )

    def reset(self, a: Arrays, low: int, high: int) -> bool:
        """Seed and deal every lane."""
        for array in (a.reward, a.done, a.cut):
            array.copy_to_device(np.zeros(array.shape, array.dtype), stream=self._stream)
        self._launch("reset_kernel", a.state, a.choice, a.mask, a.obs, a.seat, low, high)
        return not bool((self._fetch(a.seat) < 0).any())

    def step(self, a: Arrays, actions: Any) -> None:
        """One action a lane: an int32 device array, anything that speaks its interface, or numbers.

        On the device they are read in the order of this engine's stream.
        """
        if hasattr(actions, "__cuda_array_interface__"):
            given = self.cuda.as_cuda_array(actions, sync=False)
        else:
            given = self._send(np.ascontiguousarray(actions, np.int32))
        if given.shape != (self.n,) or given.dtype != np.int32:
            raise IllegalAction(f"step takes {self.n} int32 numbers, not {given.dtype} {given.shape}")
        outputs = (a.mask, a.obs, a.seat, a.reward, a.done, a.cut, self._illegal)
        self._launch("step_kernel", a.state, given, *outputs)

    def check(self) -> None:
        """Wait, and raise IllegalAction if a step met an action that was not legal."""
        count, lane = self._fetch(self._illegal).tolist()
        if count:
            self._illegal.copy_to_device(np.array([0, self.n], np.int32), stream=self._stream)
            raise IllegalAction(f"{count} actions were not legal, the first in lane {lane}; left out")

    def choose(self, a: Arrays) -> Any:
        """A random legal action a lane, on the device."""
        actions = self._new((self.n,), np.int32)
        self._launch("choose_kernel", a.choice, a.mask, actions)
        return actions

    def rollout(self, a: Arrays, steps: int, observe: bool) -> int:
        """Random decisions; waits, and returns games ended."""
        self._ended.copy_to_device(np.zeros(1, np.int64), stream=self._stream)
        outputs = (a.seat, a.reward, a.done, a.cut, self._ended)
        if observe:
            self._launch("rollout_observed_kernel", a.state, a.choice, a.mask, a.obs, *outputs, steps)
        else:
            free = -(-self.n // FREE_BLOCK), FREE_BLOCK, self._stream
            self._kernels["rollout_kernel"][free](a.state, a.choice, *outputs, steps)
            self._launch("deliver_kernel", a.state, a.mask, a.obs)
        ended = int(self._fetch(self._ended)[0])
        self.check()
        return ended

    def _launch(self, name: str, *arguments: Any) -> None:
        self._kernels[name][self._grid, self._block, self._stream](*arguments)

    def _new(self, shape: tuple[int, ...], dtype: Any) -> Any:
        array = self.cuda.device_array(shape, dtype, stream=self._stream)
        return speaking(array, self.cuda, self._stream)

    def _send(self, values: Any) -> Any:
        return speaking(self.cuda.to_device(values, stream=self._stream), self.cuda, self._stream)

    def _fetch(self, array: Any) -> Any:
        """To main memory; waits for what was launched."""
        found = array.copy_to_host(stream=self._stream)
        if self._stream:
            self._stream.synchronize()
        return found


def stream_of(given: Any, cuda: Any) -> Any:
    """A stream as Numba has it: of Numba, PyTorch (`cuda_stream`), CuPy (`ptr`), or its address."""
    if given is None:
        return 0
    address = getattr(given, "cuda_stream", getattr(given, "ptr", given))
    if isinstance(address, int) and not isinstance(address, bool):
        return cuda.external_stream(address) if address else 0
    if hasattr(given, "synchronize"):
        return given
    raise NoDevice(f"stream is a CUDA stream or its address, not {short(given)}")


def load_cuda() -> Any:
    """`numba.cuda`, or NoDevice with the reason in a sentence."""
    # numba-cuda still asks NumPy for three names that NumPy 2.4 dropped.
    for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, old):
            setattr(np, old, getattr(np, new))
    try:
        from numba import cuda
    except ImportError as error:
        raise NoDevice(f"device='cuda' needs numba-cuda (pip install 'qipai[gpu]'): {error}") from error
    face: Any = cuda
    try:
        found = face.is_available()
    except Exception as error:  # a broken driver must read as a missing one
        raise NoDevice(f"CUDA cannot be used here ({error}); device='cpu' works everywhere") from error
    if not found:
        raise NoDevice("no CUDA device can be used here; device='cpu' works everywhere")
    return face


def block_size(game: Game) -> int:
    """Threads a block: as many as have their rows in shared memory, in whole warps."""
    fit = SHARED // (_stride(game.width) + _stride(game.observation_size))
    return max(32, min(128, fit // 32 * 32))


def kernels_for(game: Game, cuda: Any) -> dict[str, Any]:
    """The kernels with this game's functions in them."""
    if game not in _kernels:
        _kernels[game] = _build(game, cuda)
    return _kernels[game]


def _build(game: Game, cuda: Any) -> dict[str, Any]:
    space = space_of(game, cuda)
    return {name: kernel_of(getattr(cuda_kernels, name), space, cuda) for name in KERNELS}


def space_of(game: Game, cuda: Any) -> dict[str, Any]:
    """The names that a kernel may use: this game's rules as device functions, helpers, shapes."""
    device: Callable[[FunctionType], Any] = cuda.jit(device=True)
    rules = Variant("cuda", wrap=device)
    names = {n: rules(getattr(game, n)) for n in ("deal", "legal", "apply", "observe")}
    if game.act is not None:
        names |= {"act": rules(game.act), "rest": rules(game.rest)}
    loops = Variant("cuda", wrap=device, names={kernels.__name__: names})
    _close([*names.values(), loops(kernels.fresh), *(rules(f) for f in (pick, seed_words))], game)
    space: dict[str, Any] = {
        **vars(cuda_kernels),
        **names,
        "cuda": cuda,
        "copy_record": _record_copier(game),
        **_word_movers(),
        "fresh": loops(kernels.fresh),
        "RECORD": numba.from_dtype(game.State),
        "WIDTH": game.width,
        "WIDTH_USED": game.actions,
        "SIZE": game.observation_size,
        "BLOCK": block_size(game),
        "STRIDE_MASK": _stride(game.width),
        "STRIDE_OBS": _stride(game.observation_size),
        "GATHER": game.gather,
        "SPLIT": game.act is not None,
        "int8": numba.int8,
        "uint8": numba.uint8,
        "uint32": numba.uint32,
    }
    for name, value in vars(cuda_kernels).items():
        if is_rule(value) and name != "fresh":
            space[name] = rules(value)
    for name in HELPERS:
        space[name] = device(_copy(getattr(cuda_kernels, name), space))
    if game.act is None:
        space["act"] = space["whole"]
    return space


def kernel_of(function: Any, space: dict[str, Any], cuda: Any) -> Any:
    """`function` as a kernel with those names."""
    return cuda.jit(max_registers=REGISTERS)(_copy(function, space))


def _close(functions: list[Any], game: Game) -> None:
    """Compile each device function once, for its one signature, as `compile_rules` does on the CPU.

    Left to itself the compiler copies every rule into every caller: seven times the code, ten
    times the time to build it, and threads that wait for instructions.
    """
    for fn in reachable(functions):
        made = fn.compile_device(signature(fn, game.State))
        fn.disable_compile()
        if len(plain_function(fn).__code__.co_code) > CALLED:
            made.library.get_function(made.fndesc.llvm_func_name).attributes.add("noinline")


def _record_copier(game: Game) -> Any:
    """A device function that copies a record in words; Numba's own copy goes byte by byte."""
    from llvmlite import ir
    from numba.cuda.extending import intrinsic

    size = game.State.itemsize
    step = next(k for k in (16, 8, 4) if size % k == 0)
    vector = ir.VectorType(ir.IntType(32), step // 4) if step > 4 else ir.IntType(32)

    @intrinsic
    def copy_record(typingctx: Any, to: Any, source: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            target, origin = (builder.bitcast(p, vector.as_pointer()) for p in arguments)
            for k in range(size // step):
                at = [ir.IntType(32)(k)]
                piece = builder.load(builder.gep(origin, at), align=step)
                builder.store(piece, builder.gep(target, at), align=step)
            return context.get_dummy_value()

        return numba.types.void(to, source), generate

    return copy_record


def _word_movers() -> dict[str, Any]:
    """Device functions that read and write four bytes of an array of bytes at once."""
    from llvmlite import ir
    from numba.cuda.extending import intrinsic
    from numba.cuda.np import arrayobj

    word = ir.IntType(32)

    def pointer(context: Any, builder: Any, kind: Any, array: Any, offset: Any) -> Any:
        made = arrayobj.make_array(kind)(context, builder, array)
        return builder.bitcast(builder.gep(made.data, [offset]), word.as_pointer(made.data.type.addrspace))

    @intrinsic
    def get_word(typingctx: Any, rows: Any, lane: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array, lane, place = arguments
            made = arrayobj.make_array(rows)(context, builder, array)
            stride = builder.extract_value(made.strides, 0)
            at = pointer(context, builder, rows, array, builder.add(builder.mul(lane, stride), place))
            return builder.zext(builder.load(at, align=4), ir.IntType(64))

        return numba.types.int64(rows, numba.types.int64, numba.types.int64), generate

    @intrinsic
    def put_word(typingctx: Any, out: Any, offset: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array, offset, value = arguments
            at = pointer(context, builder, out, array, offset)
            builder.store(builder.trunc(value, word), at, align=4)
            return context.get_dummy_value()

        return numba.types.void(out, numba.types.int64, numba.types.int64), generate

    return {"get_word": get_word, "put_word": put_word}


def _copy(function: Any, space: dict[str, Any]) -> FunctionType:
    python = plain_function(function)
    return FunctionType(python.__code__, space, python.__name__)


def _stride(width: int) -> int:
    """Bytes of a row in shared memory: an odd number of words, so that rows fall on different banks."""
    words = -(-width // 4)
    return 4 * (words + 1 - words % 2)
