"""The shipped vectors agree, and are those of the spec."""

from __future__ import annotations

from pathlib import Path

import pytest

from qipai.core.errors import BadVectors
from qipai.games.nana import run_vector
from qipai.vectors import run_file
from tests.games.nana.make_vectors import text

FILE = Path(__file__).parents[2] / "vectors" / "nana.json"


def test_every_vector_of_the_file_agrees() -> None:
    outcomes = list(run_file(FILE))
    assert len(outcomes) > 50
    assert {o.vector.id: o.differences for o in outcomes if o.differences} == {}


def test_the_file_is_what_the_spec_says() -> None:
    assert FILE.read_text() == text()


def test_unknown_kinds_are_named() -> None:
    with pytest.raises(BadVectors):
        run_vector("chess", {})
