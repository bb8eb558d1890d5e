"""Who sits at a table: leaving, returning, owning."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from qipai.match.series import Goal
from qipai.server.store.guests import likeness
from qipai.server.table.seating import BOT_NAMES, REMEMBERED, Seating, seated_bots
from tests.server.live import Live, live, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("server"), grace=0.3) as found:
        until(lambda: found.hall.catalog.ready("nana"))
        yield found


def code(answer: dict[str, Any]) -> str:
    return str(answer.get("code", answer["type"]))


def test_the_page_can_tell_the_names_of_bots_from_those_of_people() -> None:
    seating = Seating.empty_table(len(BOT_NAMES))
    for seat in range(len(BOT_NAMES)):
        seating.fold("bot", {"seat": seat, "agent": "random"})
    assert set(seating.names) == seated_bots() and "Bot Lan" in seating.names


def test_no_person_may_take_the_name_of_a_bot(server: Live) -> None:
    assert {likeness(name) for name in seated_bots()} <= server.hall._bot_names


@pytest.mark.parametrize(
    ("goal", "hands", "places"),
    [
        (Goal("chips", 10), [((6, -3, -3), False), ((5, -5, 0), False)], [1, 3, 2]),
        (
            Goal("round", 1),
            [((1, -1, 0), True), ((0, 0, 0), False), ((-2, 1, 1), True), ((0, 1, -1), True)],
            [3, 1, 2],
        ),
    ],
)
def test_a_match_by_chips_or_by_rounds_ends_with_a_ranking(
    goal: Goal, hands: list[tuple[tuple[int, ...], bool]], places: list[int]
) -> None:
    seating = Seating.empty_table(3, goal)
    seating.fold("sit", {"seat": 0, "guest": "g", "name": "Ann"})
    for number, (payoff, passed) in enumerate(hands):
        assert not seating.finished and seating.unfinished_for("g")
        seating.fold("hand", {"hand": number})
        seating.fold("over", {"hand": number, "payoff": list(payoff), "passed": passed})
    assert (seating.finished, seating.progress.places()) == (True, places)
    assert not seating.unfinished_for("g")
    seating.fold("hand", {"hand": len(hands)})  # a new match
    assert (seating.finished, seating.chips) == (False, [0, 0, 0])


def test_leaving_lets_a_bot_play_on_and_the_person_may_return(server: Live) -> None:
    with server.person() as ann:
        table = ann.open("nana", bots=["random"], options={"first": 0, "max_turns": 1000})
        with ann.at(table) as visit:
            visit.until_asked()
            assert code(visit.ask(type="stand")) == "done"
            until(lambda: server.hall.tables[table].seating.seats[0].away)
            assert code(visit.ask(type="return")) == "done"
            assert not server.hall.tables[table].seating.seats[0].left


def test_when_the_owner_leaves_the_earliest_guest_owns(server: Live) -> None:
    people = [server.person() for _ in range(3)]
    table = people[0].open("nana", seats=4)
    visits = [p.at(table) for p in people]
    assert code(visits[2].ask(type="sit", seat=3)) == "done"
    assert code(visits[1].ask(type="sit", seat=1)) == "done"
    assert code(visits[0].ask(type="stand")) == "done"
    assert server.hall.tables[table].seating.owner == 3
    assert code(visits[2].ask(type="bot", seat=0, agent="random")) == "done"
    assert code(visits[2].ask(type="bot", seat=1, agent="random")) == "seat/taken"
    assert code(visits[2].ask(type="bot", seat=2, agent="nobody")) == "agent/unknown"
    assert code(visits[2].ask(type="bot", seat=0, agent=None)) == "done"
    for visit in visits:
        visit.close()


def test_the_owner_removes_a_guest_who_does_not_come_back(server: Live) -> None:
    ann, bo, eve = (server.person(name) for name in ("Ann", "Bo", "Eve"))
    table = ann.open("nana", seats=3)
    with ann.at(table) as owner, bo.at(table) as other, eve.at(table) as rude:
        assert code(other.ask(type="sit", seat=1)) == code(rude.ask(type="sit", seat=2)) == "done"
        assert code(other.ask(type="remove", seat=2)) == "table/owner"
        assert code(owner.ask(type="remove", seat=0)) == "seat/taken"
        for seat in (-1, 3):
            assert code(owner.ask(type="remove", seat=seat)) == "seat/none"
        assert code(owner.ask(type="remove", seat=2)) == "done"
        assert code(owner.ask(type="remove", seat=2)) == "seat/none"
        rude.wait(lambda m: m["type"] == "table" and m["you"] == -1)
        assert code(rude.ask(type="sit", seat=2)) == "seat/removed"
        assert code(other.ask(type="stand")) == code(other.ask(type="sit", seat=2)) == "done"  # others may


def test_who_is_removed_in_the_middle_of_a_hand_sees_no_more_of_it(server: Live) -> None:
    ann, eve = server.person("Ann"), server.person("Eve")
    table = ann.open("nana", seats=2, options={"first": 1, "max_turns": 1000})
    with ann.at(table) as owner, eve.at(table) as rude:
        assert code(rude.ask(type="sit", seat=1)) == "done"
        for visit in (rude, owner):
            assert code(visit.ask(type="ready", ready=True)) == "done"
        state = rude.until_asked()
        move = {"hand": 0, "version": state["version"], "actions": [state["legal"][0]]}
        assert code(owner.ask(type="remove", seat=1)) == "done"
        rude.wait(lambda m: m["type"] == "state" and m["seat"] == -1)
        assert rude.state["legal"] == []
        for request in ({"type": "act", **move}, {"type": "return"}, {"type": "stand"}):
            assert code(rude.ask(**request)) == "seat/none"
        owner.until_asked()  # a bot has moved
        assert owner.table["table"]["seats"][1]["kind"] == "bot"


def test_a_snapshot_is_the_whole_seating() -> None:
    seating = Seating.empty_table(3).after(
        [
            ("sit", {"seat": 0, "guest": "a", "name": "Ann"}),
            ("bot", {"seat": 1, "agent": "random"}),
            ("sit", {"seat": 2, "guest": "e", "name": "Eve"}),
            ("hand", {"hand": 0}),
            ("remove", {"seat": 2, "agent": "random"}),
            ("away", {"seat": 0}),
            ("over", {"hand": 0, "payoff": [2, -1, -1]}),
        ]
    )
    assert Seating.from_json(seating.to_json()) == seating
    assert (seating.removed, seating.seats[2].agent, seating.chips) == (["e"], "random", [2, -1, -1])


def test_a_snapshot_of_an_earlier_version_tells_who_withheld() -> None:
    seating = Seating.empty_table(2)
    for seat, guest in enumerate("ab"):
        seating.fold("sit", {"seat": seat, "guest": guest, "name": guest})
    body = seating.to_json()
    del body["withheld"]
    for seat, count in enumerate((0, 1)):
        body["seats"][seat]["withheld"] = count
    found = Seating.from_json(body)
    assert found.withheld == {"b": 1} and [found.loses_seat(seat) for seat in (0, 1)] == [False, True]


def test_a_table_remembers_the_last_guests_who_withheld() -> None:
    """They may be gone, and their memory is bounded."""
    seating = Seating.empty_table(1)
    for number in range(REMEMBERED + 5):
        guest = f"g{number}"
        seating.fold("sit", {"seat": 0, "guest": guest, "name": guest})
        for hand in (number, number + 1):
            assert not seating.loses_seat(0) or hand != number
            seating.fold("shuffle", {"seats": [0]})
            seating.fold("hand", {"hand": hand, "withheld": [0]})
            seating.fold("over", {"hand": hand, "payoff": [0]})
        assert seating.loses_seat(0)
        seating.fold("stand", {"seat": 0})
    assert list(seating.withheld) == [f"g{k}" for k in range(5, REMEMBERED + 5)]
    assert set(seating.withheld.values()) == {2} and Seating.from_json(seating.to_json()) == seating


def test_a_hand_after_the_last_one_begins_a_new_series() -> None:
    shuffle: list[tuple[str, dict[str, Any]]] = [("shuffle", {"seats": [0]})]
    for between in ([], shuffle):  # without and with an exchange before the deal
        seating = Seating.empty_table(2, Goal("hands", 1))
        seating.fold("hand", {"hand": 0})
        seating.fold("over", {"hand": 0, "payoff": [3, -3]})
        for kind, body in between:
            seating.fold(kind, body)
        seating.fold("hand", {"hand": 1})
        assert (seating.progress.hands, seating.chips) == (0, [0, 0])
