"""The elementwise parts: masks, choice and norms."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.learn import fused  # noqa: E402


def test_a_masked_action_has_probability_0_and_no_gradient() -> None:
    logits = torch.randn(50, 7, requires_grad=True)
    mask = torch.zeros(50, 32, dtype=torch.uint8)
    mask[:, :7] = torch.from_numpy((np.random.default_rng(0).random((50, 7)) < 0.5).astype(np.uint8))
    mask[:, 3] = 1
    log_p = fused.log_policy(logits, mask)
    legal = mask[:, :7] != 0
    assert (log_p.exp()[~legal] == 0).all()
    assert torch.allclose(log_p.exp().sum(1), torch.ones(50))
    chosen = torch.full((50, 1), 3)
    (log_p.gather(1, chosen).sum() - (log_p.exp() * torch.where(legal, log_p, 0.0)).sum()).backward()
    assert torch.isfinite(logits.grad).all()
    assert (logits.grad[~legal] == 0).all()
    assert (logits.grad[legal & (legal.sum(1, keepdim=True) > 1)] != 0).any()


def test_choices_follow_the_policy_and_are_legal() -> None:
    torch.manual_seed(0)
    n = 40_000
    logits = torch.tensor([0.0, 1.0, 2.0, 9.0]).repeat(n, 1)
    mask = torch.tensor([1, 1, 1, 0], dtype=torch.uint8).repeat(n, 1)
    action, log_p = fused.choose(logits, mask, torch.empty(n, 4).exponential_())
    wanted = torch.softmax(torch.tensor([0.0, 1.0, 2.0]), 0)
    shares = torch.bincount(action, minlength=4) / n
    assert shares[3] == 0
    assert (shares[:3] - wanted).abs().max() < 0.012
    assert torch.allclose(log_p.exp(), wanted[action])


def test_a_layer_is_relu_of_layer_norm_with_biased_variance() -> None:
    h, weight, bias, gain, shift = (torch.randn(*s) for s in ((5, 8), (8, 8), (8,), (8,), (8,)))
    x = h @ weight.T + bias
    wanted = (x - x.mean(1, keepdim=True)) / (x.var(1, correction=0, keepdim=True) + 1e-5).sqrt()
    wanted = (wanted * gain + shift).relu()
    assert torch.allclose(fused.layer(h, weight, bias, gain, shift, False), wanted, atol=1e-5)
    assert torch.allclose(fused.layer(h, weight, bias, gain, shift, True), h + wanted, atol=1e-5)
