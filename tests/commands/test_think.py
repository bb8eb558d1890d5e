"""`qipai think`: a position searched from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from qipai.cli import main

from .test_replay import record


def test_a_new_deal_is_searched_and_ranked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["think", "leduc_poker", "--simulations", "200", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    assert "200 simulations" in out and "line: seat 0" in out


def test_a_layout_is_searched_and_printed_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text('{"cards": [4, 0, 2]}')
    assert (
        main(["think", "leduc_poker", "--state", str(tmp_path / "a.json"), "--simulations", "900", "--json"])
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert found["choices"][0]["text"] == "raise" and found["simulations"] == 900


def test_a_position_of_a_record_is_searched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(tmp_path / "a.jsonl")
    file = str(tmp_path / "a.jsonl")
    assert main(["think", "xianqi", "--record", file, "--ply", "1", "--simulations", "50"]) == 0
    assert "50 simulations" in capsys.readouterr().out
    for wrong in (["--ply", "9999"], ["--ply", "-1"]):
        assert main(["think", "xianqi", "--record", file, *wrong]) == 2
        assert "[count/bad]" in capsys.readouterr().err
    assert main(["think", "nana", "--record", file]) == 2
    assert "[game/unknown]" in capsys.readouterr().err


def test_a_running_match_is_not_searched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(tmp_path / "a.jsonl", moves=2)
    assert main(["think", "xianqi", "--record", str(tmp_path / "a.jsonl")]) == 2
    assert "[match/running]" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments, code",
    [
        (["--simulations", "0"], "count/bad"),
        (["--ms", "0"], "count/bad"),
        (["--ply", "3"], "count/bad"),
        (["--threads", "0"], "count/bad"),
        (["--state", "missing.json"], "layout/bad"),
    ],
)
def test_refusals_have_codes(arguments: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["think", "leduc_poker", *arguments]) == 2
    assert f"[{code}]" in capsys.readouterr().err
