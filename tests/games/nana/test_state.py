"""NANA's state record and its phases."""

from __future__ import annotations

from qipai.games.nana import GAME
from qipai.games.nana.state import EDGES, Phase


def test_a_state_is_small() -> None:
    assert GAME.rules.State.itemsize <= 512


def test_every_phase_stands_on_an_edge_and_only_the_last_leads_nowhere() -> None:
    left, reached = {a for a, _ in EDGES}, {b for _, b in EDGES}
    assert left | reached == set(Phase)
    assert set(Phase) - left == {Phase.GAME_OVER}
    assert set(Phase) - reached == {Phase.WAITING}
