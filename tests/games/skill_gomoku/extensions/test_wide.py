"""Wide records: the same fields with more room, and the same rules on them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from qipai.core import NOBODY, State
from qipai.core.state import HEADER
from qipai.games.skill_gomoku import SkillGomokuMatch, fives, game, rules
from qipai.games.skill_gomoku.api.lines import cells_from_rows
from qipai.games.skill_gomoku.extensions.wide import (
    PLAIN,
    piles,
    plain,
    position,
    row_of,
    wide_record,
    wide_state,
)
from qipai.games.skill_gomoku.state import CELLS, MAX_DECK, MAX_SIDE, NO_LIMIT, Phase
from qipai.games.skill_gomoku.state import State as CompiledState
from qipai.games.skill_gomoku.view import cells_of, legal_of

from ..positions import P, T, state

NAMES = CompiledState.names or ()


def test_sizes_beyond_the_compiled_rules_go_to_the_extensions() -> None:
    assert SkillGomokuMatch(1, {"boardSize": 19}).compiled
    for size in (20, 25):
        match = SkillGomokuMatch(1, {"boardSize": size})
        assert not match.compiled
        assert len(match.dump()["board"]["cells"]) == size
        assert match.observation().shape == (32, size, size)
    small = SkillGomokuMatch.load(state([P, P, T, P], size=2))
    assert not small.compiled
    assert not SkillGomokuMatch(1, {"deckCounts": {"Place": 65}}).compiled


def test_a_wide_record_has_the_fields_of_the_compiled_one_in_their_order() -> None:
    wide = wide_state(25, 100)
    assert wide.names == NAMES
    for name in NAMES:
        kind = CompiledState[name].base if name in HEADER else np.dtype(np.int64)
        assert wide[name].base == kind, name


@pytest.mark.parametrize(("side", "cards"), [(1, 0), (19, 64), (20, 65), (25, 10_000)])
def test_a_wide_record_has_room_for_its_match_and_never_less_than_the_compiled_one(
    side: int, cards: int
) -> None:
    wide = wide_state(side, cards)
    rooms = {name: wide[name].shape for name in NAMES if wide[name].shape != CompiledState[name].shape}
    wanted = {} if side <= MAX_SIDE else {"board": (side * side,), "row_empty": (side,)}
    wanted |= {} if cards <= MAX_DECK else {"pile": (cards,), "discard": (cards,)}
    assert rooms == wanted
    assert (CompiledState["board"].shape, CompiledState["pile"].shape) == ((CELLS,), (MAX_DECK,))


def test_a_fresh_record_is_cleared_and_shared_with_nobody() -> None:
    one = wide_record(25, 0)
    assert (int(one["board_size"]), int(one["max_turns"])) == (25, NO_LIMIT)
    assert (int(one["empties"]), int(one["phase"]), int(one["seat"])) == (625, Phase.maybeSkip, NOBODY)
    one["board"][:] = 1
    one["empties"] = 0
    again = wide_record(25, 0)
    assert (int(again["empties"]), int(again["board"].sum())) == (625, 0)


def test_row_of_is_that_of_the_rules_and_goes_on_beyond_their_table() -> None:
    for size in range(1, MAX_SIDE + 1):
        for cell in range(size * size):
            assert row_of(cell, size) == int(fives.row_of(cell, size))
    assert [row_of(cell, 25) for cell in (0, 24, 25, 599, 600, 624)] == [0, 0, 1, 23, 24, 24]


def test_a_position_holds_the_board_and_who_moves() -> None:
    cells = cells_from_rows(["012", "000", "200"])
    s = position(cells, 2)
    assert (cells_of(s), int(s["mover"]), int(s["board_size"])) == (cells, 1, 3)
    assert (int(s["empties"]), s["stones"].tolist()) == (6, [1, 2])


def test_piles_hold_any_number_of_cards_tops_last() -> None:
    s = piles(range(100), [7, 8])
    assert (int(s["piled"]), int(s["discarded"]), s["discard"][:3].tolist()) == (100, 2, [7, 8, 0])
    draw_card = plain()(rules.draw_card)
    assert [int(draw_card(s)) for _ in range(100)] == list(range(99, -1, -1))
    assert sorted(int(draw_card(s)) for _ in range(2)) == [7, 8]


def widened(s: State) -> State:
    """Return a wide record with the values of a compiled one."""
    wide = wide_record(int(s["board_size"]), 100)
    for name in NAMES:
        if CompiledState[name].shape:
            wide[name][: len(s[name])] = s[name]
        else:
            wide[name] = s[name]
    return wide


def differing(wide: State, s: State) -> list[str]:
    """Return the fields in which the two records differ."""
    return [
        name for name in NAMES if np.ravel(wide[name])[: s[name].size].tolist() != np.ravel(s[name]).tolist()
    ]


@pytest.mark.parametrize(
    "options", [{"board_size": 5}, {"board_size": 9, "deck": "source-early"}, {"board_size": 19}]
)
def test_the_plain_rules_do_on_a_wide_record_what_the_compiled_ones_do(options: Any) -> None:
    rng = random.Random(int(options["board_size"]))
    own = game(options)
    s = own.new(options, words=(1, 2, 3, 4))
    wide = widened(s)
    cards: set[int] = set()
    while s["seat"] != NOBODY and s["ply"] < 120:
        legal = own.legal_actions(s)
        assert legal_of(wide, PLAIN) == legal
        action = rng.choice(legal)
        own.rules.apply(s, action)
        PLAIN.make(wide, action)
        cards.add(int(wide["card"]))
        while wide["seat"] == NOBODY and not PLAIN.is_over(wide):
            PLAIN.advance(wide)
        wide["ply"] = s["ply"]  # counted by `apply`, which no rulebook has
        assert differing(wide, s) == []
    assert cards == {0, 1, 2, 3, 4}


def test_a_line_in_the_last_corner_of_the_largest_board_is_found() -> None:
    scan_colours = plain()(fives.scan_colours)
    cells = [[0] * 25 for _ in range(25)]
    for i in range(5):
        cells[20 + i][24 - i] = 2
    assert int(scan_colours(position(cells, 1))) == 2
    cells[22][22] = 0
    assert int(scan_colours(position(cells, 1))) == 0


def test_an_exchanged_function_is_called_in_place_of_the_rule() -> None:
    asked: list[int] = []

    def is_never_playable(s: State, card: int) -> bool:
        asked.append(int(card))
        return False

    s = position(cells_from_rows(["000"] * 3), 1)
    s["phase"], s["seat"], s["drawn"] = Phase.choose, 0, (0, 1)
    mask = np.zeros(12, np.uint8)
    assert int(plain({rules.playable: is_never_playable})(rules.legal)(s, mask)) == 2  # §6.2 either fizzles
    assert asked == [0, 1]
    assert int(PLAIN.legal(s, mask)) == 1  # there is no stone to take
    assert asked == [0, 1]
