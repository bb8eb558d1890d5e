"""The README's example runs as it stands, and its table of games is the registry."""

from __future__ import annotations

import re
from pathlib import Path

from qipai.core import get, names

README = (Path(__file__).parent.parent / "README.md").read_text()


def test_the_ten_line_example_runs(capsys: object) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", README, re.S)
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    exec(compile(code, "README.md", "exec"), {})


def test_the_table_of_games_is_the_registry() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \|(.*)\|$", README, re.M))
    for name in names():
        game = get(name)
        assert name in rows, f"{name} is not in the README"
        assert f"| {game.rules.actions} |" in rows[name] + "|"
        assert f"{game.rules.State.itemsize} bytes" in rows[name]
