"""The state: its fields are pinned, since records depend on them; phases, edges, the page's numbers."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest

from qipai.games.paipai_rensa import state
from qipai.games.paipai_rensa.state import ALL_PLACEMENTS, EDGES, LONGEST, PLACEMENTS, SCRATCH, Phase, State

PAGE = Path(__file__).parents[3] / "front/src/tables/paipai_rensa/types.ts"


def test_names_order_and_types_of_the_fields_never_change() -> None:
    names = [name for name in State.names or () if name != "next_pairs"]  # added later, where padding was
    fields = [(name, State[name].str or "", State[name].subdtype) for name in names]
    text = repr([(n, s, None if d is None else (d[0].str, d[1])) for n, s, d in fields])
    assert len(fields) == 66 and State.itemsize == 1040
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "3f9a376bea9b1320"


def test_scratch_fields_are_fields() -> None:
    assert set(SCRATCH) <= set(State.names or ())


def test_every_phase_is_on_an_edge() -> None:
    assert {Phase(p) for edge in EDGES for p in edge} == set(Phase) and len(set(EDGES)) == len(EDGES)


def test_two_placements_do_not_exist() -> None:
    assert [i for i in range(PLACEMENTS) if not ALL_PLACEMENTS >> i & 1] == [3, 21] and LONGEST == 694


@pytest.mark.parametrize("name", ["COLS", "ROWS", "HAND_MAX", "KEEP", "DISCARD"])
def test_the_page_uses_the_numbers_of_the_state(name: str) -> None:
    found = re.search(rf"export const {name} = (\d+);", PAGE.read_text("utf-8"))
    assert found and int(found[1]) == getattr(state, name)
