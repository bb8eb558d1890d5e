"""Device functions that move several bytes per instruction, where Numba moves them one by one.

They are made on demand, because `numba.cuda` may only be used after `load_cuda`.
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir

from qipai.core import Game
from qipai.core.errors import BadGame
from qipai.core.state import UNIT


def record_copier(game: Game) -> Any:
    """Return a device function that copies a record in words; Numba's own copy goes byte by byte."""
    from numba.cuda.extending import intrinsic

    size, step = game.rules.State.itemsize, UNIT
    if size % step:
        raise BadGame(f"{game.name}: a state of {size} bytes; make its dtype with state_dtype")
    vector = ir.VectorType(ir.IntType(32), step // 4)

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


def word_movers() -> dict[str, Any]:
    """Return device functions that read and write four bytes of a byte array at once."""
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
