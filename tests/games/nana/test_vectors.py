"""The shipped vectors agree, and are those of the spec."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.core.errors import BadVectors
from qipai.games.nana import GAME, run_vector
from qipai.games.nana.vectors import action_json, action_number
from qipai.vectors import run_file
from tests.games.nana.make_vectors import text

FILE = Path(__file__).parents[2] / "vectors" / "nana.json"


def test_every_vector_of_the_file_agrees() -> None:
    outcomes = list(run_file(FILE))
    assert len(outcomes) > 50
    assert {o.vector.id: o.differences for o in outcomes if o.differences} == {}


def test_the_file_is_what_the_spec_says() -> None:
    assert FILE.read_text() == text()


def test_unknown_kinds_are_named() -> None:
    with pytest.raises(BadVectors):
        run_vector("chess", {})


def test_42_action_ids_encode_and_decode() -> None:
    used = {2: 14, 3: 15, 4: 16, 5: 16, 6: 18}
    for players in range(2, 7):
        for actor in range(players):
            for number in [*range(2 * players), *range(12, 22)]:
                assert action_number(action_json(number, players, actor), players, actor) == number
        s = GAME.new(seats=players)
        assert len(GAME.legal_actions(s)) == used[players]
    assert run_vector("action_id", {"players": 4, "actor": 2, "action": {"seat": 1, "end": "tail"}}) == {
        "id": 7
    }
    assert run_vector("action_id", {"players": 4, "actor": 2, "action": {"centre": 3}}) == {"id": 15}
