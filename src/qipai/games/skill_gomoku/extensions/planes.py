"""The planes of §9 from a view, for matches whose counts do not fit the bytes of an observation.

An observation (`observe.py`) has room for boards up to 19 x 19, counts up to 127, turns below 65,536 and the
five base cards. It also shows the drawn cards in `drawTwo`, a state in which only a paced match pauses.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..state import CELL, IDS


def planes_from_view(view: dict[str, Any]) -> NDArray[np.float64]:
    """Return the planes (32, N, N) of the viewer, built only from its view."""
    cells = np.array(view["board"]["cells"])
    size, own = len(cells), view["viewer"] or 1
    out = np.zeros((32, size, size))
    out[0], out[1], out[2] = cells == own, cells == 3 - own, cells == 0
    if view["lastMove"] is not None:
        out[3, view["lastMove"]["y"], view["lastMove"]["x"]] = 1
    turn = view["turn"]
    if turn["state"] == "selectTarget":
        out[6] = 1
        for action in view["legalActions"]:
            if CELL <= action < CELL + size * size:
                out[4, (action - CELL) // size, (action - CELL) % size] = 1
    out[5] = own == 1
    for slot, card in enumerate(turn["drawn"] or []):
        if card in IDS:
            out[7 + 5 * slot + IDS.index(card)] = 1
    if turn["chosen"] in IDS:
        out[17 + IDS.index(turn["chosen"])] = 1
    skips = view["status"]["skipNextTurns"]
    out[22], out[23] = (min(skips[str(p)], 4) / 4 for p in (own, 3 - own))
    counts, deck = view["settings"]["deckCounts"], view["deck"]
    for i, card in enumerate(IDS):
        out[24 + i] = deck["unseenCounts"][card] / counts[card] if counts[card] else 0
    total, limit = sum(counts.values()), view["settings"]["maxTurns"]
    out[29] = deck["drawCount"] / total if total else 0
    out[30] = min(turn["number"] / limit, 1) if limit else 0
    out[31] = 1
    return out
