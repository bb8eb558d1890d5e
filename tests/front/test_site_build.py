"""The builder of the page: it does nothing when nothing changed, and says what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

import site_build


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a small front/ next to a server package, with nothing built."""
    front, server = tmp_path / "front", tmp_path / "server"
    for folder in (
        front / "src" / "lib",
        front / "src/tables/nana",
        front / "public",
        server,
        tmp_path / "images",
    ):
        folder.mkdir(parents=True)
    for name in (
        "index.html",
        *site_build.CONFIG,
        "src/main.ts",
        "src/tables/nana/index.ts",
        "public/favicon.svg",
    ):
        (front / name).write_text(name)
    for path in (server / "wire.py", front / "wire_types.py", tmp_path / "images/nana.webp"):
        path.write_text(path.name)
    monkeypatch.setattr(site_build, "FRONT", front)
    monkeypatch.setattr(site_build, "PACKAGE", tmp_path)
    monkeypatch.setattr(site_build, "SITE", server / "site")
    monkeypatch.setattr(site_build, "PICTURES", tmp_path / "images")
    monkeypatch.setattr(site_build, "WIRE", front / "src" / "lib" / "wire.ts")
    return tmp_path


def build_by_hand(clone: Path) -> None:
    site = clone / "server" / "site"
    site.mkdir()
    (site / "index.html").write_text("")
    (site / site_build.STAMP).write_text(site_build.digest())


def test_a_page_that_is_up_to_date_is_left_alone(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_by_hand(clone)
    monkeypatch.setattr(site_build, "find_node", lambda: None)
    assert not site_build.build()


@pytest.mark.parametrize(
    "changed", ["front/src/main.ts", "front/package-lock.json", "server/wire.py", "images/nana.webp"]
)
def test_a_changed_source_asks_for_a_build(
    clone: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    build_by_hand(clone)
    monkeypatch.setattr(site_build, "find_node", lambda: None)
    (clone / changed).write_text("other")
    with pytest.raises(site_build.BuildError, match="it needs Node"):
        site_build.build()


def test_the_generated_types_are_no_source(clone: Path) -> None:
    before = site_build.digest()
    site_build.WIRE.write_text("anything")
    assert site_build.digest() == before


def test_an_installed_package_brings_its_page(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_by_hand(clone)
    monkeypatch.setattr(site_build, "FRONT", clone / "nowhere")
    assert not site_build.build()


def test_without_sources_and_page_it_says_so(
    clone: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(site_build, "FRONT", clone / "nowhere")
    assert site_build.main([]) == 1
    assert "sources" in capsys.readouterr().err


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the scripts of node_modules that would have run, with their arguments."""
    ran: list[list[str]] = []
    monkeypatch.setattr(site_build, "_prepare", lambda: ["node"])
    monkeypatch.setattr(site_build, "_bin", lambda path: path)
    monkeypatch.setattr(site_build, "_run", lambda command, what: ran.append(command[1:]))
    return ran


def test_each_option_runs_its_scripts_and_builds_nothing(clone: Path, told: list[list[str]]) -> None:
    assert site_build.main(["--test", "--lint"]) == 0
    assert [command[0] for command in told] == [
        "eslint/bin/eslint.js",
        "prettier/bin/prettier.cjs",
        "vitest/vitest.mjs",
    ]
    assert not (clone / "server" / "site").exists()


def test_a_failing_task_stops_the_rest(
    told: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(command: list[str], what: str) -> None:
        told.append(command[1:])
        raise site_build.BuildError(f"{what} failed")

    monkeypatch.setattr(site_build, "_run", fail)
    assert site_build.main(["--check", "--lint"]) == 1
    assert len(told) == 1
    assert "svelte-check failed" in capsys.readouterr().err


def test_unit_tests_are_no_source(clone: Path) -> None:
    before = site_build.digest()
    (clone / "front" / "src" / "main.test.ts").write_text("anything")
    assert site_build.digest() == before
