"""Numba's decorator as rules need it: its settings are put back, and each source has a folder."""

from __future__ import annotations

from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numba
import pytest

from qipai.core import jit as jitting
from qipai.core.jit import jit, settings
from qipai.core.sources import OPT, source_digest

config: Any = numba.config
needs_jit = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="compilation is off")


def third(cells: Any) -> Any:
    """Read beyond a short row."""
    return cells[3]


def test_settings_hold_inside_and_are_put_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QIPAI_CACHE_DIR", str(tmp_path))
    before = config.OPT, config.CACHE_DIR
    with pytest.raises(RuntimeError), settings(cast(FunctionType, third), "tag"):
        assert int(config.OPT) == OPT
        assert Path(config.CACHE_DIR) == tmp_path / f"{source_digest(__name__)}-tag"
        raise RuntimeError
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
