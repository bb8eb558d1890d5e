"""The match layer under a hundredth of the stated number of inputs."""

from __future__ import annotations

import os
from typing import Any

import pytest

from qipai.match import Match
from qipai.match.record import read_bytes
from tests.fuzz import match_files

COUNT = 10_000


def test_every_input_is_accepted_or_refused_by_name() -> None:
    tally = match_files.run(COUNT, seed=2024)
    assert tally["inputs"] == COUNT == sum(n for key, n in tally.items() if key != "inputs")
    for door in ("act", "load", "text", "file"):
        assert tally[f"{door} accepted"] > COUNT // 1000
    for code in ("seat/bad", "match/over", "match/stale", "action/turn", "action/illegal"):
        assert tally[f"act refused {code}"] > COUNT // 200
    for door in ("load", "text", "file"):
        assert tally[f"{door} refused record/bad"] > COUNT // 100


def test_another_exception_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipai.match.match.short", repr)  # which a huge number breaks
    with pytest.raises(AssertionError, match=r"seed 1, input .*ValueError"):
        match_files.run(COUNT, seed=1)


def test_a_refusal_that_changes_the_match_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    act = Match.act

    def careless(self: Match, *args: Any) -> None:
        try:
            act(self, *args)
        except Exception:
            self._state["ply"] += 1
            raise

    monkeypatch.setattr(Match, "act", careless)
    with pytest.raises(AssertionError, match="the match has changed"):
        match_files.run(COUNT, seed=1)


def test_a_refusal_that_changes_the_file_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(fd: int, path: Any) -> bytes:
        data = read_bytes(fd, path)
        os.ftruncate(fd, 0)
        return data

    monkeypatch.setattr("qipai.match.writer.read_bytes", careless)
    with pytest.raises(AssertionError, match="file"):
        match_files.run(COUNT, seed=1)
