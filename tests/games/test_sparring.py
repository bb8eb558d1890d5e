"""Every bot against opponents that play unlike it, at about 1 % of the counts that are claimed."""

from __future__ import annotations

import pytest

from qipai.core import bots_of, get
from qipai.core.registry import OURS

from .sparring import CLAIMS, Claim, check


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: f"{claim.game}-{claim.name}")
def test_a_bot_is_not_behind_any_sparring_partner_and_every_game_ends(claim: Claim) -> None:
    check(claim, max(2, claim.deals // 100), sure=False)


def test_every_bot_has_its_claim() -> None:
    claimed = {(claim.game, claim.bot) for claim in CLAIMS}
    levels = (f"level{k}" for k in range(1, 7))  # docs/levels.md says how strong they are
    weak = ("random", "forgetful", *levels)  # for beginners: nothing is claimed of their strength
    assert claimed == {(game, bot) for game in OURS for bot in bots_of(get(game)) if bot not in weak}
