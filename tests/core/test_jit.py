"""Numba's decorator as rules need it: its settings are put back, and each source has a folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Thread
from types import FunctionType
from typing import Any, cast

import numba
import pytest

from qipai.core import jit as jitting
from qipai.core.jit import compiling, jit, running_plain, runs_plain, settings
from qipai.core.sources import OPT, source_digest

config: Any = numba.config
needs_jit = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="compilation is off")


def third(cells: Any) -> Any:
    """Read beyond a short row."""
    return cells[3]


def doubled(cells: Any) -> Any:
    """Make an array."""
    return (cells + cells).sum()


def test_settings_hold_inside_and_are_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QIPAI_CACHE_DIR", str(tmp_path))
    before = config.OPT, config.CACHE_DIR
    with pytest.raises(RuntimeError), settings(cast(FunctionType, third), "tag"):
        assert int(config.OPT) == OPT
        assert Path(config.CACHE_DIR) == tmp_path / f"{source_digest(__name__)}-tag"
        raise RuntimeError
    assert before == (config.OPT, config.CACHE_DIR)


def test_threads_take_turns_with_the_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QIPAI_CACHE_DIR", str(tmp_path))
    before = config.OPT, config.CACHE_DIR
    seen: list[str] = []

    def other() -> None:
        with settings(cast(FunctionType, third), "other"):
            seen.append(Path(config.CACHE_DIR).name.rpartition("-")[2])

    thread = Thread(target=other)
    with settings(cast(FunctionType, third), "first"):
        thread.start()
        thread.join(0.1)
        seen.append(Path(config.CACHE_DIR).name.rpartition("-")[2])
    thread.join()
    assert seen == ["first", "other"]
    assert before == (config.OPT, config.CACHE_DIR)


@needs_jit
def test_only_a_checked_function_notices_an_index_out_of_bounds(tmp_path: Path) -> None:
    import numpy as np

    cells = np.arange(8)[:2]
    function = cast(FunctionType, third)
    assert jit(function, checked=False)(cells) == 3
    with pytest.raises(IndexError):
        jit(function, checked=True)(cells)


def test_with_compilation_off_a_function_stays_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jitting._config, "DISABLE_JIT", 1)
    assert jit(cast(FunctionType, third), checked=True) is third


@needs_jit
def test_tight_code_reads_arrays_and_cannot_make_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    monkeypatch.setenv("QIPAI_CACHE_DIR", str(tmp_path))
    assert jit(cast(FunctionType, third), False, tight=True)(np.arange(8)) == 3
    with pytest.raises(numba.core.errors.NumbaError):
        jit(cast(FunctionType, doubled), False, tight=True)(np.arange(8))


@needs_jit
def test_a_rule_runs_plain_until_a_compiling_thread_has_compiled_it() -> None:
    import numpy as np

    rule = jit(cast(FunctionType, third), checked=False)
    cells = np.arange(8)
    with running_plain():
        assert runs_plain()
        assert rule(cells) == 3
        assert not rule.signatures  # nothing was compiled
        with compiling():
            assert not runs_plain()
            assert rule(cells) == 3
        assert len(rule.signatures) == 1
        assert rule(cells) == 3
    assert not runs_plain()


@needs_jit
def test_a_hand_goes_from_plain_rules_to_compiled_ones_with_the_same_bytes() -> None:
    """In a separate process, because this one has compiled rules already."""
    code = """
from qipai.core import Player, get
from qipai.core.jit import compiling, running_plain
from qipai.match import Match

get("leduc_poker").compile()  # closes the rules that games share
game = get("nana")
with running_plain():
    mixed = Match(game, seed=bytes(32))
    player = Player(game, "random", 7)
    for _ in range(5):
        mixed.act(mixed.seat, player.move(mixed.state))
    assert not game.compiled
    with compiling():
        game.compile()
    assert game.compiled
    while not mixed.over:
        mixed.act(mixed.seat, player.move(mixed.state))
whole = Match(game, seed=bytes(32))
player = Player(game, "random", 7)
while not whole.over:
    whole.act(whole.seat, player.move(whole.state))
assert whole.moves == mixed.moves and whole.digest == mixed.digest and whole.chain == mixed.chain
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
