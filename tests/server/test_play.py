"""Whole games over the wire, all five, against bots."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import TypeAdapter

from qipai.match import check_record, parse_record
from qipai.server.wire import FromServer
from tests.server.live import Live, Visit, live

READER: TypeAdapter[Any] = TypeAdapter(FromServer)
GAMES = {
    "xianqi": ["random", "random"],
    "nana": ["random", "random"],
    "wuhan_mahjong": ["random"] * 3,
    "skill_gomoku": ["random"],
    "paipai_rensa": [],
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with live(tmp_path_factory.mktemp("server"), share_time=5.0) as found:
        yield found


@pytest.mark.parametrize("game", GAMES)
def test_a_stranger_plays_a_whole_game(server: Live, game: str) -> None:
    with server.person("Ann") as ann:
        options = {"max_turns": 40} if game == "nana" else {}
        table = ann.open(game, bots=GAMES[game], options=options)
        with ann.at(table) as visit:
            visit.read()
            end = visit.play(server, seed=1)
            assert end["payoff"] is not None and end["seed"] is not None
            assert set(end["opened"]) == {str(k) for k in range(len(GAMES[game]) + 1)}
            check_wire(visit)
            assert visit.table["table"]["status"] == "over"
            assert visit.table["table"]["chips"] == end["payoff"]
        check_afterwards(ann, table, end)
        check_sides(server, ann, table)


def check_wire(visit: Visit) -> None:
    """Check that every message fits the schema, and that versions never decrease."""
    version = 0
    for text in visit.texts:
        message = READER.validate_json(text)
        if message.type == "state":
            assert message.version >= version
            assert len(message.events) <= message.version - version or version == 0
            version = message.version
            assert message.over == (message.seed is not None) == (message.opened is not None)


def check_afterwards(person: Any, table: str, end: dict[str, Any]) -> None:
    """Check that the record verifies, the replay has every frame, and the history has the hand."""
    answer = person.http.get(f"/api/tables/{table}/record/0")
    assert answer.status_code == 200
    match, wrong = check_record(parse_record(answer.content))
    assert wrong == [] and match.payoff == end["payoff"]
    assert match.shares is not None and match.shares.withheld == []
    found = person.http.get(f"/api/tables/{table}/replay/0?start=0&count=5").json()
    assert found["plies"] == len(match.moves) and found["digest"] == match.digest
    assert [f["ply"] for f in found["frames"]] == list(range(min(5, found["plies"] + 1)))
    last = person.http.get(f"/api/tables/{table}/replay/0?start={found['plies']}&count=5").json()
    assert len(last["frames"]) == 1
    assert last["frames"][0]["views"]["0"] == json.loads(json.dumps(match.view(0)))
    history = person.http.get("/api/history").json()
    assert [r["payoff"] for r in history["results"] if r["table"] == table] == [end["payoff"]]
    assert history["totals"][match.game.name]["hands"] >= 1


def check_sides(server: Live, person: Any, table: str) -> None:
    """Check that a replay knows where its reader sat, under any name, and that a namesake sat nowhere."""
    path = f"/api/tables/{table}/replay/0"
    [own] = [r["seat"] for r in person.http.get("/api/history").json()["results"] if r["table"] == table]
    assert person.http.get(path).json()["seat"] == own
    assert person.http.post("/api/me", json={"name": "Anna"}).status_code == 200
    assert person.http.get(path).json()["seat"] == own
    with server.person("Ann") as namesake:
        assert namesake.http.get(path).json()["seat"] == -1
