"""Contests: duplicate deals, equal chance, the same table from the same seed, faults."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from qipai.arena import run
from qipai.cluster import open_pool
from qipai.core import AgentSpec, Sight
from qipai.core.errors import (
    AgentFault,
    BadContest,
    BadCount,
    BadOption,
    BadSeats,
    BadSeed,
    NoDecision,
    QipaiError,
    UnknownAgent,
    UnknownGame,
)
from tests.envs.toy import LAPS

from .agents import spec, stakes


def test_the_same_seed_gives_the_same_table_with_any_number_of_threads() -> None:
    tables = [
        json.dumps(run("xianqi", ["heuristic", "random"], 6, seed=2**63 + 9, threads=n).to_json())
        for n in (1, 2, 5)
    ]
    assert tables[0] == tables[1] == tables[2]
    assert tables[0] != json.dumps(run("xianqi", ["heuristic", "random"], 6, seed=9).to_json())


def test_two_agents_that_play_alike_come_out_exactly_alike() -> None:
    table = run(LAPS, [stakes("one", 1), stakes("other", 1)], 30, seats=3)
    assert table.rows[0].chips == table.rows[1].chips
    assert (table.pairs[0].chips.mean, table.pairs[0].chips.half) == (0, 0)


def test_chips_of_a_zero_sum_game_sum_to_zero() -> None:
    table = run("xianqi", ["heuristic", "random", "random"], 10)
    assert sum(row.chips.mean * row.games for row in table.rows) == pytest.approx(0, abs=1e-2)
    for row in table.rows:
        assert row.won.mean + row.even + row.lost == pytest.approx(1, abs=1e-5)
    assert [row.games for row in table.rows] == [10 * 3, 10 * 6]


def test_the_heuristic_comes_out_ahead_of_random_play() -> None:
    table = run("xianqi", ["heuristic", "random"], 30, seed=1)
    gap = table.pairs[0].chips
    assert gap.half is not None and gap.mean - gap.half > 0


def test_an_agent_named_twice_is_one_row() -> None:
    table = run(LAPS, ["random", "random"], 4, seats=2)
    assert [row.agent for row in table.rows] == ["random"] and table.pairs == ()
    assert table.seatings == (("random", "random"),)


def test_options_and_seats_are_those_asked_for() -> None:
    table = run(LAPS, ["random", stakes("still", 0)], 2, seats=4, options={"laps": 7})
    assert (table.seats, table.options["laps"], table.games) == (4, 7, 2 * 14)


def test_progress_counts_every_deal() -> None:
    for threads in (1, 2):
        told: list[tuple[int, int]] = []
        run(LAPS, ["random"], 5, threads=threads, progress=lambda *at: told.append(at))  # noqa: B023
        assert told == [(k, 5) for k in range(1, 6)]


# --- workers and files ----------------------------------------------------------------


def test_workers_and_files_change_nothing(tmp_path: Path) -> None:
    with open_pool(2) as pool:
        for agents in (["random", "repeater"], ["random"]):
            plain = run("kuhn_poker", agents, 9, seed=3)
            out = tmp_path / f"{len(agents)}.jsonl"
            assert run("kuhn_poker", agents, 5, seed=3, pool=pool, out=out).deals == 5
            text = out.read_text("utf-8")
            out.write_text(text + text.splitlines()[-1][:9], "utf-8")  # a line that was cut off
            assert run("kuhn_poker", agents, 9, seed=3, pool=pool, out=out) == plain
            whole = out.read_bytes()
            assert run("kuhn_poker", agents, 9, seed=3, out=out) == plain and out.read_bytes() == whole
            assert run("kuhn_poker", agents, 5, seed=3, out=out) == run("kuhn_poker", agents, 5, seed=3)
            with pytest.raises(BadContest, match="other seed"):
                run("kuhn_poker", agents, 9, seed=4, out=out)


def test_a_worker_that_an_agent_ends_is_named(tmp_path: Path) -> None:
    agent = f"{Path(__file__).with_name('faulty.py')}:VANISHES"
    with open_pool(2) as pool, pytest.raises(AgentFault, match=r"VANISHES failed \(deal 0, .*code 7"):
        run("kuhn_poker", [agent, "random"], 1, pool=pool)


def test_a_cluster_changes_nothing(ray_address: str, tmp_path: Path) -> None:
    """Two nodes with one core each; agents that play many tables at once, and one that does not."""
    with open_pool(address=ray_address) as pool:
        assert pool.workers == 2
        for agents in (["random"], ["random", "repeater"]):
            plain = run("kuhn_poker", agents, 600, seed=3, threads=1)
            out = tmp_path / f"{len(agents)}.jsonl"
            assert run("kuhn_poker", agents, 600, seed=3, pool=pool, out=out) == plain


def test_an_agent_that_fails_on_a_cluster_is_named(ray_address: str) -> None:
    file = Path(__file__).with_name("faulty.py")
    with open_pool(address=ray_address) as pool:
        for name, why in (("RAISES", "out of ideas"), ("MANY_RAISES", "out of ideas"), ("LOOPS", "answer")):
            with pytest.raises(AgentFault, match=rf"{name} failed \(deal \d+, .*ply \d+\): .*{why}"):
                run("kuhn_poker", [f"{file}:{name}", "random"], 9, seed=3, pool=pool, seconds=1)


@pytest.mark.parametrize("threads", [1, 2])
def test_an_agent_that_prints_ends_the_contest_by_name(threads: int) -> None:
    def chatty(sight: Sight) -> int:
        print("thinking")
        return 0

    with pytest.raises(AgentFault, match=r"chatty failed .*printed"):
        run(LAPS, [stakes("good", 0), spec("chatty", chatty)], 3, threads=threads)
    print("others may print")


def test_agents_without_a_name_elsewhere_are_refused_with_a_file(tmp_path: Path) -> None:
    with pytest.raises(BadContest):
        run("kuhn_poker", [stakes("x", 0), "random"], 1, out=tmp_path / "x.jsonl")


# --- refusals -------------------------------------------------------------------------


def broken(sight: Sight) -> int:
    raise ZeroDivisionError("no such luck")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("choose", [broken, lambda s: 99, lambda s: None, lambda s: -1, lambda s: 1.5])
def test_an_agent_that_fails_ends_the_contest_by_name(choose: Any, threads: int) -> None:
    with pytest.raises(AgentFault, match="culprit failed"):
        run(LAPS, [stakes("good", 0), spec("culprit", choose)], 20, threads=threads)


def test_an_agent_that_cannot_be_made_ends_the_contest_by_name() -> None:
    def make(game: Any, words: Any) -> Any:
        raise OSError("no weights")

    with pytest.raises(AgentFault, match=r"culprit failed.*no weights"):
        run(LAPS, ["random", AgentSpec("culprit", 0, make)], 2)


@pytest.mark.parametrize(
    ("error", "given"),
    [
        (UnknownGame, {"game": "chess"}),
        (UnknownAgent, {"agents": ["random", "deep thought"]}),
        (UnknownAgent, {"agents": []}),
        (UnknownAgent, {"agents": "random"}),
        (UnknownAgent, {"agents": [5]}),
        (UnknownAgent, {"agents": [stakes("x", 0), stakes("x", 1)]}),
        (BadCount, {"deals": 0}),
        (BadCount, {"deals": True}),
        (BadCount, {"deals": 1.5}),
        (BadCount, {"deals": 2**33}),
        (BadSeed, {"seed": -1}),
        (BadSeed, {"seed": 2**64}),
        (BadSeed, {"seed": "x"}),
        (BadCount, {"threads": 0}),
        (BadCount, {"threads": "two"}),
        (BadOption, {"options": {"tricks": 1}}),
        (BadSeats, {"seats": 2}),
    ],
)
def test_bad_arguments_are_refused_by_name(error: type[QipaiError], given: dict[str, Any]) -> None:
    with pytest.raises(error):
        run(**{"game": "xianqi", "agents": ["random"], "deals": 1, **given})


def test_options_under_which_no_deal_holds_a_decision_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipai.arena.play.MAX_REDEALS", 0)
    with pytest.raises(NoDecision):
        run(LAPS, [stakes("a", 1)], 1)
