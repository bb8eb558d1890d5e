"""§22 checks 1-16: every edge of the specified diagram, on the rules and on their naive twin."""

from __future__ import annotations

import copy
from itertools import pairwise
from typing import Any

import pytest

from qipai.core import NOBODY
from qipai.games.skill_gomoku import GAME, rules
from qipai.games.skill_gomoku.state import CELL, Phase
from tests.naive.skill_gomoku_machine import NaiveMachine

from ..positions import (
    ENGINES,
    PI,
    SG,
    TF,
    P,
    T,
    at,
    cell,
    choose,
    code,
    discards,
    drawn,
    load,
    opponent,
    pile,
    player,
    refused_unchanged,
    state,
    tags,
)

FOUR = [(3, 7), (4, 7), (5, 7), (6, 7)]
engines = pytest.mark.parametrize("engine", ENGINES)


@engines
def test_1_a_turn_starts_by_drawing_two(engine: str) -> None:
    match = load(engine, state([T, P]))
    assert match.state == "choose"
    assert (drawn(match), pile(match), tags(match)) == ([P, T], [], ["drawTwo"])
    assert match.legal_actions() == [0]


@engines
def test_2_a_frozen_turn_ends_at_once(engine: str) -> None:
    match = load(engine, state([T, P], skips=(1, 0), maxTurns=1))
    doc = match.dump()
    assert (drawn(match), tags(match), pile(match)) == ([], ["skip"], [T, P])
    assert doc["status"]["skipNextTurns"]["1"] == 0
    assert player(match) == 2


@engines
def test_3_each_frozen_turn_uses_one_count(engine: str) -> None:
    match = load(engine, state([P] * 8, skips=(2, 0)))
    doc = match.dump()
    assert (doc["turn"]["number"], player(match), match.state) == (2, 2, "choose")
    assert doc["status"]["skipNextTurns"]["1"] == 1
    choose(match, 0)
    cell(match, 0, 0)
    doc = match.dump()
    assert (doc["turn"]["number"], player(match), match.state) == (4, 2, "choose")
    assert doc["status"]["skipNextTurns"]["1"] == 0
    assert tags(match, 3) == ["skip"]


@engines
def test_4_the_guard_looks_at_the_mover_only(engine: str) -> None:
    match = load(engine, state([T, P], skips=(0, 1)))
    assert (match.state, player(match)) == ("choose", 1)
    assert match.dump()["status"]["skipNextTurns"]["2"] == 1


@engines
def test_5_a_card_with_a_target_asks_for_it(engine: str) -> None:
    match = load(engine, state([T, P]))
    assert match.send({"type": "CHOOSE_CARD", "cardId": P})["ok"]
    assert (match.state, discards(match), tags(match)) == ("selectTarget", [T], ["drawTwo", "choose"])


@engines
def test_6_a_card_without_a_target_resolves_at_once(engine: str) -> None:
    match = load(engine, state([P, PI]))
    assert match.send({"type": "CHOOSE_CARD", "cardId": PI})["ok"]
    assert tags(match, 1) == ["drawTwo", "choose", "resolve", "checkWin"]
    assert player(match) == 2
    assert sorted(drawn(match)) == [P, PI]  # the next turn has drawn both discards again
    last = load(engine, state([P, PI], maxTurns=1))
    choose(last, 0)
    assert (discards(last), player(last), last.state) == ([P, PI], 2, "endTurn")


@engines
def test_7_a_target_resolves_checks_and_ends(engine: str) -> None:
    match = load(engine, state([PI, PI, T, P]))
    choose(match, 0)
    assert cell(match, 0, 0)["ok"]
    assert (at(match, 0, 0), discards(match), player(match)) == (1, [T, P], 2)
    assert tags(match, 1) == ["drawTwo", "choose", "selectTarget", "resolve", "checkWin"]
    assert [e["at"] for e in match.dump()["log"] if e["turn"] == 1] == [1, 2, 3, 4, 5]


@engines
def test_8_a_wrong_target_stays_in_select_target(engine: str) -> None:
    match = load(engine, state([PI, PI, T, P], white=[(3, 3)]))
    choose(match, 0)
    assert code(cell(match, 3, 3)) == "CellOccupied"
    assert (match.state, tags(match)) == ("selectTarget", ["drawTwo", "choose"])
    assert cell(match, 4, 4)["ok"]
    assert at(match, 4, 4) == 1


@engines
def test_9_there_is_no_way_back_to_another_card(engine: str) -> None:
    match = load(engine, state([T, P], white=[(3, 3)]))
    choose(match, 0)
    refused_unchanged(match, {"type": "CHOOSE_CARD", "cardId": T}, "WrongState")


