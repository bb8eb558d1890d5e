"""The view: what the page and the terminal show beyond the named API, computed by the rules."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.core import State
from qipai.games.skill_gomoku import GAME, game
from qipai.games.skill_gomoku.state import CARDS, CHOOSE, IDS

from .positions import F4, F5, PI, SG, TF, F, P, T

EMPTY = ["00000"] * 5


def small(rows: list[str], drawn: list[str], player: int = 1) -> State:
    turn = {"state": "choose", "drawn": drawn, "number": 3}
    layout = {"board": rows, "turn": turn, "currentPlayer": player, "deck": {"drawPile": [P, T, SG]}}
    return game({"board_size": 5}).new({"board_size": 5}, layout=layout)


@pytest.mark.parametrize(
    ("rows", "player", "unplayable"),
    [
        (EMPTY, 1, [T]),
        (["10000", *EMPTY[1:]], 1, [T]),
        (["10000", *EMPTY[1:]], 2, []),
        (F, 1, [P, SG]),
        (F4, 1, [SG]),
        (F5, 1, []),
    ],
)
def test_unplayable_cards_have_no_effect(rows: list[str], player: int, unplayable: list[str]) -> None:
    s = small(rows, [PI, TF], player)
    for seat in (0, 1, -1):
        assert game({"board_size": 5}).rules.view(s, seat)["unplayable"] == unplayable


def test_unplayable_does_not_depend_on_what_is_drawn() -> None:
    one = game({"board_size": 5})
    found = [one.rules.view(small(EMPTY, drawn), 1)["unplayable"] for drawn in ([P, T], [T, T], [SG, PI])]
    assert found == [[T]] * 3


def test_the_view_agrees_with_what_is_legal_in_random_games() -> None:
    rng, one = np.random.default_rng(3), game({"board_size": 5})
    for k in range(20):
        s = one.new({"board_size": 5}, words=(k, 3, 3, 3))
        while s["seat"] >= 0:
            seen = one.rules.view(s, int(s["seat"]))
            assert seen["mover"] == seen["currentPlayer"] == int(s["seat"]) + 1
            if s["phase"] != CHOOSE:
                assert seen["unplayable"] == []
            else:
                useless = [card in seen["unplayable"] for card in seen["turn"]["drawn"]]
                slots = [slot for slot, no in enumerate(useless) if not no or all(useless)]
                assert seen["legalActions"] == slots
            one.rules.apply(s, int(rng.choice(one.legal_actions(s))))
        over = one.rules.view(s, 0)
        assert over["mover"] == 3 - over["currentPlayer"]  # the turn has passed on
        assert over["unplayable"] == []


def test_mover_is_who_made_the_last_move_even_if_the_other_won() -> None:
    rows = ["1" * 5 + "0" * 10, *["0" * 15] * 14]
    s = GAME.new({}, layout={"board": rows, "currentPlayer": 2, "deck": {"drawPile": [T, TF]}})
    GAME.rules.apply(s, 0)
    GAME.rules.apply(s, 2)
    seen = GAME.rules.view(s, -1)
    assert (seen["mover"], seen["winner"], seen["currentPlayer"]) == (2, 1, 1)


def test_cards_are_named_in_registry_order() -> None:
    assert list(GAME.rules.view(GAME.new(), 0)["settings"]["deckCounts"]) == list(IDS)
    assert len(IDS) == CARDS
