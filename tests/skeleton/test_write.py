"""`qipai new`: a package that installs, registers, keeps the contract and plays, or a named refusal."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from qipai.cli import main
from qipai.core.errors import BadFolder
from qipai.skeleton.write import GAME_FILES, contents, title_of, write_skeleton, write_small

NAME = "tiny_prizes"


def install(package: Path, site: Path) -> None:
    """Install a pure Python package like an installer: the code, and its entry points."""
    project = tomllib.loads((package / "pyproject.toml").read_text())
    meta = project["project"]
    shutil.copytree(package / "src", site)
    info = site / f"{meta['name'].replace('-', '_')}-{meta['version']}.dist-info"
    info.mkdir()
    head = f"Metadata-Version: 2.1\nName: {meta['name']}\nVersion: {meta['version']}\n"
    (info / "METADATA").write_text(head)
    lines = []
    for group, entries in meta["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {place}" for name, place in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


def run(folder: Path, *args: str, text: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command in a separate process with the installed package and its own cache."""
    env = {**os.environ, "PYTHONPATH": str(folder / "site"), "QIPAI_CACHE_DIR": str(folder / "cache")}
    env["XDG_DATA_HOME"] = env["XDG_STATE_HOME"] = env["HOME"] = str(folder)
    return subprocess.run(
        [sys.executable, *args], input=text, capture_output=True, text=True, env=env, cwd=folder, check=False
    )


@pytest.mark.slow
def test_a_new_game_installs_registers_keeps_the_contract_and_plays(tmp_path: Path) -> None:
    assert main(["new", NAME, "--dir", str(tmp_path)]) == 0
    install(tmp_path / NAME, tmp_path / "site")
    listed = run(tmp_path, "-m", "qipai.cli", "games")
    assert NAME in listed.stdout and title_of(NAME) in listed.stdout, listed.stderr
    tested = run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", NAME)
    assert tested.returncode == 0 and " passed" in tested.stdout, tested.stdout + tested.stderr
    record = tmp_path / "game.jsonl"
    played = play_in_terminal(tmp_path, record)
    assert played.returncode == 0, played.stdout + played.stderr
    assert "The prize is" in played.stdout and "Traceback" not in played.stderr
    verified = run(tmp_path, "-m", "qipai.cli", "verify", str(record))
    assert verified.returncode == 0 and f"good: {NAME}, 2 seats, 10 moves" in verified.stdout, verified.stdout


def play_in_terminal(folder: Path, record: Path) -> subprocess.CompletedProcess[str]:
    """Type a whole deal by naming one card after the other; illegal ones are rejected."""
    keys = "".join(f"{card}\n" for card in range(1, 17))
    flags = ["--seat", "0", "--bots", "steady", "--new", "--fast", "--deals", "1", "--seed", "7"]
    return run(folder, "-m", "qipai.cli", "play", NAME, *flags, "--record", str(record), text=keys * 12)


def test_every_file_is_filled_in() -> None:
    found = contents(NAME)
    for file in (*GAME_FILES, "rules.py"):
        assert f"src/{NAME}/{file}" in found
    for place, text in found.items():
        assert re.search(r"\{\{\w+\}\}", text) is None and text.endswith("\n"), place
        if place.startswith("src/"):
            assert "skeleton" not in text.lower() and "four prizes" not in text.lower(), place
        if place.endswith((".md", ".py")) and place != "README.md":
            assert title_of(NAME) in text.partition("\n\n")[0], f"{place} does not say whose file it is"
    assert f'name="{NAME}"' in found[f"src/{NAME}/__init__.py"]
    assert f'{NAME} = "{NAME}:GAME"' in found["pyproject.toml"]


def test_what_is_written_passes_the_linter(tmp_path: Path) -> None:
    write_skeleton(NAME, tmp_path)
    write_small("tiny_dice", tmp_path / NAME)
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--line-length", "110"]
        + ["--select", "E,F,W,B,UP,SIM,C4,PIE", str(tmp_path / NAME)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_name_that_cannot_be_used_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    odd = ["", "My", "2x", "a-b", "a b", "a.b", "../x", "é", "x" * 41, "_x"]
    for name in [*odd, "class", "xianqi", "json", "qipai", "numpy"]:
        assert main(["new", name, "--dir", str(tmp_path)]) == 2, name
        assert "[name/bad]" in capsys.readouterr().err
        assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "a_file").write_text("precious")
    (tmp_path / "a_folder").mkdir()
    (tmp_path / "a_link").symlink_to("nowhere")
    for name in ("a_file", "a_folder", "a_link"):
        with pytest.raises(BadFolder, match="exists already"):
            write_skeleton(name, tmp_path)
    assert (tmp_path / "a_file").read_text() == "precious" and list((tmp_path / "a_folder").iterdir()) == []


def test_a_folder_that_cannot_be_written_is_refused_and_nothing_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in (tmp_path / "none", "a\0b", tmp_path / "file" / "below"):
        with pytest.raises(BadFolder, match="cannot write"):
            write_skeleton(NAME, place)

    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(BadFolder, match="No space left"):
        write_skeleton(NAME, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_small_game_speaks_of_itself_and_replaces_nothing(tmp_path: Path) -> None:
    text = write_small("tiny_dice", tmp_path).read_text("utf-8")
    assert text.startswith('"""Tiny dice: ') and 'name="tiny_dice"' in text
    assert "skeleton" not in text.lower()
    with pytest.raises(BadFolder, match="exists already"):
        write_small("tiny_dice", tmp_path)
    with pytest.raises(BadFolder, match="cannot write"):
        write_small("tiny_dice", tmp_path / "nowhere")
    assert (tmp_path / "tiny_dice.py").read_text("utf-8") == text
