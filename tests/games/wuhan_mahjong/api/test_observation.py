"""The environment's mask and observation (§4.3, §8.3) as flat arrays."""

from __future__ import annotations

import numpy as np

from qipai.core import State
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.api.actions import WIDTH, public_bits
from qipai.games.wuhan_mahjong.api.observation import MASK, PARTS, SIZE, fill_observation, make_ready
from qipai.games.wuhan_mahjong.examples import position

from ..test_rules import CHOWER, PONGER, window


def observed(s: State, seat: int, bare: int = 0) -> dict[str, list[int]]:
    make_ready()
    out, fans = np.zeros(SIZE, np.int8), np.zeros(4, np.int16)
    fill_observation(s, seat, bare, np.zeros(WIDTH, np.uint8), out, fans)
    return {"fans": fans.tolist(), **{key: out[a:b].tolist() for key, (a, b) in PARTS.items()}}


def test_parts_lie_side_by_side() -> None:
    ends = [0, *(end for _, end in PARTS.values())]
    assert [start for start, _ in PARTS.values()] == ends[:-1]
    assert ends[-1] == SIZE
    assert PARTS["action_mask"][1] - PARTS["action_mask"][0] == MASK


def test_the_mask_is_that_of_the_deciding_seat() -> None:
    s = window(1, {1: CHOWER, 2: PONGER})
    assert np.flatnonzero(observed(s, 1)["action_mask"]).tolist() == public_bits(s)
    assert not any(observed(s, 2)["action_mask"])


def test_other_hands_and_concealed_kongs_are_unknown_unless_bare() -> None:
    layout = position(
        "PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, {2: "kong_concealed 9999m"}, wall=81
    )
    s = GAME.new(layout=layout)
    seen, bare = observed(s, 0), observed(s, 0, bare=1)
    assert seen["global_hand"][34:] == [5] * 102
    assert seen["melds.tiles"][32:36] == [34] * 4
    assert bare["melds.tiles"][32:36] == [8] * 4
    assert sum(bare["global_hand"]) == 14 + 13 + 10 + 13
    assert seen["fans"] == [1, 1, 4, 1]
