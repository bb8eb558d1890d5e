"""A critic that sees all hands (`critic=all`): it changes values, never what the actor is shown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.core import get  # noqa: E402
from qipai.learn.trainer import Trainer  # noqa: E402
from qipai.sim import Batch  # noqa: E402
from tests.learn.parts import tiny, trainer  # noqa: E402

HIDDEN = ("xianqi", "nana")  # hands are hidden in both


def shown(made: Trainer) -> dict[str, Any]:
    """Return everything that the actor was given and did in one segment."""
    torch.manual_seed(11)  # a critic draws its first weights from the same generator
    made.collect()
    s = made.segment
    return {name: getattr(s, name).clone() for name in ("obs", "mask", "seat", "action", "log_p", "reward")}


@pytest.mark.parametrize("name", HIDDEN)
def test_what_the_actor_sees_and_does_is_the_same_with_either_critic(name: str) -> None:
    own, full = trainer(name), trainer(name, critic="all")
    assert own.net.arrays().keys() == full.net.arrays().keys()
    for made in (own, full):  # heads that are not 0: actions depend on what is seen
        torch.manual_seed(3)
        torch.nn.init.normal_(made.net.head)
    assert full.critic is not None
    torch.nn.init.normal_(full.critic.head)
    one, other = shown(own), shown(full)
    for key, value in one.items():
        assert torch.equal(value, other[key]), key
    assert not torch.equal(own.segment.value, full.segment.value)
    assert own.segment.all_obs.numel() == 0 < full.segment.all_obs.numel()


@pytest.mark.parametrize("name", HIDDEN)
def test_the_critic_is_shown_every_seat_and_the_actor_only_its_own(name: str) -> None:
    made, game = trainer(name, critic="all", steps=4), get(name)
    counts = made.settings.seats or (game.rules.seats[0],)
    starts = [batch.state.copy() for batch in made.tables.batches]
    made.collect()
    s, length, apart = made.segment, game.observation_size, 0
    for k, count in enumerate(counts):
        lo, hi = made.tables.edges[k], made.tables.edges[k + 1]
        batch = Batch(name, hi - lo, seats=count)
        batch.state[:] = starts[k]
        batch.observe()
        for t in range(4):
            for i in range(0, hi - lo, 7):
                mover = int(batch.seat[i])
                for j in range(count):
                    found = s.all_obs[t, lo + i, j, :length].numpy()
                    wanted = game.observation_of(batch.state[i], (mover + j) % count)
                    assert (found == wanted).all(), (t, i, j)
                assert (s.obs[t, lo + i] == s.all_obs[t, lo + i, 0]).all()
                apart += int((s.all_obs[t, lo + i, 0] != s.all_obs[t, lo + i, 1]).any())
            batch.step(s.action[t, lo:hi].numpy().astype(np.int32))
    assert apart > 0


@pytest.mark.parametrize("name", HIDDEN)
def test_other_hidden_hands_change_the_critics_value_and_nothing_of_the_actor(name: str) -> None:
    """Every lane has the same state, and what its seat to move cannot know is drawn again in each."""
    made, game = trainer(name, critic="all"), get(name)
    assert made.critic is not None
    torch.nn.init.normal_(made.net.head)
    torch.nn.init.normal_(made.critic.head)
    for batch in made.tables.batches:
        batch.load(batch.state[0].copy())
        batch.redraw(batch.seat.copy())
        batch.observe()
    made.collect()
    s = made.segment
    for lo, hi in zip(made.tables.edges[:-1], made.tables.edges[1:], strict=True):
        first = s.obs[0, lo]
        assert (s.obs[0, lo:hi] == first).all() and (s.mask[0, lo:hi] == s.mask[0, lo]).all()
        assert first[: game.observation_size].any()
        with torch.no_grad():
            scores, own = made.net(s.obs[0, lo:hi])
        assert torch.allclose(scores, scores[0].expand_as(scores), atol=1e-4)
        assert torch.allclose(own, own[0].expand_as(own), atol=1e-4)
        assert (s.all_obs[0, lo:hi, 1] != s.all_obs[0, lo, 1]).any()
        assert len(s.value[0, lo:hi].unique()) > (hi - lo) // 2


def test_the_critic_learns_and_leaves_the_nets_weights_alone() -> None:
    """An update moves the critic towards its targets, and its loss has no gradient in the net."""
    made = trainer("xianqi", critic="all", steps=16, minibatch=256, epochs=8)
    assert made.critic is not None
    made.collect()
    s = made.segment
    made.learner.prepare()
    values = made.critic(s.all_obs[:-1].flatten(0, 1))
    gap = (s.weight.flatten() * (values - s.target.flatten()).square()).sum()
    gap.backward()
    assert all(p.grad is None for p in made.net.parameters())
    assert any(p.grad is not None and (p.grad != 0).any() for p in made.critic.parameters())
    made.learner.update()
    with torch.no_grad():
        after = made.critic(s.all_obs[:-1].flatten(0, 1))
        better = (s.weight.flatten() * (after - s.target.flatten()).square()).sum()
    assert better < gap


def test_the_cut_of_a_segment_is_valued_with_every_hand() -> None:
    made = trainer("xianqi", critic="all")
    assert made.critic is not None
    torch.nn.init.normal_(made.critic.head)
    made.collect()
    s = made.segment
    with torch.no_grad():
        wanted = made.critic(s.all_obs[-1])
        _, own = made.net(s.obs[-1])
    assert torch.allclose(s.value[-1], wanted) and not torch.allclose(s.value[-1], own)


def test_an_exported_net_has_nothing_of_the_critic() -> None:
    plain, full = Trainer(tiny()), Trainer(tiny(critic="all"))
    assert {k: a.shape for k, a in plain.arrays().items()} == {k: a.shape for k, a in full.arrays().items()}
    assert len(full.learner.weights) > len(plain.learner.weights)
