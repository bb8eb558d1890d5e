"""How a match begins: everything it is made from is checked, and the deal follows from the seed."""

from __future__ import annotations

from typing import Any

import pytest

from qipai.core.errors import BadLayout, BadOption, BadSeats, BadSeed
from qipai.match.opening import open_match
from tests.toys import PRIZES, SEED

DEAL = {"hands": [[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]], "first": 0}


def test_the_same_seed_deals_the_same_state() -> None:
    one, other = (open_match(PRIZES, None, None, SEED, None) for _ in range(2))
    assert one.first().tobytes() == other.first().tobytes()
    assert open_match(PRIZES, None, None, bytes(32), None).first().tobytes() != one.first().tobytes()


def test_the_first_state_is_handed_out_as_a_copy() -> None:
    opening = open_match(PRIZES, None, None, SEED, DEAL)
    opening.first()["where"][:] = 0
    assert opening.first()["where"].any()


def test_every_action_has_a_generator_key_of_its_own() -> None:
    opening = open_match(PRIZES, None, None, SEED, None)
    keys = set()
    for ply in range(20):
        s = opening.first()
        opening.key(s, ply)
        keys.add(s["rng"].tobytes())
    assert len(keys) == 20


@pytest.mark.parametrize(
    ("error", "given"),
    [
        (BadOption, {"options": [1]}),
        (BadOption, {"options": {"first_seat": {1}}}),
        (BadSeats, {"seats": 200}),
        (BadSeats, {"seats": True}),
        (BadSeed, {"seed": b"short"}),
        (BadLayout, {"layout": [1]}),
        (BadLayout, {"layout": {"hands": object()}}),
        (BadLayout, {"layout": {"hands": 3}}),
    ],
)
def test_what_a_match_cannot_be_made_from_is_refused(error: Any, given: dict[str, Any]) -> None:
    wanted = {"options": None, "seats": None, "seed": SEED, "layout": None, **given}
    with pytest.raises(error):
        open_match(PRIZES, **wanted)
