"""The 22 defects of the original (the spec's section 9): none of them comes back."""

from __future__ import annotations

import numpy as np
import pytest

from qipai.envs.wuhan_mahjong import random_action
from qipai.games.wuhan_mahjong import GAME, WuhanMahjongEnv, evaluate_win, index_to_action, is_ready
from qipai.games.wuhan_mahjong.api import public_bits
from qipai.games.wuhan_mahjong.examples import ids, melds, position
from qipai.games.wuhan_mahjong.layout import hand_of
from qipai.games.wuhan_mahjong.state import EDGES, MELD_DECISION, PROCESSING_MELD, Phase
from qipai.games.wuhan_mahjong.tiles import (
    CHOW,
    CONCEALED,
    KONG_LAZY,
    KONG_RED,
    KONG_SKIN,
    PASS,
    PONG,
    SUPPLEMENT,
    WIN,
)
from tests.envs.test_wuhan_mahjong import at

from .tables import MASKS, whole
from .test_rules import CHOWER, P4, play, rob_position, window

ROWS = {row["id"]: row for row in MASKS}


def state_of(name: str) -> np.record:
    return GAME.new(layout=whole(ROWS[name]))


def test_defect_1_a_meld_leads_to_meld_decision_only() -> None:
    assert [b for a, b in EDGES if a == PROCESSING_MELD] == [MELD_DECISION]


@pytest.mark.parametrize("name", ["M1", "M8"])
def test_defect_2_no_pass_in_a_decision_state(name: str) -> None:
    env = at(name)
    assert env.observe("player_0")["action_mask"][277] == 0
    with pytest.raises(ValueError, match=r"^PASS action is not allowed in"):
        env.step((10, 0))


def test_defect_3_no_win_on_a_stale_tile_after_a_meld() -> None:
    s = window(1, {1: CHOWER})
    play(s, CHOW + 1)
    assert int(s["drawn"]) == -1
    assert not GAME.mask(s)[WIN]
    assert 276 not in public_bits(state_of("M8"))


def test_defect_4_the_drawn_tile_is_counted_once() -> None:
    layout = position("PLAYER_DECISION", 0, {0: "22244m 5569s 13p 47z 1z"}, wall=82)
    layout["drawn"] = ids("2m")[0]
    assert not GAME.mask(GAME.new(layout=layout))[CONCEALED + ids("2m")[0]]


