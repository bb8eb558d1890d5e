"""`search+net`: the net's favourites, played out by the net; fair, repeatable, the net's choice in doubt."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qipai.bots.find import find_agent
from qipai.bots.net.guided import NAME, GuidedAgent, flat_settings, guided_agent, guided_agents, policies_of
from qipai.core import NOBODY, Game, Guided, Player, Search, agents_of, bots_of, get, names
from qipai.core.errors import BadCount, MatchOver, NotYourTurn, UnknownAgent
from qipai.search import Searcher
from qipai.search.searcher import MOST
from tests.search.policies import keep_all

from .nets import MLP, make_net

GAME = get("xianqi")
WORDS = (1, 2, 3, 4)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file of a small net with random weights."""
    folder = tmp_path_factory.mktemp("net")
    make_net(folder, GAME, MLP)
    return folder / "net.qnet"


def searcher(path: Path, game: Game = GAME, threads: int = 1, **changes: Any) -> Searcher:
    """Return the search of the agent, with a small net."""
    settings = flat_settings(replace(Guided(), **changes))
    return Searcher(game, settings, threads=threads, policies=policies_of(path, GAME, 1.0, 0.0, 0.0))


@pytest.mark.slow
def test_twins_get_the_same_choice_and_a_search_that_peeks_is_caught(path: Path) -> None:
    peeking = replace(GAME, rules=replace(GAME.rules, determinize=keep_all))
    differ = {"honest": 0, "cheat": 0}
    for k in range(4):
        s = GAME.new(words=(k, 9, 9, 9))
        seat = int(s["seat"])
        twins = [GAME.redrawn(s, seat, (k, 1, 1, w)) for w in (1, 2)]
        for name, game in (("honest", GAME), ("cheat", peeking)):
            one, other = (searcher(path, game).search(t, seat, 24, (k, 2, 3, 4)) for t in twins)
            differ[name] += not np.array_equal(one.totals, other.totals)
            assert name == "cheat" or one.best == other.best
    assert differ["honest"] == 0 and differ["cheat"] > 0


@pytest.mark.parametrize("how", ["doubt", "caution"])
def test_in_doubt_it_plays_as_the_net(path: Path, how: str) -> None:
    changes: dict[str, Any] = {how: 1e9}
    sure = searcher(path, **changes)
    for k in range(6):
        s = GAME.new(words=(k, 8, 8, 8))
        seat = int(s["seat"])
        found = sure.search(s, seat, 40, WORDS)
        alone = sure.search(s, seat, 1, WORDS)  # too few to try two actions out
        assert found.best == alone.best and found.simulations <= 40
        assert int((found.visits > 0).sum()) <= Guided().width


def test_no_doubt_finds_other_actions(path: Path) -> None:
    bold, sure = searcher(path, caution=0.0), searcher(path, caution=1e9)
    starts = [GAME.new(words=(k, 8, 8, 8)) for k in range(8)]
    choices = [[x.search(s, int(s["seat"]), 60, WORDS).best for s in starts] for x in (bold, sure)]
    assert choices[0] != choices[1]


def test_a_tree_takes_the_net_as_prior_and_value(path: Path) -> None:
    given = policies_of(path, GAME, 1.0, 0.0, 0.0)
    s = GAME.new(words=(1, 2, 3, 4))
    seat = int(s["seat"])
    puct = Search(explore=0.0, horizon=0)
    one, again = (Searcher(GAME, puct, policies=given).search(s, seat, 200, WORDS) for _ in range(2))
    assert one.simulations == 200 and len(one.line) > 1
    assert np.array_equal(one.totals, again.totals)
    leaning = Searcher(GAME, replace(puct, lean=1e9), policies=given).search(s, seat, 200, WORDS)
    assert leaning.best == searcher(path, doubt=1e9).search(s, seat, 20, WORDS).best  # the likeliest action
    assert not np.array_equal(leaning.totals, one.totals)


