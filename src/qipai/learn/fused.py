"""The elementwise parts of the loop, each a function of tensors.

They read and write far more memory than they compute, so on a GPU `compiled()` turns each into one kernel
(torch.compile). n rows, `width` of the net, A actions, W >= A bytes of a mask row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import layer_norm

EPS = 1e-5


def norm_relu(z: Tensor, bias: Tensor, gain: Tensor, shift: Tensor) -> Tensor:
    """Return relu(LayerNorm(z + bias)), (n, width), in the type of `z`; computed in float32."""
    return torch.relu(layer_norm(z.float() + bias, bias.shape, gain, shift, EPS)).to(z.dtype)


def norm_relu_add(z: Tensor, bias: Tensor, gain: Tensor, shift: Tensor, h: Tensor) -> Tensor:
    """Return h + relu(LayerNorm(z + bias)), (n, width)."""
    return h + torch.relu(layer_norm(z.float() + bias, bias.shape, gain, shift, EPS)).to(z.dtype)


def log_policy(logits: Tensor, mask: Tensor) -> Tensor:
    """Return log-probabilities (n, A), float32: -infinity, without a gradient, where `mask` (n, W) is 0."""
    actions = logits.shape[1]
    return torch.log_softmax(logits.float().masked_fill(mask[:, :actions] == 0, -torch.inf), dim=1)


def choose(logits: Tensor, mask: Tensor, noise: Tensor) -> tuple[Tensor, Tensor]:
    """Return an action (n,) int64 drawn from the policy, and its log-probability (n,).

    `noise` (n, A) is exponential with mean 1: the least noise / probability wins (the Gumbel trick).
    """
    log_p = log_policy(logits, mask)
    action = (log_p - noise.log()).argmax(1)
    return action, log_p.gather(1, action[:, None]).squeeze(1)


@dataclass(frozen=True)
class Fused:
    """The functions of this module as a run uses them: as they are, or compiled."""

    norm_relu: Callable[..., Tensor] = norm_relu
    norm_relu_add: Callable[..., Tensor] = norm_relu_add
    choose: Callable[..., tuple[Tensor, Tensor]] = choose
    wrap: Callable[[Any], Any] = lambda function: function  # for functions of other modules


def compiled() -> Fused:
    """Return the functions compiled, each for the shapes that it meets."""
    import torch._dynamo

    limits: Any = torch._dynamo.config
    for name in ("recompile_limit", "cache_size_limit"):  # the name differs between versions
        if hasattr(limits, name):
            setattr(limits, name, 64)

    def wrap(function: Any) -> Any:
        return torch.compile(function, dynamic=False)

    return Fused(wrap(norm_relu), wrap(norm_relu_add), wrap(choose), wrap)
