"""How states should be laid out in device memory, and how a step should read them, by measurement.

    python benchmarks/layout.py [GAME ...] [--lanes N] [--json FILE]

A step reads a lane's record into local memory, plays one decision and writes it back. Three ways:

    records   one record per game; a thread reads its own, 16 bytes at a time, far from its neighbours'
    carried   one record per game; a warp reads its 32 records together, word by word, through shared memory
    planes    one plane per word (word w of all lanes side by side: an array per field, cut finer)

Measured: the copying alone (in and back), and a whole step (mask, choice, apply, re-deal, mask and
observation written); kernels warm, best of five; the end is compared with the CPU. A rollout copies once
in hundreds of decisions and is not affected.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
from gpu import alone

from qipai.core import Game, QipaiError, get, names
from qipai.sim import Batch
from qipai.sim.cuda import build as cuda_build
from qipai.sim.cuda import engine as cuda

# ruff: noqa: F821  (the kernels' names are filled in by `build`)

WAYS = ("records", "carried", "planes")
ROUNDS, LAUNCHES = 5, 24
WARP = 0xFFFFFFFF
TILE = 16  # words of a record that are copied at a time
PAD = TILE + 1  # length of a row in shared memory: odd, so that rows fall on different banks


def main() -> int:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("games", nargs="*", help="default: all")
    parser.add_argument("--lanes", type=int, default=1 << 18)
    parser.add_argument("--json", metavar="FILE")
    args = parser.parse_args()
    chosen = args.games or names()
    try:
        cuda.load_cuda()
        for name in chosen:
            get(name)
    except QipaiError as error:
        print(error, file=sys.stderr)
        return 2
    titles = " ".join(f"{way:>9}" for way in WAYS)
    print(f"{'':23} copied, GB/s {'':17} steps, million/s")
    print(f"{'game':16} {'bytes':>6} {titles} {titles}")
    with tempfile.NamedTemporaryFile() as lock, ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        rows = list(pool.map(measure, chosen, [args.lanes] * len(chosen), [lock.name] * len(chosen)))
    if args.json:
        Path(args.json).write_text(json.dumps(rows, indent=1))
    return 1 if any(row["differ"] for row in rows) else 0


def measure(name: str, lanes: int, lock: str) -> dict[str, Any]:
    """Measure and print one game's row. Kernels are built in parallel, and measured one at a time."""
    game = get(name)
    size = game.rules.State.itemsize
    row: dict[str, Any] = {"game": game.name, "bytes": size, "differ": {}}
    cpu = Batch(game, lanes, seed=5)
    cpu.rollout(1 + LAUNCHES * ROUNDS)
    for way in WAYS:
        batch = Batch(game, lanes, seed=5, device="cuda")
        copied, stepped, end = rates(batch, way, lock)
        row |= {f"{way}_copy": 2 * size * copied / 1e9, f"{way}_step": stepped / 1e6}
        pairs = {f: (end[f], cpu.state[f]) for f in game.rules.State.names or ()}
        pairs |= {f: (getattr(batch, f).copy_to_host(), getattr(cpu, f)) for f in ("mask", "obs", "seat")}
        differ = [f for f, (theirs, ours) in pairs.items() if not np.array_equal(theirs, ours)]
        row["differ"] |= {way: differ} if differ else {}
    figures = " ".join(f"{row[f'{way}_{work}']:>9.0f}" for work in ("copy", "step") for way in WAYS)
    print(f"{game.name:16} {size:>6} {figures}  {row['differ'] or ''}", flush=True)
    return row


