"""A match that accepts what it must not, or does not load as it was, is found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from qipai.core import registry
from qipai.core.errors import NotYourTurn
from qipai.match import Match, Step
from qipai.testing import Property
from tests.toys_check import faults, hush
from tests.toys_check.faults import broken

from .breaking import breaks, keeps


class Lax(Match):
    """Lets anyone act for the seat to decide."""

    def act(self, seat: Any, actions: Any, version: Any = None) -> list[Step]:
        try:
            return super().act(seat, actions, version)
        except NotYourTurn:
            return super().act(self.seat, actions, version)


class Crude(Match):
    """Refuses, but not by name."""

    def act(self, seat: Any, actions: Any, version: Any = None) -> list[Step]:
        if isinstance(actions, str):
            raise TypeError("not a number")
        return super().act(seat, actions, version)


class Touched(Match):
    """Refuses and changes something all the same."""

    def act(self, seat: Any, actions: Any, version: Any = None) -> list[Step]:
        try:
            return super().act(seat, actions, version)
        except NotYourTurn:
            self._state["pool"][0] += 1
            raise


class Forgetful(Match):
    """Forgets the options of what it loads."""

    @classmethod
    def load(cls, doc: Mapping[str, Any]) -> Match:
        loaded = Match.load(doc)
        loaded._state["spoils"] = 1
        return loaded


class Trusting(Match):
    """Does not look at the digest."""

    @classmethod
    def load(cls, doc: Mapping[str, Any]) -> Match:
        good = {k: v for k, v in doc.items() if k != "digest"}
        match = cls.__new__(cls)
        match.__dict__.update(Match(hush.GAME, seed=bytes.fromhex(good["seed"])).__dict__)
        again = Match(hush.GAME, good["options"], good["seats"], bytes.fromhex(good["seed"]))
        for seat, actions in good["moves"]:
            again.act(seat, actions)
        match.__dict__.update(again.__dict__)
        return match


def test_the_healthy_match_refuses_and_loads() -> None:
    keeps(hush.GAME, Property.REFUSAL, Property.RECORD)


@pytest.mark.parametrize(
    ("match", "prop", "text"),
    [
        (Lax, Property.REFUSAL, "was accepted"),
        (Crude, Property.REFUSAL, "raised TypeError"),
        (Touched, Property.REFUSAL, "changed the match"),
        (Forgetful, Property.RECORD, "loads to another state"),
        (Trusting, Property.REFUSAL, "a dump with another digest was accepted"),
    ],
)
def test_a_broken_door_is_found(
    monkeypatch: pytest.MonkeyPatch, match: type[Match], prop: Property, text: str
) -> None:
    monkeypatch.setattr("qipai.match.Match", match)
    breaks(hush.GAME, prop, text, options=[{}])


def test_a_failure_at_the_door_replays_under_the_keys_of_the_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("qipai.match.Match", Forgetful)
    case = breaks(hush.GAME, Property.RECORD, options=[{}]).case
    assert case is not None
    match = Match(hush.GAME, case.options, case.seats, bytes.fromhex(case.secret))
    actions = list(case.actions)
    while actions:
        size = 1 if actions[0] == hush.DRAW else 2
        match.act(match.seat, actions[:size])
        del actions[:size]
    assert case.replay(hush.GAME).tobytes() == match.state.tobytes()
    assert f"bytes.fromhex('{case.secret}')" in str(case)


def test_a_layout_that_takes_anything_is_found() -> None:
    breaks(broken(lay_out=faults.lay_out_anything), Property.REFUSAL, "an unknown layout was accepted")


def test_the_check_leaves_the_registry_as_it_was() -> None:
    before = dict(registry._added)
    keeps(hush.GAME, Property.RECORD)
    breaks(broken(lay_out=faults.lay_out_anything), Property.REFUSAL)
    assert registry._added == before
