"""One action of a match: the states around it, and whether it ends a move."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from qipai.core import NOBODY, QipaiError, rule
from qipai.core.rule import plain_function
from qipai.match import Match
from qipai.skeleton import small
from qipai.skeleton.small import apply
from tests.toys import PRIZES, SEED, random_move

DEAL = {"hands": [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]], "first": 0}


def test_act_returns_the_steps_that_a_replay_gives() -> None:
    match = Match(PRIZES, seed=SEED)
    rng = Random(2)
    made = []
    while not match.over:
        made += match.act(match.seat, random_move(match, rng))
    again = list(match.steps())
    assert [s.action for s in made] == [s.action for s in again]
    for one, other in zip(made, again, strict=True):
        assert (one.ply, one.seat) == (other.ply, other.seat)
        assert one.before.tobytes() == other.before.tobytes()
        assert one.after.tobytes() == other.after.tobytes()
        assert [one.events(v) for v in (-1, 0, 1)] == [other.events(v) for v in (-1, 0, 1)]


def test_the_last_action_of_a_move_completes_it() -> None:
    match = Match(PRIZES, seed=SEED, layout=DEAL)
    assert [step.complete for step in match.act(0, [0, 2])] == [False, True]


def test_nobody_else_is_told_of_an_unfinished_move() -> None:
    match = Match(PRIZES, seed=SEED, layout=DEAL)
    first, last = match.act(0, [0, 2])
    assert first.events(1) == first.events(-1) == []
    assert last.events(1) == last.events(-1) != []


def test_steps_share_nothing_with_the_match() -> None:
    match = Match(PRIZES, seed=SEED, layout=DEAL)
    digest = match.copy()
    digest.act(0, [0, 2])
    for step in match.act(0, [0, 2]):
        step.before["where"][:] = 0
        step.after["where"][:] = 0
    assert match.digest == digest.digest


@contextmanager
def counted(*names: str) -> Iterator[dict[str, int]]:
    """Count how often these functions of the rules are called from Python."""
    counts, rules = dict.fromkeys(names, 0), PRIZES.rules
    kept = {name: getattr(rules, name) for name in names}

    def counting(name: str) -> Any:
        def call(*arguments: Any) -> Any:
            counts[name] += 1
            return kept[name](*arguments)

        return call

    try:
        for name in names:
            object.__setattr__(rules, name, counting(name))
        yield counts
    finally:
        for name, function in kept.items():
            object.__setattr__(rules, name, function)


def test_an_action_is_one_compiled_call_and_nothing_is_narrated_before_somebody_asks() -> None:
    match = Match(PRIZES, seed=SEED, layout=DEAL)
    with counted("legal", "apply", "narrate") as counts:
        match.legal(0)
        match.act(0, [0, 2])
        match.legal(1)
        assert counts == {"legal": 0, "apply": 0, "narrate": 0}
        assert len(match.events(1)) > 1
        assert counts["narrate"] > 0


def test_a_refused_move_leaves_the_position_as_it_was() -> None:
    match = Match(PRIZES, seed=SEED, layout=DEAL)
    legal, digest = match.legal(0), match.digest
    for actions in ([0, 0], [0], [0, 2, 4], [0, 1]):
        with pytest.raises(QipaiError):
            match.act(0, actions)
        assert (match.legal(0), match.digest, match.ply) == (legal, digest, 0)


@rule
def divides(s: Any, action: int) -> None:
    """Divide by zero when the hand is over."""
    apply(s, action)
    s.cut = 1 // (int(s.seat) - NOBODY) * 0


@pytest.mark.slow
def test_an_error_in_the_rules_names_game_and_line() -> None:
    """Compiled code raises without a line."""
    match = Match(replace(small.GAME, rules=replace(small.GAME.rules, apply=divides)), seed=SEED)
    match.act(0, 0)
    before = match.state.tobytes()
    with pytest.raises(ZeroDivisionError) as caught:
        match.act(1, 0)
    line = plain_function(divides).__code__.co_firstlineno + 4
    assert caught.value.__notes__ == [f"in the rules of skeleton (test_step.py, line {line})"]
    assert match.state.tobytes() == before
