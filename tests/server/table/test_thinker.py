"""The process in which bots think: what it reads, and that it answers with a legal action."""

from __future__ import annotations

import io
import json

from qipai.core import get
from qipai.match import Match
from qipai.server.table.thinker import Thinker, read_state, requests
from tests.toys import SEED


def test_a_process_reads_what_the_server_writes() -> None:
    game = get("nana")
    s = Match(game, seed=SEED, seats=2).state
    data, mask = s.tobytes(), game.mask(s).tobytes()
    assert read_state(game, data).tobytes() == data
    header = {"game": "nana", "options": game.options_of(s), "agent": "random", "seed": 1, "lane": 0}
    header |= {"key": "k", "seat": int(s["seat"]), "state": len(data), "mask": len(mask)}
    raw = json.dumps(header).encode() + b"\n" + data + mask
    ((got, state, legal),) = requests(io.BytesIO(raw))
    assert (got, state, legal) == (header, data, mask)
    action = Thinker().answer(got, state, legal)["action"]
    assert game.mask(s)[action]
