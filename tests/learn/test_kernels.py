"""The GPU's layer against one made of PyTorch's functions, forward and backward.

Without a GPU the kernels run in Triton's interpreter, where Triton is installed.
"""

from __future__ import annotations

import importlib.util
import os
from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")
if importlib.util.find_spec("triton") is None:
    pytest.skip("Triton is not installed: it comes with PyTorch for CUDA", allow_module_level=True)
if not torch.cuda.is_available():
    os.environ["TRITON_INTERPRET"] = "1"

from qipai.learn import fused, kernels  # noqa: E402

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


@pytest.mark.parametrize("add", [False, True])
@pytest.mark.parametrize(("rows", "width"), [(1, 512), (37, 96), (70, 32)])
def test_a_layer_and_its_gradients_are_those_of_pytorch(
    rows: int, width: int, add: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "PROGRAMS", 5)  # so that a program has several turns
    torch.manual_seed(rows)
    inputs = width if add else 40
    shapes = ((rows, inputs), (width, inputs), (width,), (width,), (width,))
    given = [torch.randn(*shape, device=DEVICE) for shape in shapes]
    given[1] /= inputs**0.5
    wanted = grads(fused.layer, given, add)
    for found, exact in zip(grads(kernels.layer, given, add), wanted, strict=True):
        scale = exact.abs().max() + 1e-6
        assert ((found - exact).abs().max() / scale).item() < 2e-3


def grads(layer: Any, given: list[Any], add: bool) -> list[Any]:
    """Return the output and the gradients of a weighted sum of it."""
    parts = [t.clone().requires_grad_(True) for t in given]
    out = layer(*parts, add)
    weights = torch.linspace(-1, 1, out.numel(), device=DEVICE).view(out.shape)
    (out * weights).sum().backward()
    return [out.detach(), *(p.grad for p in parts)]


def test_a_gradient_that_is_not_wanted_is_not_computed() -> None:
    h = torch.randn(8, 16, device=DEVICE)
    weight = torch.randn(32, 16, device=DEVICE, requires_grad=True)
    rest = [torch.randn(32, device=DEVICE, requires_grad=True) for _ in range(3)]
    layer: Any = kernels.layer
    layer(h, weight, *rest, False).sum().backward()
    assert h.grad is None and weight.grad is not None
