"""§22 checks 69-79: views, action numbers, observations."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from qipai.games.skill_gomoku import GAME, SkillGomokuMatch, TurnMachine, game, planes

from ..positions import ENGINES, PI, SG, P, T, at, code, load, new, state

engines = pytest.mark.parametrize("engine", ENGINES)


def unseen(view: dict[str, Any]) -> list[int]:
    return list(view["deck"]["unseenCounts"].values())


@engines
def test_69_what_each_may_see_of_a_fresh_match(engine: str) -> None:
    match = new(engine)
    one, two, watcher = match.view(1), match.view(2), match.view(None)
    assert one["turn"]["drawn"] == [P, T]
    assert (unseen(one), one["legalActions"], one["toAct"]) == ([11, 5, 3, 3, 5], [0], 1)
    assert (two["turn"]["drawn"], two["turn"]["drawnCount"]) == (None, 2)
    assert (unseen(two), two["legalActions"]) == ([12, 6, 3, 3, 5], [])
    for view in (one, two, watcher):
        assert view["settings"]["seed"] is None
        assert "rng" not in view
        assert set(view["deck"]) == {"drawCount", "discardPile", "unseenCounts"}
    assert two["log"][0]["data"]["cards"] is None
    assert two["log"][0]["message"] == "drawTwo: [?, ?]"
    assert {**watcher, "viewer": 2} == two


@engines
def test_70_the_choice_opens_the_drawn_cards(engine: str) -> None:
    match = new(engine)
    match.act(0)
    view = match.view(2)
    assert (view["turn"]["drawn"], view["deck"]["discardPile"]) == ([P, T], [T])
    assert view["log"][0]["data"]["cards"] == [P, T]


@engines
def test_71_drawn_cards_may_be_public(engine: str) -> None:
    match = new(engine, drawnVisibility="public")
    assert match.view(2)["turn"]["drawn"] == match.view(1)["turn"]["drawn"] == [P, T]
    assert match.view(None)["log"][0]["data"]["cards"] == [P, T]


@engines
def test_72_no_view_depends_on_the_hidden_order(engine: str) -> None:
    match = new(engine)
    doc = match.dump()
    other = match.dump()
    random.Random(1).shuffle(other["deck"]["drawPile"])
    other["rng"] = {"algorithm": "sfc32", "state": [9, 8, 7, 6]}
    a, b = load(engine, doc), load(engine, other)
    assert a.dump() != b.dump()
    for viewer in (1, 2, None):
        assert a.view(viewer) == b.view(viewer)


@engines
def test_72_the_opponent_cannot_see_what_was_drawn(engine: str) -> None:
    def drawn_with(cards: list[str], pile: list[str]) -> Any:
        doc = state(pile)
        doc["turn"] = {"number": 1, "state": "choose", "drawn": cards}
        doc["log"] = [
            {
                "seq": 1, "turn": 1, "player": 1, "at": 1, "tag": "drawTwo",
                "message": f"drawTwo: [{', '.join(cards)}]",
                "data": {"cards": cards, "reshuffled": False},
            }
        ]  # fmt: skip
        return load(engine, doc)

    a, b = drawn_with([P, T], [SG, PI]), drawn_with([PI, SG], [T, P])
    for viewer in (2, None):
        assert a.view(viewer) == b.view(viewer)
    assert a.view(1) != b.view(1)


@engines
def test_72_what_the_sender_is_told_hides_the_next_draw(engine: str) -> None:
    match = new(engine)
    match.act(0)
    answer = match.act(3)
    told = [e for e in answer["events"] if e["event"] == "cardsDrawn"]
    assert told[0]["data"]["cards"] is None
    assert match.events(2)[-1]["data"]["cards"] == match.dump()["turn"]["drawn"]
    assert match.events("server")[-1] == match.events(2)[-1]
    assert match.events(None) == match.events(1)


@engines
def test_73_after_the_game_the_seed_is_open(engine: str) -> None:
    match = new(engine, 11, boardSize=5)
    while legal := match.legal_actions():
        assert match.view(1)["settings"]["seed"] is None
        match.act(legal[0])
    for viewer in (1, 2, None):
        view = match.view(viewer)
        assert view["settings"]["seed"] == 11
        assert (view["legalActions"], view["toAct"]) == ([], None)


def test_74_action_numbers() -> None:
    assert [game({"board_size": n}).rules.actions for n in (15, 9, 5)] == [228, 84, 28]
    match = SkillGomokuMatch("demo")
    match.act(0)
    assert match.legal_actions() == list(range(3, 228))
    match.act(115)
    assert at(match, 7, 7) == 1


@engines
def test_75_other_numbers_are_refused(engine: str) -> None:
    match = load(engine, state([T, P]))
    before = match.dump()
    odd: list[Any] = [1, 228, -1, 2, 10**30, True, False, 0.0, "0", None, [0]]
    for action in odd:
        assert code(match.act(action)) == "InvalidAction"
    assert match.dump() == before


@pytest.mark.parametrize("size", [5, 9])
def test_76_the_legal_list_is_exact(size: int, matches: int = 2) -> None:
    rng = random.Random(size)
    for seed in range(matches):
        match = SkillGomokuMatch(seed, {"boardSize": size, "maxTurns": 12})
        while legal := match.legal_actions():
            assert legal == sorted(set(legal))
            doc = match.dump()
            for action in range(-1, size * size + 4):
                if action in legal:
                    assert TurnMachine.load(doc).act(action)["ok"]
                else:
                    assert code(match.act(action)) == "InvalidAction"
            for action in {legal[0], legal[-1], rng.choice(legal)}:
                assert SkillGomokuMatch.load(doc).act(action)["ok"]
            assert match.dump() == doc
            match.act(rng.choice(legal))


def test_77_the_planes_of_a_fresh_match() -> None:
    found = SkillGomokuMatch("demo").observation()
    assert found.shape == (32, 15, 15)
    zero = [0, 1, 3, 4, 6, *range(8, 13), *range(14, 24)]
    assert not found[zero].any()
    assert (found[[2, 5, 7, 13, 31]] == 1).all()
    assert [found[24 + i, 0, 0] for i in range(5)] == [11 / 12, 5 / 6, 1, 1, 1]
    assert (found[29] == 27 / 29).all()
    assert (found[30] == 1 / 1000).all()


def test_78_the_planes_while_aiming() -> None:
    match = SkillGomokuMatch("demo")
    match.act(0)
    found = match.observation()
    for plane in (4, 6, 17, 7, 13):
        assert (found[plane] == 1).all()


def test_79_own_and_their_stones_swap_with_the_actor() -> None:
    match = SkillGomokuMatch("demo")
    match.act(0)
    match.act(115)
    found = match.observation()
    assert found[1, 7, 7] == 1
    assert not found[0].any()
    assert match.observation(1)[0, 7, 7] == 1
    assert not match.observation(1)[7:17].any()  # the other's cards are hidden


def test_planes_of_a_batch_are_those_of_its_lanes() -> None:
    from qipai.sim import Batch

    batch = Batch(GAME, 8, seed=3)
    batch.rollout(37)
    together = planes(batch.obs)
    assert together.shape == (8, 32, 15, 15)
    for lane in range(8):
        assert np.array_equal(together[lane], planes(batch.obs[lane]))
    assert planes(batch.obs, np.float32).dtype == np.float32
    assert together.min() >= 0 and together.max() <= 1
