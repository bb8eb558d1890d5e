"""What a seat of xianqi may see, and what it is told (§7, §8)."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from qipai.core import copy_state, same
from qipai.core.errors import BadSeats
from qipai.core.rule import plain_function
from qipai.games.xianqi import GAME, rules, settle, state
from qipai.games.xianqi.lines import line
from qipai.games.xianqi.text import parse
from qipai.games.xianqi.view import ending, narrate, view

from .positions import HANDS, OPTION_SETS, VIEWERS, position, random_games

DECK = {card: int(n) for card, n in zip(state.CARDS, state.COPIES, strict=True)}


def test_a_view_is_json_and_has_none_of_the_secret_fields() -> None:
    s = position("RS2, under BC, under BC")
    for seat in VIEWERS:
        text = json.dumps(view(s, seat))
        for word in ("ply", "rng", "deck", "seed", "liable"):
            assert f'"{word}"' not in text


def test_a_seat_sees_its_own_hand_and_only_the_number_of_the_others_cards() -> None:
    s = position("RS2, under BC, under BC")
    mine = view(s, 1)
    assert mine["hand"] == {"R_XIANG": 1, "B_MA": 2, "R_CHE": 2, "R_GOU": 1}
    assert mine["covered"] == {"B_CHE": 2}
    assert mine["hand_counts"] == [6, 6, 8]
    watcher = view(s, -1)
    assert "hand" not in watcher and "covered" not in watcher and "hands" not in watcher
    assert "B_CHE" not in json.dumps(view(s, 0))


def test_a_cover_shows_its_cards_to_its_owner_and_its_count_to_the_others() -> None:
    s = position("RS2, under BC, under BC, under RN, under BN")
    for seat in VIEWERS:
        entry = view(s, seat)["rounds"][0]["entries"][1]
        assert entry["seat"] == 1 and entry["power"] == -1 and entry["covered_count"] == 2
        assert entry.get("cards") == ({"B_CHE": 2} if seat == 1 else None)


def test_the_winner_of_a_round_does_not_learn_what_was_covered() -> None:
    s = position("RS2, under BC, under BC, under RN, under BN")
    assert view(s, 0)["decider"] == 0
    assert "B_CHE" not in json.dumps(view(s, 0)["rounds"])


def test_an_unfinished_cover_changes_nothing_for_the_others() -> None:
    before, during = position("RS2"), position("RS2, under BM")
    for seat in (-1, 0, 2):
        assert view(before, seat) == view(during, seat)
        assert narrate(before, parse("under BM"), seat) == []
    own = view(during, 1)
    assert own["picked"] == ["B_MA"]
    assert own["hand"]["B_MA"] == 1
    assert own["covered"] == {}


def test_only_the_deciding_seat_sees_what_is_legal() -> None:
    s = position("RS2")
    assert view(s, 1)["legal"] == GAME.legal_actions(s)
    assert view(s, 0)["legal"] == [] and view(s, 2)["legal"] == []
    assert "legal" not in view(s, -1)


@pytest.mark.parametrize("seat", [-2, 3, 99, True, "0", None, 1.0])
def test_odd_seat_numbers_are_refused(seat: Any) -> None:
    s = position()
    with pytest.raises(BadSeats):
        view(s, seat)
    with pytest.raises(BadSeats):
        narrate(s, parse("RS"), seat)


def test_two_deals_that_a_seat_cannot_tell_apart_give_it_the_same_view_and_story() -> None:
    other = [
        HANDS[0],
        {"R_XIANG": 1, "B_XIANG": 1, "B_MA": 1, "R_CHE": 1, "B_CHE": 1, "R_GOU": 1, "B_NIU": 2},
        {"R_XIANG": 1, "B_XIANG": 1, "B_MA": 1, "R_CHE": 1, "B_CHE": 1, "B_GOU": 1, "R_NIU": 1, "B_NIU": 1},
    ]
    one = position("RS2, under BC, under BC, under RN, under BN")
    two = position("RS2, under BM, under BN, under RX, under BN", other)
    for seat in (-1, 0):
        assert view(one, seat) == view(two, seat)
        for word in ("RM", "BS2", "buckle"):
            assert narrate(one, parse(word), seat) == narrate(two, parse(word), seat)


def test_the_buckle_is_seen_with_who_is_asked_in_which_order() -> None:
    s = position("RS2, under BC, under BC, under BN, under BN, buckle")
    seen = view(s, -1)
    assert (seen["phase"], seen["buckler"], seen["pending"], seen["decider"]) == (
        "reveal_decision",
        0,
        [1, 2],
        1,
    )
    rules.apply(s, state.PASS)
    assert view(s, -1)["pending"] == [2]
    rules.apply(s, state.REVEAL)
    seen = view(s, -1)
    assert seen["relations"] == [{"revealer": 2, "buckler": 0, "was_enough": False, "round": 1}]
    assert (seen["active_revealer"], seen["challenger"], seen["buckler"]) == (2, 2, None)
    assert seen["round"] == {"lead": 0, "kind": 0, "winner": None, "entries": []}


def test_reaching_settlement_opens_nothing_and_finishing_opens_everything() -> None:
    s = position("RS2, under BC, under BC, under BN, under BN, buckle, pass")
    variant = GAME.functions("plain")
    make = variant.apply.__globals__["make"]
    make(s, state.PASS)
    assert int(s["phase"]) == state.SETTLEMENT
    closed = view(s, -1)
    assert closed["end"] == "buckled"
    assert "hands" not in closed and "settlement" not in closed and "B_CHE" not in json.dumps(closed)
    rules.advance(s)
    opened = view(s, -1)
    assert opened["hands"][1] == {"R_XIANG": 1, "B_MA": 2, "R_CHE": 2, "R_GOU": 1}
    assert opened["covers"] == [{}, {"B_CHE": 2}, {"B_NIU": 2}]
    assert opened["rounds"][0]["entries"][1]["cards"] == {"B_CHE": 2}


@pytest.mark.parametrize("options", OPTION_SETS, ids=lambda o: "+".join(o) or "default")
def test_the_payments_told_add_up_to_the_parts_of_the_settlement(options: dict[str, Any]) -> None:
    ends: Counter[str] = Counter()
    for final, steps in random_games(150, options):
        told = narrate(*steps[-1], -1) if steps else ending(final)
        end = next(i for i, e in enumerate(told) if e["event"] == "end")
        assert told[end:] == ending(final)
        ends[told[end]["reason"]] += 1
        sums = {"enough": [0, 0, 0], "reveal": [0, 0, 0], "ceramic": [0, 0, 0]}
        for event in told:
            if event["event"] == "pay":
                part = sums["ceramic" if event["why"] == "eight" else event["why"]]
                part[event["seat"]] -= event["chips"]
                part[event["to"]] += event["chips"]
        settled = view(final, -1)["settlement"]
        assert {part: settled[part] for part in sums} == sums
        assert settled["payoff"] == final["payoff"].tolist()
    assert {"two_enough", "buckled", "exhausted", "ceramic"} <= set(ends)


def test_a_finished_game_shows_all_24_cards() -> None:
    for final, _ in random_games(40, {}):
        seen = view(final, 1)
        cards: Counter[str] = Counter()
        for hand in seen["hands"]:
            cards.update(hand)
        for played in seen["rounds"]:
            for entry in played["entries"]:
                cards.update(entry["cards"])
        assert cards == DECK


def test_a_story_leaves_the_state_as_it_was() -> None:
    for _, steps in random_games(10, {}):
        for before, action in steps:
            kept = copy_state(before)
            for seat in VIEWERS:
                narrate(before, action, seat)
            assert same(before, kept)


def test_the_story_of_a_deal_tells_every_round_and_is_the_same_for_all_but_covers() -> None:
    for final, steps in random_games(20, {}):
        told = {seat: [e for before, a in steps for e in narrate(before, a, seat)] for seat in VIEWERS}
        public = [{k: v for k, v in e.items() if k != "cards" or e["event"] != "cover"} for e in told[-1]]
        assert public == told[-1]
        for seat in (0, 1, 2):
            bare = [{k: v for k, v in e.items() if k != "cards" or e["event"] != "cover"} for e in told[seat]]
            assert bare == public
            own = [e for e in told[seat] if e["event"] == "cover"]
            assert all(("cards" in e) == (e["seat"] == seat) for e in own)
        rounds = [e for e in told[-1] if e["event"] == "round"]
        assert len(rounds) == int(final["closed"])


def test_the_dog_pair_shows_the_power_of_the_tables_option() -> None:
    hands = [
        {"R_GOU": 1, "B_GOU": 1, "B_SHI": 2, "R_MA": 2, "R_NIU": 2},
        {"R_SHI": 2, "R_XIANG": 1, "B_MA": 2, "R_CHE": 2, "B_CHE": 1},
        {"R_XIANG": 1, "B_XIANG": 2, "B_CHE": 1, "R_NIU": 1, "B_NIU": 3},
    ]
    for value, power in (("above_red_shi", 10), ("equal_red_shi", 9)):
        s = position("dog", hands, {"dog_pair": value})
        entry = view(s, -1)["round"]["entries"][0]
        assert entry == {"seat": 0, "power": power, "cards": {"R_GOU": 1, "B_GOU": 1}}


def test_a_black_deal_is_open_at_once() -> None:
    hands = [
        {"R_SHI": 2, "B_SHI": 2, "R_XIANG": 2, "R_MA": 2},
        {"B_XIANG": 2, "B_MA": 2, "R_CHE": 2, "B_CHE": 2},
        {"R_GOU": 1, "B_GOU": 1, "R_NIU": 3, "B_NIU": 3},
    ]
    seen = view(position(hands=hands), 0)
    assert (seen["phase"], seen["end"], seen["decider"]) == ("finished", "black", None)
    assert seen["hands"] == hands and seen["settlement"]["payoff"] == [0, 0, 0]


def test_the_view_of_a_plain_rule_state_is_the_same() -> None:
    """`view` reads the record only; it does not matter which variant made it."""
    plain = GAME.functions("plain")
    s, t = position(), position()
    for word in ("RS2", "under BC", "under BC", "under BN", "under BN", "buckle"):
        rules.apply(s, parse(word))
        plain_function(plain.apply)(t, parse(word))
    assert all(view(s, seat) == view(t, seat) for seat in VIEWERS)


# --- what the page would otherwise compute --------------------------------------------


@pytest.mark.parametrize("options", OPTION_SETS, ids=lambda o: "+".join(o) or "default")
def test_the_stakes_are_what_the_rules_pay_if_nobody_reveals(options: dict[str, Any]) -> None:
    seen_any = 0
    for _, steps in random_games(60, options):
        for s, _ in steps:
            stakes = [view(s, seat)["stakes"] for seat in VIEWERS]
            assert all(found == stakes[0] for found in stakes)
            if int(s["phase"]) != state.REVEAL_DECISION:
                assert (stakes[0] is not None) == (int(s["phase"]) == state.BUCKLE_DECISION)
                continue
            end = copy_state(s)
            while end["seat"] >= 0:
                rules.apply(end, state.PASS)
            assert stakes[0] == end["payoff"].tolist()
            seen_any += any(stakes[0])
    assert seen_any


def test_asking_for_the_stakes_changes_nothing() -> None:
    s = position("RS2, under BC, under BC, under BN, under BN, buckle")
    before = copy_state(s)
    assert view(s, 1)["stakes"] == [0, 0, 0]
    assert same(s, before)


def test_who_is_barred_is_what_the_rules_say() -> None:
    is_barred = plain_function(settle.is_barred)
    count = 0
    for options in OPTION_SETS:
        for final, steps in random_games(60, options):
            for s in [*(s for s, _ in steps), final]:
                expected = [k for k in range(state.SEATS) if is_barred(s, k)]
                assert view(s, -1)["barred"] == expected
                count += len(expected)
    assert count > 20


@pytest.mark.parametrize("dog_pair", ["above_red_shi", "equal_red_shi"])
def test_the_powers_are_those_of_the_rules(dog_pair: str) -> None:
    s = position(options={"dog_pair": dog_pair})
    power = plain_function(rules.play_power)
    assert view(s, -1)["powers"] == [power(s, play) for play in range(state.PLAYS)]
    assert view(s, -1)["goals"] == {"enough": state.ENOUGH, "ceramic": state.CERAMIC}


@pytest.mark.parametrize("options", OPTION_SETS, ids=lambda o: "+".join(o) or "default")
def test_what_each_goal_pays_is_what_the_rules_pay(options: dict[str, Any]) -> None:
    s = position(options=options)
    pays = view(s, -1)["pays"]
    assert pays == {"enough": 1, "ceramic": 1 if options.get("first_game_limits") else 3}
    for goal, pillars in (("enough", [3, 2, 1]), ("ceramic", [6, 2, 0])):
        s["pillars"] = pillars
        settle.settle(s)
        assert s["payoff"].tolist() == [2 * pays[goal], -pays[goal], -pays[goal]]


def test_the_lines_of_the_settlement_tell_its_events() -> None:
    for final, _ in random_games(20, {}):
        lines = view(final, -1)["settlement"]["lines"]
        assert lines == [list(line(event) or ()) for event in ending(final)]
        assert json.loads(json.dumps(lines)) == lines
