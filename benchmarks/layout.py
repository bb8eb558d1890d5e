"""How states should lie in device memory: a record per game, or a plane per word of the record.

    python benchmarks/layout.py [GAME ...] [--lanes N] [--json FILE]

A step reads a lane's record into local memory, plays one decision and writes it back. With a record per game
a thread reads its own bytes one after another, and neighbouring threads read far from one another; with a
plane per word (word w of all lanes side by side, which is what an array per field would be, cut finer)
neighbours read side by side. Measured: the copying alone (in and back), and with one random decision between
(mask, choice, apply, re-deal); kernels warm, best of five. A rollout copies once in hundreds of decisions
and does not notice; this is for `step`.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numba
import numpy as np

from qipai.core import Game, get, names
from qipai.sim import Batch, cuda

# ruff: noqa: F821  (the kernels' names are filled in by `build`)


def main() -> int:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("games", nargs="*", help="default: all")
    parser.add_argument("--lanes", type=int, default=1 << 18)
    parser.add_argument("--json", metavar="FILE")
    args = parser.parse_args()
    titles = f"{'records GB/s':>13} {'planes GB/s':>12} {'records M/s':>12} {'planes M/s':>11}"
    print(f"{'game':16} {'bytes':>6} {titles}")
    rows = [measure(get(name), args.lanes) for name in args.games or names()]
    if args.json:
        Path(args.json).write_text(json.dumps(rows, indent=1))
    return 0 if all(row["equal"] for row in rows) else 1


def measure(game: Game, lanes: int) -> dict[str, Any]:
    """One game's row, printed as well."""
    made = build(game)
    rates: dict[str, float] = {}
    ends = {}
    for way in ("records", "planes"):
        batch = Batch(game, lanes, seed=5, device="cuda")
        a = batch._arrays
        states = a.state
        if way == "planes":
            host = a.state.copy_to_host()
            words = host.view(np.uint32).reshape(lanes, -1)
            states = made["cuda"].to_device(np.ascontiguousarray(words.T))
        for work in ("copy", "decide"):
            kernel = made[f"{way}_{work}"][-(-lanes // 128), 128]
            best = 0.0
            for _ in range(6):  # the first warms up
                made["cuda"].synchronize()
                began = time.perf_counter()
                for _ in range(50):
                    kernel(states, a.choice)
                made["cuda"].synchronize()
                best = max(best, 50 * lanes / (time.perf_counter() - began))
            rates[f"{way}_{work}"] = best
        end = states.copy_to_host()
        ends[way] = end.tobytes() if way == "records" else np.ascontiguousarray(end.T).tobytes()
    size = game.State.itemsize
    row: dict[str, Any] = {"game": game.name, "bytes": size, **rates}
    row["equal"] = ends["records"] == ends["planes"]
    print(
        f"{game.name:16} {size:>6} {2 * size * rates['records_copy'] / 1e9:>13.0f} "
        f"{2 * size * rates['planes_copy'] / 1e9:>12.0f} {rates['records_decide'] / 1e6:>12.0f} "
        f"{rates['planes_decide'] / 1e6:>11.0f}{'' if row['equal'] else '  UNEQUAL'}",
        flush=True,
    )
    return row


# --- kernels --------------------------------------------------------------------------


def records_copy(states, choice):
    """In and back; a word is changed, so that neither is left out."""
    i = cuda.grid(1)
    if i < states.shape[0]:
        place = cuda.local.array(1, RECORD, alignment=16)
        s = place[0]
        copy_record(s, states[i])
        s.ply += 1
        s.ply -= states.shape[0] >> 40
        copy_record(states[i], s)


def planes_copy(planes, choice):
    """The same from planes."""
    i = cuda.grid(1)
    if i < planes.shape[1]:
        place = cuda.local.array(1, RECORD, alignment=16)
        s = place[0]
        for w in range(WORDS):
            put_record_word(s, w, planes[w, i])
        s.ply += 1
        s.ply -= planes.shape[1] >> 40
        for w in range(WORDS):
            planes[w, i] = get_record_word(s, w)


def records_decide(states, choice):
    """One random decision."""
    i = cuda.grid(1)
    if i < states.shape[0]:
        place = cuda.local.array(1, RECORD, alignment=16)
        row = cuda.local.array(WIDTH, uint8)
        s = place[0]
        copy_record(s, states[i])
        apply(s, pick(choice[i], row, legal(s, row)))
        if s.seat < 0:
            fresh(s)
        copy_record(states[i], s)


def planes_decide(planes, choice):
    """The same from planes."""
    i = cuda.grid(1)
    if i < planes.shape[1]:
        place = cuda.local.array(1, RECORD, alignment=16)
        row = cuda.local.array(WIDTH, uint8)
        s = place[0]
        for w in range(WORDS):
            put_record_word(s, w, planes[w, i])
        apply(s, pick(choice[i], row, legal(s, row)))
        if s.seat < 0:
            fresh(s)
        for w in range(WORDS):
            planes[w, i] = get_record_word(s, w)


def build(game: Game) -> dict[str, Any]:
    """The kernels above with this game's rules in them."""
    face = cuda.load_cuda()
    space = {**cuda.space_of(game, face), **_record_words(), "WORDS": game.State.itemsize // 4}
    found = {"cuda": face}
    for kernel in (records_copy, planes_copy, records_decide, planes_decide):
        found[kernel.__name__] = cuda.kernel_of(kernel, space, face)
    return found


def _record_words() -> dict[str, Any]:
    """Device functions that read and write word `w` of a record."""
    from llvmlite import ir
    from numba.cuda.extending import intrinsic

    word = ir.IntType(32)

    def at(builder: Any, record: Any, w: Any) -> Any:
        return builder.gep(builder.bitcast(record, word.as_pointer()), [w])

    @intrinsic
    def get_record_word(typingctx: Any, record: Any, w: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.load(at(builder, *arguments), align=4)

        return numba.types.uint32(record, numba.types.int64), generate

    @intrinsic
    def put_record_word(typingctx: Any, record: Any, w: Any, value: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            record, w, value = arguments
            builder.store(value, at(builder, record, w), align=4)
            return context.get_dummy_value()

        return numba.types.void(record, numba.types.int64, numba.types.uint32), generate

    return {"get_record_word": get_record_word, "put_record_word": put_record_word}


if __name__ == "__main__":
    raise SystemExit(main())
