"""A contender in a separate process: it plays on request, and reports why it cannot."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from qipai.bench import worker
from qipai.bench.peers import MAKERS, Contender

OURS = Contender("qipai", "nana", False, (), "qipai")
PEER = Contender("RLCard", "uno", True, ("nana",), "rlcard")


def answers(*lines: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    worker.serve(io.StringIO("\n".join(lines) + "\n"), out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_worker_plays_when_told_and_counts_what_it_played() -> None:
    told = answers(json.dumps(vars(OURS)), "0.02", "0.02")
    assert told[0] == {"ready": True} and len(told) == 3
    assert all(t["decisions"] >= 1024 and t["seconds"] >= 0.02 for t in told[1:])


def test_a_worker_that_cannot_play_says_why() -> None:
    missing = Contender("Nobody", "x", False, (), "nowhere")
    assert answers(json.dumps(vars(missing))) == [{"failed": "KeyError: 'nowhere'"}]


def test_a_worker_that_fails_while_it_plays_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(contender: Contender) -> Any:
        lengths = iter([(1, 0.01), (5, 0.02)])
        return lambda seconds: next(lengths)

    monkeypatch.setitem(MAKERS, "qipai", make)
    told = answers(json.dumps(vars(OURS)), "0.02", "0.02", "0.02")
    assert told == [{"ready": True}, {"decisions": 5, "seconds": 0.02}, {"failed": "StopIteration: "}]
