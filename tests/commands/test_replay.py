"""`qipai replay`: a record told in words."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from qipai.cli import main
from qipai.match import Match, RecordWriter

SEED = bytes(range(32))


def record(path: Path, moves: int = 1000) -> Match:
    """Return a match of random moves, or its beginning, on disk."""
    match = Match("xianqi", seed=SEED)
    chance = random.Random(3)
    with RecordWriter(path, match, sync=False) as writer:
        while not match.over and len(match.moves) < moves:
            seat, s = match.seat, match.state
            actions: list[int] = []
            while not actions or match.game.unfinished(s):
                actions.append(chance.choice(match.game.legal_actions(s)))
                match.game.rules.apply(s, actions[-1])
            writer.act(seat, actions)
    return match


def test_a_finished_match_is_told_to_its_settlement_and_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = record(tmp_path / "a.jsonl")
    assert main(["replay", str(tmp_path / "a.jsonl")]) == 0
    out = capsys.readouterr().out
    assert "wins the round" in out and "the hand ends" in out.lower() and "Hand: " in out
    assert match.payoff is not None
    told = [line for line in out.splitlines() if line.lstrip("0123456789 ")[:6] == "Chips:"]
    assert told and all(
        f"seat 0 {match.payoff[0]:+d}".replace("-", "−").replace("+0", "0") in t for t in told
    )


def test_a_running_match_is_told_to_a_watcher_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "a.jsonl")
    record(tmp_path / "a.jsonl", moves=4)
    assert main(["replay", path]) == 0
    out = capsys.readouterr().out
    assert "The hand is still running." in out and "Hand" not in out
    for flags in (["--seat", "0"], ["--ply", "1"]):
        assert main(["replay", path, *flags]) == 2
        assert "still running" in capsys.readouterr().err


def test_a_seat_sees_what_it_saw_then(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(tmp_path / "a.jsonl")
    for seat in (0, 1, 2):
        assert (
            main(["replay", str(tmp_path / "a.jsonl"), "--seat", str(seat), "--ply", "9", "--lang", "zh"])
            == 0
        )
        out = capsys.readouterr().out
        assert out.count("手牌：") == 1 and "回合" in out


@pytest.mark.parametrize("flags", [["--seat", "3"], ["--seat", "-2"], ["--ply", "-1"], ["--ply", "9999"]])
def test_what_is_not_in_the_record_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: list[str]
) -> None:
    record(tmp_path / "a.jsonl")
    assert main(["replay", str(tmp_path / "a.jsonl"), *flags]) == 2
    assert flags[0] in capsys.readouterr().err


def test_a_broken_record_is_refused_with_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jsonl"
    record(path)
    path.write_text(path.read_text().replace('"seat":0', '"seat":1', 1))
    assert main(["replay", str(path)]) == 2
    err = capsys.readouterr().err
    assert "a.jsonl" in err and "[record/bad]" in err
    assert main(["replay", str(tmp_path / "none")]) == 2


def test_options_out_of_the_ordinary_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = Match("xianqi", {"eight_pillars": "on"}, seed=SEED)
    RecordWriter(tmp_path / "a.jsonl", match, sync=False).close()
    main(["replay", str(tmp_path / "a.jsonl")])
    assert capsys.readouterr().out.splitlines()[0] == "Xianqi · eight_pillars=on"
