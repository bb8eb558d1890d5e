"""A layer of the MLP on a GPU: one Triton kernel forward and one backward around cuBLAS's products.

LayerNorm's gradient as PyTorch and torch.compile compute it reads and writes four times as many bytes as
necessary. Here the backward kernel reads the product and the incoming gradient once and writes one gradient.
The function is that of `fused.layer`; n rows, `width` columns.
"""

from __future__ import annotations

from typing import Any

import torch
import triton
import triton.language as tl
from torch import Tensor

from .fused import EPS

# Rows per step and warps of a program, measured on an H200 for 65,536 rows of 512: 52 us forward and 79 us
# backward (4 rows and 4 warps backward: 282).
FORWARD_ROWS, BACKWARD_ROWS, WARPS = 4, 2, 2
PROGRAMS = 1056  # of the backward kernel: each sums its rows' gradients of bias, gain and shift


@triton.jit
def forward_kernel(
    z, h, bias, gain, shift, out, n, width, eps, ADD: tl.constexpr, R: tl.constexpr, C: tl.constexpr
):
    """Write relu(LayerNorm(z + bias)), plus h if ADD, for R rows of at most C columns."""
    row = tl.program_id(0) * R + tl.arange(0, R)
    col = tl.arange(0, C)
    there = col < width
    inside = (row < n)[:, None] & there[None, :]
    at = row[:, None].to(tl.int64) * width + col[None, :]
    x = tl.load(z + at, mask=inside, other=0.0).to(tl.float32)
    x += tl.load(bias + col, mask=there, other=0.0)[None, :]
    mean = tl.sum(x, axis=1) / width
    x = tl.where(there[None, :], x - mean[:, None], 0.0)
    scale = tl.rsqrt(tl.sum(x * x, axis=1) / width + eps)
    y = x * scale[:, None] * tl.load(gain + col, mask=there, other=0.0)[None, :]
    y = tl.maximum(y + tl.load(shift + col, mask=there, other=0.0)[None, :], 0.0)
    if ADD:
        y += tl.load(h + at, mask=inside, other=0.0).to(tl.float32)
    tl.store(out + at, y.to(out.dtype.element_ty), mask=inside)


@triton.jit
def backward_kernel(
    z, grad, bias, gain, shift, dz, sums, n, width, eps, TURNS: tl.constexpr, R: tl.constexpr, C: tl.constexpr
):
    """Write the gradient of z, R rows per iteration, and this program's sums (3, width) for the vectors."""
    program, programs = tl.program_id(0), tl.num_programs(0)
    col = tl.arange(0, C)
    there = col < width
    b = tl.load(bias + col, mask=there, other=0.0)[None, :]
    g = tl.load(gain + col, mask=there, other=0.0)[None, :]
    s = tl.load(shift + col, mask=there, other=0.0)[None, :]
    to_bias = tl.zeros((C,), tl.float32)
    to_gain = tl.zeros((C,), tl.float32)
    to_shift = tl.zeros((C,), tl.float32)
    for turn in range(TURNS):
        row = (turn * programs + program) * R + tl.arange(0, R)
        inside = (row < n)[:, None] & there[None, :]
        at = row[:, None].to(tl.int64) * width + col[None, :]
        x = tl.load(z + at, mask=inside, other=0.0).to(tl.float32) + b
        d = tl.load(grad + at, mask=inside, other=0.0).to(tl.float32)
        mean = tl.sum(x, axis=1) / width
        x = tl.where(there[None, :], x - mean[:, None], 0.0)
        scale = tl.rsqrt(tl.sum(x * x, axis=1) / width + eps)[:, None]
        x *= scale
        d = tl.where(x * g + s > 0.0, d, 0.0)
        to_gain += tl.sum(d * x, axis=0)
        to_shift += tl.sum(d, axis=0)
        d *= g
        along = tl.sum(d * x, axis=1) / width
        d = scale * (d - (tl.sum(d, axis=1) / width)[:, None] - x * along[:, None])
        d = tl.where(inside, d, 0.0)
        to_bias += tl.sum(d, axis=0)
        tl.store(dz + at, d.to(dz.dtype.element_ty), mask=inside)
    own = sums + program * 3 * width + col
    tl.store(own, to_bias, mask=there)
    tl.store(own + width, to_gain, mask=there)
    tl.store(own + 2 * width, to_shift, mask=there)


class Layer(torch.autograd.Function):
    """`fused.layer` with its own gradient."""

    @staticmethod
    def forward(
        ctx: Any, h: Tensor, weight: Tensor, bias: Tensor, gain: Tensor, shift: Tensor, add: bool
    ) -> Tensor:
        """Return relu(LayerNorm(h weight^T + bias)), plus h if `add`, (n, width)."""
        z = h @ weight.T
        n, width = z.shape
        out = torch.empty_like(z)
        columns = triton.next_power_of_2(width)
        forward_kernel[(triton.cdiv(n, FORWARD_ROWS),)](
            z, h, bias, gain, shift, out, n, width, EPS, ADD=add, R=FORWARD_ROWS, C=columns, num_warps=WARPS
        )
        ctx.save_for_backward(h, weight, z, bias, gain, shift)
        ctx.add = add
        return out

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor | None, ...]:
        """Return the gradients of h (if it has one), weight, bias, gain and shift."""
        h, weight, z, bias, gain, shift = ctx.saved_tensors
        grad = grad.contiguous()
        n, width = z.shape
        programs = min(PROGRAMS, triton.cdiv(n, BACKWARD_ROWS))
        dz = torch.empty_like(z)
        sums = torch.empty(programs, 3 * width, dtype=torch.float32, device=z.device)
        columns = triton.next_power_of_2(width)
        turns = triton.cdiv(n, programs * BACKWARD_ROWS)
        parts = (z, grad, bias, gain, shift, dz, sums, n, width, EPS)
        backward_kernel[(programs,)](*parts, TURNS=turns, R=BACKWARD_ROWS, C=columns, num_warps=WARPS)
        to_bias, to_gain, to_shift = sums.sum(0).view(3, width)
        to_h = None
        if ctx.needs_input_grad[0]:
            to_h = torch.addmm(grad, dz, weight) if ctx.add else dz @ weight
        return to_h, dz.T @ h, to_bias, to_gain, to_shift, None


def layer(h: Tensor, weight: Tensor, bias: Tensor, gain: Tensor, shift: Tensor, add: bool) -> Tensor:
    """Return relu(LayerNorm(h weight^T + bias)), plus h if `add`, (n, width)."""
    return Layer.apply(h, weight, bias, gain, shift, add)
