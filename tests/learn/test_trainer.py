"""The loop as a whole, on the CPU."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from tests.learn.parts import trainer  # noqa: E402


def test_the_same_seed_gives_the_same_weights() -> None:
    ends = []
    for seed in (1, 1, 2):
        made = trainer(seed=seed)
        for _ in range(2):
            made.iterate()
        assert made.decisions == 2 * 64 * 8
        ends.append(made.learner.weights)
    assert torch.equal(ends[0], ends[1])
    assert not torch.equal(ends[0], ends[2])


def test_schedules_fall_from_their_first_to_their_last_value() -> None:
    made = trainer(rate=1e-3, rate_end=1e-4, entropy=0.04, entropy_end=0.01, kl=0.5, kl_end=0.1)
    for share, wanted in ((0.0, (1e-3, 0.04, 0.5)), (0.5, (5.5e-4, 0.02, 0.3)), (2.0, (1e-4, 0.01, 0.1))):
        made.set_progress(share)
        assert made.learner.knobs.tolist() == pytest.approx(wanted)


def test_an_unknown_payoff_scale_is_measured() -> None:
    made = trainer(scale=0.0, steps=32, minibatch=256)
    assert 1.0 < float(made.rollout.scale) < 20


def test_a_run_that_keeps_to_its_reference_moves_less() -> None:
    from qipai.core import get
    from qipai.learn.nets import Raw
    from qipai.learn.trainer import Trainer
    from tests.learn.parts import tiny

    shifts = []
    for kl in (0.0, 20.0):
        made = Trainer(tiny(kl=kl, kl_end=kl), columns=Raw.of(get("xianqi")), reference=True)
        for _ in range(6):
            made.iterate()
        shifts.append(made.learner.log()["kl"])
    assert shifts[1] < 0.5 * shifts[0]
