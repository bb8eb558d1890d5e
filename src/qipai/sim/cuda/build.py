"""A game's rules as device functions, and the kernels of `kernels.py` that call them.

Games contain no GPU code: their rules become device functions unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numba

from qipai.core import Game, pick, seed_words
from qipai.core.calls import uniform
from qipai.core.rule import is_rule, plain_function, reachable, signature
from qipai.core.variant import Variant

from .. import loops
from ..primitives import MORE, PARTS
from . import kernels, primitives
from .words import record_copier, word_movers

KERNELS = (
    "reset_kernel",
    "step_kernel",
    "choose_kernel",
    "rollout_kernel",
    "deliver_kernel",
    "observe_all_kernel",
    "rollout_observed_kernel",
)
KEPT = ("reset_chosen_kernel", "step_kept_kernel", "rollout_kept_kernel", "show_kernel")
FREE = ("rollout_kernel", "rollout_kept_kernel", "playout_kernel")  # without rows in shared memory
HELPERS = (
    *("begin", "decide", "settle", "finish", "is_going", "is_busy", "is_gathered", "is_any"),
    *("deliver", "before", "after", "play", "whole", "total"),
    *("carry", "carry_all"),
)
MORE_HELPERS = ("show", "recall", "nothing", "give")
# These constants only affect speed; they were measured (page "Diary of experiments" of the documentation).
CALLED = 500  # bytes of bytecode; a longer rule is called instead of inlined
REGISTERS: int | None = 168  # maximum per thread
FREE_BLOCK = 128  # threads per block of a kernel that needs no shared memory
MOST = 128  # maximum threads per block of a kernel that does
# Rules with a long step are long code. One block takes all registers of a multiprocessor, and its warps
# advance through the code together, so that they share instruction fetches.
WHOLE_BLOCK = 512

# These describe a device.
SHARED = 48 * 1024  # bytes of shared memory that every block gets without opting in
REGISTER_FILE = 1 << 16  # registers of a multiprocessor, allocated in units of eight for four warps at a time
WARP = 32  # threads that run in lockstep

# Keyed by the game itself, because an id may be reused for another game.
_kernels: WeakKeyDictionary[Game, dict[str, Any]] = WeakKeyDictionary()
_spaces: WeakKeyDictionary[Game, dict[str, Any]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Shape:
    """Threads per block, and whether masks and observations are built in shared memory."""

    block: int
    mask: bool
    obs: bool


def shape_of(game: Game) -> Shape:
    """Return the largest block, in whole warps, whose rows fit in shared memory; longer rows stay out."""
    mask, obs = _stride(game.width), _stride(game.observation_size)
    for both, size in (((True, True), mask + obs), ((True, False), mask), ((False, False), 0)):
        fit = min(MOST, SHARED // size if size else MOST) // WARP * WARP
        if fit:
            return Shape(fit, *both)
    raise AssertionError("a warp needs no shared memory")


def kernels_for(game: Game, cuda: Any) -> dict[str, Any]:
    """Return the kernels with this game's functions filled in."""
    if game not in _kernels:
        _kernels[game] = _build(game, cuda)
    return _kernels[game]


def _build(game: Game, cuda: Any) -> dict[str, Any]:
    space = _space(game, cuda)
    found = {name: getattr(kernels, name) for name in KERNELS}
    found |= {name: getattr(primitives, name) for name in KEPT}
    return {name: kernel_of(k, space, cuda, limits(game, name).registers) for name, k in found.items()}


def playout_kernel_for(game: Game, cuda: Any, policy: Any) -> Any:
    """Return the kernel of playouts with this game's functions and a policy in it."""
    space = _space(game, cuda)
    key = f"playout_kernel/{id(policy)}"  # a rule of the game or of the core: it stays
    if key not in space:
        chosen = space["VARIANT"](policy)
        if policy is not uniform:
            _close([chosen], game, cuda, "policy")
        registers = limits(game, "playout_kernel").registers
        space[key] = kernel_of(primitives.playout_kernel, {**space, "choose": chosen}, cuda, registers)
    return space[key]


def _space(game: Game, cuda: Any) -> dict[str, Any]:
    if game not in _spaces:
        _spaces[game] = space_of(game, cuda)
    return _spaces[game]


class Limits(NamedTuple):
    """Threads per block, and maximum registers per thread."""

    block: int
    registers: int | None


