"""One segment and one update of every game, with the kind of net and the seats that its runs use."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.core import get  # noqa: E402
from qipai.core.registry import OURS  # noqa: E402
from qipai.learn.nets import Conv, Mlp  # noqa: E402
from qipai.learn.settings import defaults  # noqa: E402
from qipai.learn.trainer import Trainer  # noqa: E402
from qipai.sim import Batch  # noqa: E402

TINY: dict[str, Any] = {"width": 16, "layers": 2, "channels": 4, "blocks": 1, "lanes": 16, "steps": 4}


@pytest.mark.parametrize("name", OURS)
def test_one_iteration_of_training(name: str) -> None:
    settings = defaults(name, "cpu", **TINY, minibatch=32, league=0.0)
    made = Trainer(settings)
    made.prepare()
    assert isinstance(made.net, Conv if settings.net == "conv" else Mlp)
    counts = settings.seats or (get(name).rules.seats[0],)
    before = made.learner.weights.clone()
    replay = [b.state.copy() for b in made.tables.batches]
    made.iterate()

    s = made.segment
    assert made.decisions == 64 and made.updates == 1
    assert (s.mask[:-1].gather(2, s.action[..., None]) == 1).all(), "an illegal action was chosen"
    for k, count in enumerate(counts):  # every row is what the rules show for these actions
        lo, hi = made.tables.edges[k], made.tables.edges[k + 1]
        batch = Batch(name, hi - lo, seats=count)
        batch.state[:] = replay[k]
        batch.observe()
        for t in range(4):
            assert (s.obs[t, lo:hi, : batch.obs.shape[1]].numpy() == batch.obs).all()
            assert (s.seat[t, lo:hi].numpy() == batch.seat).all() and int(s.seat[t, lo:hi].max()) < count
            batch.step(s.action[t, lo:hi].numpy().astype(np.int32))
            paid = s.reward[t, lo:hi, :count] * made.rollout.scale
            assert np.allclose(paid.numpy(), batch.reward, atol=1e-3)
    assert (s.log_p <= 0).all() and torch.isfinite(s.log_p).all()

    assert torch.isfinite(made.learner.weights).all() and not torch.equal(made.learner.weights, before)
    log = made.log()
    assert log["entropy"] > 0 and all(np.isfinite(value) for value in log.values())
    assert {a.dtype for a in made.arrays().values()} == {np.dtype(np.float32)}
