"""Segments of self-play on a batch."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.core import get  # noqa: E402
from qipai.core.errors import BadTraining  # noqa: E402
from qipai.sim import Batch  # noqa: E402
from tests.learn.parts import trainer  # noqa: E402


def test_a_segment_replays_in_a_batch_of_the_same_seed() -> None:
    """Every stored row is what the batch showed, and every reward what it paid, step by step."""
    made = trainer(steps=12, scale=4.0)
    made.rollout.run()
    s, batch = made.segment, Batch("xianqi", 64, seed=made.settings.seed)
    length = get("xianqi").observation_size
    for t in range(12):
        assert (s.obs[t, :, :length].numpy() == batch.obs).all()
        assert (s.mask[t].numpy() == batch.mask).all()
        assert (s.seat[t].numpy() == batch.seat).all()
        batch.step(s.action[t].numpy().astype(np.int32))
        assert np.allclose(s.reward[t].numpy() * 4, batch.reward)
        assert (s.done[t].numpy() == batch.done).all()
    assert (s.obs[12, :, :length].numpy() == batch.obs).all()
    assert s.done.sum() > 0


def test_log_probabilities_and_values_are_those_of_the_net() -> None:
    made = trainer()
    made.iterate()
    made.rollout.run()
    s = made.segment
    logits, value = made.net(s.obs[3])
    legal = s.mask[3][:, : made.net.actions] != 0
    log_p = torch.log_softmax(logits.masked_fill(~legal, -torch.inf), 1)
    assert torch.allclose(s.log_p[3], log_p.gather(1, s.action[3][:, None]).squeeze(1), atol=1e-5)
    assert torch.allclose(s.value[3], value, atol=1e-5)


def test_tables_of_several_sizes_lie_side_by_side() -> None:
    made = trainer("nana", seats=(2, 4))
    made.rollout.run()
    s = made.segment
    assert s.reward.shape[2] == 4
    assert int(s.seat[:, :32].max()) == 1 and int(s.seat[:, 32:].max()) == 3
    assert (s.reward[:, :32, 2:] == 0).all()


def test_lanes_that_cannot_be_shared_evenly_are_refused() -> None:
    with pytest.raises(BadTraining, match="64 lanes"):
        trainer("nana", seats=(2, 3, 4))


def test_in_the_lanes_of_a_league_one_seat_learns() -> None:
    made = trainer(league=0.5)
    made.rollout.run()
    s, chair = made.segment, made.rollout.chair
    assert (chair[:32] == -1).all() and set(chair[32:].tolist()) == {0, 1, 2}
    assert s.own[:, :32].all()
    assert (s.own[:, 32:] == (s.seat[:-1, 32:] == chair[32:])).all()
    made.learner.prepare()
    assert (s.weight[~s.own] == 0).all()
