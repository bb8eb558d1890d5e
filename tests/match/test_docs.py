"""docs/records.md: the program in it runs, and its tables name the keys that are written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random

import pytest

from qipai.match import Match, RecordWriter, keys
from qipai.match.record import FILE_LIMIT, LINE_LIMIT
from tests.toys import PRIZES, SEED, play

PAGE = (Path(__file__).parents[2] / "docs" / "records.md").read_text()


def test_the_program_checks_a_record_without_qipai(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    RecordWriter(tmp_path / "match.jsonl", play(Match(PRIZES, seed=SEED), Random(1)), sync=False).close()
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    assert "qipai" not in code.replace("qipai/1", "")
    exec(compile(code, "records.md", "exec"), {})
    out = capsys.readouterr().out
    assert "commitment True" in out and f"deal {keys.deal_words(SEED)}" in out
    assert str(keys.action_words(SEED, 11)) in out.splitlines()[-1]


def test_every_key_of_a_record_is_on_the_page(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    RecordWriter(path, play(Match(PRIZES, seed=SEED), Random(1)), sync=False).close()
    for line in path.read_text().splitlines():
        for key in json.loads(line):
            assert f"| `{key}` |" in PAGE
    assert f"{LINE_LIMIT:,}" in PAGE and f"{FILE_LIMIT:,}" in PAGE
