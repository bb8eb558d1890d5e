"""§22 checks 89-94: bots play legally, repeatably, by what they may know, and well."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.core import State, agents_of, copy_state, get, make_agent
from qipai.core.agent import agent_words, sight
from qipai.core.game import Game
from qipai.games.skill_gomoku import GAME, game

from .positions import PI, SG, TF, P, T

NAMES = ("random", "heuristic", "sharp")


def choice(one: Game, s: State, name: str) -> tuple[int, int | None]:
    """The slot and, where asked, the target that a bot chooses."""
    agent, words = make_agent(one, name, 1), agent_words(one, 1, 0)
    copy = copy_state(s)
    slot = agent.act(sight(one, copy, int(copy["seat"]), words))
    one.rules.apply(copy, slot)
    if int(copy["seat"]) != int(s["seat"]) or copy["turn"] != s["turn"]:
        return slot, None
    return slot, agent.act(sight(one, copy, int(copy["seat"]), words))


def position(
    cards: list[str], black: str = "", white: str = "", size: int = 9, player: int = 2
) -> tuple[Game, State]:
    one, options = game({"board_size": size}), {"board_size": size}
    cells = [[0] * size for _ in range(size)]
    for stones, colour in ((black, 1), (white, 2)):
        for word in stones.split():
            x, y = (int(c) for c in word.split(","))
            cells[y][x] = colour
    turn = {"state": "choose", "drawn": cards, "number": 9}
    deck = {"drawPile": [P] * 9 + [T] * 4}
    layout = {"board": {"cells": cells}, "currentPlayer": player, "turn": turn, "deck": deck}
    return one, one.new(options, layout=layout)


def action(size: int, x: int, y: int) -> int:
    return 3 + y * size + x


def row(y: int, *xs: int) -> str:
    return " ".join(f"{x},{y}" for x in xs)


def test_89_any_bot_is_legal_repeatable_and_leaves_the_match_alone(positions: int = 12) -> None:
    rng = np.random.default_rng(89)
    k = looked_at = 0
    while looked_at < positions:
        k += 1
        options = {"board_size": int(rng.choice([5, 9, 15])), "deck": ["default", "source-early"][k % 2]}
        one = get("skill_gomoku", options)
        s = one.new(options, words=(8, k, 0, 0))
        for _ in range(int(rng.integers(0, 60))):
            if s["seat"] < 0:
                break
            one.rules.apply(s, int(rng.choice(one.legal_actions(s))))
        if s["seat"] < 0:
            continue
        looked_at += 1
        before = s.tobytes()
        for name in NAMES:
            slot, target = choice(one, s, name)
            assert (slot, target) == choice(one, s, name)
            assert slot in one.legal_actions(s)
            after = copy_state(s)
            one.rules.apply(after, slot)
            assert target is None or target in one.legal_actions(after)
            assert s.tobytes() == before  # the match, its view and its generator


def test_89_sharp_does_not_look_at_the_order_of_the_pile() -> None:
    one, s = position([P, T], black=row(4, 3, 4), white=row(5, 3, 4))
    for k in range(6):
        other = one.redrawn(s, int(s["seat"]), (k, k, k, k))
        assert choice(one, other, "sharp") == choice(one, s, "sharp")


@pytest.mark.parametrize("name", ["heuristic", "sharp"])
def test_90_it_wins_at_once_where_it_can(name: str) -> None:
    one, s = position([P, T], white=row(0, 0, 1, 2, 3), black="8,8 7,7 6,8 5,8")
    assert choice(one, s, name) == (0, action(9, 4, 0))


@pytest.mark.parametrize("name", ["heuristic", "sharp"])
def test_90_it_wins_by_filling_a_gap(name: str) -> None:
    one, s = position([T, P], white=row(0, 0, 1, 3, 4), black="8,8 7,7 6,8 5,8")
    assert choice(one, s, name) == (1, action(9, 2, 0))


def test_90_the_heuristic_blocks_a_four() -> None:
    one, s = position([P, T], black=row(1, 0, 1, 2, 3), white="8,8 7,8")
    assert choice(one, s, "heuristic") == (0, action(9, 4, 1))


def test_90_the_heuristic_takes_from_a_four() -> None:
    one, s = position([T, PI], black=row(2, 0, 1, 2, 3), white="8,8 7,8")
    slot, target = choice(one, s, "heuristic")
    assert slot == 0
    assert target in [action(9, x, 2) for x in range(4)]


def test_90_the_heuristic_inverts_a_five_of_the_opponent() -> None:
    one, s = position([PI, SG], black=row(3, 3, 4, 5, 6, 7), white="8,8")
    assert choice(one, s, "heuristic") == (0, None)


@pytest.mark.parametrize("name", NAMES)
def test_90_a_sparse_board_gets_a_legal_play(name: str) -> None:
    one, s = position([P, T], black="4,4", white="5,5")
    slot, target = choice(one, s, name)
    assert target is not None
    one.rules.apply(s, slot)
    assert target in one.legal_actions(s)


@pytest.mark.parametrize("name", ["heuristic", "sharp"])
def test_91_the_first_stone_goes_to_the_centre(name: str) -> None:
    one, s = position([P, T], size=15, player=1)
    assert choice(one, s, name) == (0, action(15, 7, 7))


@pytest.mark.parametrize("name", NAMES)
def test_92_time_freeze_and_a_forced_fizzle(name: str) -> None:
    one, s = position([TF, TF])
    assert choice(one, s, name)[1] == 2
    one, s = position([T, T])
    assert choice(one, s, name)[0] in (0, 1)


@pytest.mark.parametrize("name", ["heuristic", "sharp"])
def test_a_playable_card_is_chosen_when_the_other_is_not(name: str) -> None:
    one, s = position([T, SG])
    assert choice(one, s, name) == (1, None)


def test_sharp_blocks_or_breaks_an_open_threat_rather_than_wait() -> None:
    one, s = position([SG, P], black=row(4, 2, 3, 4, 5), white=row(0, 0, 2))
    slot, target = choice(one, s, "sharp")
    assert slot == 1
    assert target in (action(9, 1, 4), action(9, 6, 4))


def score(
    first: str, second: str, games: int, options: dict[str, object] | None = None, seed: int = 0
) -> float:
    """The share of wins of `first`, seats alternating; a draw is half."""
    one = get("skill_gomoku", options)
    one.compile()
    total = 0.0
    for g in range(games):
        agents = [make_agent(one, name, seed, 2 * g + k) for k, name in enumerate((first, second))]
        words = [agent_words(one, seed + 1, 2 * g + k) for k in range(2)]
        s = one.new(options, words=(seed, g // 2, 5, 6))
        while s["seat"] >= 0:
            who = int(s["seat"]) ^ (g & 1)
            one.rules.apply(s, agents[who].act(sight(one, s, int(s["seat"]), words[who])))
        total += (int(s["payoff"][g & 1]) + 1) / 2
    return total / games


def test_93_the_heuristic_beats_random_play(games: int = 16) -> None:
    assert score("heuristic", "random", games) >= 0.9


@pytest.mark.slow
def test_94_sharp_beats_the_heuristic(games: int = 20) -> None:
    assert score("sharp", "heuristic", games) >= 0.65  # the stated bar is proved over 1,000 games


def test_the_agents_are_registered_weakest_first() -> None:
    assert list(agents_of(GAME)) == list(NAMES)


def test_the_weights_can_be_made_again() -> None:
    """The training of `sharp`, in small: the fit follows the looked-ahead values."""
    from qipai.games.skill_gomoku import train
    from qipai.games.skill_gomoku.weights import load_weights, network

    states = train.positions(2, 5, load_weights())
    assert len({s.tobytes() for s in states}) == len(states)  # copies, not one record seen again
    w = train.fresh()
    x, y = train.value(states, network(train.document(w)), depth=1)
    assert ((y >= 0) & (y <= 1)).all()
    first = train.fit(x, y, w)[1]
    for _ in range(4):
        w, error = train.fit(x, y, w)
    assert error < first
    assert np.allclose(network(train.document(train.read(train.document(w)))), network(train.document(w)))
