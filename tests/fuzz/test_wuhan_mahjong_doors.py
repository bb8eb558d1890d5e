"""Fuzzed doors of Wuhan mahjong: ValueError or a named error each, nothing changed."""

from __future__ import annotations

from .wuhan_mahjong_doors import fuzz_doors


def test_malformed_input_is_refused_by_name_and_changes_nothing() -> None:
    figures = fuzz_doors(1000, seed=1)
    assert figures["tried"] == 1000
    assert figures["refused"] > 600
