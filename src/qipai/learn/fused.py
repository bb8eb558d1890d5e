"""The elementwise parts of the loop, each a function of tensors.

They are bound by memory bandwidth, so on a GPU `compiled()` turns each into a few kernels
(`kernels.py`, torch.compile). n rows, `width` of the net, A actions, W >= A bytes of a mask row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import layer_norm, linear

EPS = 1e-5


def layer(h: Tensor, weight: Tensor, bias: Tensor, gain: Tensor, shift: Tensor, add: bool) -> Tensor:
    """Return relu(LayerNorm(h weight^T + bias)), plus h if `add`, (n, width), in the type of `h`.

    The norm is computed in float32. `kernels.layer` is the same function for a GPU.
    """
    z = linear(h, weight).float() + bias
    y = torch.relu(layer_norm(z, bias.shape, gain, shift, EPS))
    return (h.float() + y if add else y).to(h.dtype)


def log_policy(logits: Tensor, mask: Tensor) -> Tensor:
    """Return log-probabilities (n, A), float32; -infinity, without a gradient, if `mask` (n, W) is 0."""
    actions = logits.shape[1]
    return torch.log_softmax(logits.float().masked_fill(mask[:, :actions] == 0, -torch.inf), dim=1)


def choose(logits: Tensor, mask: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
    """Return an action (n,) int64 drawn from the policy, and its log-probability (n,).

    `noise` (n, A) is exponential with mean 1: the smallest noise / probability wins (the Gumbel trick).
    """
    log_p = log_policy(logits, mask)
    action = (log_p - noise.log()).argmax(1)
    return action, log_p.gather(1, action[:, None]).squeeze(1)


@dataclass(frozen=True)
class Fused:
    """The functions of this module as a run uses them: unchanged, or compiled."""

    layer: Callable[..., Tensor] = layer
    choose: Callable[..., tuple[Tensor, Tensor]] = choose
    wrap: Callable[[Any], Any] = lambda function: function  # for functions of other modules


def compiled() -> Fused:
    """Return the functions for a GPU: our own kernels, or compiled for the shapes that occur."""
    import torch._dynamo

    from . import kernels

    limits: Any = torch._dynamo.config
    for name in ("recompile_limit", "cache_size_limit"):  # the name differs between versions
        if hasattr(limits, name):
            setattr(limits, name, 64)

    def wrap(function: Any) -> Any:
        return torch.compile(function, dynamic=False)

    return Fused(kernels.layer, wrap(choose), wrap)