def test_defect_5_the_mask_does_not_depend_on_the_drawn_tile() -> None:
    layout = position("PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, wall=82)
    masks = {GAME.mask(GAME.new(layout={**layout, "drawn": d})).tobytes() for d in (None, 1, 3, 33)}
    assert len(masks) == 1


def test_defect_6_short_hands_have_a_mask() -> None:
    assert GAME.legal_actions(state_of("M10")) == [KONG_RED, KONG_SKIN]


def test_defect_7_the_random_agent_raises_on_an_empty_mask() -> None:
    with pytest.raises(ValueError, match="empty"):
        random_action(at("M1").observe("player_2"), np.random.default_rng(0))


def test_defect_8_a_skin_bit_only_for_a_skin_in_hand() -> None:
    found = public_bits(state_of("M3"))
    assert 218 in found
    assert 251 not in found


def test_defect_9_special_tiles_are_no_discards() -> None:
    found = public_bits(state_of("M2"))
    assert not {9, 10, 11, 31} & set(found)


def test_defect_10_a_supplement_kong_is_available() -> None:
    assert GAME.mask(state_of("M5"))[SUPPLEMENT + ids("5m")[0]]


@pytest.mark.parametrize(
    ("four", "action"), [("3333s", KONG_LAZY), ("1111s", KONG_SKIN + 1), ("5555z", KONG_RED)]
)
def test_defect_11_four_special_tiles_are_no_concealed_kong(four: str, action: int) -> None:
    s = GAME.new(layout=position("PLAYER_DECISION", 0, {0: f"2247m 69s 138p 7z {four}"}, wall=82))
    legal = GAME.legal_actions(s)
    assert action in legal
    assert not any(CONCEALED <= a < KONG_RED for a in legal)


def test_defect_12_honours_are_never_chowed() -> None:
    layout = position(
        "WAITING_RESPONSE",
        1,
        {1: "147m 258s 369p 1233z"},
        last_discard=[ids("3z")[0], 0],
        wall=60,
        indicator="2s",
    )
    assert GAME.legal_actions(GAME.new(layout=layout)) == [PONG, PASS]


def test_defect_13_an_illegal_action_neither_ends_nor_changes_the_hand() -> None:
    env = at("M1")
    before = env.dump_state()
    with pytest.raises(ValueError, match="WIN action is not allowed in PLAYER_DECISION"):
        env.step((9, 0))
    assert env.dump_state() == before
    assert not any(env.terminations.values())


def test_defect_14_the_machine_stops_in_all_four_agent_states() -> None:
    s = GAME.new(layout=position("PLAYER_DECISION", 0, {0: "2247m 569s 1148p 147z", 1: CHOWER}, wall=82))
    stops = []
    for action in (P4, CHOW + 1, ids("7z")[0]):
        play(s, action)
        stops.append((Phase(int(s["phase"])).name, int(s["seat"])))
    assert stops == [("WAITING_RESPONSE", 1), ("MELD_DECISION", 1), ("PLAYER_DECISION", 2)]
    robbed = play(GAME.new(layout=rob_position()), SUPPLEMENT + ids("3m")[0])
    assert (Phase(int(robbed["phase"])).name, int(robbed["seat"])) == ("WAIT_ROB_KONG", 0)


def test_defect_15_a_win_on_a_discard_takes_the_tile() -> None:
    s = state_of("M15")
    lying = int(s["river"][2, ids("6p")[0]])
    play(s, WIN)
    assert hand_of(s, 0) == ids("88m 456p")
    assert int(s["river"][2, ids("6p")[0]]) == lying - 1


def test_defect_16_the_minimum_is_taken_from_this_win() -> None:
    assert 276 in public_bits(state_of("M6"))
    assert 276 not in public_bits(state_of("M7"))


def test_defect_17_a_win_after_a_kong_is_a_choice() -> None:
    wall = [*ids("1s 1s 2s 3s 5z"), *ids("9p")]
    s = GAME.new(
        layout=position("PLAYER_DECISION", 0, {0: "88m 45678p 5z"}, {0: "chow 123m, pong 111z"}, wall=wall)
    )
    play(s, KONG_RED)  # and draws the 9p that completes the hand
    assert (Phase(int(s["phase"])).name, int(s["seat"])) == ("PLAYER_DECISION", 0)
    assert GAME.mask(s)[WIN]
    play(s, ids("9p")[0])
    assert int(s["winner"]) == -1


def test_defect_18_the_kong_seat_pays_for_a_robbed_kong() -> None:
    s = play(GAME.new(layout=rob_position()), SUPPLEMENT + ids("3m")[0], WIN)
    assert int(s["contractor"]) == 1
    assert s["payoff"].tolist() == [160, -160, 0, 0]


def test_defect_19_the_ready_test_tries_the_tile_and_is_used_at_the_end() -> None:
    assert is_ready(ids("1m 3m 456p 789p 88m"), melds("pong 111z from 2", 0), 10)[1] == ids("2m 3s")
    layout = position(
        "PLAYER_DECISION",
        1,
        {0: "13m 456789p 88m", 1: "147m 258s 369p 23467z"},
        {0: "pong 111z from 2"},
        wall=0,
    )
    s = play(GAME.new(layout=layout), ids("4m")[0])
    assert Phase(int(s["phase"])).name == "FLOW_DRAW"
    assert int(s["ready"]) == 1
    assert int(s["payoff"][0]) == 12


def test_defect_20_edge_runs_four_honours_and_the_small_limit() -> None:
    pong = melds("pong 111z from 2", 0)
    assert evaluate_win(ids("12388m 3s 45689p"), pong, 10, "SELF_DRAW", 40) is not None
    assert evaluate_win(ids("22334477z"), melds("pong 666z, pong 111z", 0), 10, "DISCARD", 40) is not None
    for hand, substitutes in (("4444z 3s 888m 999p", 1), ("4444z 33s 88m 999p", 2)):
        found = evaluate_win(ids(hand), pong, 10, "SELF_DRAW", 40)
        assert found == {"hard": False, "substitutes": substitutes, "types": ["SOFT_WIN", "PENG_PENG_HU"]}
    assert evaluate_win(ids("1388m 33s 46789p"), pong, 10, "SELF_DRAW", 40) is None


def test_defect_21_observations_are_each_agents_own() -> None:
    env = WuhanMahjongEnv()
    env.reset(seed=8)
    hands = [env.observe(agent)["private_hand"].tobytes() for agent in env.possible_agents]
    assert len(set(hands)) == 4


def test_defect_22_observations_fit_their_spaces() -> None:
    env = WuhanMahjongEnv()
    env.reset(seed=12)
    rng = np.random.default_rng(3)
    for _ in range(100):
        for agent in env.possible_agents:
            assert env.observation_space(agent).contains(env.observe(agent))
        if env.terminations["player_0"]:
            break
        env.step(index_to_action(random_action(env.observe(env.agent_selection), rng)))
