"""Worlds by the thousand: each shows the viewer the same history, and can be come to again."""

from __future__ import annotations

from typing import Any

import numpy as np

from qipai.core import State, copy_state
from qipai.core.state import same
from qipai.testing import world_loops as loops
from qipai.testing.drawer import PLAY, REDRAW, TRY, Drawer, History, make_history
from tests.toys_check import embers, murmur

from .breaking import make_run

SMALL: dict[str, Any] = {"cards": 7, "held": 1}


def drawer_of(game: Any, **settings: Any) -> Drawer:
    return Drawer(make_run(game, **settings))


def played(game: Any, options: dict[str, Any], actions: list[int]) -> list[State]:
    """Return the states of a game with these actions."""
    s = game.new(options, None, (5, 5, 5, 5))
    states = [copy_state(s)]
    for action in actions:
        game.rules.apply(s, action)
        states.append(copy_state(s))
    return states


def test_a_history_has_a_frame_for_all_that_a_viewer_notices() -> None:
    actions = [embers.DRAW, embers.DRAW, embers.STOP, embers.DRAW]
    states = played(embers.GAME, SMALL, actions)
    history = make_history(embers.GAME, 1, states, actions, 0, 4)
    assert len(history.frames) == 5 and history.dealt and not history.hidden
    assert history.own.tolist() == [-1, embers.DRAW, -1, embers.DRAW, -1]
    assert history.acts[:4].tolist() == [[0, 0], [1, 0], [0, embers.STOP], [1, 0]]
    assert history.waits and history.masks[-1][embers.STOP] == 1
    assert make_history(embers.GAME, 1, states, actions, 2, 3).dealt is False


def test_what_a_viewer_does_not_notice_is_no_frame() -> None:
    game = murmur.GAME
    s = next(s for s in (game.new(words=(k, 0, 0, 0)) for k in range(99)) if s["coin"].tolist() == [1, 1, 1])
    states = [copy_state(s)]
    for _ in range(2):
        game.rules.apply(s, murmur.PASS)
        states.append(copy_state(s))
    history = make_history(game, 2, states, [murmur.PASS] * 2, 0, 2)
    assert history.hidden and len(history.frames) == 2 and history.waits


def check_found(drawer: Drawer, history: History, redraws: bool, number: int) -> int:
    """Play every world that was found from its beginning again; how many different ones there are."""
    game = drawer.game
    blank = game.blank(SMALL)
    worlds, paths = drawer.find(history, blank, redraws, number)
    true = game.rules.view(history.end, history.viewer)
    for world, path in zip(worlds, paths, strict=True):
        words = (*drawer.words(number, TRY), int(path[loops.BEGUN]))
        start = history.start
        s = game.redrawn(start, history.viewer, words) if redraws else game.new(SMALL, None, words)
        for action in path[loops.ACTIONS :][: path[loops.LENGTH]]:
            assert game.mask(s)[action]
            game.rules.apply(s, int(action))
        assert same(s, world)
        assert game.rules.view(s, history.viewer) == true
        assert np.array_equal(game.mask(s), game.mask(history.end))
    return len({world["where"].tobytes() for world in worlds})


def test_worlds_that_are_dealt_or_redrawn_show_the_same_history() -> None:
    drawer = drawer_of(embers.GAME, options=[SMALL], seats=[2])
    actions = [embers.DRAW, embers.DRAW, embers.DRAW]
    history = make_history(embers.GAME, 0, played(embers.GAME, SMALL, actions[:2]), actions, 0, 2)
    assert check_found(drawer, history, redraws=False, number=1) > 3
    assert check_found(drawer, history, redraws=True, number=2) > 10
    assert drawer.tally[loops.HIDDEN] == drawer.tally[loops.BLOCKED] == 0


def test_an_action_that_some_worlds_do_not_allow_is_noted() -> None:
    game = embers.GAME
    states = next(
        found
        for k in range(50)
        if game.mask(s := game.new(SMALL, None, (k, 1, 1, 1)))[embers.BOAST]
        for found in [[copy_state(s), _after(s, embers.BOAST)]]
    )
    drawer = drawer_of(game, options=[SMALL], seats=[2])
    history = make_history(game, 1, states, [embers.BOAST], 0, 1)
    drawer.find(history, game.blank(SMALL), False, 3)
    assert drawer.tally[loops.BLOCKED] > 0


def _after(s: State, action: int) -> State:
    after = copy_state(s)
    embers.GAME.rules.apply(after, action)
    return after


def test_deals_and_looks_depend_on_seed_and_purpose_alone() -> None:
    drawer, again = (drawer_of(embers.GAME, options=[SMALL], seats=[2]) for _ in range(2))
    blank = embers.GAME.blank(SMALL)
    dealt = drawer.deals(blank, 20, 1)
    assert np.array_equal(dealt["where"], again.deals(blank, 20, 1)["where"])
    assert not np.array_equal(dealt["where"], drawer.deals(blank, 20, 2)["where"])
    looks = drawer.looks(dealt, 1, PLAY)
    assert np.array_equal(looks, again.looks(dealt, 1, PLAY))
    seen = embers.GAME.observation_of(dealt[3], 0)
    assert np.array_equal(looks[3, len(seen) : 2 * len(seen)], seen)


def test_redrawn_worlds_are_those_of_the_game() -> None:
    drawer = drawer_of(embers.GAME, options=[SMALL], seats=[2])
    s = embers.GAME.new(SMALL, None, (1, 2, 3, 4))
    worlds = drawer.redrawn(drawer.many(s, 5), 0, 7)
    for i, world in enumerate(worlds):
        assert same(world, embers.GAME.redrawn(s, 0, (*drawer.words(7, REDRAW), i)))
