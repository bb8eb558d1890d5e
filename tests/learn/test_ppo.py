"""The update: terms of the loss, Adam, and what does not count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.learn.ppo import Adam, divergence, terms  # noqa: E402
from tests.learn.parts import trainer  # noqa: E402


def rows(n: int = 64, actions: int = 5, seed: int = 0) -> dict[str, Any]:
    rng = torch.Generator().manual_seed(seed)
    mask = torch.zeros(n, 32, dtype=torch.uint8)
    mask[:, :actions] = (torch.rand(n, actions, generator=rng) < 0.6).to(torch.uint8)
    mask[:, 0] = 1
    return {
        "logits": torch.randn(n, actions, generator=rng),
        "value": torch.randn(n, generator=rng),
        "mask": mask,
        "action": torch.zeros(n, dtype=torch.int64),
        "log_p": -torch.rand(n, generator=rng),
        "advantage": torch.randn(n, generator=rng),
        "target": torch.randn(n, generator=rng),
        "weight": (torch.rand(n, generator=rng) < 0.7).float(),
    }


def test_the_terms_are_those_of_ppo_row_by_row() -> None:
    given = rows()
    found = terms(**given, clip=0.2)
    sums = np.zeros(5)
    for i in range(64):
        if given["weight"][i] == 0:
            continue
        legal = given["mask"][i, :5].numpy() != 0
        z = given["logits"][i].numpy()[legal].astype(np.float64)
        p = np.exp(z) / np.exp(z).sum()
        change = np.log(p[0]) - float(given["log_p"][i])
        ratio, good = np.exp(change), float(given["advantage"][i])
        gap = abs(float(given["value"][i] - given["target"][i]))
        sums += (
            -min(ratio * good, np.clip(ratio, 0.8, 1.2) * good),
            0.5 * gap * gap if gap < 1 else gap - 0.5,
            -(p * np.log(p)).sum(),
            ratio - 1 - change,
            abs(ratio - 1) > 0.2,
        )
    np.testing.assert_allclose(found, sums / float(given["weight"].sum()), rtol=1e-4)


def test_rows_without_weight_and_masked_actions_have_no_gradient() -> None:
    given = rows()
    for name in ("logits", "value"):
        given[name].requires_grad_(True)
    found = terms(**given, clip=0.2)
    (found[0] + found[1] - 0.1 * found[2]).backward()
    without = given["weight"] == 0
    assert (given["logits"].grad[without] == 0).all() and (given["value"].grad[without] == 0).all()
    assert (given["logits"].grad[given["mask"][:, :5] == 0] == 0).all()
    assert torch.isfinite(given["logits"].grad).all() and given["logits"].grad.abs().sum() > 0


def test_the_divergence_is_zero_at_the_reference_and_positive_elsewhere() -> None:
    given = rows()
    parts = (given["mask"], given["weight"])
    assert float(divergence(given["logits"], given["logits"], *parts)) == pytest.approx(0, abs=1e-6)
    assert float(divergence(given["logits"], 0 * given["logits"], *parts)) > 0.01


def test_adam_is_pytorchs() -> None:
    torch.manual_seed(0)
    ours = torch.randn(6)
    leaf = ours.clone().requires_grad_(True)
    theirs = torch.nn.Parameter(ours.clone())
    other = torch.optim.Adam([theirs], lr=0.01)
    flat = leaf.detach()
    adam = Adam(flat, [leaf], limit=1e9)
    for k in range(5):
        wanted = torch.arange(6.0) * k
        adam.step(((leaf - wanted) ** 2).sum(), torch.tensor(0.01))
        other.zero_grad()
        ((theirs - wanted) ** 2).sum().backward()
        other.step()
    assert torch.allclose(leaf.detach(), theirs.detach(), atol=1e-6)


def test_a_long_gradient_is_cut_to_the_limit() -> None:
    leaf = torch.zeros(3, requires_grad=True)
    adam = Adam(leaf.detach(), [leaf], limit=0.5)
    norm = adam.step((leaf * torch.tensor([3.0, 4.0, 0.0])).sum(), torch.tensor(0.0))
    assert float(norm) == pytest.approx(5)
    assert float(adam.mean.norm()) == pytest.approx(0.05, rel=1e-3)


def test_advantages_are_normalised_over_the_rows_that_count() -> None:
    made = trainer(steps=16, outlier=1e9)
    made.rollout.run()
    made.learner.prepare()
    s = made.segment
    counted = s.advantage[s.weight > 0]
    assert abs(float(counted.mean())) < 0.05
    assert float(counted.std()) == pytest.approx(1, abs=0.1)
    assert 0 < float(s.weight.sum()) < s.rows


def test_a_critic_that_sees_everything_learns_beside_the_net() -> None:
    made = trainer(critic="all")
    before = made.learner.weights.clone()
    for _ in range(2):
        made.iterate()
    assert torch.isfinite(made.learner.weights).all()
    assert not torch.equal(made.learner.weights, before)
    assert not any(name.startswith("critic") for name in made.net.arrays())
