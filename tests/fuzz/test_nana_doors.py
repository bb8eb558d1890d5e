"""A hundredth of the stated fuzz of NANA; all of it is in the proof."""

from __future__ import annotations

from tests.fuzz.nana_doors import fuzz


def test_malformed_input_is_refused_by_name() -> None:
    found = fuzz(1000, seed=3)
    assert sum(found.values()) == 1000
    assert found["layout/bad"] > 300
    assert found["accepted"] < 500
