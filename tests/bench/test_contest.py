"""`qipai bench --peers`: what is measured, in what order, and what is said of what cannot run."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from qipai.bench import contest
from qipai.bench.contest import ROUNDS, Outcome, Pace, compete
from qipai.bench.peers import LIBRARIES, MAKERS, Contender, contenders
from qipai.cli import main
from qipai.core.errors import BadCount, BadOption, MissingExtra

OURS = Contender("qipai", "nana", False, (), "qipai")
PEER = Contender("RLCard", "uno", True, ("nana",), "rlcard")


class Scripted:
    """Workers that play at known speeds and keep the order in which they were asked."""

    calls: list[tuple[str, float]] = []  # noqa: RUF012
    closed: list[str] = []  # noqa: RUF012
    cannot: tuple[str, ...] = ()  # games that do not start
    dying: tuple[str, ...] = ()  # that end in the second round

    def __init__(self, contender: Contender) -> None:
        self.contender = contender

    def failure(self) -> str | None:
        return "ImportError: no cards" if self.contender.game in self.cannot else None

    def play(self, seconds: float) -> float:
        self.calls.append((self.contender.name, seconds))
        if self.contender.game in self.dying and len(self.calls) > 4:
            raise contest.Ended("its process ended in the middle of a run")
        return 1000.0 + len(self.calls) if self.contender.library == "qipai" else 10.0

    def close(self) -> None:
        self.closed.append(self.contender.name)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> type[Scripted]:
    Scripted.calls, Scripted.closed = [], []
    Scripted.cannot, Scripted.dying = ("doudizhu",), ()
    monkeypatch.setattr(contest, "Worker", Scripted)
    only = [library for library in LIBRARIES if library.title == "RLCard"]
    monkeypatch.setattr(contest, "installed", lambda: (only, ["Pgx"]))
    return Scripted


def test_contenders_take_turns_and_all_are_let_go(scripted: type[Scripted]) -> None:
    outcome = compete(["nana"], seconds=5.0)
    playing = ["qipai nana", "qipai nana +obs", "RLCard leduc-holdem +obs", "RLCard uno +obs"]
    assert [name for name, _ in scripted.calls] == playing * ROUNDS
    assert {seconds for _, seconds in scripted.calls} == {5.0 / ROUNDS}
    assert sorted(scripted.closed) == sorted([*playing, "RLCard doudizhu +obs"])
    assert outcome.failed == (("RLCard doudizhu +obs", "ImportError: no cards"),)
    assert outcome.absent == ("Pgx",)


def test_like_is_held_against_like() -> None:
    paces = (
        Pace(OURS, 900.0, 800.0),
        Pace(Contender("qipai", "nana", True, (), "qipai"), 500.0, 400.0),
        Pace(Contender("qipai", "xianqi", True, (), "qipai"), 500.0, 400.0),
        Pace(PEER, 50.0, 40.0),
        Pace(Contender("OpenSpiel", "hearts", False, ("nana",), "openspiel"), 50.0, 20.0),
    )
    pairs = Outcome(paces, (), ()).pairs()
    assert [(a.contender.name, b.contender.name, r) for a, b, r in pairs] == [
        ("qipai nana", "OpenSpiel hearts", 40.0),
        ("qipai nana +obs", "RLCard uno +obs", 10.0),
    ]


def test_a_game_that_is_behind_is_shown_behind_and_named() -> None:
    slower, faster = Pace(OURS, 999.0, 999.0), Contender("Pgx", "leduc_holdem", False, ("nana",), "pgx")
    text = Outcome((slower, Pace(faster, 1000.0, 1000.0)), (), ()).text()
    assert "0.99" in text and "1.00" not in text
    assert "behind: qipai nana is slower than Pgx leduc_holdem" in text


def test_only_what_is_comparable_with_the_chosen_games_runs() -> None:
    found = contenders(["wuhan_mahjong"], list(LIBRARIES))
    assert all("wuhan_mahjong" in c.like for c in found if c.library != "qipai")
    assert {c.library for c in found} >= {"qipai", "OpenSpiel", "Pgx", "RLCard"}
    assert all(c.made_by in MAKERS for c in found)


def test_no_peer_at_all_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest, "LIBRARIES", [SimpleNamespace(title="Chessy", module="no_such.thing")])
    with pytest.raises(MissingExtra, match=r"Chessy.*open_spiel pgx"):
        compete(["nana"])


@pytest.mark.parametrize("when", ["cannot", "dying"])
def test_where_every_peer_fails_it_is_a_sentence_and_a_status(
    when: str, scripted: type[Scripted], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(scripted, when, ("doudizhu", "uno", "leduc-holdem"))
    assert main(["bench", "nana", "--peers"]) == 2
    told = capsys.readouterr()
    assert not told.out and "+obs could not run: ImportError: no cards" in told.err
    assert "not installed: Pgx" in told.err and "pgx" in told.err and "[extra/missing]" in told.err
    assert len(scripted.closed) == 5 and bool(scripted.calls) == (when == "dying")


def test_where_no_installed_peer_has_such_a_game_nothing_is_started(
    scripted: type[Scripted], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(MissingExtra, match=r"not installed: Pgx.*open_spiel pgx"):
        compete(["skill_gomoku"])  # RLCard has no board
    monkeypatch.setattr(contest, "installed", lambda: (list(LIBRARIES), []))
    with pytest.raises(BadOption, match="no peer has a game"):
        compete(["solitaire"])
    assert not scripted.closed


def test_a_contender_that_dies_is_left_out_and_named_and_the_rest_go_on(scripted: type[Scripted]) -> None:
    scripted.dying = ("uno",)
    told: list[tuple[int, int, str]] = []
    outcome = compete(["nana"], progress=lambda *at: told.append(at))
    lost = "RLCard uno +obs"
    assert [name for name, _ in scripted.calls].count(lost) == 2  # the second was its last
    assert [p.contender.name for p in outcome.paces] == [
        "qipai nana",
        "qipai nana +obs",
        "RLCard leduc-holdem +obs",
    ]
    assert outcome.failed[1:] == ((lost, "its process ended in the middle of a run"),)
    assert f"{lost} could not run: its process ended" in outcome.text()
    assert len(scripted.closed) == len(set(scripted.closed)) == 5 and told[-1] == (30, 30, "")


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), "long", 5000])
def test_seconds_are_checked_before_anything_starts(seconds: Any, scripted: type[Scripted]) -> None:
    with pytest.raises(BadCount):
        compete(["nana"], seconds)
    assert not scripted.calls


def test_the_command_prints_ratios_and_what_is_missing(
    scripted: type[Scripted], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "--peers", "--games", "nana", "--seconds", "1"]) == 0
    out = capsys.readouterr().out
    assert "RLCard uno +obs" in out and "could not run: ImportError" in out
    assert "not installed: Pgx (pip install open_spiel pgx " in out
    assert main(["bench", "nana", "--peers", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert {r["theirs"] for r in data["ratios"]} == {"RLCard uno +obs", "RLCard leduc-holdem +obs"}
    assert all(r["ratio"] > 100 for r in data["ratios"]) and data["absent"] == ["Pgx"]


# --- workers --------------------------------------------------------------------------


@pytest.mark.slow
def test_a_real_process_is_asked_and_let_go() -> None:
    process = contest.Worker(OURS)
    assert process.failure() is None
    assert process.play(0.02) > 1000
    process.close()


def test_a_process_that_fails_is_no_contender() -> None:
    process = contest.Worker(Contender("Nobody", "x", False, (), "nowhere"))
    assert process.failure() == "KeyError: 'nowhere'"
    with pytest.raises(contest.Ended, match="in the middle of a run"):
        process.play(0.02)
    process.close()
