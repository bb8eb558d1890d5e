"""Edges and examples: what is declared, what is taken, and by whom."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qipai.core import Example
from qipai.testing import Property, check_game
from tests.toys_check import faults, hush
from tests.toys_check.faults import broken
from tests.toys_check.hush import BURYING, EDGES, INIT, OVER, SCORING, TURN

from .breaking import breaks


def test_every_declared_edge_is_seen_in_the_healthy_game() -> None:
    report = check_game(hush.GAME, games=60, only=[Property.EDGES])
    assert report.edges == set(EDGES)


@pytest.mark.parametrize("edge", EDGES)
def test_an_undeclared_edge_is_found(edge: tuple[int, int]) -> None:
    game = broken(edges=tuple(e for e in EDGES if e != edge))
    a, b = (hush.Phase(p).name for p in edge)
    breaks(game, Property.EDGES, f"{a} -> {b} is not declared", games=60, options=None)


@pytest.mark.parametrize("edge", [(BURYING, OVER), (TURN, INIT)])
def test_an_edge_that_nobody_takes_is_found(edge: tuple[int, int]) -> None:
    game = broken(edges=(*EDGES, edge))
    a, b = (hush.Phase(p).name for p in edge)
    breaks(game, Property.EDGES, f"and the examples: {a} -> {b}", games=60, options=None)


def test_an_example_takes_the_edge_that_random_games_miss() -> None:
    rare = broken(deal=faults.deal_clean)
    missed = replace(rare, checks=replace(rare.checks, examples=()))
    breaks(missed, Property.EDGES, "the examples: INIT -> SCORING", games=60, options=None)
    report = check_game(rare, games=60, only=[Property.EDGES])
    assert (INIT, SCORING) in report.edges


def test_a_phase_changed_without_goto_is_found() -> None:
    jumps = broken(apply=faults.apply_jumps)
    breaks(jumps, Property.EDGES, "TURN -> BURYING was not made by goto", games=30)


@pytest.mark.parametrize(
    ("example", "text"),
    [
        (Example("buries what it has not", {"hand": hush.HANDS}, (4,), seats=3), "action 4 is not legal"),
        (Example("acts after the end", {"hand": hush.HANDS, "misdeal": True}, (0,), seats=3), "is not legal"),
        (Example("an illegal action", {"hand": hush.HANDS}, (99,), seats=3), "action 99 is not legal"),
        (Example("an invalid layout", {"cards": []}, seats=3), "BadLayout"),
    ],
)
def test_an_example_that_does_not_replay_is_found(example: Example, text: str) -> None:
    breaks(broken(examples=(example,)), Property.EXAMPLES, text)


def test_examples_of_a_game_without_layouts_are_found() -> None:
    breaks(broken(lay_out=None), Property.EXAMPLES, "the game takes no layouts")
