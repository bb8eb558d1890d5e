"""`determinize`: worlds that fit what a seat knows, and uniform over them."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from qipai.core import copy_state, sight
from qipai.core.agent import agent_words
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.examples import position
from qipai.games.wuhan_mahjong.layout import dump, pieces
from qipai.games.wuhan_mahjong.state import WAITING_RESPONSE
from qipai.games.wuhan_mahjong.tiles import CHOW, NONE, PASS, PONG

from .test_rules import CHOWER, PONGER, play, window


def test_a_redrawn_world_keeps_what_is_known_and_all_tiles() -> None:
    rng = np.random.default_rng(1)
    s = GAME.new(words=(5, 6, 7, 8))
    while int(s["seat"]) >= 0:
        seat = int(s["seat"])
        other = GAME.redrawn(s, seat, (1, 2, 3, int(s["ply"])))
        assert pieces(other) == [4] * 34
        assert np.array_equal(other["hand"][seat], s["hand"][seat])
        assert other["hand"].sum(1).tolist() == s["hand"].sum(1).tolist()
        assert GAME.legal_actions(other) == GAME.legal_actions(s)
        GAME.rules.apply(s, int(rng.choice(GAME.legal_actions(s))))


def test_the_dealt_part_of_the_deck_is_forgotten() -> None:
    s = GAME.new(words=(1, 1, 1, 1))
    assert (s["wall"][: int(s["front"])] == NONE).all()


def test_a_hidden_tile_is_uniform_over_the_unseen() -> None:
    s = GAME.new(layout=position("PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, wall=82))
    n = 3000
    fronts = Counter(int(w["wall"][w["front"]]) for w in (GAME.redrawn(s, 0, (9, 9, k, 1)) for k in range(n)))
    unseen = GAME.observation_of(s, 0)[88 : 88 + 34]
    total = int(unseen.sum())
    chi2 = sum(
        (fronts[t] - n * int(u) / total) ** 2 / (n * int(u) / total) for t, u in enumerate(unseen) if u > 0
    )
    assert set(fronts) <= {t for t, u in enumerate(unseen) if u > 0}
    assert chi2 < 70  # 33 degrees of freedom: beyond 1 in 5000


def test_a_concealed_kong_is_uniform_over_the_kinds_it_can_be() -> None:
    layout = position(
        "PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, {2: "kong_concealed 9999m"}, wall=81
    )
    s = GAME.new(layout=layout)
    found = Counter(int(GAME.redrawn(s, 0, (4, 4, k, 1))["meld_tile"][2, 0]) for k in range(1200))
    held = {t for t in range(34) if s["hand"][0, t]}
    special = {9, 10, 11, 31}
    kinds = set(range(34)) - held - special
    assert set(found) == kinds
    assert max(found.values()) < 3 * min(found.values())


def test_the_log_names_the_redrawn_kong() -> None:
    s = GAME.new(layout=position("PLAYER_DECISION", 2, {2: "2224444m 569s 13p 47z"}, wall=82))
    play(s, 73 + 3)
    other = GAME.redrawn(s, 0, (8, 8, 8, 8))
    entry = dump(other)["history"][0]
    assert entry == [5, int(other["meld_tile"][2, 0]), 2]


def test_an_earlier_answer_is_redrawn_from_what_could_be() -> None:
    s = play(window(1, {1: CHOWER, 2: PONGER}), CHOW + 1)
    answers: Counter[int] = Counter()
    for k in range(300):
        other = GAME.redrawn(s, 2, (2, 2, k, 1))
        answer = int(other["answer"][1])
        answers[answer] += 1
        assert answer in (NONE, PASS) or int(other["claims"][1]) >> (answer - CHOW) & 1
    assert answers[NONE] > 0  # a world in which seat 1 was not asked
    assert answers[PASS] > 0


@pytest.mark.parametrize("seat", [-1, 0, 1, 3])
def test_a_waiting_seat_gets_worlds_with_someone_else_asked(seat: int) -> None:
    s = play(window(1, {1: CHOWER, 2: PONGER}), CHOW + 1)
    for k in range(60):
        other = GAME.redrawn(s, seat, (6, 6, k, 1))
        assert int(other["phase"]) == WAITING_RESPONSE
        assert int(other["seat"]) not in (seat, 0)
        if seat == 1:
            assert int(other["answer"][1]) == CHOW + 1
            assert int(other["seat"]) in (2, 3)
        assert GAME.mask(other)[PASS]
        assert GAME.rules.view(other, seat) == GAME.rules.view(s, seat)
        play(other, PASS)
    assert PONG == 37


def test_an_agent_is_given_the_same_however_many_have_passed_in_secret() -> None:
    """§8.2: nobody learns who was asked. Only `ply` of the true state counts secret passes."""
    rng = np.random.default_rng(4)
    pairs = 0
    for number in range(4):
        s = GAME.new(words=(number, 4, 4, 4))
        while int(s["seat"]) >= 0:
            seat = int(s["seat"])
            other = copy_state(s)
            other["ply"] += 1 + number
            one, two = (sight(GAME, world, seat, agent_words(GAME, 1, pairs)) for world in (s, other))
            assert one.state.tobytes() == two.state.tobytes()
            assert np.array_equal(one.mask, two.mask)
            assert one.state["ply"] == s["logged"]
            pairs += 1
            GAME.rules.apply(s, int(rng.choice(GAME.legal_actions(s))))
    assert pairs > 100
