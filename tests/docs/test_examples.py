"""The programs on the pages of the documentation run unchanged."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from qipai.core import registry
from qipai.testing import check_game

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
SKIP = "# doctest: skip"
BLOCK = re.compile(r"```python\n(.*?)```", re.S)

# Pages whose programs stand alone; those of other pages have their own tests.
PAGES = (
    "index.md",
    "errors.md",
    "research/index.md",
    "research/batches.md",
    "research/playouts.md",
    "research/compiled.md",
    "design/contract.md",
    "reference/api/agents.md",
    "reference/api/search.md",
)


def blocks(page: str) -> list[str]:
    return BLOCK.findall((DOCS / page).read_text("utf-8"))


@pytest.mark.parametrize("page", PAGES)
def test_the_programs_of_a_page_run(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = blocks(page)
    assert found
    for block in found:
        if not block.startswith(SKIP):
            exec(compile(block, page, "exec"), {})


@pytest.fixture
def kuhn(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Provide the worked example as a module, which the last program of the page imports by name."""
    place = ROOT / "examples" / "kuhn_poker.py"
    spec = importlib.util.spec_from_file_location("kuhn_poker", place)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "kuhn_poker", module)
    monkeypatch.setattr(registry, "_added", dict(registry._added))
    spec.loader.exec_module(module)
    yield module


def test_the_worked_example_is_the_file_of_the_repository() -> None:
    *parts, _ = blocks("design/first-game.md")
    code = "\n\n".join(part.rstrip("\n") + "\n" for part in parts)
    assert code == (ROOT / "examples" / "kuhn_poker.py").read_text("utf-8")
    said = re.search(r"about (\d+) lines", (DOCS / "design" / "first-game.md").read_text("utf-8"))
    assert said is not None and int(said[1]) == round(len(code.splitlines()), -1)


def test_the_worked_example_keeps_the_contract(kuhn: ModuleType) -> None:
    report = check_game(kuhn.GAME, games=40, parity_games=4)
    assert not report.failures


def test_the_worked_example_is_played_simulated_and_trained_on(
    kuhn: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    *_, program = blocks("design/first-game.md")
    exec(compile(program, "first-game.md", "exec"), {})
    assert "decisions=1024000" in capsys.readouterr().out


def test_the_leak_that_the_page_suggests_is_found(kuhn: ModuleType, tmp_path: Path) -> None:
    """ "Try it": without the condition the other card is in the observation."""
    text = (ROOT / "examples" / "kuhn_poker.py").read_text("utf-8")
    honest = "out[2] = int(s.card[other]) + 1 if s.shown else 0"
    assert honest in text
    place = tmp_path / "kuhn_leaky.py"
    place.write_text(text.replace(honest, "out[2] = int(s.card[other]) + 1"))
    spec = importlib.util.spec_from_file_location("kuhn_leaky", place)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["kuhn_leaky"] = module
    try:
        spec.loader.exec_module(module)
        with pytest.raises(AssertionError, match="observe"):
            check_game(module.GAME, games=20, parity_games=1, only=["secrecy of observe", "twins"])
    finally:
        del sys.modules["kuhn_leaky"]
