"""What views say about fans, waits and payments, against the settlement itself and the naive twin."""

from __future__ import annotations

import random
from math import prod
from typing import Any

import numpy as np
import pytest

from qipai.core import State
from qipai.games.wuhan_mahjong import GAME, WinType
from qipai.games.wuhan_mahjong.api.positions import empty_table, hold
from qipai.games.wuhan_mahjong.examples import ids, position
from qipai.games.wuhan_mahjong.layout import lay_specials
from qipai.games.wuhan_mahjong.score import settle_flow, settle_win
from qipai.games.wuhan_mahjong.state import FLOW_DRAW, WON
from qipai.games.wuhan_mahjong.tiles import KONG_RED, WinWay
from qipai.games.wuhan_mahjong.view import settlement
from tests.naive import wuhan_mahjong as naive

from .generate import random_flow, random_table
from .test_rules import play


def check_payments(s: State) -> dict[str, Any]:
    """Check that factors give the amount, and shares the deltas."""
    told = settlement(s)
    sums = [0] * 4
    for payment in told["payments"]:
        assert prod(factor["n"] for factor in payment["factors"]) == payment["raw"]
        assert (payment["limit"] is None) == (payment["paid"] == payment["raw"])
        payer = int(s["contractor"]) if int(s["contractor"]) >= 0 else payment["from"]
        sums[payer] -= payment["paid"]
        sums[payment["to"]] += payment["paid"]
    assert sums == s["payoff"].tolist()
    return told


def won_table(case: dict[str, Any], twin: dict[str, Any]) -> State:
    """Settle a hand with the tables of `random_table`, as the rules do."""
    s = empty_table(case["options"], case["indicator"])
    s["dealer"] = case["dealer"]
    for k in range(4):
        hold(s, k, case["hand"] if k == case["winner"] else [], case["melds"][k])
        lay_specials(s, k, case["special_kongs"][k])
    if case["payer"] is not None:
        s["source"], s["tile"] = case["payer"], case["hand"][0]
        for t in case["payer_hand"] or ():
            s["hand"][case["payer"], t] += 1
    types = sum(1 << WinType[name] for name in twin["types"])
    way = WinWay[case["win_way"]]
    settle_win(s, case["winner"], int(way), -1 if case["payer"] is None else case["payer"], types)
    s["win_way"], s["phase"] = way, WON
    return s


def test_the_payments_of_random_wins_add_up_to_the_deltas() -> None:
    rng = random.Random(9)
    limits = set()
    for _ in range(120):
        case = random_table(rng)
        arguments: Any = [case[k] for k in ORDER]
        twin = naive.settle_win(*arguments)
        if twin is None or not twin["legal"]:
            continue
        told = check_payments(won_table(case, twin))
        raws = {p["from"]: p["raw"] for p in told["payments"]}
        assert [raws.get(k, 0) for k in range(4)] == twin["raw"]
        limits |= {p["limit"] for p in told["payments"]}
    assert limits == {None, "capped", "golden"}


ORDER = (
    *("dealer", "indicator", "winner", "win_way", "payer", "hand", "melds", "special_kongs"),
    *("wall_left", "payer_hand", "options"),
)


def test_the_payments_of_random_flow_draws_add_up_to_the_deltas() -> None:
    rng = random.Random(10)
    paid = 0
    for _ in range(60):
        flow = random_flow(rng)
        s = empty_table(flow["options"], flow["indicator"])
        for k in range(4):
            hold(s, k, flow["hands"][k], flow["melds"][k])
            lay_specials(s, k, flow["special_kongs"][k])
        settle_flow(s)
        s["phase"] = FLOW_DRAW
        told = check_payments(s)
        assert told["tile"] is None and told["golden"] is None
        paid += len(told["payments"])
    assert paid > 20