@engines
def test_10_no_target_before_the_choice(engine: str) -> None:
    match = load(engine, state([T, P]))
    target = {"kind": "cell", "point": {"x": 0, "y": 0}}
    refused_unchanged(match, {"type": "SELECT_TARGET", "target": target}, "WrongState")


WRONG_CHOICES: list[tuple[Any, str]] = [
    ({"type": "CHOOSE_CARD", "cardId": SG}, "CardNotDrawn"),
    ({"type": "CHOOSE_CARD", "index": 2}, "CardNotDrawn"),
    ({"type": "CHOOSE_CARD", "index": -1}, "CardNotDrawn"),
    ({"type": "CHOOSE_CARD", "index": 0, "cardId": T}, "CardNotDrawn"),
    ({"type": "CHOOSE_CARD"}, "InvalidEvent"),
    ({"type": "CHOOSE_CARD", "index": True}, "InvalidEvent"),
    ({"type": "CHOOSE_CARD", "index": 0.0}, "InvalidEvent"),
    ({"type": "CHOOSE_CARD", "index": "0"}, "InvalidEvent"),
    ({"type": "FOO"}, "InvalidEvent"),
    ({"type": ["CHOOSE_CARD"]}, "InvalidEvent"),
    ({}, "InvalidEvent"),
    ("CHOOSE_CARD", "InvalidEvent"),
    (None, "InvalidEvent"),
    ({"type": "CHOOSE_CARD", "index": 0, "player": 2}, "NotYourTurn"),
    ({"type": "CHOOSE_CARD", "index": 0, "player": True}, "NotYourTurn"),
    ({"type": "FOO", "player": 2}, "InvalidEvent"),  # §8.4: the order of the checks
    ({"type": "SELECT_TARGET", "player": 2}, "NotYourTurn"),
    ({"type": "END_TURN"}, "WrongState"),
    ({"type": "ADD_TARGET"}, "WrongState"),
    ({"type": "CONFIRM_TARGETS"}, "WrongState"),
    ({"type": "AFTER_ANIMATION"}, "WrongState"),
]


@engines
@pytest.mark.parametrize(("event", "wanted"), WRONG_CHOICES)
def test_11_a_wrong_choice_is_refused_by_name(engine: str, event: Any, wanted: str) -> None:
    refused_unchanged(load(engine, state([T, P])), event, wanted)


@engines
def test_12_of_two_equal_cards_neither_is_lost(engine: str) -> None:
    match = load(engine, state([PI, PI, P, P]))
    choose(match, 1)
    assert discards(match) == [P]
    cell(match, 7, 7)
    assert discards(match) == [P, P]


@engines
def test_13_five_in_a_row_ends_the_game(engine: str) -> None:
    match = load(engine, state([T, P], black=FOUR))
    choose(match, 0)
    cell(match, 7, 7)
    doc = match.dump()
    assert (doc["winner"], doc["reason"], tags(match)[-1]) == (1, "five", "checkWin")
    assert (match.state, player(match), match.legal_actions()) == ("endTurn", 2, [])
    for event in ({"type": "CHOOSE_CARD", "index": 0}, {"type": "FOO"}, None):
        refused_unchanged(match, event, "GameOver")
    assert code(match.act(0)) == "GameOver"


@engines
def test_14_the_next_turn_begins_by_itself(engine: str) -> None:
    match = load(engine, state([P, P, T, P]))
    choose(match, 0)
    cell(match, 0, 0)
    newest = match.dump()["log"][-1]
    assert (match.dump()["turn"]["number"], player(match), match.state) == (2, 2, "choose")
    assert (newest["tag"], newest["at"], newest["seq"], newest["turn"]) == ("drawTwo", 1, 6, 2)


@engines
@pytest.mark.parametrize("card", [P, T, TF, PI, SG])
def test_15_which_cards_need_a_target(engine: str, card: str) -> None:
    match = load(engine, state([P, P, PI, card], white=[(1, 1)]))
    choose(match, 0)
    assert (match.state == "selectTarget") == (card in (P, T, TF))
    assert player(match) == (1 if card in (P, T, TF) else 2)


@engines
def test_16_a_kept_dump_stays_as_it_was(engine: str) -> None:
    match = load(engine, state([PI, PI, T, P], white=[(3, 3)]))
    target = {"type": "SELECT_TARGET", "target": {"kind": "cell", "point": {"x": 3, "y": 3}}}
    other = {"type": "SELECT_TARGET", "target": {"kind": "cell", "point": {"x": 4, "y": 4}}}
    at_once = {"type": "CHOOSE_CARD", "cardId": PI}  # the next turn draws the two inversions
    events: list[Any] = [{"type": "CHOOSE_CARD", "index": 0}, target, other, at_once]
    for event in events:
        kept = match.dump()
        copied = copy.deepcopy(kept)
        assert match.send(event)["ok"] == (event is not target)
        assert kept == copied
        assert load(engine, kept).dump() == copied


