"""Opponents that do not learn."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (pip install 'qipai[train]')")

from qipai.core import agents_of, get  # noqa: E402
from qipai.core.errors import BadTraining  # noqa: E402
from qipai.learn.league import Bots, League, Member, digest_of, freeze  # noqa: E402
from qipai.learn.nets import Raw  # noqa: E402
from qipai.learn.trainer import Trainer  # noqa: E402
from tests.learn.parts import tiny, trainer  # noqa: E402


def test_frozen_members_never_change_while_the_net_learns() -> None:
    made = trainer(league=0.25, league_every=2, league_size=3)
    made.league.add("first", made.net)
    before = digest_of(made.league.members[0].arrays)
    for _ in range(8):
        made.iterate()
    assert made.league.members[0].name == "first"
    assert len(made.league.members) == 3
    assert digest_of(made.league.members[0].arrays) == before == made.league.members[0].digest
    assert len({m.digest for m in made.league.members}) == 3


def test_the_net_in_the_slot_is_the_member_and_gets_no_gradient() -> None:
    made = trainer(league=0.25, league_every=1)
    made.iterate()
    assert made.slot is not None
    seated = freeze("slot", made.slot.net.arrays())
    made.learner.update()
    assert freeze("slot", made.slot.net.arrays()).digest == seated.digest
    assert seated.digest in {m.digest for m in made.league.members}
    assert not any(p.requires_grad for p in made.slot.net.parameters())


def test_a_member_that_was_altered_is_refused() -> None:
    member = freeze("a", {"w": np.ones((2, 2), np.float32)})
    with pytest.raises(ValueError, match="read-only"):
        member.arrays["w"][0, 0] = 7
    other = Member("a", {"w": member.arrays["w"] + np.uint16(1)}, member.digest)
    with pytest.raises(BadTraining, match="has changed"):
        other.weights()


def test_a_snapshot_is_rounded_to_bfloat16() -> None:
    given = np.array([1.0, 1.0 + 2**-9, -3.1415927], np.float32)
    kept = freeze("a", {"w": given}).weights()["w"]
    np.testing.assert_allclose(kept, given, rtol=2**-8)
    assert (kept.view(np.uint32) & 0xFFFF == 0).all()


def test_the_first_and_the_newest_snapshots_are_kept() -> None:
    made, league = trainer(), League(3)
    for k in range(6):
        league.add(str(k), made.net)
    assert [m.name for m in league.members] == ["0", "4", "5"]


def test_an_agent_of_the_game_plays_every_seat_but_one() -> None:
    game = get("xianqi")
    settings = tiny(lanes=12, steps=4, minibatch=48)
    spec = agents_of(game)["heuristic"]
    made = Trainer(
        settings,
        columns=Raw.of(game),
        opponent=lambda tables, lo, hi: Bots(game, spec, tables, lo, hi, 5),
    )
    made.iterate()
    own = made.segment.own
    assert 0 < int(own.sum()) < own.numel()
