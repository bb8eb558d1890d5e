"""Ladders: the same for any number of workers, resumed where they stopped, verified by playing again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from qipai.arena.guard import SECONDS
from qipai.arena.ladder import (
    Deal,
    Ladder,
    changes,
    climb,
    ladder_of,
    open_file,
    plan,
    play,
    ratings_of,
    read_file,
    verify,
)
from qipai.arena.schedule import Group
from qipai.cluster import open_pool
from qipai.cluster.local import Here
from qipai.core import add_agent, get
from qipai.core.errors import BadContest, BadCount, QipaiError, UnknownAgent

from .agents import spec

AGENTS = ("random", "repeater", "beginner")


@pytest.fixture(scope="module")
def ladder() -> Ladder:
    return ladder_of("kuhn_poker", AGENTS, seed=4, meetings=3, rounds=2)


@pytest.fixture(scope="module")
def played(ladder: Ladder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ladder") / "games.jsonl"
    with open_pool(1) as pool:
        climb(ladder, path, pool)
    return path


def without_time(path: Path) -> list[dict[str, object]]:
    lines = path.read_text("utf-8").splitlines()
    return [{k: v for k, v in json.loads(line).items() if k != "seconds"} for line in lines]


def test_every_agent_sits_in_every_seat(played: Path) -> None:
    _, deals = read_file(played)
    assert all(deal.seatings == (deal.group, deal.group[::-1]) for deal in deals)
    assert all(sum(payoffs) == 0 for deal in deals for payoffs in deal.payoffs)


def test_a_ladder_that_was_stopped_ends_like_one_that_was_not(
    ladder: Ladder, played: Path, tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    lines = played.read_text("utf-8").splitlines(keepends=True)
    path.write_text(
        "".join(lines[:5]) + lines[5][: len(lines[5]) // 2], "utf-8"
    )  # cut in the middle of a line
    with open_pool(1) as pool:
        climb(ladder, path, pool)
    assert without_time(path) == without_time(played)


def test_the_number_of_workers_changes_nothing(ladder: Ladder, played: Path, tmp_path: Path) -> None:
    with open_pool(2) as pool:
        climb(ladder, tmp_path / "games.jsonl", pool)
    assert without_time(tmp_path / "games.jsonl") == without_time(played)


def test_verification_finds_every_change(played: Path, tmp_path: Path) -> None:
    with open_pool(1) as pool:
        assert all(same for _, same in verify(played, pool))
        assert len(list(verify(played, pool, 2))) == 2
        lines = played.read_text("utf-8").splitlines()
        row = json.loads(lines[3])
        for name, value in (
            ("digests", [row["digests"][0], "0" * 16]),
            ("moves", [row["moves"][0] + 1, row["moves"][1]]),
            ("payoffs", [[p + 1 for p in row["payoffs"][0]], row["payoffs"][1]]),
        ):
            changed = [*lines[:3], json.dumps({**row, name: value}), *lines[4:]]
            (tmp_path / "changed.jsonl").write_text("\n".join(changed) + "\n", "utf-8")
            assert [n for n, same in verify(tmp_path / "changed.jsonl", pool) if not same] == [2]


def test_verification_waits_for_a_slow_machine(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An agent that is still being compiled is not taken for one that hangs."""
    asked: list[tuple[int, float]] = []

    def patient(ladder: Ladder, number: int, group: Group, seconds: float) -> Deal:
        asked.append((number, seconds))
        return play(ladder, number, group, seconds)

    lines = played.read_text("utf-8").splitlines()
    row = json.loads(lines[2]) | {"fault": "random failed (it took longer than 60 s)", "culprit": 0}
    (tmp_path / "one.jsonl").write_text("\n".join([*lines[:2], json.dumps(row), *lines[3:]]) + "\n", "utf-8")
    monkeypatch.setattr("qipai.arena.ladder.play", patient)
    assert [n for n, same in verify(tmp_path / "one.jsonl", Here()) if not same] == [1]
    assert [seconds > SECONDS for _, seconds in asked] == [number != 1 for number, _ in asked]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (0, "no JSON"),
        (0, "{}"),
        (0, '{"format": "qipai-ladder/1"}'),
        (1, '{"number": 0}'),
        (1, '{"number": 0, "group": [0, 1], "surprise": 1}'),
        (1, "[]"),
    ],
)
def test_a_malformed_file_is_refused(played: Path, tmp_path: Path, line: int, text: str) -> None:
    lines = played.read_text("utf-8").splitlines()
    lines[line] = text
    (tmp_path / "bad.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(BadContest):
        read_file(tmp_path / "bad.jsonl")


def test_a_file_with_other_rules_or_missing_deals_is_refused(played: Path, tmp_path: Path) -> None:
    lines = played.read_text("utf-8").splitlines()
    head = json.loads(lines[0])
    for changed in ([json.dumps({**head, "rules": 99}), *lines[1:]], [lines[0], *lines[2:]]):
        (tmp_path / "bad.jsonl").write_text("\n".join(changed) + "\n", "utf-8")
        with pytest.raises(BadContest):
            read_file(tmp_path / "bad.jsonl")


def test_the_file_of_another_ladder_is_refused_and_kept(ladder: Ladder, played: Path, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(played.read_bytes())
    with pytest.raises(BadContest):
        open_file(replace(ladder, seed=9), path)
    assert path.read_bytes() == played.read_bytes()


def test_an_agent_that_fails_is_left_out_and_named(tmp_path: Path) -> None:
    def fail(sight):  # type: ignore[no-untyped-def]
        raise RuntimeError("out of ideas")

    add_agent(get("kuhn_poker"), spec("failing", fail))
    made = ladder_of("kuhn_poker", ["failing", *AGENTS], seed=1, meetings=2, rounds=1)
    with open_pool(1) as pool:
        deals = climb(made, tmp_path / "games.jsonl", pool)
    faults = [deal for deal in deals if deal.fault]
    assert faults and all(deal.culprit == 0 and "out of ideas" in deal.fault for deal in faults)
    assert all(0 not in deal.group for deal in deals[6:])  # after the first round
    _, agents = ratings_of(made, deals, replicates=5)
    assert agents == [1, 2, 3]


def test_a_plan_ends_and_does_not_depend_on_where_it_is_resumed(ladder: Ladder, played: Path) -> None:
    _, deals = read_file(played)
    assert plan(ladder, deals) == []
    for k in range(len(deals)):
        assert plan(ladder, deals[:k])[0] == deals[k].group


def test_alone_at_the_table_agents_are_ranked_on_the_same_deal() -> None:
    deal = Deal(0, (0, 1), ((0,), (1,)), ((30,), (50,)), ("a", "b"), (0.0, 0.0), (1, 1))
    (game,) = deal.games(1)
    assert (game.agents, game.payoffs) == ((0, 1), (30, 50))


@pytest.mark.parametrize(
    ("agents", "numbers", "error"),
    [
        (["random"], {}, BadContest),
        (["random", "random"], {}, BadContest),
        (["random", "nobody"], {}, UnknownAgent),
        (AGENTS, {"meetings": 0}, BadCount),
        (AGENTS, {"rounds": -1}, BadCount),
        (AGENTS, {"seats": 9}, QipaiError),
    ],
)
def test_a_ladder_that_cannot_be_is_refused(
    agents: list[str], numbers: dict[str, Any], error: type[QipaiError]
) -> None:
    with pytest.raises(error):
        ladder_of("kuhn_poker", agents, **numbers)


def test_an_agent_that_has_changed_is_named(played: Path, ladder: Ladder, tmp_path: Path) -> None:
    assert changes(played) == []
    lines = played.read_text("utf-8").splitlines()
    head = json.loads(lines[0])
    head["weights"]["random"] = "0123"
    path = tmp_path / "games.jsonl"
    path.write_text("\n".join([json.dumps(head), *lines[1:]]) + "\n", "utf-8")
    assert changes(path) == ["random: weights was 0123, is none"]
    with pytest.raises(BadContest, match="other weights"):
        open_file(ladder, path)
