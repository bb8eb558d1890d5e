"""What a seat is shown: nothing that it may not know (41)."""

from __future__ import annotations

import pytest

from qipai.games.nana import GAME
from tests.games.nana.tables import random_states, world_of


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_41_views_do_not_depend_on_what_a_seat_cannot_see(seats: int) -> None:
    changed = 0
    for s in random_states(12, seats, seed=41, most=60):
        for seat in range(-1, seats):
            other = GAME.redrawn(s, seat, (seat + 1, 2, 3, 4))
            changed += world_of(other) != world_of(s)
            assert GAME.rules.view(other, seat) == GAME.rules.view(s, seat)
            assert (GAME.observation_of(other, seat) == GAME.observation_of(s, seat)).all()
            assert GAME.drawing(other, seat, "en") == GAME.drawing(s, seat, "en")
            own = [c["number"] for c in GAME.rules.view(other, seat)["my_hand"]]
            assert own == sorted(own)
    assert changed > 5
