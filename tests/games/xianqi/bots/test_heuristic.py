"""Xianqi's heuristic agent."""

from __future__ import annotations

import pytest

from qipai.arena import run
from qipai.core.agent import agent_words, make_agent, sight
from qipai.games.xianqi import GAME, state
from qipai.games.xianqi.bots import AGENTS
from qipai.games.xianqi.bots.heuristic import Heuristic
from qipai.games.xianqi.text import parse

from ..positions import position

PAIR = "RS2, under BC, under BC, under RN, under BN"
FOUR = PAIR + ", BS2, under BM, under BM, under BX, under BX"


def choice(actions: str, seed: int = 1) -> int:
    s = position(actions)
    agent = make_agent(GAME, "heuristic", seed)
    return agent.act(sight(GAME, s, int(s["seat"]), agent_words(GAME, seed, 1)))


def test_the_game_offers_it_above_random() -> None:
    assert [(spec.name, spec.place, spec.make) for spec in AGENTS] == [("heuristic", 1, Heuristic)]


@pytest.mark.parametrize("actions", ["", "RN", "RS2", PAIR + ", buckle"])
def test_it_chooses_a_legal_action_and_the_same_one_again(actions: str) -> None:
    found = choice(actions)
    assert found in GAME.legal_actions(position(actions)) and choice(actions) == found


def test_it_plays_on_for_ceramic_with_a_pair_that_nobody_can_beat() -> None:
    assert choice(FOUR) == parse("RM2")


def test_it_does_not_reveal_where_playing_on_only_loses_more() -> None:
    assert choice(FOUR + ", buckle") == state.PASS


def test_it_beats_random_play() -> None:
    table = run(GAME, ["heuristic", "random"], 60, seed=3)
    chips = {row.agent: row.chips.mean for row in table.rows}
    assert chips["heuristic"] > 0 > chips["random"]
