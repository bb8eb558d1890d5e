"""The machine: flow, windows, robbing, ends, options (the spec's section 12.6 and section 10)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qipai.core import State, copy_state, pick
from qipai.core.agent import agent_words
from qipai.games.wuhan_mahjong import GAME
from qipai.games.wuhan_mahjong.examples import ids, position
from qipai.games.wuhan_mahjong.layout import dump, hand_of
from qipai.games.wuhan_mahjong.state import Phase
from qipai.games.wuhan_mahjong.tiles import (
    CHOW,
    CONCEALED,
    EXPOSED,
    KONG_LAZY,
    KONG_RED,
    KONG_SKIN,
    PASS,
    PONG,
    SUPPLEMENT,
    WIN,
    WinWay,
)

P4, M3 = ids("4p")[0], ids("3m")[0]
CHOWER = "17m 59s 235p 123467z"  # chows 4p as 2-3-4 or 3-4-5
PONGER = "258m 369s 44p 12346z"
WINNER = {0: "chow 123m, pong 111z from 2, pong 444z from 1"}


def phase(s: State) -> str:
    return Phase(int(s["phase"])).name


def play(s: State, *actions: int) -> State:
    for action in actions:
        assert GAME.mask(s)[action], (phase(s), GAME.legal_actions(s), action)
        GAME.rules.apply(s, action)
    return s


def window(asked: int, hands: dict[int, str], discarder: int = 0, **more: Any) -> State:
    options = more.pop("options", None)
    return GAME.new(
        options,
        layout=position("WAITING_RESPONSE", asked, hands, last_discard=[P4, discarder], wall=60, **more),
    )


def test_a5_the_deal() -> None:
    s = GAME.new(words=(1, 2, 3, 4))
    sizes = [int(n) for n in s["hand"].sum(1)]
    assert sorted(sizes) == [13, 13, 13, 14]
    assert sizes[int(s["dealer"])] == 14
    assert int(s["back"] - s["front"]) == 82
    assert (phase(s), int(s["seat"])) == ("PLAYER_DECISION", int(s["dealer"]))


def test_a_deck_is_dealt_in_the_order_of_section_2() -> None:
    deck = [t % 34 for t in range(136)]
    s = GAME.new(layout={"deck": deck, "dealer": 2})
    for seat in range(4):
        own = deck[13 * seat : 13 * seat + 13] + ([deck[52]] if seat == 2 else [])
        assert hand_of(s, seat) == sorted(own)
    assert int(s["indicator"]) == deck[53]
    assert s["wall"][54:136].tolist() == deck[54:]


def test_g1_without_a_claim_the_next_seat_draws_from_the_front() -> None:
    s = GAME.new(layout=position("PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, wall=82))
    front, left = int(s["wall"][s["front"]]), int(s["back"] - s["front"])
    before = hand_of(s, 1)
    play(s, ids("7z")[0])
    assert (phase(s), int(s["seat"])) == ("PLAYER_DECISION", 1)
    assert hand_of(s, 1) == sorted([*before, front])
    assert int(s["back"] - s["front"]) == left - 1
    assert s["win_way"] == WinWay.SELF_DRAW


@pytest.mark.parametrize("action", [KONG_RED, KONG_LAZY, KONG_SKIN, KONG_SKIN + 1])
def test_g2_a_special_kong_draws_from_the_tail(action: int) -> None:
    s = GAME.new(layout=position("PLAYER_DECISION", 0, {0: "2247m 12356s 24557z"}, wall=82))
    tail = int(s["wall"][s["back"] - 1])
    play(s, action)
    assert (phase(s), int(s["seat"])) == ("PLAYER_DECISION", 0)
    assert s["win_way"] == WinWay.KONG_SELF_DRAW
    assert int(s["hand"][0].sum()) == 14
    assert int(s["drawn"]) == tail
    assert int(s["laid"][0].sum()) == 1


def test_g3_pong_outranks_chow() -> None:
    s = window(1, {1: CHOWER, 2: PONGER})
    play(s, CHOW + 1)
    assert (phase(s), int(s["seat"])) == ("WAITING_RESPONSE", 2)
    play(s, PONG)
    assert (phase(s), int(s["seat"])) == ("MELD_DECISION", 2)
    assert int(s["melds"][1]) == 0
    assert int(s["drawn"]) == -1


def test_an_outranking_claim_that_is_not_made_leaves_the_chow() -> None:
    s = play(window(1, {1: CHOWER, 2: PONGER}), CHOW + 1, PASS)
    assert (phase(s), int(s["seat"])) == ("MELD_DECISION", 1)
    assert dump(s)["melds"][1] == [{"type": "CHOW", "tiles": ids("345p"), "from": 0}]
    assert dump(s)["rivers"][0][-1:] != [P4]


def two_winners() -> dict[str, Any]:
    rows = {1: "pong 111z from 0, pong 222z from 0, pong 333z from 0"}
    rows[3] = "pong 444z from 0, pong 666z from 0, pong 777z from 0"
    return position(
        "WAITING_RESPONSE", 1, {1: "88m 23p", 3: "55m 56p"}, rows, last_discard=[P4, 0], wall=40, dealer=2
    )


def test_g4_the_nearest_winner_downstream_is_asked_first() -> None:
    s = GAME.new(layout=two_winners())
    assert int(s["seat"]) == 1
    won = play(copy_state(s), WIN)
    assert (phase(won), int(won["winner"])) == ("WIN", 1)
    later = play(s, PASS)
    assert (phase(later), int(later["seat"])) == ("WAITING_RESPONSE", 3)
    play(later, WIN)
    assert (int(later["winner"]), WinWay(int(later["win_way"])).name) == (3, "DISCARD")
    assert hand_of(later, 3) == ids("55m 456p")


def test_multi_win_order_dealer_asks_from_the_dealer_on() -> None:
    layout = {**two_winners(), "dealer": 2, "current": 3}
    s = GAME.new({"multi_win_order": "dealer"}, layout=layout)
    assert int(s["seat"]) == 3
    assert int(play(s, PASS)["seat"]) == 1


def rob_position() -> dict[str, Any]:
    rows = {0: "pong 111z from 2", 1: "pong 333m from 2"}
    hands = {0: "1288m 456789p", 1: "3m 479s 258p 2467z"}
    return position("PLAYER_DECISION", 1, hands, rows, wall=45)


def test_g5_a_robbed_kong_stays_a_pong_and_its_seat_pays_all() -> None:
    s = play(GAME.new(layout=rob_position()), SUPPLEMENT + M3)
    assert (phase(s), int(s["seat"])) == ("WAIT_ROB_KONG", 0)
    won = play(copy_state(s), WIN)
    assert (phase(won), WinWay(int(won["win_way"])).name) == ("WIN", "ROB_KONG")
    assert dump(won)["melds"][1][0]["type"] == "PONG"
    assert M3 not in hand_of(won, 1)
    assert won["payoff"].tolist() == [160, -160, 0, 0]
    tail = int(s["wall"][s["back"] - 1])
    passed = play(s, PASS)
    assert (phase(passed), int(passed["seat"])) == ("PLAYER_DECISION", 1)
    assert dump(passed)["melds"][1] == [{"type": "KONG_SUPPLEMENT", "tiles": [M3] * 4, "from": 2}]
    assert int(passed["drawn"]) == tail


def test_g6_a_discard_on_an_empty_wall_asks_nobody() -> None:
    rows = {0: "chow 123m, pong 111z from 2, pong 444z from 1"}
    hands = {0: "88m 45p", 3: "6p 1479m 258s 2367z 13p"}
    s = GAME.new(layout=position("PLAYER_DECISION", 3, hands, rows, wall=0))
    play(s, ids("6p")[0])
    assert phase(s) == "FLOW_DRAW"
    assert int(s["winner"]) == -1
    one_left = play(GAME.new(layout=position("PLAYER_DECISION", 3, hands, rows, wall=1)), ids("6p")[0])
    assert (phase(one_left), int(one_left["seat"])) == ("WAITING_RESPONSE", 0)
    assert GAME.mask(one_left)[WIN]


def test_g6_a_kong_on_an_empty_wall_is_a_flow_draw() -> None:
    rows = {0: "pong 555m from 1, chow 456p, pong 111z from 2, pong 444z from 3"}
    s = GAME.new(layout=position("MELD_DECISION", 0, {0: "2s 5z"}, rows, wall=0))
    assert GAME.legal_actions(s) == [KONG_RED, KONG_SKIN]
    assert phase(play(s, KONG_SKIN)) == "FLOW_DRAW"


def test_wall_reserve_ends_the_hand_with_ten_tiles_left() -> None:
    layout = position("PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, wall=11)
    s = play(GAME.new({"wall_reserve": 10}, layout=layout), 1)
    assert phase(s) == "PLAYER_DECISION"
    play(s, int(np.flatnonzero(GAME.mask(s))[0]))
    assert phase(s) == "FLOW_DRAW"
    assert int(s["back"] - s["front"]) == 10


def test_g9_the_winner_deals_next_and_a_flow_draw_keeps_the_dealer() -> None:
    rows = {0: "chow 123m from 3, pong 111z from 2"}
    won = play(GAME.new(layout=position("PLAYER_DECISION", 0, {0: "88m 456789p"}, rows, dealer=2)), WIN)
    assert GAME.rules.successor(won) == {"first_dealer": 0}
    own = play(GAME.new(layout=position("PLAYER_DECISION", 0, {0: "88m 456789p"}, rows, dealer=0)), WIN)
    assert GAME.rules.successor(own) == {"first_dealer": 0}
    flow = GAME.new(
        layout=position("PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, wall=0, dealer=2),
    )
    assert GAME.rules.successor(play(flow, 1)) == {"first_dealer": 2}


@pytest.mark.parametrize(("hand", "action"), [(CHOWER, CHOW + 2), (PONGER, PONG)], ids=["chow", "pong"])
def test_t7_a_meld_leads_to_meld_decision_without_a_draw(hand: str, action: int) -> None:
    s = play(window(1, {1: hand}), action)
    assert (phase(s), int(s["seat"])) == ("MELD_DECISION", 1)
    assert dump(s)["win_way"] is None
    assert dump(s)["drawn"] is None


def test_an_exposed_kong_takes_three_from_hand_and_draws_from_the_tail() -> None:
    s = play(window(2, {2: "179m 579s 444p 2467z"}), EXPOSED)
    assert (phase(s), int(s["seat"])) == ("PLAYER_DECISION", 2)
    assert int(s["hand"][2, P4]) == 0
    assert dump(s)["melds"][2] == [{"type": "KONG_EXPOSED", "tiles": [P4] * 4, "from": 0}]
    assert s["win_way"] == WinWay.KONG_SELF_DRAW


def test_a_concealed_kong_is_not_an_open() -> None:
    s = GAME.new(layout=position("PLAYER_DECISION", 0, {0: "2224444m 569s 13p 47z"}, wall=82))
    play(s, CONCEALED + 3)
    assert int(s["melds"][0]) == 1
    assert int(s["opens"][0]) == 0
    assert int(s["hand"][0].sum()) == 11


def test_auto_pass_off_asks_all_three_after_every_discard() -> None:
    layout = position("PLAYER_DECISION", 0, {0: "2247m 569s 1138p 247z"}, wall=82)
    s = play(GAME.new({"auto_pass": False}, layout=layout), ids("7z")[0])
    for seat in (1, 2, 3):
        assert (phase(s), int(s["seat"])) == ("WAITING_RESPONSE", seat)
        assert GAME.legal_actions(s) == [PASS]
        play(s, PASS)
    assert (phase(s), int(s["seat"])) == ("PLAYER_DECISION", 1)


def test_a_passed_win_may_be_taken_later() -> None:
    p6 = ids("6p")[0]
    layout = position(
        "WAITING_RESPONSE", 0, {0: "88m 45p"}, WINNER, last_discard=[p6, 2], wall=[p6, *ids("1s 2s 3s 5z")]
    )
    s = GAME.new(layout=layout)
    assert GAME.mask(s)[WIN]
    play(s, PASS, p6)  # seat 3 draws the next 6p and discards it
    assert (phase(s), int(s["seat"])) == ("WAITING_RESPONSE", 0)
    assert int(play(s, WIN)["winner"]) == 0


# --- plain, compiled and bounds-checked play -------------------------------------------


def compare_variants(hands: int, seed: int, variants: tuple[str, ...] = ("plain",)) -> dict[str, int]:
    """Play `hands` random hands in step, compiled and otherwise; every state must be the same bytes."""
    compiled = GAME.functions("compiled")
    others = [GAME.functions(v) for v in variants]
    rng = agent_words(GAME, seed, 0)
    steps = 0
    for hand in range(hands):
        s = GAME.blank()
        GAME.key(s, (seed, hand, 1, 2))
        twins = [copy_state(s) for _ in others]
        compiled.deal(s)
        for f, twin in zip(others, twins, strict=True):
            f.deal(twin)
        while int(s["seat"]) >= 0:
            mask = GAME.mask(s)
            action = int(pick(rng, mask, int(mask.sum())))
            compiled.apply(s, action)
            for f, twin in zip(others, twins, strict=True):
                f.apply(twin, action)
                assert twin.tobytes() == s.tobytes()
            steps += 1
    return {"hands": hands, "steps": steps}


def test_plain_and_compiled_play_are_equal() -> None:
    assert compare_variants(2, seed=1)["steps"] > 100
