"""The compiled calls of the named API against the rules, one action at a time."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from qipai.core import copy_state, new_states
from qipai.core.rule import plain_function
from qipai.core.state import States
from qipai.games.xianqi import GAME, reference, rules, settle, state
from qipai.games.xianqi.api import steps
from qipai.games.xianqi.api.combos import TYPE, template
from qipai.games.xianqi.api.ruleset import read_rules


def begun(seed: int, given: dict[str, object]) -> tuple[States, list[int]]:
    """Return two states with a deal in the first, and what is reported about it."""
    states = new_states(state.State, 2)
    states[:1] = template(read_rules(given))
    hands, first = reference.deal(seed)
    packed = [sum(n << 2 * TYPE[code] for code, n in hand.items()) for hand in hands]
    out = np.zeros(steps.SIZE, np.int8)
    steps.calls().begin(states, *packed, first, np.zeros(state.ACTIONS, np.uint8), out)
    return states, out.tolist()


@pytest.mark.parametrize("given", [{}, {"dog_pair": "equal_red_shi", "round_open": "buckle_first"}])
def test_what_is_told_is_what_the_rules_say(given: dict[str, object]) -> None:
    GAME.compile()
    rng = Random(1)
    mask, out = np.zeros(GAME.width, np.uint8), np.zeros(steps.SIZE, np.int8)
    compared = 0
    for seed in range(30):
        states, told = begun(seed, given)
        s = copy_state(states[0])
        while s["seat"] >= 0:
            actions = GAME.legal_actions(s)
            covers = actions[0] >= state.UNDER
            assert told[steps.SEAT] == s["seat"] and told[steps.PHASE] == s["phase"]
            assert told[steps.LIST :][: told[steps.LISTED]] == ([steps.COVER] if covers else actions)
            packed = 0
            if covers:
                for k in range(int(s["kind"])):
                    action = rng.choice(GAME.legal_actions(s))
                    packed |= action - state.UNDER + 1 << 4 * k
                    rules.make(s, action)
            else:
                action = rng.choice(actions)
                rules.make(s, action)
            steps.calls().move(states, action, packed, mask, out)
            told = out.tolist()
            assert states[0].tobytes() == s.tobytes()
            assert told[steps.PENDING : steps.PENDING + 2] == s["pending"].tolist()
            assert told[steps.UNBUCKLED] == s["unbuckled"] and told[steps.CLOSED] == s["closed"]
            if s["closed"]:
                last = int(s["closed"]) - 1
                assert (told[steps.WINNER], told[steps.WON]) == (s["winners"][last], s["kinds"][last])
            if s["links"]:
                last = int(s["links"]) - 1
                link = [f(s, last) for f in (settle.link_revealer, settle.link_buckler, settle.link_enough)]
                assert told[steps.LINK : steps.LINK + 3] == link
            compared += 1
    assert compared > 300


def test_a_black_deal_waits_for_its_settlement() -> None:
    states, told = begun(52, {})
    assert told[steps.PHASE] == state.SETTLEMENT and told[steps.SEAT] == -1 and told[steps.LISTED] == 0
    out = np.zeros(steps.SIZE, np.int8)
    steps.calls().finish(states, np.zeros(state.ACTIONS, np.uint8), out)
    assert out[steps.PHASE] == state.FINISHED


def test_reckoning_changes_the_copy_alone() -> None:
    states, _ = begun(0, {})
    states[0]["pillars"] = [3, 0, 4]
    before = states[0].tobytes()
    out = np.zeros(steps.PARTS, np.int8)
    steps.calls().reckon(states, 0b100, 1 + 3 * 2, 1, out)  # seat 2 barred, 1 revealed against 2
    enough, reveal, ceramic = out.reshape(3, 3).tolist()
    assert (enough, reveal, ceramic) == ([1, -1, 0], [0, -1, 1], [0, 0, 0])
    assert states[0].tobytes() == before


def test_the_plain_rules_tell_the_same() -> None:
    states, told = begun(7, {})
    out = np.zeros(steps.SIZE, np.int8)
    plain_function(steps.look)(states, np.zeros(state.ACTIONS, np.uint8), out)
    assert out.tolist() == told