def limits(game: Game, kernel: str) -> Limits:
    """Return the limits that a kernel is built for and launched with."""
    if kernel not in FREE:
        return Limits(shape_of(game).block, REGISTERS)
    if game.device.act is None:
        return Limits(FREE_BLOCK, REGISTERS)
    return Limits(WHOLE_BLOCK, min(255, REGISTER_FILE // WHOLE_BLOCK // 8 * 8))


def space_of(game: Game, cuda: Any) -> dict[str, Any]:
    """Return the names that a kernel may use: this game's rules as device functions, helpers, shapes."""
    device: Callable[[FunctionType], Any] = cuda.jit(device=True)
    rules = Variant("cuda", wrap=device)
    names = {n: rules(getattr(game.rules, n)) for n in ("deal", "legal", "apply", "observe")}
    if game.device.act is not None:
        names |= {"act": rules(game.device.act), "rest": rules(game.device.rest)}
    filled = Variant("cuda", wrap=device, names={loops.__name__: names})
    _close([*names.values(), filled(loops.fresh), *(rules(f) for f in (pick, seed_words))], game, cuda)
    space: dict[str, Any] = {
        **vars(kernels),
        **vars(primitives),
        **names,
        "cuda": cuda,
        "copy_record": record_copier(game),
        **word_movers(),
        "fresh": filled(loops.fresh),
        "RECORD": numba.from_dtype(game.rules.State),
        "WIDTH": game.width,
        "WIDTH_USED": game.rules.actions,
        "SIZE": game.observation_size,
        **_shared(game),
        "GATHER": game.device.gather,
        "SPLIT": game.device.act is not None,
        "SEATS": game.rules.State["payoff"].shape[0],
        "COLUMNS": PARTS * game.rules.State["payoff"].shape[0] + MORE,
        "VARIANT": rules,
        "int8": numba.int8,
        "int32": numba.int32,
        "int64": numba.int64,
        "uint8": numba.uint8,
        "uint32": numba.uint32,
    }
    for name, value in (*vars(kernels).items(), *vars(primitives).items()):
        if is_rule(value) and name != "fresh":
            space[name] = rules(value)
    for name in HELPERS:
        space[name] = device(_copy(getattr(kernels, name), space))
    for name in MORE_HELPERS:
        space[name] = device(_copy(getattr(primitives, name), space))
    if game.device.act is None:
        space["act"] = space["whole"]
    return space


def _shared(game: Game) -> dict[str, Any]:
    """Return what the kernels know about their block and its shared memory; an unused array has one byte."""
    shape = shape_of(game)
    found: dict[str, Any] = {"BLOCK": shape.block}
    for name, carried, width in (("MASK", shape.mask, game.width), ("OBS", shape.obs, game.observation_size)):
        rows, stride = (shape.block, _stride(width)) if carried else (1, 1)
        found |= {f"CARRY_{name}": carried, f"ROWS_{name}": rows, f"STRIDE_{name}": stride}
    return found


def kernel_of(function: Any, space: dict[str, Any], cuda: Any, registers: int | None) -> Any:
    """Return `function` as a kernel with these names and at most `registers` registers per thread.

    It is linked with a second, empty program, without optimisation across the two. The assembler must then
    assume that rules can be called from elsewhere. If it sees the whole program, it keeps addresses in
    registers of the warp across a call, and threads that return first overwrite them for the others
    (page "Diary of experiments", section "An assembler's fault").
    """
    aside = cuda.PTXSource(_empty(cuda.get_current_device().compute_capability))
    return cuda.jit(max_registers=registers, link=[aside], lto=False)(_copy(function, space))


def _empty(capability: tuple[int, int]) -> bytes:
    """Return an empty program, in a PTX version old enough for every device and assembler."""
    major, minor = min((*capability[:2],), (7, 5))
    return f".version 6.4\n.target sm_{major}{minor}\n.address_size 64\n".encode()


def _close(functions: list[Any], game: Game, cuda: Any, group: str = "") -> None:
    """Compile each device function once, for its one signature, as `compile_rules` does on the CPU.

    By default the compiler inlines every rule into every caller: seven times the code, ten
    times the build time, and threads that wait for instructions.
    """
    for k, fn in enumerate(reachable(functions)):
        kinds = signature(fn, game.rules.State)
        if kinds in fn.overloads:
            continue  # closed before
        made = _compile(fn, kinds, f"{game.name}_{group}{k}_{fn.__name__}", cuda)
        fn.disable_compile()
        if len(plain_function(fn).__code__.co_code) > CALLED:
            made.library.get_function(made.fndesc.llvm_func_name).attributes.add("noinline")


def _compile(fn: Any, signature: Any, name: str, cuda: Any) -> Any:
    """Compile a device function with the C calling convention, which returns the result in a register.

    Numba's own convention returns it through memory, together with a status that every caller checks. Rules
    raise nothing on a device, and without the status they are a third faster. Numba has no option for this.
    """
    from numba.cuda.compiler import compile_cuda

    made = compile_cuda(
        fn.py_func,
        None,
        signature,
        nvvm_options={"opt": 3},
        cc=cuda.get_current_device().compute_capability,
        abi="c",
        abi_info={"abi_name": name},
    )
    fn.overloads[signature] = made
    made.target_context.insert_user_function(made.entry_point, made.fndesc, [made.library])
    return made


def _copy(function: Any, space: dict[str, Any]) -> FunctionType:
    python = plain_function(function)
    return FunctionType(python.__code__, space, python.__name__)


def _stride(width: int) -> int:
    """Return the bytes per row in shared memory: an odd number of words, to avoid bank conflicts."""
    words = -(-width // 4)
    return 4 * (words + 1 - words % 2)
