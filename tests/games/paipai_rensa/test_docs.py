"""The game's page and its README: the program runs, sizes are right, every check and fault has its test."""

from __future__ import annotations

import re
from pathlib import Path

from qipai.games.paipai_rensa import GAME, api
from qipai.games.paipai_rensa.options import OPTIONS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "games" / "paipai_rensa.md").read_text(encoding="utf-8")
README = (ROOT / "src" / "qipai" / "games" / "paipai_rensa" / "README.md").read_text(encoding="utf-8")


def test_the_program_of_the_page_runs() -> None:
    programs = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(programs) == 1
    exec(compile(programs[0], "docs/games/paipai_rensa.md", "exec"), {})


def test_the_page_states_the_true_sizes() -> None:
    for number in (GAME.rules.State.itemsize, GAME.observation_size, GAME.rules.actions, GAME.rules.length):
        assert f"{number:,}" in PAGE


def test_the_named_api_and_the_options_are_documented() -> None:
    for name in [*api.__all__, "PaipaiGame"]:
        assert f"`{name}`" in PAGE or f"{name}(" in PAGE or name in PAGE.split("import")[1]
    for option in OPTIONS:
        assert option.name in README or option.name.removeprefix("bias_zoro") in README


def test_every_fault_of_the_past_has_its_test() -> None:
    tests = "".join(p.read_text(encoding="utf-8") for p in Path(__file__).parent.rglob("test_*.py"))
    for number in range(1, 7):
        assert f"BUG-2025-0{number}" in README and f"bug_2025_0{number}" in tests


def test_every_acceptance_check_and_transition_is_cited_by_a_test() -> None:
    """In the name of a test, alone in its docstring, or as the name of a case."""
    tests = "".join(p.read_text(encoding="utf-8") for p in Path(__file__).parent.rglob("test_*.py"))
    names = "".join(re.findall(r"^def (test_\w+)", tests, re.MULTILINE))
    cited = {int(n) for n in re.findall(r"_ac(\d\d)", names) + re.findall(r'"AC-(\d\d)"', tests)}
    assert set(range(1, 63)) <= cited
    assert {int(n) for n in re.findall(r"_st(\d)", names)} == set(range(1, 6))
    assert {int(n) for n in re.findall(r"_t(\d+)", names)} == set(range(1, 17))
