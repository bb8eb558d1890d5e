"""Stepping through a match from any of its forms."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from qipai.core import same
from qipai.core.errors import BadRecord
from qipai.match import Match, RecordWriter, as_match, read_record, replay
from tests.toys import PRIZES, SEED, play


def test_the_steps_are_the_actions_with_their_states(tmp_path: Path) -> None:
    match = play(Match(PRIZES, seed=SEED), Random(1))
    RecordWriter(tmp_path / "m.jsonl", match, sync=False).close()
    for source in (match, match.dump(), read_record(tmp_path / "m.jsonl")):
        steps = list(replay(source))
        assert [step.ply for step in steps] == list(range(12))
        assert [(s.seat, s.action) for s in steps] == [(seat, a) for seat, acts in match.moves for a in acts]
        for step in steps:
            assert same(step.after, match.at(step.ply + 1))
            assert step.before["where"].tolist() == match.at(step.ply)["where"].tolist()
        assert [step.complete for step in steps] == [False, True, False, True] + [True] * 8


def test_the_events_of_all_steps_are_those_of_the_match() -> None:
    match = play(Match(PRIZES, seed=SEED), Random(1))
    for seat in (-1, 0, 1):
        told = [event for step in match.steps() for event in step.events(seat)]
        assert told == match.events(seat)[1:]


def test_what_does_not_replay_is_refused_before_the_first_step() -> None:
    doc = play(Match(PRIZES, seed=SEED), Random(1)).dump()
    bad: list[Any] = [None, 7, "file", [], {}, {**doc, "moves": doc["moves"][:-1]}]
    for source in bad:
        with pytest.raises(BadRecord):
            replay(source)


def test_a_match_is_its_own_form() -> None:
    match = Match(PRIZES)
    assert as_match(match) is match
