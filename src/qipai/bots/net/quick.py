"""`Quick`: an mlp in compiled code, for one position or many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import compile_rules

from . import compiled
from .encode import SCALED
from .exact import Ints
from .shapes import EXPONENT, UNIT_BITS
from .weights import Arrays

if TYPE_CHECKING:
    from .infer import Net


class Quick:
    """The weights of an mlp in the form that `compiled.py` needs: writable copies of the right types.

    A call keeps no state, so that threads may share one object.
    """

    @classmethod
    def of(cls, net: Net, arrays: Arrays) -> Quick | None:
        """Return the quick form of a net; None for a convolution, or if compilation is off."""
        if net.shape["kind"] != "mlp" or not hasattr(compiled.multiply, "compile"):
            return None
        compile_rules(compiled.RULES, net.game.rules.State, "bots/net")
        return cls(net, arrays)

    def __init__(self, net: Net, arrays: Arrays) -> None:
        code = net.encoding
        low = np.where(code.kind == SCALED, code.low * 2**UNIT_BITS, code.low)
        columns = (code.source, code.kind, low.astype(np.int32), code.high.astype(np.int32))
        self._columns = tuple(np.array(part) for part in columns)
        self._size = code.size
        self._width = net.shape["width"]
        self._layers: list[tuple[NDArray[Any], ...]] = [
            (
                _turned(arrays[f"w{k}"]),
                *(_wide(arrays[f"{n}{k}"]) for n in ("b", "g", "s")),
                _wide(arrays[f"w{k}{EXPONENT}"]),
            )
            for k in range(net.shape["layers"])
        ]
        self._reals = [layer[0].astype(np.float64) for layer in self._layers]
        # One matrix for logits and the value, which is the last output.
        self._head = _turned(np.concatenate([arrays["wp"].astype(np.int16), arrays["wv"].astype(np.int16)]))
        self._real_head = self._head.astype(np.float64)
        self._bias = np.concatenate([_wide(arrays["bp"]), _wide(arrays["bv"])])
        self._exponent = np.concatenate([_wide(arrays[f"wp{EXPONENT}"]), _wide(arrays[f"wv{EXPONENT}"])])

    def __call__(self, observation: NDArray[np.int8]) -> tuple[Ints, int]:
        """Return logits (A,) and the value of one observation (L,), in integer units of 2 ** -16."""
        x = np.empty(self._size, np.int64)
        compiled.encode(observation, *self._columns, x)
        h = np.empty(self._width, np.int64)
        total = np.empty_like(h)
        for k, (w, bias, scale, shift, exponent) in enumerate(self._layers):
            compiled.multiply(h if k else x, w, total)
            compiled.normalize(total, exponent, bias, scale, shift, h, int(k > 0))
        out = np.empty(len(self._bias), np.int64)
        compiled.multiply(h, self._head, out)
        compiled.finish(out, self._exponent, self._bias)
        return out[:-1], int(out[-1])

    def many(self, observations: NDArray[np.int8]) -> tuple[Ints, Ints]:
        """Return logits (n, A) and values (n,) of observations (n, L), in integer units of 2 ** -16."""
        n = len(observations)
        x = np.empty((n, self._size))
        compiled.encode_rows(np.ascontiguousarray(observations), *self._columns, x)
        h = np.zeros((n, self._width))
        for k, (matrix, (_, bias, scale, shift, exponent)) in enumerate(
            zip(self._reals, self._layers, strict=True)
        ):
            compiled.normalize_rows((h if k else x) @ matrix, exponent, bias, scale, shift, h, int(k > 0))
        out = np.empty((n, len(self._bias)), np.int64)
        compiled.finish_rows(h @ self._real_head, self._exponent, self._bias, out)
        return out[:, :-1], out[:, -1]


def _turned(matrix: NDArray[np.integer]) -> NDArray[np.int16]:
    """Return a matrix (out, in) transposed to (in, out)."""
    return np.array(matrix.T, np.int16, order="C")


def _wide(array: NDArray[np.integer]) -> Ints:
    return np.array(array, np.int64)
