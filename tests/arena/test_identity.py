"""What an agent is behind its name: one entry for several names, and a digest of what it plays by."""

from __future__ import annotations

import pytest

from qipai.arena.identity import merged, resolved
from qipai.arena.ladder import ladder_of
from qipai.core import get
from qipai.core.errors import BadContest


def test_a_level_is_resolved_to_the_description_that_it_plays() -> None:
    game = get("xianqi")
    assert resolved(game, "level6")[0] == "net" and resolved(game, "random")[0] == "random"


def test_the_name_that_says_what_is_played_comes_first() -> None:
    assert merged(get("xianqi"), ["level6", "random", "net"]) == (["net", "random"], [("level6", "net")])


def test_a_level_and_what_it_plays_are_one_entry_with_two_names() -> None:
    made = ladder_of("xianqi", ["random", "level5", "level6", "net", "net~t0.65~o0.08"])
    assert made.agents == ("random", "net~t0.65~o0.08", "net")
    assert made.also == (("level5", "net~t0.65~o0.08"), ("level6", "net"))
    alone = ladder_of("xianqi", ["random", "level6"])
    assert (alone.agents, alone.also) == (("random", "level6"), ())
    with pytest.raises(BadContest):
        ladder_of("xianqi", ["level6", "net"])


def test_the_head_says_what_is_played_and_with_which_weights() -> None:
    head = ladder_of("skill_gomoku", ["random", "level3", "level6", "net"]).head()
    assert (
        head["plays"]["level3"] == get("skill_gomoku").levels.agents[2] and head["plays"]["level6"] == "sharp"
    )
    weights = head["weights"]
    assert weights["random"] == "" and all(len(weights[name]) == 16 for name in ("level3", "level6", "net"))
    assert weights["level3"] == weights["net"] != weights["level6"]
