"""Custom deals and positions."""

from __future__ import annotations

import pytest

from qipai.core.errors import BadLayout
from qipai.games.paipai_rensa import GAME
from qipai.games.paipai_rensa.state import ALLOC, PLACE, Phase

from .positions import bottom

BAD_LAYOUTS = [
    {"deck": ["m1", "m1", "m1", "m1", "m1"]},
    {"deck": [0, 0]},
    {"deck": "m1 p1", "phase": "nowhere"},
    {"deck": "m1 p1", "board": ["m1"]},
    {"pair": "m1"},
    {"pair": "m1 p1", "board": [".. .. .. .. .. .."] * 10 + ["m2 .. .. .. .. ..", ".. .. .. .. .. .."]},
    {"phase": "alloc", "hand": "m1"},
    {"phase": "hold", "collected": "m1"},
    {"deck": "m1 p1", "score": -1},
    {"deck": list(range(136)), "consumed": 5},
    {"hand": [f"m{n}" for n in range(1, 10)] + [f"p{n}" for n in range(1, 7)]},
    {"secret": 1},
    {},
]


@pytest.mark.parametrize("layout", BAD_LAYOUTS, ids=str)
def test_impossible_layouts_are_refused_and_change_nothing(layout: dict[str, object]) -> None:
    s = GAME.new()
    before = s.tobytes()
    with pytest.raises(BadLayout):
        GAME.place(s, layout)
    assert s.tobytes() == before


def test_positions_are_laid_out_in_every_phase() -> None:
    for phase in Phase:
        layout = {"phase": phase.name.lower(), "deck": "s1 s2", "board": bottom("m1 p1 .. .. .. ..")}
        if phase == Phase.PLACE:
            layout["pair"] = "p5 p6"
        if phase == Phase.ALLOC:
            layout["collected"] = "zE zS zW zN"
        s = GAME.new(layout=layout)
        wanted = {Phase.ALLOC: ALLOC, Phase.OVER: int(Phase.OVER)}.get(phase, PLACE)
        assert int(s["phase"]) == wanted