def rates(batch: Batch, way: str, lock: str) -> tuple[float, float, Any]:
    """Return lanes copied and stepped per second, and the states at the end."""
    device, game, lanes = cuda.load_cuda(), batch.game, batch.n
    states = device.to_device(laid_out(batch.state.copy_to_host(), way))
    block = block_of(game, way)
    copy, step = (kernel[-(-lanes // block), block] for kernel in build(game, way))

    def copying() -> None:
        copy(states, batch.seat, 0)

    def stepping() -> None:
        step(states, batch._arrays.choice, batch.mask, batch.obs, batch.seat)

    copying()
    stepping()
    with alone(lock):
        found = [best(work, device) * lanes for work in (copying, stepping)]
    end = states.copy_to_host()
    end = np.ascontiguousarray(end.T) if way == "planes" else end
    return found[0], found[1], end.view(game.rules.State).reshape(lanes)


def laid_out(states: Any, way: str) -> Any:
    """Return the states in the layout of a way: records, or their words, by lane or by plane."""
    words = states.view(np.uint32).reshape(len(states), -1)
    return {"records": states, "carried": words, "planes": np.ascontiguousarray(words.T)}[way]


def best(launch: Callable[[], None], device: Any) -> float:
    """Return launches per second."""
    found = 0.0
    for _ in range(ROUNDS):
        device.synchronize()
        began = time.perf_counter()
        for _ in range(LAUNCHES):
            launch()
        device.synchronize()
        found = max(found, LAUNCHES / (time.perf_counter() - began))
    return found


# --- kernels --------------------------------------------------------------------------


def copy_kernel(states, seat, nought):
    """Copy in and back. One word changes at a place that the compiler cannot know, so that all are copied."""
    tile = cuda.shared.array((TILES, 32, PAD), uint32)
    i = cuda.grid(1)
    n = seat.shape[0]
    place = cuda.local.array(1, RECORD, alignment=16)
    s = place[0]
    load(s, states, i, n, tile)
    at = (i * nought) % WORDS
    set_word(s, at, word_of(s, at) ^ nought)
    store(states, s, i, n, tile)


def step_kernel(states, choice, mask, obs, seat):
    """Make a random decision, and write mask and observation."""
    rows = cuda.shared.array((BLOCK, STRIDE_MASK), uint8, alignment=16)
    seen = cuda.shared.array((BLOCK, STRIDE_OBS), int8, alignment=16)
    tile = cuda.shared.array((TILES, 32, PAD), uint32)
    i = cuda.grid(1)
    k = cuda.threadIdx.x
    n = seat.shape[0]
    place = cuda.local.array(1, RECORD, alignment=16)
    s = place[0]
    load(s, states, i, n, tile)
    if i < n:
        apply(s, pick(choice[i], rows[k], legal(s, rows[k])))
        if s.seat < 0:
            fresh(s)
        seat[i] = s.seat
        deliver(s, rows[k], seen[k])
    store(states, s, i, n, tile)
    cuda.syncthreads()
    carry(rows, mask, WIDTH)
    carry(seen, obs, SIZE)


def load_records(s, states, i, n, tile):
    if i < n:
        copy_record(s, states[i])


def store_records(states, s, i, n, tile):
    if i < n:
        copy_record(states[i], s)


def load_planes(s, states, i, n, tile):
    if i < n:
        for w in range(WORDS):
            set_word(s, w, states[w, i])


def store_planes(states, s, i, n, tile):
    if i < n:
        for w in range(WORDS):
            states[w, i] = word_of(s, w)


def load_carried(s, states, i, n, tile):
    """Read neighbouring words of one record with half a warp; then each thread reads its own row."""
    warp = cuda.threadIdx.x // 32
    k = cuda.threadIdx.x % 32
    w = k % TILE
    for first in range(0, WORDS, TILE):
        for r in range(k // TILE, 32, 32 // TILE):
            if i - k + r < n and first + w < WORDS:
                tile[warp, r, w] = states[i - k + r, first + w]
        cuda.syncwarp(WARP)
        for m in range(min(TILE, WORDS - first)):
            set_word(s, first + m, tile[warp, k, m])
        cuda.syncwarp(WARP)


def store_carried(states, s, i, n, tile):
    warp = cuda.threadIdx.x // 32
    k = cuda.threadIdx.x % 32
    w = k % TILE
    for first in range(0, WORDS, TILE):
        for m in range(min(TILE, WORDS - first)):
            tile[warp, k, m] = word_of(s, first + m)
        cuda.syncwarp(WARP)
        for r in range(k // TILE, 32, 32 // TILE):
            if i - k + r < n and first + w < WORDS:
                states[i - k + r, first + w] = tile[warp, r, w]
        cuda.syncwarp(WARP)


def build(game: Game, way: str) -> list[Any]:
    """Return the two kernels with this game's rules and this way filled in."""
    device = cuda.load_cuda()
    space = {**cuda_build.space_of(game, device), **_words(), "WORDS": game.rules.State.itemsize // 4}
    block = block_of(game, way)
    space |= {
        "TILE": TILE,
        "PAD": PAD,
        "WARP": WARP,
        "TILES": block // 32 if way == "carried" else 1,
        "BLOCK": block,
    }
    for name in ("deliver", "carry"):  # they depend on the block's size
        function = space[name].py_func
        space[name] = device.jit(device=True)(FunctionType(function.__code__, space, function.__name__))
    for name in ("load", "store"):
        function = globals()[f"{name}_{way}"]
        space[name] = device.jit(device=True)(FunctionType(function.__code__, space, function.__name__))
    kernels = (copy_kernel, step_kernel)
    return [cuda_build.kernel_of(kernel, space, device, cuda_build.REGISTERS) for kernel in kernels]


def block_of(game: Game, way: str) -> int:
    """Return threads per block: as many as fit in shared memory."""
    rows = cuda_build._stride(game.width) + cuda_build._stride(game.observation_size)
    return max(32, min(128, cuda_build.SHARED // (rows + 4 * PAD * (way == "carried")) // 32 * 32))


def _words() -> dict[str, Any]:
    """Return device functions that read and write a word of a record."""
    from llvmlite import ir
    from numba.cuda.extending import intrinsic

    word = ir.IntType(32)

    def at(builder: Any, record: Any, w: Any) -> Any:
        return builder.gep(builder.bitcast(record, word.as_pointer()), [w])

    @intrinsic
    def word_of(typingctx: Any, record: Any, w: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.load(at(builder, *arguments), align=4)

        return numba.types.uint32(record, numba.types.int64), generate

    @intrinsic
    def set_word(typingctx: Any, record: Any, w: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            record, w, value = arguments
            builder.store(value, at(builder, record, w), align=4)
            return context.get_dummy_value()

        return numba.types.void(record, numba.types.int64, numba.types.uint32), generate

    return {"word_of": word_of, "set_word": set_word}


if __name__ == "__main__":
    raise SystemExit(main())
