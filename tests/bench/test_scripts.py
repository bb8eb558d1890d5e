"""The scripts of `benchmarks/`, as far as they go without a device."""

from __future__ import annotations

import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "benchmarks"


def test_no_script_hides_a_module_of_the_standard_library() -> None:
    """A script's folder is searched first: `profile.py` there is what Numba gets, through cProfile."""
    assert not {script.stem for script in FOLDER.glob("*.py")} & sys.stdlib_module_names
