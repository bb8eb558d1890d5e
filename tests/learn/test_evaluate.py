"""Contests of nets against agents."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from qipai.bots.net import Encoding, cells_of, export_net
from qipai.bots.net.shapes import parts_of
from qipai.core import get
from qipai.learn.evaluate import Examination, Question, examine, processes, questions_of


def write_net(path: Path, seed: int = 1) -> Path:
    """Return a net of xianqi with random weights."""
    game, rng = get("xianqi"), np.random.default_rng(seed)
    encoding, net = Encoding.of(game), {"kind": "mlp", "width": 16, "layers": 1}
    parts = parts_of(net, encoding, cells_of(game))
    arrays = {name: rng.normal(0, 0.1, part.shape).astype(np.float32) for name, part in parts.items()}
    export_net(path, game, net, arrays, encoding)
    return path


def test_a_net_meets_an_agent_on_the_same_deals_in_every_seat(tmp_path: Path) -> None:
    path = str(write_net(tmp_path / "a.qnet"))
    found = examine("xianqi", path, Question("random", deals=6), seconds=600)
    assert found is not None and found.deals == 6
    assert found.standings["games"] == 18
    assert {tuple(s) for s in found.standings["seatings"]} == {
        ("net", "random", "random"),
        ("random", "net", "random"),
        ("random", "random", "net"),
    }
    assert abs(3 * found.chips - 2 * found.over) < 1e-4  # chips go from seat to seat


def test_other_processes_find_the_same_result(tmp_path: Path) -> None:
    path = str(write_net(tmp_path / "a.qnet"))
    alone = examine("xianqi", path, Question("random", deals=4), seconds=600)
    pool = processes(1)
    try:
        thread = Examination("xianqi", path, [Question("random", deals=4)], 600, pool, 1)
        thread.start()
        thread.join()
    finally:
        pool.shutdown()
    assert thread.error == ""
    assert thread.found == [alone]


def test_an_examination_that_fails_says_why(tmp_path: Path) -> None:
    (tmp_path / "b.qnet").write_bytes(b"nothing")
    pool = processes(1)
    try:
        thread = Examination("xianqi", str(tmp_path / "b.qnet"), [Question("random")], 5, pool, 1)
        thread.run()
    finally:
        pool.shutdown()
    assert "BadWeights" in thread.error and thread.found == []


def test_every_agent_is_asked_about_at_every_number_of_seats() -> None:
    asked = [f"{name}-{seats}" for name in ("forgetful", "hard", "exact") for seats in (2, 4)]
    assert [q.label for q in questions_of(get("nana"), (2, 4))] == asked
    assert [q.label for q in questions_of(get("xianqi"))] == ["heuristic"]