def test_actions_below_the_floor_are_not_tried(path: Path) -> None:
    s = GAME.new(words=WORDS)
    seat = int(s["seat"])
    settings = flat_settings(Guided(width=0))
    tried = [
        int((Searcher(GAME, settings, policies=policies).search(s, seat, 200, WORDS).visits > 0).sum())
        for policies in (policies_of(path, GAME, 1.0, 0.0, floor) for floor in (0.0, 0.3, 1.0))
    ]
    assert tried[0] == len(GAME.legal_actions(s)) > tried[1] > 1 and tried[2] == 0  # nothing to compare


@pytest.mark.parametrize("budget", [0, -1, True, MOST + 1, 1 << 70])
def test_absurd_budgets_are_refused(path: Path, budget: Any) -> None:
    s = GAME.new(words=WORDS)
    with pytest.raises(BadCount, match="simulations must be a whole number"):
        searcher(path).search(s, int(s["seat"]), budget, WORDS)


def test_a_hand_that_is_over_and_another_seat_are_refused(path: Path) -> None:
    s = GAME.new(words=WORDS)
    with pytest.raises(NotYourTurn):
        searcher(path).search(s, (int(s["seat"]) + 1) % 3, 10, WORDS)
    while s["seat"] != NOBODY:
        GAME.rules.apply(s, GAME.legal_actions(s)[0])
    with pytest.raises(MatchOver):
        searcher(path).search(s, 0, 10, WORDS)


def test_one_legal_action_is_the_answer(path: Path) -> None:
    s = GAME.new(words=WORDS)
    while len(GAME.legal_actions(s)) > 1:
        GAME.rules.apply(s, GAME.legal_actions(s)[0])
    found = searcher(path).search(s, int(s["seat"]), 5, WORDS)
    assert [found.best] == list(found.actions)


def test_only_the_number_of_threads_matters(path: Path) -> None:
    s = GAME.new(words=(3, 2, 3, 4))
    seat = int(s["seat"])
    two = [searcher(path, threads=2).search(s, seat, 60, WORDS) for _ in range(2)]
    assert np.array_equal(two[0].totals, two[1].totals)
    assert not np.array_equal(two[0].totals, searcher(path).search(s, seat, 60, WORDS).totals)


@pytest.mark.parametrize("name", names())
def test_a_game_offers_it_only_with_a_net_and_above_net_and_search(name: str) -> None:
    game = get(name)
    agents = agents_of(game)
    if game.search.guided.offered:
        assert NAME in bots_of(game) and game.agent_about(NAME)
        assert agents[NAME].place > max(agents["net"].place, agents["search"].place)
    else:
        assert NAME not in agents and guided_agents(game) == ()


def test_a_game_lists_it_where_its_settings_say_so() -> None:
    guided = replace(GAME.search.guided, offered=True)
    game = replace(GAME, search=replace(GAME.search, guided=guided))
    assert list(bots_of(game))[-1] == NAME
    conv = get("skill_gomoku")
    assert NAME not in bots_of(replace(conv, search=replace(conv.search, guided=guided)))


def test_names_carry_a_number_of_simulations() -> None:
    spec = find_agent(GAME, "search+net@12")
    assert spec == guided_agent(GAME, "search+net@12") and not spec.offered
    agent = spec.make(GAME, np.array([1, 2, 3, 4], np.uint32))
    assert isinstance(agent, GuidedAgent)
    s = GAME.new(words=WORDS)
    assert Player(GAME, spec, seed=5).move(s) == Player(GAME, spec, seed=5).move(s)
    for text in ("search+net@0", "search+net@", "search+net@x", "search+net@" + "9" * 40):
        with pytest.raises(BadCount, match=r"search\+net@N"):
            find_agent(GAME, text)
    with pytest.raises(UnknownAgent):  # its net is a convolution
        find_agent(get("skill_gomoku"), NAME)
