"""What the search asks of Paipai Rensa: policy, prior, value, and allocation by shape."""

from __future__ import annotations

import numpy as np

from qipai.core import compile_rules
from qipai.games.paipai_rensa import GAME
from qipai.games.paipai_rensa.bots.playout import WORK, prior, shape_keeps
from qipai.games.paipai_rensa.shapes import keep_mask
from qipai.games.paipai_rensa.state import ALLOC, HAND_MAX
from qipai.games.paipai_rensa.tiles import values
from tests.search.policy_checks import check_hooks, decisions


def test_policy_prior_and_value_answer_every_decision() -> None:
    check_hooks(GAME, hands=1, most=60)


def test_tiles_are_kept_much_as_builder_keeps_them() -> None:
    compile_rules([prior], GAME.rules.State, "paipai_rensa/hooks")
    compile_rules([shape_keeps], GAME.rules.State, "paipai_rensa/shape")
    work = np.zeros(WORK, np.int64)
    agreed = seen = 0
    for s in decisions(GAME, 40):
        if s["phase"] != ALLOC or int(s["n_tiles"]) <= HAND_MAX:
            continue
        kept = [False] * int(s["n_tiles"])
        wanted = keep_mask(tuple(values(s["tiles"])))
        for i in range(len(kept)):
            s["cursor"] = i
            kept[i] = bool(shape_keeps(s, work))
        assert sum(kept) <= HAND_MAX
        seen += len(kept)
        agreed += sum(a == b for a, b in zip(kept, wanted, strict=False))
    assert seen > 0 and agreed > 0.8 * seen
