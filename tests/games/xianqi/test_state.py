"""Xianqi's tables: pieces, plays and phases (§2, §3, §4), and the numbers that the page repeats."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from qipai.games.xianqi import state

PAGE = Path(__file__).parents[3] / "front/src/tables/xianqi/pieces.ts"


def test_there_are_24_pieces_of_12_types() -> None:
    assert len(state.CARDS) == state.TYPES == 12 and state.COPIES.sum() == state.DECK == 24
    assert state.CARDS[state.R_SHI] == "R_SHI" and state.CARDS[state.B_NIU] == "B_NIU"
    assert [state.CARDS[t] for t in range(state.NOBLES)] == ["R_SHI", "B_SHI", "R_XIANG", "B_XIANG"]


def test_plays_of_a_kind_stand_from_strong_to_weak() -> None:
    """`_legal_plays` stops at the first that does not beat."""
    for kind in (1, 2, 3):
        first, last = state.FIRST_PLAY[kind], state.FIRST_PLAY[kind + 1]
        powers = state.PLAY_POWER[first:last].tolist()
        assert powers and powers == sorted(powers, reverse=True)
        assert set(state.PLAY_SIZE[first:last]) == {kind}


def test_a_single_has_the_power_of_its_piece() -> None:
    for play in range(state.PAIRS):
        assert state.PLAY_POWER[play] == state.POWER[state.PLAY_TYPE[play]]


def test_every_phase_but_the_last_has_a_way_on() -> None:
    leaves = {a for a, _ in state.EDGES}
    assert leaves == {int(phase) for phase in state.Phase} - {state.FINISHED}


@pytest.mark.parametrize("name", ["BUCKLE", "REVEAL", "PASS", "UNDER", "DOG_PAIR"])
def test_the_page_numbers_the_words_as_the_state_does(name: str) -> None:
    found = re.search(rf"export const {name} = (\d+);", PAGE.read_text("utf-8"))
    assert found and int(found[1]) == getattr(state, name)


def test_the_page_numbers_the_plays_as_the_state_does() -> None:
    def listed(name: str) -> list[str]:
        found = re.search(rf"const {name}\b[^=]*= \[(.*?)\]", PAGE.read_text("utf-8"), re.S)
        assert found
        return re.findall(r"\w+", found[1])

    types = [state.CARDS[t] for t in state.PLAY_TYPE]
    pairs = [types[a] for a in range(state.PAIRS, state.TRIPLES) if a != state.DOG_PAIR]
    assert listed("TYPES") == list(state.CARDS)
    assert listed("SINGLES") == types[: state.PAIRS] and listed("PAIRS") == pairs
    assert types[state.TRIPLES :] == ["R_NIU", "B_NIU"]
