"""Whether a ladder with another seed keeps the order of the pairs that are separated."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from qipai.arena.compare import compare
from qipai.arena.files import add_line, open_lines
from qipai.arena.ladder import Deal, Ladder
from qipai.core.errors import BadContest

AGENTS = ("random", "repeater", "cautious", "beginner")


def written(folder: Path, seed: int, shares: dict[str, float], agents: tuple[str, ...] = AGENTS) -> Path:
    """Write a ladder in which the better agent of each two wins a share of the games."""
    ladder = Ladder("kuhn_poker", agents, 2, seed=seed)
    path = folder / f"{seed}.jsonl"
    open_lines(path, ladder.head())
    rng = np.random.default_rng(seed)
    number = 0
    with path.open("a", encoding="utf-8") as file:
        for _ in range(60):
            for a in range(len(agents)):
                for b in range(a + 1, len(agents)):
                    odds = shares[agents[a]] / (shares[agents[a]] + shares[agents[b]])
                    payoffs = tuple((1, -1) if rng.random() < odds else (-1, 1) for _ in range(2))
                    flipped = (payoffs[0], payoffs[1][::-1])
                    deal = Deal(number, (a, b), ((a, b), (b, a)), flipped, ("", ""), (0.0, 0.0), (1, 1))
                    add_line(file, asdict(deal))
                    number += 1
    return path


STRENGTHS = {"random": 1.0, "repeater": 1.0, "cautious": 4.0, "beginner": 12.0}


def test_another_seed_keeps_the_order_of_separated_pairs(tmp_path: Path) -> None:
    found = compare(written(tmp_path, 1, STRENGTHS), written(tmp_path, 2, STRENGTHS))
    assert (found.pairs, found.separated, found.swaps) == (6, 5, ())
    assert found.text() == "5 of 6 pairs are separated (p < 0.01), and 5 of these keep their order"


def test_agents_that_change_places_are_named(tmp_path: Path) -> None:
    other = {**STRENGTHS, "cautious": 12.0, "beginner": 4.0}
    found = compare(written(tmp_path, 1, STRENGTHS), written(tmp_path, 2, other))
    (swap,) = found.swaps
    assert (swap.agent, swap.other) == ("beginner", "cautious")
    assert swap.points > 50 and swap.again > 50 and max(swap.doubt, swap.doubt_again) < 0.01
    assert found.text().startswith("beginner is ") and "4 of these keep" in found.text()


def test_ladders_that_cannot_be_compared_are_refused(tmp_path: Path) -> None:
    one = written(tmp_path, 1, STRENGTHS)
    with pytest.raises(BadContest, match="both ladders have the seed 1"):
        compare(one, one)
    with pytest.raises(BadContest, match="not rated on both ladders: beginner"):
        compare(one, written(tmp_path, 3, STRENGTHS, AGENTS[:3]))
    two = written(tmp_path, 2, STRENGTHS)
    lines = two.read_text("utf-8").splitlines()
    head = json.loads(lines[0])
    for change, why in (
        ({"rules": 99}, "its rules is 99"),
        ({"weights": {**head["weights"], "random": "0123"}}, "random is another agent"),
    ):
        two.write_text("\n".join([json.dumps({**head, **change}), *lines[1:]]) + "\n", "utf-8")
        with pytest.raises(BadContest, match=why):
            compare(one, two)