@engines
def test_time_freeze_is_aimed_at_the_opponent(engine: str) -> None:
    match = load(engine, state([P, P, T, TF]))
    choose(match, 0)
    assert match.legal_actions() == [2]
    assert opponent(match, 2)["ok"]


class Traced(NaiveMachine):
    """The naive twin, writing down every state that it enters."""

    _path: tuple[str, ...] = ()

    @property
    def _state(self) -> str:
        return self._path[-1]

    @_state.setter
    def _state(self, name: str) -> None:
        self._path = (*self._path, name)


def naive_path(doc: Any, actions: list[int]) -> list[str]:
    match = Traced.load(doc)
    assert isinstance(match, Traced)
    for action in actions:
        assert match.act(action)["ok"]
    assert match._path[:2] == ("maybeSkip", "maybeSkip")  # blank, then as the document says
    return list(match._path[1:])


def compiled_path(doc: Any, actions: list[int]) -> list[str]:
    s = GAME.blank({"max_turns": doc["settings"]["maxTurns"]})
    assert GAME.rules.lay_out is not None
    GAME.rules.lay_out(s, {key: doc[key] for key in ("board", "deck", "status")})
    path, left = [Phase(int(s["phase"])).name], list(actions)
    while not rules.is_over(s):
        if s["seat"] == NOBODY:
            rules.advance(s)
        else:
            rules.make(s, left.pop(0))
        path.append(Phase(int(s["phase"])).name)
    return path


AIMED = "maybeSkip drawTwo choose maybeTarget selectTarget resolve checkWin endTurn"
AT_ONCE = "maybeSkip drawTwo choose maybeTarget resolve checkWin endTurn"
# §8.5: the pile, counters, turn limit, actions, and the states that a run goes through
PATHS: dict[str, tuple[list[str], tuple[int, int], int, list[int], str]] = {
    "with a target": ([T, P], (0, 0), 1, [0, CELL], AIMED),
    "without a target": ([P, PI], (0, 0), 1, [0], AT_ONCE),
    "frozen": ([T, P], (1, 0), 1, [], "maybeSkip endTurn"),
    "forced fizzle": ([T, T], (0, 0), 1, [0], AT_ONCE),
    "no cards": ([], (0, 0), 9, [], "maybeSkip drawTwo endTurn"),
    "frozen, then the other": ([P, PI], (1, 0), 2, [0], f"maybeSkip endTurn {AT_ONCE}"),
}
EDGE_TAKEN = {
    ("[*]", "maybeSkip"): "with a target",
    ("maybeSkip", "endTurn"): "frozen",
    ("maybeSkip", "drawTwo"): "with a target",
    ("drawTwo", "choose"): "with a target",
    ("choose", "maybeTarget"): "with a target",
    ("maybeTarget", "selectTarget"): "with a target",
    ("maybeTarget", "resolve"): "without a target",
    ("selectTarget", "resolve"): "with a target",
    ("resolve", "checkWin"): "with a target",
    ("checkWin", "endTurn"): "without a target",
    ("endTurn", "[*]"): "frozen",
    ("drawTwo", "endTurn"): "no cards",  # the spec's own two edges
    ("endTurn", "maybeSkip"): "frozen, then the other",
}


@pytest.mark.parametrize("path", [naive_path, compiled_path], ids=["naive", "compiled"])
@pytest.mark.parametrize("kind", PATHS)
def test_8_5_the_typical_runs_state_by_state(kind: str, path: Any) -> None:
    pile, skips, limit, actions, states = PATHS[kind]
    assert path(state(pile, skips=skips, maxTurns=limit), actions) == states.split()


@pytest.mark.parametrize("path", [naive_path, compiled_path], ids=["naive", "compiled"])
@pytest.mark.parametrize("edge", EDGE_TAKEN, ids=" --> ".join)
def test_edge(edge: tuple[str, str], path: Any) -> None:
    """Every edge of the specified diagram, by its name."""
    pile, skips, limit, actions, _ = PATHS[EDGE_TAKEN[edge]]
    states = ["[*]", *path(state(pile, skips=skips, maxTurns=limit), actions), "[*]"]
    assert edge in list(pairwise(states))


def test_every_edge_has_a_test_of_its_name() -> None:
    from ..test_state import ADDED, DIAGRAM, lines

    drawn_edges = {line.partition(":")[0] for line in lines(DIAGRAM) | ADDED}
    assert {" --> ".join(edge) for edge in EDGE_TAKEN} == drawn_edges
