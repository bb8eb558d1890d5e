"""Credit assignment against its naive twin, over games of random shape."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.naive import credit as naive

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.learn.credit import credit  # noqa: E402


def both(steps: int, lanes: int, seats: int, ends: float, seed: int, discount: float, trace: float) -> None:
    rng = np.random.default_rng(seed)
    reward = rng.normal(size=(steps, lanes, seats)) * (rng.random((steps, lanes, seats)) < 0.5)
    done = rng.random((steps, lanes)) < ends
    seat = rng.integers(0, seats, (steps, lanes))
    value = rng.normal(size=(steps, lanes))
    last_seat, last_value = rng.integers(0, seats, lanes), rng.normal(size=lanes)
    given = (reward, done, seat, value, last_seat, last_value)
    expected, expected_known = naive.credit(*given, discount, trace)
    fast: Any = credit
    found, known = fast(*(torch.from_numpy(a) for a in given), discount, trace)
    assert (known.numpy() == expected_known).all()
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-9)


@pytest.mark.parametrize("seats", [1, 2, 3, 6])
@pytest.mark.parametrize("ends", [0.0, 0.05, 0.4])
def test_credit_equals_the_naive_twin(seats: int, ends: float) -> None:
    for seed in range(4):
        both(steps=17, lanes=9, seats=seats, ends=ends, seed=seed, discount=1.0, trace=0.95)
        both(steps=17, lanes=9, seats=seats, ends=ends, seed=seed, discount=0.9, trace=0.5)


def line(
    reward: list[list[float]], done: list[int], seat: list[int], value: list[float], cut: tuple[int, float]
) -> list[float | None]:
    """Return the advantages of one lane with discount 1 and trace 1, None where unknown."""
    tensors = (torch.tensor(reward)[:, None], torch.tensor(done)[:, None], torch.tensor(seat)[:, None])
    ends = (torch.tensor([cut[0]]), torch.tensor([cut[1]]))
    found, known = credit(*tensors, torch.tensor(value)[:, None], *ends, 1.0, 1.0)
    return [round(float(a), 5) if k else None for a, k in zip(found[:, 0], known[:, 0], strict=True)]


def test_a_reward_on_an_opponents_move_counts_for_the_decision_before() -> None:
    found = line([[0, 0], [5, -5]], [0, 1], [0, 1], [1.0, 2.0], (0, 9.0))
    assert found == [4.0, -7.0]


def test_at_the_cut_only_the_seat_that_decides_there_counts_on_its_value() -> None:
    assert line([[0, 0], [0, 0]], [0, 0], [0, 1], [1.0, 2.0], (0, 3.5)) == [2.5, None]


def test_a_decision_before_one_that_is_left_out_still_counts_on_its_value() -> None:
    assert line([[0, 0], [0, 0], [1, 0]], [0, 0, 0], [1, 1, 0], [1.0, 4.0, 0.0], (0, 3.0)) == [3.0, None, 4.0]


def test_nothing_crosses_the_end_of_a_game() -> None:
    found = line([[1, 0], [7, 7]], [1, 0], [0, 0], [0.0, 2.0], (0, 50.0))
    assert found == [1.0, 55.0]
