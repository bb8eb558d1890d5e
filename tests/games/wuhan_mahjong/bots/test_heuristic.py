"""The heuristic agent: what it must get right, and that it leaves random play far behind."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.core import State, make_agent, pick, sight
from qipai.core.agent import agent_words
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.examples import ids, position
from qipai.games.wuhan_mahjong.tiles import CHOW, KONG_LAZY, KONG_RED, KONG_SKIN, WIN

from ..tables import MASKS, whole

ROWS = {row["id"]: row for row in MASKS}
AGENT = make_agent(GAME, "heuristic", seed=1)


def choice(layout: dict[str, Any], options: dict[str, Any] | None = None) -> int:
    s = GAME.new(options, layout=layout)
    return AGENT.act(sight(GAME, s, int(s["seat"]), agent_words(GAME, 3, 0)))


@pytest.mark.parametrize("name", ["M6", "M15", "M16"])
def test_it_takes_every_win(name: str) -> None:
    assert choice(whole(ROWS[name])) == WIN


def test_it_konges_red_and_skins_away() -> None:
    assert choice(whole(ROWS["M2"])) in (KONG_RED, KONG_SKIN, KONG_SKIN + 1)


def test_it_keeps_the_258_pair() -> None:
    layout = position("PLAYER_DECISION", 0, {0: "1388m 456789p 9s"}, {0: "pong 111z from 2"}, wall=40)
    assert choice(layout) == ids("9s")[0]
    layout = position("PLAYER_DECISION", 0, {0: "99m 88p 456m 789s 3p"}, {0: "pong 111z from 2"}, wall=40)
    assert choice(layout) not in (ids("8p")[0],)


def test_it_opens_when_a_chow_brings_it_forward() -> None:
    layout = position(
        "WAITING_RESPONSE", 0, {0: "35p 88m 456s 789s 12m 4z"}, last_discard=[ids("4p")[0], 3], wall=60
    )
    assert choice(layout) == CHOW + 1


def test_it_turns_to_a_flush_that_is_near() -> None:
    layout = position("PLAYER_DECISION", 0, {0: "112344566m 55s"}, {0: "pong 777m from 1"}, wall=50)
    assert choice(layout) == ids("5s")[0]


def test_a_laizi_too_many_is_konged() -> None:
    layout = position("PLAYER_DECISION", 0, {0: "123m 88m 456p 333s"}, {0: "pong 111z from 2"}, wall=50)
    assert choice(layout) in (KONG_LAZY, WIN)


def test_its_choice_depends_on_nothing_hidden() -> None:
    rng = np.random.default_rng(5)
    s = GAME.new(words=(2, 7, 1, 8))
    words = agent_words(GAME, 1, 1)
    while int(s["seat"]) >= 0:
        seat = int(s["seat"])
        choices = {AGENT.act(sight(GAME, s, seat, words)) for _ in range(3)}
        assert len(choices) == 1
        GAME.rules.apply(s, int(rng.choice(GAME.legal_actions(s))))


def duplicate_match(decks: int, seed: int) -> dict[str, Any]:
    """Return the heuristic against three random agents, each deck played once from every seat."""
    rng = np.random.default_rng(seed)
    chance = agent_words(GAME, seed, 2)
    sees = agent_words(GAME, seed, 3)
    wins = [0, 0]
    means, flows = [], 0
    for _ in range(decks):
        deal = tuple(int(w) for w in rng.integers(0, 1 << 32, 4))
        total = 0
        for hero in range(4):
            s = _play_hand(GAME.new(words=deal), hero, chance, sees)
            total += int(s["payoff"][hero])
            winner = int(s["winner"])
            flows += winner < 0
            if winner >= 0:
                wins[int(winner != hero)] += 1
        means.append(total / 4)
    hands = 4 * decks
    error = float(np.std(means, ddof=1) / np.sqrt(decks))  # decks are independent, seats of one are not
    return {
        "hands": hands,
        "heuristic_wins": wins[0],
        "wins_of_a_random_seat": round(wins[1] / 3, 2),
        "flow_draws": flows,
        "mean_delta": round(float(np.mean(means)), 2),
        "standard_error": round(error, 2),
    }


def _play_hand(s: State, hero: int, chance: Any, sees: Any) -> State:
    while int(s["seat"]) >= 0:
        if int(s["seat"]) == hero:
            action = AGENT.act(sight(GAME, s, hero, sees))
        else:
            mask = GAME.mask(s)
            action = int(pick(chance, mask, int(mask.sum())))
        GAME.rules.apply(s, action)
    return s


def check_match(figures: dict[str, Any]) -> None:
    """Ten times the wins of a random seat; a mean above zero by five standard errors."""
    assert figures["heuristic_wins"] >= 10 * max(figures["wins_of_a_random_seat"], 1)
    assert figures["mean_delta"] > 5 * figures["standard_error"]


@pytest.mark.slow
def test_it_beats_three_random_agents_over_duplicate_decks() -> None:
    check_match(duplicate_match(25, seed=4))
