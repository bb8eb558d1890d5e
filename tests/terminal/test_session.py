"""An unfinished move at a terminal: it is tried out in a redrawn world, never on the true state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from qipai.core import Player, State, registry
from qipai.match import Series
from qipai.terminal.host import Settings, host
from qipai.terminal.session import HINT_LANE
from qipai.terminal.stage import Stage
from tests.toys import PRIZES, WHISPER, registered

from .scripted import Keys, Shown


@pytest.fixture(autouse=True)
def toys(home: Any) -> Iterator[None]:
    with registered():
        yield


def test_an_unfinished_move_is_never_tried_on_the_true_state(monkeypatch: pytest.MonkeyPatch) -> None:
    """A drawing of glass shows what the other seat holds; with a card picked it is no longer true."""
    true: set[str] = set()
    drawn: list[tuple[bool, str]] = []

    def hidden(s: State) -> str:
        return str(s["where"].tolist())

    def glass(s: State, seat: int, lang: str) -> str:
        drawn.append((int(s["picked"]) > 0, hidden(s)))
        return ""

    game = replace(PRIZES, words=replace(PRIZES.words, draw=glass))
    monkeypatch.setitem(registry._added, PRIZES.name, game)
    begun = Series.__init__

    def begin(self: Series, *given: Any) -> None:
        begun(self, *given)
        true.add(hidden(self.match.state))

    monkeypatch.setattr(Series, "__init__", begin)

    def one_card() -> Iterator[str]:
        """Type every card until one has been picked, then leave."""
        for card in range(1, 17):
            if any(picked for picked, _ in drawn):
                return
            yield str(card)

    worlds = set()
    for _ in range(12):
        stage = Stage(fast=True, lang="en", stdin=Keys(one_card()), file=Shown())
        host(Settings(game=PRIZES.name, seed="7", fresh=True, options={"first_seat": 0}), stage)
        worlds |= {world for picked, world in drawn if picked}
        assert {world for picked, world in drawn if not picked} <= true
        drawn.clear()
    assert len(worlds) > 6


def test_the_seed_of_a_hint_is_what_the_person_was_told_and_not_what_was_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The others are asked in secret: a bot's advice must not reveal how many have passed."""
    asked: list[tuple[int, int]] = []

    class Noting(Player):
        def __init__(self, game: Any, name: str, seed: int = 0, lane: int = 0) -> None:
            super().__init__(game, name, seed, lane)
            self.noted = (seed, lane)

        def move(self, s: State) -> list[int]:
            if self.noted[1] == HINT_LANE:
                asked.append((self.noted[0], int(s["ply"])))
            return super().move(s)

    monkeypatch.setattr("qipai.terminal.session.Player", Noting)
    for seed in range(12):
        stage = Stage(fast=True, lang="en", stdin=Keys(iter(["h"])), file=Shown())
        host(Settings(game=WHISPER.name, seat=2, seed=str(seed), fresh=True, hands=1), stage)
    assert len({ply for _, ply in asked}) > 1
    assert len({seed for seed, _ in asked}) == 1
