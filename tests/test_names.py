"""Every module has a test that is found by its name.

`core/jit.py` is tested by `tests/core/test_jit.py`, the page's `router.ts` by `router.test.ts` next to it.
"""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SOURCE = TESTS.parent / "src" / "qipai"
PAGE = TESTS.parent / "front" / "src"

# Modules without a test of their name, each with its reason.
EXCEPTIONS = {
    "arena/loops.py": "compiled loops whose games test_lanes.py compares with those played one by one",
    "sim/engine.py": "the interface of a device; test_cpu.py and cuda/test_engine.py test its two forms",
    "testing/__main__.py": "one call of cli.main, in tests/commands/test_check.py",
    "testing/loops.py": "compiled loops that test_play.py and test_parity.py compare with plain games",
    "testing/world_loops.py": "compiled loops that test_drawer.py runs plain and test_worlds.py compiled",
    "games/*/examples.py": "positions that check_game replays (tests/testing/test_registered_games.py)",
    "games/*/api/codes.py": "names of refusals, tested where each is raised",
    "games/*/__main__.py": "one call of the self test",
    "skeleton/game/*": "the template of a game, checked as a whole by tests/skeleton/test_game.py",
    "__main__.py": "one call of cli.main",
}

# The same for the page's TypeScript.
PAGE_EXCEPTIONS = {
    "main.ts": "mounts the page, which every browser test opens",
    "lib/help.svelte.ts": "three values that the help sheet shows, no logic",
    "lib/wire.ts": "types generated from server/wire.py; tests/server/test_wire.py",
    "tables/contract.ts": "types, which svelte-check compares with every table",
    "tables/*/types.ts": "types of a view (the constants of one: tests/games/paipai_rensa/test_state.py)",
    "tables/*/index.ts": "names a table's parts; lib/tables.test.ts loads all of them",
    "tables/*/guide.ts": "names a guide's parts; lib/tables.test.ts loads all of them",
    "tables/xianqi/sample.ts": "a view for tests",
}


def modules() -> list[str]:
    """Return every module of the package by its path; an `__init__.py` only gathers names."""
    paths = (path.relative_to(SOURCE) for path in SOURCE.rglob("*.py"))
    return sorted(path.as_posix() for path in paths if path.name != "__init__.py")


def page_modules() -> list[str]:
    """Return every TypeScript module of the page by its path, without tests."""
    paths = (path.relative_to(PAGE).as_posix() for path in PAGE.rglob("*.ts"))
    return sorted(path for path in paths if not path.endswith(".test.ts"))


def matches(module: str, patterns: tuple[str, ...]) -> bool:
    """Return whether one of `patterns`, paths with `*`, stands for the module."""
    return any(fnmatch(module, pattern) for pattern in patterns)


def place_of(module: str) -> Path:
    """Return where the test of a module is."""
    path = Path(module)
    return TESTS / path.parent / f"test_{path.stem}.py"


def place_on_the_page(module: str) -> Path:
    """Return where the test of a TypeScript module is: next to it."""
    return (PAGE / module).with_suffix(".test.ts")


@pytest.mark.parametrize("module", modules())
def test_a_module_is_tested_by_a_file_of_its_name(module: str) -> None:
    explained = matches(module, tuple(EXCEPTIONS))
    assert explained or place_of(module).is_file(), f"write {place_of(module).relative_to(TESTS.parent)}"


@pytest.mark.parametrize("pattern", EXCEPTIONS)
def test_no_exception_outlives_its_reason(pattern: str) -> None:
    meant = [module for module in modules() if matches(module, (pattern,))]
    assert meant, f"{pattern} is not there any more"
    assert not all(place_of(module).is_file() for module in meant), f"{pattern} needs no exception any more"


def test_a_module_without_a_test_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "planted.py").write_text("")
    monkeypatch.setattr(f"{__name__}.SOURCE", tmp_path)
    assert modules() == ["core/planted.py"]
    with pytest.raises(AssertionError, match=r"write tests/core/test_planted\.py"):
        test_a_module_is_tested_by_a_file_of_its_name("core/planted.py")


@pytest.mark.parametrize("module", page_modules())
def test_a_module_of_the_page_has_its_test_next_to_it(module: str) -> None:
    explained = matches(module, tuple(PAGE_EXCEPTIONS))
    assert explained or place_on_the_page(module).is_file(), f"write {place_on_the_page(module).name}"


def test_a_test_of_the_page_has_its_module_next_to_it() -> None:
    tests = {path.relative_to(PAGE).as_posix().removesuffix(".test.ts") for path in PAGE.rglob("*.test.ts")}
    components = {path.relative_to(PAGE).with_suffix("").as_posix() for path in PAGE.rglob("*.svelte")}
    assert len(tests) > 50
    assert tests <= components | {module.removesuffix(".ts") for module in page_modules()}


# wire.ts is not in git
@pytest.mark.parametrize("pattern", [p for p in PAGE_EXCEPTIONS if p != "lib/wire.ts"])
def test_no_exception_of_the_page_outlives_its_reason(pattern: str) -> None:
    meant = [module for module in page_modules() if matches(module, (pattern,))]
    assert meant, f"{pattern} is not there any more"
    assert not all(place_on_the_page(module).is_file() for module in meant), f"{pattern} needs no exception"


def test_a_module_of_the_page_without_a_test_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "planted.svelte.ts").write_text("")
    monkeypatch.setattr(f"{__name__}.PAGE", tmp_path)
    assert page_modules() == ["lib/planted.svelte.ts"]
    with pytest.raises(AssertionError, match=r"write planted\.svelte\.test\.ts"):
        test_a_module_of_the_page_has_its_test_next_to_it("lib/planted.svelte.ts")
