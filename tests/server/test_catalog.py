"""The games of the lobby."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest

from qipai.core import get, names, sparring_of
from qipai.core.errors import UnknownAgent
from qipai.server.catalog import describe
from qipai.server.wire import GameInfo
from tests.server.live import Live, live, until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live(tmp_path_factory.mktemp("server"), tables_per_minute=30, rate=20.0, burst=40) as found:
        until(lambda: found.hall.catalog.ready("nana"))
        yield found


@pytest.fixture(scope="module")
def http(server: Live) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.address) as client:
        yield client


def test_sparring_partners_are_not_offered(server: Live) -> None:
    for name in names():
        offered = {agent.name for agent in describe(get(name)).agents}
        assert "random" in offered and not offered & set(sparring_of(get(name)))
    with pytest.raises(UnknownAgent):
        server.hall.catalog.check_agent("nana", "miser")


def test_the_games_are_described_in_three_languages(http: httpx.Client) -> None:
    games = [GameInfo.model_validate_json(json.dumps(g)) for g in http.get("/api/games").json()]
    assert [g.name for g in games][:5] == ["xianqi", "nana", "wuhan_mahjong", "skill_gomoku", "paipai_rensa"]
    for game in games:
        for words in (game.title, *(o.about for o in game.options), *(a.about for a in game.agents)):
            assert set(words) == {"zh", "en", "ja"}
            assert all(words.values())
        answer = http.get(f"/api/lessons/{game.name}")
        assert game.lesson == (answer.status_code == 200)
