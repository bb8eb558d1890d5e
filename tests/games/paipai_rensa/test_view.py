"""The view and the narration."""

from __future__ import annotations

from qipai.games.paipai_rensa import GAME
from qipai.games.paipai_rensa.state import KEEP
from qipai.games.paipai_rensa.text import tell
from qipai.games.paipai_rensa.view import view

from .positions import bottom


def test_narration_tells_every_chain_step_and_ends_where_the_rules_do() -> None:
    s = GAME.new(
        layout={
            "board": bottom(
                "zE .. .. .. .. ..", "s1 .. .. .. .. ..", "s2 zS .. .. .. ..", "s3 zP zF .. .. .."
            ),
            "pair": "s4 m1",
            "deck": "p1 p2 p3 p4",
        }
    )
    events = GAME.rules.narrate(s, 16, 0)  # far from everything
    assert [e["type"] for e in events] == ["land", "spawn"]
    events = GAME.rules.narrate(s, 5, 0)
    assert events[0]["cells"] == [[1, 9], [2, 9]] and events[0]["board"][9][1] == "s4"
    steps = [e for e in events if e["type"] == "clear"]
    assert [(e["chain"], e["points"], len(e["tiles"])) for e in steps] == [(1, 400, 4), (2, 800, 4)]
    assert events[-1]["type"] == "alloc" and len(events[-1]["tiles"]) == 8
    GAME.rules.apply(s, 5)
    assert events[-1]["board"] == view(s, 0)["board"]
    for _ in range(7):
        assert GAME.rules.narrate(s, KEEP, 0) == GAME.rules.narrate(s, KEEP, -1) == []
        GAME.rules.apply(s, KEEP)
    told = GAME.rules.narrate(s, KEEP, -1)
    assert [e["type"] for e in told] == ["allocate", "hold", "close", "spawn"]
    for lang in ("en", "zh"):
        assert all(tell(e, lang) for e in events + told)
