"""A net as an ONNX model, for programs that do not use qipai.

The model takes `observation` (n, L) int8 as `Rules.observe` writes it and returns `logits` (n, A) and `value`
(n,) in float32. Its weights are the quantised ones: it differs from `Net` only by floating-point rounding.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qipai.core.errors import MissingExtra

from .encode import SCALED
from .infer import Net
from .shapes import BIAS, EXPONENT, HEAD_BITS, MATRIX, NORM_BITS, UNIT_BITS, parts_of

OPSET = 17  # the first with LayerNormalization
IR_VERSION = 8  # of the same time, so that older runtimes can read it
EPSILON = 1e-5


def write_onnx(net: Net, path: str | os.PathLike[str]) -> None:
    """Write a net as an ONNX file; raise `MissingExtra` if the package onnx is not installed."""
    Path(path).write_bytes(onnx_model(net).SerializeToString())


def onnx_model(net: Net) -> Any:
    """Return a net as an `onnx.ModelProto`, checked."""
    try:
        import onnx
    except ImportError:
        raise MissingExtra("an ONNX file needs the package onnx: pip install 'qipai[onnx]'") from None
    graph = _Graph(onnx, real_weights(net))
    columns = _columns(graph, net)
    (_mlp if net.shape["kind"] == "mlp" else _conv)(graph, net, columns)
    helper, kind = onnx.helper, onnx.TensorProto
    made = helper.make_graph(
        graph.nodes,
        f"qipai-{net.game.name}",
        [helper.make_tensor_value_info("observation", kind.INT8, ["n", net.length])],
        [
            helper.make_tensor_value_info("logits", kind.FLOAT, ["n", net.actions]),
            helper.make_tensor_value_info("value", kind.FLOAT, ["n"]),
        ],
        graph.constants,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="qipai")
    model.ir_version = IR_VERSION
    for key in ("game", "rules_version", "observation", "command"):
        if key in net.header:
            entry = model.metadata_props.add()
            entry.key, entry.value = key, str(net.header[key])
    onnx.checker.check_model(model, full_check=True)
    return model


def real_weights(net: Net) -> dict[str, NDArray[np.float32]]:
    """Return the real weights of a net: its integers with their scales applied."""
    found = {}
    for name, part in parts_of(net.shape, net.encoding, net.cells).items():
        array = net.arrays[name].astype(np.float64)
        if part.kind == MATRIX:
            exponent = net.arrays[name + EXPONENT].reshape(-1, *[1] * (array.ndim - 1))
            array = array * 2.0 ** -exponent.astype(np.float64)
        else:
            shift = HEAD_BITS if part.head else UNIT_BITS if part.kind == BIAS else NORM_BITS
            array = array * 2.0**-shift
        found[name] = array.astype(np.float32)
    return found


class _Graph:
    """Collects nodes and constants; every node has one output, named by a number."""

    def __init__(self, onnx: Any, weights: dict[str, NDArray[np.float32]]) -> None:
        self._onnx = onnx
        self._weights = weights
        self._kept: dict[str, str] = {}
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def weight(self, name: str) -> str:
        """Return the name of a weight of the net, for use as an input."""
        return self._kept.get(name) or self.constant(self._weights[name], name)

    def constant(self, array: NDArray[Any], name: str = "") -> str:
        """Return the name of an array, for use as an input."""
        name = name or f"constant_{len(self.constants)}"
        self.constants.append(self._onnx.numpy_helper.from_array(np.ascontiguousarray(array), name))
        self._kept[name] = name
        return name

    def add(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        """Add a node and return its output."""
        output = output or f"{kind}_{len(self.nodes)}"
        self.nodes.append(self._onnx.helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def linear(self, x: str, weight: str, bias: str, output: str = "") -> str:
        """Add weight x + bias for rows x."""
        return self.add("Gemm", x, self.weight(weight), self.weight(bias), output=output, transB=1)

    def columns(self, x: str, numbers: NDArray[Any]) -> str:
        """Select columns of rows x."""
        return self.add("Gather", x, self.constant(numbers.ravel().astype(np.int64)), axis=1)

    def shaped(self, x: str, *shape: int) -> str:
        """Reshape rows x; -1 is their number."""
        return self.add("Reshape", x, self.constant(np.array(shape, np.int64)))


def _columns(graph: _Graph, net: Net) -> str:
    """Add the encoding of observations."""
    code = net.encoding
    entry = graph.add("Cast", "observation", to=1)  # float
    entry = graph.columns(entry, code.source)
    scaled = code.kind == SCALED
    factor = graph.constant(np.where(scaled, code.low, 0).astype(np.float32))
    low, high = (
        graph.constant(np.where(scaled, 0, part).astype(np.float32)) for part in (code.low, code.high)
    )
    inside = graph.add("And", graph.add("GreaterOrEqual", entry, low), graph.add("LessOrEqual", entry, high))
    hot = graph.add("Cast", inside, to=1)
    return graph.add("Where", graph.constant(scaled), graph.add("Mul", entry, factor), hot)


def _mlp(graph: _Graph, net: Net, x: str) -> None:
    h = ""
    for k in range(net.shape["layers"]):
        z = graph.linear(h or x, f"w{k}", f"b{k}")
        norm = graph.add(
            "LayerNormalization", z, graph.weight(f"g{k}"), graph.weight(f"s{k}"), epsilon=EPSILON
        )
        step = graph.add("Relu", norm)
        h = graph.add("Add", h, step) if h else step
    graph.linear(h, "wp", "bp", output="logits")
    _value(graph, graph.linear(h, "wv", "bv"))


def _conv(graph: _Graph, net: Net, x: str) -> None:
    flat = graph.columns(x, net.encoding.flat)
    found = [_turned(graph, net, x, flat, turn) for turn in net.turns]
    share = graph.constant(np.array(1 / len(found), np.float32))
    logits, values = (graph.add("Sum", *parts) for parts in zip(*found, strict=True))
    graph.add("Mul", logits, share, output="logits")
    _value(graph, graph.add("Mul", values, share))


def _turned(graph: _Graph, net: Net, x: str, flat: str, turn: NDArray[np.int64]) -> tuple[str, str]:
    """Add the net in one symmetry of the board; return logits and values."""
    planes, height, width = net.encoding.planes.shape
    seen = net.encoding.planes.reshape(planes, -1)[:, turn]
    board = graph.shaped(graph.columns(x, seen), -1, planes, height, width)
    bias = graph.shaped(graph.linear(flat, "wf", "bf"), -1, net.shape["channels"], 1, 1)
    pads: dict[str, Any] = {"pads": [1, 1, 1, 1]}
    h = graph.add("Relu", graph.add("Add", graph.add("Conv", board, graph.weight("cin"), **pads), bias))
    for k in range(net.shape["blocks"]):
        inner = graph.add("Conv", h, graph.weight(f"c{k}a"), graph.weight(f"b{k}a"), **pads)
        inner = graph.add("Relu", inner)
        outer = graph.add("Conv", inner, graph.weight(f"c{k}b"), graph.weight(f"b{k}b"), **pads)
        h = graph.add("Relu", graph.add("Add", h, outer))
    pooled = [graph.add("Flatten", graph.add(kind, h)) for kind in ("GlobalAveragePool", "GlobalMaxPool")]
    tail = graph.add("Concat", *pooled, flat, axis=1)
    cells = graph.add("Flatten", graph.add("Conv", h, graph.weight("cp"), graph.weight("bp")))
    both = graph.add("Concat", cells, graph.linear(tail, "wo", "bo"), axis=1)
    order = net.cells.astype(np.int64)
    order[order >= 0] = np.argsort(turn)[order[order >= 0]]
    order[net.cells < 0] = height * width + np.arange((net.cells < 0).sum())
    hidden = graph.add("Relu", graph.linear(tail, "wv1", "bv1"))
    return graph.add("Gather", both, graph.constant(order), axis=1), graph.linear(hidden, "wv2", "bv2")


def _value(graph: _Graph, column: str) -> None:
    graph.add("Squeeze", column, graph.constant(np.array([1], np.int64)), output="value")
