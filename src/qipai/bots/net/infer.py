"""`Net`: a trained net that chooses the same action on every machine, without a learning library.

    net = load_net("net.qnet", get("xianqi"))
    net.act(sight.observation(), sight.mask)

All arithmetic is in integers (`exact.py`). The chosen action is the legal one with the largest logit; of
equal ones, the lowest.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core import Game
from qipai.core.errors import BadBatch, BadWeights
from qipai.core.jit import runs_plain

from . import exact
from .encode import SCALED, Encoding, cells_of, turns_of
from .exact import Floats, Ints
from .quantize import EXPONENT_MOST, FORMAT
from .quick import Quick
from .shapes import CELLS, EXPONENT, HEAD_BITS, MATRIX, UNIT_BITS, parts_of
from .weights import NET_MOST, Arrays, check_made_for, content_digest, read_container

SYMMETRIES = "symmetries"  # in a header: how many symmetries of the board are averaged
LOWEST = np.iinfo(np.int64).min
CHUNK = 1024  # maximum rows of an mlp at a time
BOARDS = 4  # maximum rows of a convolution at a time


def load_net(path: str | os.PathLike[str], game: Game, limit_bytes: int = NET_MOST) -> Net:
    """Return the net in a file.

    Raise `BadWeights` if the file is damaged, and `ForeignWeights` if the net is for something else.
    """
    header, arrays = read_container(path, limit_bytes)
    check_header(header, game)
    return Net(game, header, arrays)


def check_header(header: Mapping[str, Any], game: Game) -> None:
    """Raise `ForeignWeights` unless a net is for this game, these rules and this observation."""
    check_made_for(header, game, FORMAT, "net")


class Net:
    """A net that is ready to play. Its methods may be called from several threads."""

    def __init__(self, game: Game, header: Mapping[str, Any], arrays: Arrays) -> None:
        self.game = game
        self.header = dict(header)
        self.length = game.observation_size
        self.actions = game.rules.actions
        self.encoding = Encoding.from_arrays(arrays, self.length)
        shape = header.get("net")
        self.shape: Mapping[str, Any] = shape if isinstance(shape, Mapping) else {}
        self.cells = cells_of(game)
        self.turns = turns_of(game, header.get(SYMMETRIES, 1))
        self.digest = content_digest(header, arrays)
        self.arrays = dict(arrays)  # as stored in the file
        self._read(arrays)
        self._quick: Quick | None = None
        self._hurried = False  # whether the quick form was asked for
        self._hurry()

    def _read(self, arrays: Arrays) -> None:
        """Store the arrays after checking their types and shapes."""
        parts = parts_of(self.shape, self.encoding, self.cells)
        if len(self.turns) > 1 and self.shape["kind"] != "conv":
            raise BadWeights("only a convolution can be evaluated in several symmetries")
        if self.shape["kind"] == "conv":
            found = arrays.get(CELLS)
            if found is None or found.dtype != np.int32 or not np.array_equal(found, self.cells):
                raise BadWeights("the net does not match the cells of this game's actions")
        self._arrays: dict[str, Ints] = {}  # exponents, biases, scales and shifts
        self._matrices: dict[str, Floats] = {}  # weights (in, out); of convolutions (out, in * 9)
        for name, part in parts.items():
            if part.kind != MATRIX:
                self._arrays[name] = _taken(arrays, name, part.shape, "i4").astype(np.int64)
                continue
            rows = (
                _taken(arrays, name, part.shape, "i1", "i2").reshape(len(arrays[name]), -1).astype(np.float64)
            )
            self._matrices[name] = rows if part.shape[2:] == (3, 3) else np.ascontiguousarray(rows.T)
            exponents = _taken(arrays, name + EXPONENT, part.shape[:1], "i1").astype(np.int64)
            if exponents.min(initial=0) < 0 or exponents.max(initial=0) > EXPONENT_MOST:
                raise BadWeights(f"array {name + EXPONENT} holds an exponent out of range")
            self._arrays[name + EXPONENT] = exponents

    # --- asking ---------------------------------------------------------------------

    def logits(self, observation: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the logit of every action, (A,); higher is better. Illegal actions have logits too."""
        return _real(self.evaluate_one(observation)[0])

    def value(self, observation: NDArray[np.int8]) -> float:
        """Return the expected payoff of the observer, in the units of training."""
        return float(np.float32(self.evaluate_one(observation)[1] * 2.0**-HEAD_BITS))

    def act(self, observation: NDArray[np.int8], mask: NDArray[np.uint8]) -> int:
        """Return the legal action with the largest logit, the lowest of equal ones."""
        return int(self._chosen(self.evaluate_one(observation)[0][None], mask[None])[0])

    def logits_many(self, observations: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the logits (n, A) of observations (n, L)."""
        return _real(self.evaluate(observations)[0])

    def values_many(self, observations: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the values (n,) of observations (n, L)."""
        return _real(self.evaluate(observations)[1])

    def act_many(self, observations: NDArray[np.int8], masks: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return the chosen actions (n,) for observations (n, L) and masks (n, A or wider)."""
        return self._chosen(self.evaluate(observations)[0], masks)

    def _chosen(self, logits: Ints, masks: NDArray[np.uint8]) -> NDArray[np.int64]:
        legal = masks[:, : self.actions] != 0
        if legal.shape != logits.shape or not legal.any(axis=1).all():
            raise BadBatch("every observation needs one mask with a legal action")
        chosen: NDArray[np.int64] = np.where(legal, logits, LOWEST).argmax(axis=1)
        return chosen

    def evaluate(self, observations: NDArray[np.int8]) -> tuple[Ints, Ints]:
        """Return logits (n, A) and values (n,) in integer units of 2 ** -16."""
        if observations.ndim != 2 or observations.shape[1] != self.length or observations.dtype != np.int8:
            raise BadBatch(f"observations of {self.game.name} must be int8 rows of {self.length}")
        if not len(observations):
            return np.zeros((0, self.actions), np.int64), np.zeros(0, np.int64)
        if not self._hurried:
            self._hurry()
        rows = CHUNK if self.shape["kind"] == "mlp" else BOARDS
        forward = self.forward if self._quick is None else self._quick.many
        parts = [forward(observations[at : at + rows]) for at in range(0, len(observations), rows)]
        return np.concatenate([p for p, _ in parts]), np.concatenate([v for _, v in parts])

    def forward(self, observations: NDArray[np.int8]) -> tuple[Ints, Ints]:
        """Return the same as `evaluate` for a few observations, in NumPy alone: the definition of the net."""
        x = self._columns(observations)
        return self._mlp(x) if self.shape["kind"] == "mlp" else self._conv(x)

    def evaluate_one(self, observation: NDArray[np.int8]) -> tuple[Ints, int]:
        """Return logits (A,) and the value of one observation (L,); the same as `evaluate`."""
        if not self._hurried:
            self._hurry()
        if self._quick is not None and self._is_row(observation):
            return self._quick(np.array(observation))
        logits, values = self.evaluate(np.asarray(observation)[None])
        return logits[0], int(values[0])

    def _hurry(self) -> None:
        """Make the quick form, unless its rules would run as plain Python now; NumPy is faster then."""
        if not runs_plain():
            self._quick = Quick.of(self, self.arrays)
            self._hurried = True

    def _is_row(self, observation: NDArray[np.int8]) -> bool:
        return observation.shape == (self.length,) and observation.dtype == np.int8

    # --- the arithmetic -------------------------------------------------------------

    def _columns(self, observations: NDArray[np.int8]) -> Ints:
        """Return the columns (n, D) of observations, as integers."""
        code = self.encoding
        entry = observations[:, code.source].astype(np.int64)
        factor = (code.low * 2**UNIT_BITS).astype(np.int64)
        inside = (entry >= code.low) & (entry <= code.high)
        return np.where(code.kind == SCALED, entry * factor, inside.astype(np.int64) << UNIT_BITS)

    def _mlp(self, x: Ints) -> tuple[Ints, Ints]:
        h = self._normal(0, x)
        for k in range(1, self.shape["layers"]):
            h = exact.relu(h + self._normal(k, h))
        return self._linear("wp", "bp", h, exact.HEAD_UP), self._linear("wv", "bv", h, exact.HEAD_UP)[:, 0]

    def _normal(self, k: int, x: Ints) -> Ints:
        z = self._linear(f"w{k}", f"b{k}", x)
        return exact.normalized(z, self._arrays[f"g{k}"], self._arrays[f"s{k}"])

    def _conv(self, x: Ints) -> tuple[Ints, Ints]:
        """Return the mean over the symmetries; their number is a power of two, so the mean is a shift."""
        flat = x[:, self.encoding.flat]
        bias = self._linear("wf", "bf", flat)[:, :, None, None]
        logits = np.zeros((len(x), self.actions), np.int64)
        values = np.zeros(len(x), np.int64)
        planes = self.encoding.planes.reshape(len(self.encoding.planes), -1)  # (channels, cells)
        for turn in self.turns:
            boards = x[:, planes[:, turn].reshape(self.encoding.planes.shape)]
            one = self._conv_heads(self._conv_body(boards, bias), flat, np.argsort(turn))
            logits, values = logits + one[0], values + one[1]
        halvings = len(self.turns).bit_length() - 1
        return exact.shifted(logits, halvings), exact.shifted(values, halvings)

    def _conv_body(self, planes: Ints, bias: Ints) -> Ints:
        """Return the last boards (n, channels, H, W) of the first ones (n, planes, H, W)."""
        h = exact.relu(self._convolve("cin", planes) + bias)
        for k in range(self.shape["blocks"]):
            inner = exact.relu(self._convolve(f"c{k}a", h) + self._ints(f"b{k}a"))
            h = exact.relu(h + self._convolve(f"c{k}b", inner) + self._ints(f"b{k}b"))
        return h

    def _conv_heads(self, h: Ints, flat: Ints, place: Ints) -> tuple[Ints, Ints]:
        """Return logits and values of boards h (n, channels, H, W) with each cell at `place` (cells,)."""
        tail = np.concatenate([exact.pooled(h), flat], axis=1)
        boards = h.reshape(*h.shape[:2], -1).transpose(0, 2, 1)  # (n, cells, channels)
        logits = np.zeros((len(h), self.actions), np.int64)
        named = self.cells >= 0
        at_cells = self._linear("cp", "bp", boards, exact.HEAD_UP)[:, :, 0]
        logits[:, named] = at_cells[:, place[self.cells[named]]]
        logits[:, ~named] = self._linear("wo", "bo", tail, exact.HEAD_UP)
        hidden = exact.relu(self._linear("wv1", "bv1", tail))
        return logits, self._linear("wv2", "bv2", hidden, exact.HEAD_UP)[:, 0]

    def _linear(self, weight: str, bias: str, x: Ints, up: int = 0) -> Ints:
        exponent = self._arrays[weight + EXPONENT]
        return exact.linear(x, self._matrices[weight], exponent, self._arrays[bias], up)

    def _convolve(self, weight: str, h: Ints) -> Ints:
        return exact.convolved(h, self._matrices[weight], self._arrays[weight + EXPONENT])

    def _ints(self, name: str) -> Ints:
        """Return a bias per channel, shaped to be added to boards."""
        return self._arrays[name][:, None, None]


def _real(units: Ints) -> NDArray[np.float32]:
    """Return logits or values as real numbers."""
    return (units * 2.0**-HEAD_BITS).astype(np.float32)


def _taken(arrays: Arrays, name: str, shape: tuple[int, ...], *kinds: str) -> NDArray[Any]:
    """Return an array of a file; raise `BadWeights` unless it has this shape and one of these types."""
    if name not in arrays:
        raise BadWeights(f"the net has no array {name}")
    if arrays[name].shape != shape or arrays[name].dtype.str[1:] not in kinds:
        raise BadWeights(f"array {name} has the wrong type or shape")
    return arrays[name]
