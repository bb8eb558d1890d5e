"""The agents of the search: by name, with a budget of simulations, equal for equal seeds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qipai.bots.find import find_agent
from qipai.core import Player, Search, agents_of, bots_of, get, names
from qipai.core.errors import BadCount
from qipai.search.agent import counted_agent, named_of
from qipai.terminal.bots import bot_names


@pytest.mark.parametrize("name", names())
def test_every_game_has_the_agent_and_people_may_play_it(name: str) -> None:
    game = get(name)
    assert "search" in bots_of(game)
    assert game.agent_about("search") and all(game.agent_name("search", lang) for lang in ("en", "zh", "ja"))


@pytest.mark.parametrize("name", ["xianqi", "skill_gomoku"])
def test_it_plays_legal_moves_and_the_same_ones_again(name: str) -> None:
    game = get(name)
    s = game.new(words=(1, 2, 3, 4))
    moves = [Player(game, find_agent(game, "search@30"), seed=5).move(s) for _ in range(2)]
    assert moves[0] == moves[1]


def test_a_number_of_simulations_is_part_of_the_name() -> None:
    game = get("xianqi")
    spec = find_agent(game, "search@77")
    assert spec.name == "search@77" and not spec.offered
    assert spec == counted_agent(game, "search@77") and counted_agent(game, "heuristic") is None
    assert "search@77" not in agents_of(game)


@pytest.mark.parametrize("name", names())
def test_every_game_has_named_searches_that_people_may_play(name: str) -> None:
    game = get(name)
    named = named_of(game.search)
    assert list(named) == ["quick", "normal", "deep", "deepest"]
    assert sorted(set(named.values())) == list(named.values())  # each has more than the one before
    assert named["normal"] == game.search.simulations
    for one, count in named.items():
        spec = find_agent(game, f"search@{one}")
        assert spec.offered and spec.make.settings.simulations == count  # type: ignore[attr-defined]
        assert bot_names(game, f"search@{one}", 1) == [f"search@{one}"]


def test_a_game_may_name_its_own_searches() -> None:
    game = replace(get("xianqi"), search=Search(named=(("blitz", 7),)))
    assert find_agent(game, "search@blitz").make.settings.simulations == 7  # type: ignore[attr-defined]
    with pytest.raises(BadCount, match="search@N"):
        find_agent(game, "search@deep")


@pytest.mark.parametrize("name", ["search@", "search@0", "search@-1", "search@x", "search@" + "9" * 40])
def test_a_name_without_a_count_is_refused(name: str) -> None:
    with pytest.raises(BadCount, match="search@N"):
        find_agent(get("xianqi"), name)
