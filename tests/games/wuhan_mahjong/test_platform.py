"""Wuhan mahjong on the platform: Match, series, and the generic environment."""

from __future__ import annotations

import json
import warnings

import numpy as np
from pettingzoo.test import api_test, seed_test

from qipai.core import get, names
from qipai.envs import aec
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.tiles import CHOW, PASS, PONG
from qipai.match import Match

from .test_rules import CHOWER, P4, PONGER


def test_the_game_is_registered() -> None:
    assert "wuhan_mahjong" in names()
    assert get("wuhan_mahjong") is GAME
    assert GAME.rules.State.itemsize <= 1024


def test_a_match_dumps_and_loads() -> None:
    match = Match(GAME, seed=bytes(range(32)))
    rng = np.random.default_rng(2)
    while not match.over:
        seat = match.seat
        match.act(seat, int(rng.choice(GAME.legal_actions(match.state))))
    again = Match.load(json.loads(json.dumps(match.dump())))
    assert again.state.tobytes() == match.state.tobytes()


def test_a_window_moves_nobodys_version_but_the_asked_seats() -> None:
    from qipai.games.wuhan_mahjong.examples import position

    layout = position("WAITING_RESPONSE", 1, {1: CHOWER, 2: PONGER}, last_discard=[P4, 0], wall=60)
    versions = []
    for answer in (PASS, CHOW + 1):
        match = Match(GAME, seed=bytes(32), layout=layout)
        before = [match.version(k) for k in range(-1, 4)]
        match.act(1, answer)
        versions.append([match.version(k) - b for k, b in zip(range(-1, 4), before, strict=True)])
        match.act(2, PONG)
    assert versions[0] == versions[1]
    assert versions[0][0] == versions[0][1] == versions[0][4] == 0


def test_the_generic_environment_passes_pettingzoo_suites() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # api_test advises about dict observations
        api_test(aec("wuhan_mahjong"), num_cycles=200)
        seed_test(lambda: aec("wuhan_mahjong"), num_cycles=50)