def test_parts_of_a_fan_multiply_to_it() -> None:
    rng = np.random.default_rng(8)
    for kou_kou_fan in ("on", "off"):
        s = GAME.new({"kou_kou_fan": kou_kou_fan}, words=(3, 5, 8, 13))
        while int(s["seat"]) >= 0:
            view = GAME.rules.view(s, -1)
            for k in range(4):
                parts = [meld["fan"] for meld in view["melds"][k]] + [g["fan"] for g in view["laid"][k]]
                assert prod(parts) == view["fans"][k]
            GAME.rules.apply(s, int(rng.choice(GAME.legal_actions(s))))


def test_the_first_open_meld_alone_doubles_without_kou_kou_fan() -> None:
    rows = {0: "kong_concealed 1111z, pong 111p from 2, chow 456m from 3"}
    for option, fans in (("on", [4, 2, 2]), ("off", [4, 2, 1])):
        layout = position("PLAYER_DECISION", 0, {0: "77m 678s"}, rows, wall=40)
        s = GAME.new({"kou_kou_fan": option}, layout=layout)
        assert [meld["fan"] for meld in GAME.rules.view(s, 1)["melds"][0]] == fans


@pytest.mark.parametrize(
    ("hand", "melds", "lacks"),
    [
        ("2247m 569s 1138p 247z", "", ["open"]),
        ("2247m 2569s 113p 457z", "", ["open", "red", "skin"]),
        ("2247m 569s 17p 24z", "pong 999m from 2", ["shape"]),
        ("13m 456789p 88m 9s", "pong 111z from 2", []),
    ],
)
def test_what_a_hand_lacks_to_be_ready(hand: str, melds: str, lacks: list[str]) -> None:
    s = GAME.new(layout=position("PLAYER_DECISION", 0, {0: hand}, {0: melds}, wall=40))
    assert GAME.rules.view(s, 0)["lacks"] == lacks


def test_unseen_copies_of_what_is_waited_for() -> None:
    layout = position(
        "PLAYER_DECISION",
        0,
        {0: "13m 456789p 88m 9s"},
        {0: "pong 111z from 2", 1: "pong 222m from 0", 2: "kong_concealed 9999m"},
        laid={3: "3s"},
        wall=40,
    )
    s = play(GAME.new(layout=layout), ids("9s")[0])
    view = GAME.rules.view(s, 0)
    rivers = sum(river.count("2m") for river in view["rivers"])
    laizi = sum(river.count("3s") for river in view["rivers"])
    assert view["waits"] == ["2m", "3s"]
    assert view["unseen"] == {"2m": 1 - rivers, "3s": 3 - laizi}
    assert "unseen" not in GAME.rules.view(s, -1)


def test_unseen_copies_do_not_count_anothers_concealed_kong() -> None:
    hands = {0: "13m 456789p 88m 9s", 1: "147m 258s 369p 1234z"}
    rows = {0: "pong 111z from 2"}
    plain = GAME.new(layout=position("PLAYER_DECISION", 0, hands, rows, wall=40))
    kong = GAME.new(
        layout=position("PLAYER_DECISION", 0, hands, {**rows, 2: "kong_concealed 2222m"}, wall=40)
    )
    assert GAME.rules.view(plain, 0)["unseen"]["2m"] <= 4
    rivers = sum(river.count("2m") for river in GAME.rules.view(kong, 0)["rivers"])
    assert GAME.rules.view(kong, 0)["unseen"]["2m"] == 4 - rivers


def test_a_special_kong_says_what_it_multiplies() -> None:
    s = GAME.new(layout=position("PLAYER_DECISION", 0, {0: "2247m 12356s 24557z"}, wall=82))
    fans = {move["kind"]: move["fan"] for move in GAME.rules.view(s, 0)["moves"]}
    assert fans == {"discard": None, "kong_red": 2, "kong_lazy": 4, "kong_skin": 2}
    view = GAME.rules.view(play(s, KONG_RED), 0)
    assert view["laid"][0] == [{"tile": "5z", "special": "red", "count": 1, "fan": 2}]
